"""The tree's JavaScript and its data."""

import json
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

import nmt
from nmt.charts.beam_view import beam_view_data
from nmt.config import SearchSettings
from nmt.inspection.what_if import beam_tree
from nmt.results import BeamNode
from nmt.texts import view_texts
from tests.charts.node import ROOT, evaluate

JS = ROOT / "nmt" / "charts" / "beam_view" / "js"


@pytest.mark.parametrize("name", ["search-words", "encdec-words"])
def test_the_data_are_those_of_the_tree(name: str, random_runs: Path) -> None:
    tree = beam_tree(nmt.load(random_runs / name), "the cat sleeps .", SearchSettings(beam=3))
    data = json.loads(json.dumps(beam_view_data(tree)))
    assert len(data["nodes"]) == len(tree.nodes)
    path = evaluate(JS / "tree_layout.js", "m.pathTo(given.nodes, given.best)", data)
    assert path == [0, *tree.path(tree.best)]
    for given, node in zip(data["nodes"], tree.nodes, strict=True):
        assert given["text"] == node.text
        assert bool(given["looked_at"]) == (node.alpha is not None)
        if node.alpha is not None:
            assert given["looked_at"][0][1] == pytest.approx(float(node.alpha.max()), abs=1e-3)


def test_every_fate_has_words() -> None:
    fates = get_args(get_type_hints(BeamNode)["fate"])
    assert {*view_texts("beam_view")["fates"]} == {*fates}
    assert {*view_texts("beam_view")["samples"]} == {*fates} - {"pruned"}
