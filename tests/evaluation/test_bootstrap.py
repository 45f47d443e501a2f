"""Resampling against sacreBLEU's own tests, and laws of significance."""

from functools import cache

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest as SacrebleuTest
from sacrebleu.significance import estimate_ci

from nmt.evaluation.bleu import bleu
from nmt.evaluation.bootstrap import Resamples, interval, paired_test, ratio
from nmt.evaluation.counting import sentence_statistics
from nmt.results import PairedTest
from nmt.results.statistics import Counts, Floats
from tests.evaluation.texts import Texts, texts

LENGTHS = list(range(4, 24)) * 3


@cache
def given(kept: float) -> Texts:
    return texts(LENGTHS, kept=kept)


@cache
def table(kept: float) -> Counts:
    some = given(kept)
    return sentence_statistics(some.sources, some.hypotheses, some.references).bleu


def sampled(kept: float, resamples: Resamples) -> Floats:
    return resamples.bleu(table(kept))


def outcome(first: float, second: float, seed: int = 12345) -> PairedTest:
    resamples = Resamples.draw(len(LENGTHS), 400, seed)
    values = [bleu(table(kept).sum(axis=0).tolist()) for kept in (first, second)]
    return paired_test(("a", "b"), values, [sampled(kept, resamples) for kept in (first, second)])


def test_draws_are_those_of_one_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = np.random.default_rng(7).choice(30, size=(50, 30), replace=True)
    monkeypatch.setattr("nmt.evaluation.bootstrap._NUMBERS", 200)  # in parts of six rows
    times = Resamples.draw(30, 50, 7).times
    for row, drawn in zip(times, expected, strict=True):
        assert row.tolist() == np.bincount(drawn, minlength=30).tolist()


@pytest.mark.parametrize("kept", [0.76, 0.5])
def test_equals_sacrebleu(kept: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seed gives the same resamples: scores, means and widths are the same; p is defined otherwise there, as
    how often a centred difference is larger than the real one, which comes to about the same."""
    monkeypatch.setenv("SACREBLEU_SEED", "12345")
    systems = [("base", given(0.8).hypotheses), ("other", given(kept).hypotheses)]
    _, scores = SacrebleuTest(systems, {"BLEU": BLEU()}, [given(0.8).references], test_type="bs", n_samples=400)()
    resamples = Resamples.draw(len(LENGTHS), 400)
    for some, expected in zip((0.8, kept), scores["BLEU"], strict=True):
        samples = sampled(some, resamples)
        assert bleu(table(some).sum(axis=0).tolist()) == expected.score
        assert samples.mean() == pytest.approx(expected.mean, rel=1e-6)
        found = interval(samples)
        assert found is not None
        assert (found.high - found.low) / 2 == pytest.approx(expected.ci, rel=1e-5)
        assert estimate_ci(samples)[1] == pytest.approx((found.high - found.low) / 2)
    p = outcome(0.8, kept).p
    assert p < 0.2  # where systems hardly differ, sacreBLEU's p is another thing
    assert p == pytest.approx(scores["BLEU"][1].p_value, abs=0.04)


def test_identical_systems_do_not_differ() -> None:
    found = outcome(0.8, 0.8)
    assert (found.difference, found.p) == (0, 1)
    assert (found.difference_interval.low, found.difference_interval.high) == (0, 0)
    assert found.ratio is not None
    assert found.ratio.value == 1


def test_far_apart_systems_differ_in_every_resample() -> None:
    found = outcome(0.9, 0.4)
    assert found.p == 1 / 401
    assert 0 < found.difference_interval.low < found.difference < found.difference_interval.high
    assert found.ratio is not None
    assert found.ratio.interval is not None
    assert 1 < found.ratio.interval.low < found.ratio.value < found.ratio.interval.high


def test_which_comes_first_changes_the_sign_alone() -> None:
    forth, back = outcome(0.8, 0.7), outcome(0.7, 0.8)
    assert (forth.difference, forth.p) == (-back.difference, back.p)
    assert forth.difference_interval.low == -back.difference_interval.high
    assert forth == outcome(0.8, 0.7)
    assert forth != outcome(0.8, 0.7, seed=3)


def test_equal_systems_are_rarely_called_different() -> None:
    """p is 0.05 or less on about 10 % of test sets: on 5 % for each to seem better."""
    rng = np.random.default_rng(5)
    lengths = np.full((30, 1), 12)
    resamples = Resamples.draw(30, 100)
    significant = 0
    for _ in range(100):
        tables = []
        for _ in range(2):
            chance = rng.beta(6, 4, size=(30, 1))
            matches = rng.binomial([12, 11, 10, 9], chance ** np.array([1, 1.5, 2, 2.5]))
            tables.append(np.concatenate([lengths, lengths, matches, lengths - np.arange(4)], axis=1))
        values = [bleu(table.sum(axis=0).tolist()) for table in tables]
        significant += paired_test(("a", "b"), values, [resamples.bleu(table) for table in tables]).p <= 0.05
    assert 3 <= significant <= 20


def test_a_resample_without_any_of_the_sentences_has_no_score() -> None:
    some = table(0.8)[:3]
    resamples = Resamples.draw(3, 60)
    samples = resamples.bleu(some, np.array([1]))
    assert (np.isnan(samples) == (resamples.times[:, 1] == 0)).all()
    assert np.isnan(samples).any()
    assert interval(samples) is not None
    assert interval(resamples.bleu(some, np.array([], dtype=np.intp))) is None
    assert ratio(10.0, 0.0, samples, samples) is None
