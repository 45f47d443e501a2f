"""One translation among those of its length, against a plain count."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nmt.evaluation.evaluation_files import read_evaluated_system
from nmt.evaluation.metrics import standing

RUN = Path(__file__).parents[2] / "checkpoints" / "rnnsearch-50"


@pytest.mark.parametrize(("words", "log_probability", "tokens"), [(5, -1.5, 6), (12, -6.0, 13), (20, -2.0, 24)])
def test_a_plain_count(words: int, log_probability: float, tokens: int) -> None:
    evaluation = read_evaluated_system(RUN).evaluations["jointly-300"]
    statistics = evaluation.statistics()
    assert statistics is not None
    made = statistics.hypotheses
    assert made.tokens is not None
    assert made.log_probability is not None
    near = [k for k, n in enumerate(statistics.pairs.source_words) if words - 3 <= n <= words + 3]
    below = [k for k in near if made.log_probability[k] / made.tokens[k] < log_probability / tokens]
    found = standing(evaluation, words, log_probability, tokens)
    assert found is not None
    assert (found.sentences, found.test_set) == (len(near), "jointly-300")
    assert found.below == pytest.approx(len(below) / len(near))
    assert words - 3 <= found.shortest <= found.longest <= words + 3


def test_at_least_twenty_sentences_of_this_length_have_a_translation() -> None:
    """A blank sentence has no token, an empty translation has one, which ends it."""
    evaluation = read_evaluated_system(RUN).evaluations["jointly-300"]
    everything = evaluation.everything
    assert everything is not None
    assert everything.hypotheses.tokens is not None
    near = np.flatnonzero(abs(evaluation.pairs.source_words - 12) <= 3)
    for kept in (19, 20):
        tokens = everything.hypotheses.tokens.copy()
        tokens[near[0]], tokens[near[kept:]] = 1, 0
        made = replace(everything, hypotheses=replace(everything.hypotheses, tokens=tokens))
        found = standing(replace(evaluation, everything=made), 12, -6.0, 13)
        assert (0 if found is None else found.sentences) == (0 if kept < 20 else kept)


def test_too_few_sentences_or_no_statistics() -> None:
    evaluation = read_evaluated_system(RUN).evaluations["jointly-300"]
    assert standing(evaluation, 500, -1.0, 4) is None
    assert standing(replace(evaluation, everything=None), 12, -1.0, 4) is None
    assert standing(replace(evaluation, test_set=None), 12, -1.0, 4) is None
    everything = evaluation.everything
    assert everything is not None
    for missing in ("tokens", "log_probability"):
        made = replace(everything, hypotheses=replace(everything.hypotheses, **{missing: None}))
        assert standing(replace(evaluation, everything=made), 12, -1.0, 4) is None
