"""The tree of a beam search on a sentence, which may have to begin with given tokens."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import torch

from nmt.config import SearchSettings
from nmt.data.vocabulary import END_ID
from nmt.errors import InputError
from nmt.inference.text_codec import PaddedTokens
from nmt.inference.translator import Translator
from nmt.results import BeamNode, BeamTree, NextToken
from nmt.search.beam_trace import BeamTrace, trace_beam
from nmt.search.constrained import Constrained, OutputConstraints, prefix
from nmt.search.limits import length_limits


def beam_tree(
    model: Translator, text: str, settings: SearchSettings, *, begin: Sequence[str] = (), top: int = 5
) -> BeamTree:
    """Search as ``model.translate`` does, and record all hypotheses.

    Args:
        model: with or without attention.
        text: one sentence, untokenised, not blank.
        begin: tokens as the model wrote them, with which every hypothesis has to begin.
        top: number of most probable next tokens to record for each hypothesis.

    Raises:
        InputError: as ``Translator.translate``; a token of ``begin`` that is not in the vocabulary, or that ends the
            sentence.
    """
    if not text.strip():
        raise InputError("there is no sentence to search a translation of")
    beginning = model.target.encode_tokens(begin).ids if begin else ()
    if END_ID in beginning:
        raise InputError("nothing can follow the end-of-sentence token")
    search = model.search(settings)
    source = model.source.encode(text)
    batch = PaddedTokens([source], search.steps.device)
    usual = int(length_limits(batch.mask, search.settings.min_length, search.settings.max_length)[0])
    limits = replace(search.settings, max_length=usual + len(beginning))  # given tokens leave as much room as before
    steps = Constrained(search.own_steps(), [OutputConstraints(prefix(beginning))])
    with torch.inference_mode(), search.steps.threads(search.settings.beam):
        trace = trace_beam(steps, batch.ids, batch.mask, limits, top=top)
    winner = trace.outputs[0].ids
    best = next(k for k, node in enumerate(trace.nodes) if node.fate == "finished" and trace.ids(k) == winner)
    return BeamTree(
        source=source,
        nodes=tuple(_node(model, trace, k) for k in range(len(trace.nodes))),
        best=best,
        given=tuple(begin),
        beam=search.settings.beam,
    )


def _node(model: Translator, trace: BeamTrace, number: int) -> BeamNode:
    node, vocabulary = trace.nodes[number], model.target.vocabulary
    ids = trace.ids(number)
    tokens = vocabulary.tokens([each.id for each in node.following])
    return BeamNode(
        parent=node.parent,
        length=node.length,
        token=vocabulary.tokens([node.id])[0] if node.parent is not None else "",
        text=model.target.tokenizer.detokenize(vocabulary.words(ids)),
        token_log_probability=node.token_log_probability,
        log_probability=node.log_probability,
        fate=node.fate,
        following=tuple(
            NextToken(token, each.log_probability, None)
            for token, each in zip(tokens, node.following, strict=True)
            if each.log_probability > -math.inf
        ),
        alpha=node.alpha,
    )
