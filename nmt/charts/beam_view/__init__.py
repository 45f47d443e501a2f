"""The tree of a beam search, drawn in plain JavaScript. It grows from left to right, the best hypotheses on top.

Python provides all hypotheses at once. JavaScript draws them (js/). The app shows the tree in nmt/ui/learn/steps.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from nmt.results import BeamNode, BeamTree
from nmt.results.inspection import writer

_MOST_SOURCE_WORDS = 4


def beam_view_data(tree: BeamTree) -> dict[str, Any]:
    """The data of the tree, as JSON types. Log-probabilities are in nats, rounded to 3 decimals."""
    source, target = writer(tree.source.tokens), writer(node.token for node in tree.nodes)
    return {
        "nodes": [_node(tree, node, source, target) for node in tree.nodes],
        "best": tree.best,
        "given": len(tree.given),
        "beam": tree.beam,
    }


def _node(tree: BeamTree, node: BeamNode, source: Callable[[str], str], target: Callable[[str], str]) -> dict[str, Any]:
    looked_at = []
    if node.alpha is not None:
        order = np.argsort(-node.alpha, kind="stable")[:_MOST_SOURCE_WORDS]
        looked_at = [[source(tree.source.tokens[j]), round(float(node.alpha[j]), 3)] for j in order.tolist()]
    return {
        "parent": node.parent,
        "length": node.length,
        "token": target(node.token),
        "text": node.text,
        "log_probability": round(node.log_probability, 3),
        "token_log_probability": round(node.token_log_probability, 3),
        "fate": node.fate,
        "following": [[target(token.token), round(token.probability, 4)] for token in node.following],
        "looked_at": looked_at,
    }
