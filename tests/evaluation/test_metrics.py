"""Many scores at a time against sacreBLEU's own, one by one."""

import numpy as np
import pytest

from nmt.errors import InputError
from nmt.evaluation.metrics import corpus_metric, extend_signature, metrics
from nmt.results.statistics import Counts


def bleu_sums(random: np.random.Generator, number: int) -> Counts:
    length, reference = random.integers(0, 9, (2, number))
    ngrams = np.maximum(length[:, None] - np.arange(4), 0)
    return np.concatenate([length[:, None], reference[:, None], random.binomial(ngrams, 0.5), ngrams], axis=1)


def chrf_sums(random: np.random.Generator, number: int) -> Counts:
    written, wanted = (np.maximum(random.integers(0, 12, (number, 1)) - np.arange(6), 0) for _ in range(2))
    matches = random.binomial(np.minimum(written, wanted), random.choice([0, 0.6], size=(number, 1)))
    return np.stack([written, wanted, matches], axis=2).reshape(number, 18)


def ter_sums(random: np.random.Generator, number: int) -> Counts:
    return random.integers(0, 6, (number, 2))


SUMS = {"BLEU": bleu_sums, "chrF": chrf_sums, "TER": ter_sums}


@pytest.mark.parametrize("name", metrics())
def test_many_at_a_time_equal_one_by_one(name: str) -> None:
    """Missing matches, missing n-grams, empty outputs and empty references included."""
    random = np.random.default_rng(4)
    sums = SUMS[name](random, 600)
    sums[300:] *= random.integers(1, 4000, (300, 1))
    metric = metrics()[name]
    expected = [metric.score(row) for row in sums.tolist()]
    found = metric.of_each(sums.T.astype(np.float64))
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert metric.of_each(sums.T.reshape(-1, 20, 30).astype(np.float64)).tolist() == found.reshape(20, 30).tolist()
    assert 0 in expected
    assert len(set(expected)) > 10


@pytest.mark.parametrize("name", metrics())
def test_nothing_scores_0(name: str) -> None:
    metric = metrics()[name]
    nothing = np.zeros_like(SUMS[name](np.random.default_rng(1), 1))
    assert metric.score(nothing[0].tolist()) == 0
    assert metric.of_each(nothing.T.astype(np.float64)).tolist() == [0]


def test_an_unknown_score_is_named() -> None:
    with pytest.raises(InputError, match=r"BLEU, chrF, TER.*'ROUGE'"):
        corpus_metric("ROUGE")


def test_a_signature_has_each_field_once() -> None:
    with pytest.raises(AssertionError, match="tok"):
        extend_signature("nrefs:1|tok:13a", {"tok": "char"})
