"""Tests of two systems against sacreBLEU's own, brute force and laws of significance."""

import itertools
import re
from functools import cache

import numpy as np
import pytest
import sacrebleu
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacrebleu.significance import PairedTest as SacrebleuTest

from nmt.errors import InputError
from nmt.evaluation import significance
from nmt.evaluation.bootstrap import Resamples, interval
from nmt.evaluation.buckets import by_hand, by_width
from nmt.evaluation.metrics import metrics
from nmt.evaluation.significance import corrected, paired_tests
from nmt.evaluation.sufficient_statistics import sentence_statistics
from nmt.results import (
    HypothesisStatistics,
    PairedTest,
    PairStatistics,
    ScoreDifference,
    SentenceStatistics,
    Span,
    TestMethod,
)
from nmt.results.statistics import Floats
from tests.evaluation.texts import Texts, texts

LENGTHS = list(range(4, 24)) * 3
SAMPLES = 400


@cache
def given(kept: float) -> Texts:
    return texts(LENGTHS, kept=kept)


def counted(hypotheses: list[str], references: list[str], sources: list[str] | None = None) -> SentenceStatistics:
    return sentence_statistics(sources or references, hypotheses, references)


@cache
def statistics(kept: float) -> SentenceStatistics:
    some = given(kept)
    return counted(some.hypotheses, some.references, some.sources)


def outcome(
    first: float,
    second: float,
    method: TestMethod,
    metric: str = "BLEU",
    spans: tuple[Span, ...] = (),
    seed: int = 12345,
    trials: int = SAMPLES,
) -> PairedTest:
    resamples = Resamples.draw(len(LENGTHS), SAMPLES, seed)
    (found,) = paired_tests(
        {"a": statistics(first), "b": statistics(second)} if first != second else twins(first),
        spans,
        metric=metric,
        method=method,
        resamples=resamples,
        trials=trials,
        seed=seed,
    )
    return found


def twins(kept: float) -> dict[str, SentenceStatistics]:
    return {"a": statistics(kept), "b": statistics(kept)}


METHODS: tuple[TestMethod, ...] = ("bootstrap", "randomisation")
SHORT = {"bootstrap": "bs", "randomisation": "ar"}


def p_with_ties(stats: Floats, real: float) -> float:
    return float((np.sum(stats >= real - 1e-9) + 1) / (len(stats) + 1))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("others", [(0.76, 0.5), (0.79, 0.82)])
def test_equals_sacrebleus_own_test(
    method: TestMethod, others: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same seed and number of samples give the same p, for systems that hardly differ and for others. In a
    randomisation a difference of TER is often exactly as large as the real one, which sacreBLEU does not count."""
    monkeypatch.setenv("SACREBLEU_SEED", "12345")
    assert significance.TRIALS_AT_ONCE % 32 == 0
    monkeypatch.setattr(significance, "TRIALS_AT_ONCE", 96)  # in parts
    systems = [("base", given(0.8).hypotheses), *((str(kept), given(kept).hypotheses) for kept in others)]
    metrics = {"BLEU": BLEU(), "chrF": CHRF(), "TER": TER()}
    test = SacrebleuTest(systems, metrics, [given(0.8).references], test_type=SHORT[method], n_samples=SAMPLES)
    _, expected = test()
    if method == "randomisation":
        with monkeypatch.context() as ties:
            ties.setattr("sacrebleu.significance._compute_p_value", p_with_ties)
            ter = SacrebleuTest(systems, {"TER": TER()}, [given(0.8).references], test_type="ar", n_samples=SAMPLES)()[
                1
            ]
        assert all(one.p_value <= tied.p_value for one, tied in zip(expected["TER"][1:], ter["TER"][1:], strict=True))
        expected["TER"] = ter["TER"]
    seen = []
    for name, key in (("BLEU", "BLEU"), ("chrF", "chrF2"), ("TER", "TER")):
        for kept, result in zip(others, expected[key][1:], strict=True):
            found = outcome(0.8, kept, method, name).overall
            assert found.difference == pytest.approx(expected[key][0].score - result.score, abs=1e-12)
            assert found.p == pytest.approx(result.p_value, abs=1e-12)
            seen.append(found.p)
    assert min(seen) < max(seen)


def test_intervals_are_those_of_a_loop() -> None:
    drawn = np.random.default_rng(12345).choice(len(LENGTHS), size=(SAMPLES, len(LENGTHS)), replace=True)
    for name, metric in metrics().items():
        tables = [metric.table(statistics(kept)) for kept in (0.8, 0.7)]
        scores = [np.array([metric.score(table[one].sum(axis=0).tolist()) for one in drawn]) for table in tables]
        expected = interval(scores[0] - scores[1])
        found = outcome(0.8, 0.7, "bootstrap", name).overall
        assert expected is not None
        assert found.difference_interval is not None
        ends = found.difference_interval.low, found.difference_interval.high
        assert ends == pytest.approx((expected.low, expected.high))
        quotients = interval(scores[0] / scores[1])
        assert found.ratio is not None
        assert found.ratio.interval is not None
        assert quotients is not None
        assert (found.ratio.interval.low, found.ratio.interval.high) == pytest.approx((quotients.low, quotients.high))


def test_randomisation_nears_the_share_of_all_possible_swaps() -> None:
    """Eight sentences have 256 of them."""
    lines = [texts([6, 9, 5, 12, 8, 7, 10, 6], kept=kept) for kept in (0.8, 0.55)]
    systems = {str(k): counted(some.hypotheses, some.references) for k, some in enumerate(lines)}
    for name, metric in metrics().items():
        one, other = (metric.table(system) for system in systems.values())
        real = abs(metric.score(one.sum(axis=0).tolist()) - metric.score(other.sum(axis=0).tolist()))
        as_much = 0
        for swaps in itertools.product([False, True], repeat=8):
            swapped = np.array(swaps)[:, None]
            sums = [np.where(swapped, a, b).sum(axis=0).tolist() for a, b in ((one, other), (other, one))]
            as_much += abs(metric.score(sums[0]) - metric.score(sums[1])) >= real - 1e-9
        (found,) = paired_tests(systems, metric=name, resamples=Resamples.draw(8), trials=20_000)
        assert found.overall.p == pytest.approx(as_much / 256, abs=0.02)
        assert found.overall.difference_interval is None  # eight sentences


@pytest.mark.parametrize("method", METHODS)
def test_each_range_is_tested_as_if_it_were_alone(method: TestMethod) -> None:
    """Its p is that of the same swaps or resamples, cut down to its sentences."""
    spans = by_hand([1, 8, 15])
    found = outcome(0.8, 0.7, method, "chrF", spans)
    metric = metrics()["chrF"]
    tables = [metric.table(statistics(kept)) for kept in (0.8, 0.7)]
    rng = np.random.default_rng(12345)
    if method == "randomisation":
        kept = rng.integers(2, size=(SAMPLES, len(LENGTHS)), dtype=bool)
        weights = [(one.astype(int), 1 - one.astype(int)) for one in kept]
    else:
        drawn = rng.choice(len(LENGTHS), size=(SAMPLES, len(LENGTHS)), replace=True)
        weights = [(np.bincount(one, minlength=len(LENGTHS)), np.zeros(len(LENGTHS), dtype=int)) for one in drawn]
    for span, one in zip(spans, found.by_length, strict=True):
        rows = span.holds(np.array(LENGTHS))
        assert (one.span, one.sentences) == (span, int(rows.sum()))
        a, b = (table[rows] for table in tables)
        differences = np.array(
            [
                metric.score((own[rows] @ a + rest[rows] @ b).tolist())
                - metric.score((own[rows] @ b + rest[rows] @ a).tolist())
                for own, rest in weights
            ]
        )
        real = metric.score(a.sum(axis=0).tolist()) - metric.score(b.sum(axis=0).tolist())
        sizes = np.abs(differences)
        if method == "bootstrap":
            sizes = sizes - sizes.mean()
        assert one.difference == pytest.approx(real)
        assert one.p == pytest.approx((np.count_nonzero(sizes >= abs(real) - 1e-9) + 1) / (SAMPLES + 1), abs=1e-12)


def test_holm() -> None:
    """The example is worked out by hand: 0.01 x 4, 0.02 x 3, 0.03 x 2, 0.6 x 1, none smaller than one before."""
    values = [0.6, None, 0.01, 0.03, 0.02]
    found = corrected([ScoreDifference(span=Span(k), sentences=9, difference=1.0, p=p) for k, p in enumerate(values)])
    assert [each.p for each in found] == values
    assert [each.corrected_p for each in found] == pytest.approx([0.6, None, 0.04, 0.06, 0.06])
    assert [each.significant for each in found] == [False, False, True, False, False]
    assert corrected([]) == ()
    assert [
        each.corrected_p for each in corrected([ScoreDifference(span=Span(1), sentences=9, difference=1.0, p=0.9)] * 3)
    ] == [1, 1, 1]


@pytest.mark.parametrize("metric", metrics())
@pytest.mark.parametrize("method", METHODS)
def test_identical_systems_do_not_differ(method: TestMethod, metric: str) -> None:
    found = outcome(0.8, 0.8, method, metric, by_width())
    for one in (found.overall, *found.by_length):
        assert one.difference in (0, None)
        assert one.p in (1, None)
        assert not one.significant
    assert found.overall.difference_interval is not None
    assert (found.overall.difference_interval.low, found.overall.difference_interval.high) == (0, 0)
    assert re.search(rf"\b60 sentences: .*\b{metric}\b", found.in_words(found.overall))


@pytest.mark.parametrize("method", METHODS)
def test_which_comes_first_changes_the_sign_alone(method: TestMethod) -> None:
    forth, back = (outcome(*pair, method).overall for pair in ((0.8, 0.7), (0.7, 0.8)))
    assert forth.difference is not None
    assert back.difference is not None
    assert (forth.difference, forth.p) == (-back.difference, back.p)
    assert forth == outcome(0.8, 0.7, method).overall
    assert forth != outcome(0.8, 0.7, method, seed=3).overall


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("metric", metrics())
@pytest.mark.parametrize(
    ("one", "other", "references"),
    [
        ([""] * 10, [""] * 10, ["a lamp"] * 10),
        ([""] * 10, ["lamp"] * 10, ["lamp"] * 10),
        (["a"] * 10, ["b"] * 10, ["a"] * 10),
        (["[UNK]"] * 10, ["[UNK] [UNK]"] * 10, ["the old lamp ."] * 10),
        (["a"] * 10, ["a b"] * 10, [""] * 10),
        (["x y z"], ["the old lamp ."], ["the old lamp ."]),
    ],
    ids=["empty", "one empty", "one word", "unknown", "no reference", "one sentence"],
)
def test_odd_texts(one: list[str], other: list[str], references: list[str], metric: str, method: TestMethod) -> None:
    """No warning, p from 0 to 1, and differences that are sacreBLEU's."""
    systems = {"a": counted(one, references, ["x y"] * len(one)), "b": counted(other, references, ["x y"] * len(one))}
    drawn = Resamples.draw(len(one), 100)
    with np.errstate(all="raise"):
        (found,) = paired_tests(systems, by_width(), metric=metric, method=method, resamples=drawn, trials=100)
    score = {"BLEU": sacrebleu.corpus_bleu, "chrF": sacrebleu.corpus_chrf, "TER": sacrebleu.corpus_ter}[metric]
    expected = score(one, [references]).score - score(other, [references]).score
    for each in (found.overall, found.by_length[0]):
        assert each.difference == pytest.approx(expected)
        assert each.sentences == len(one)
        if len(one) < 10 and method == "bootstrap":
            assert each.p is None
        else:
            assert each.p is not None
            assert 0 < each.p <= 1
            assert not (each.significant and (expected == 0 or len(one) < 5))
        assert bool(re.search(r"\bp [=<]", found.in_words(each))) == (each.p is not None and each.difference != 0)
    assert [each.sentences for each in found.by_length[1:]] == [0] * 6
    assert not re.search(r"\d|BLEU|chrF|TER", found.in_words(found.by_length[1]))


@pytest.mark.parametrize("method", METHODS)
def test_equal_systems_are_rarely_called_different(method: TestMethod) -> None:
    """On about 5 % of test sets; by the bootstrap, whose p is one-sided, on about 10 %."""
    rng = np.random.default_rng(5)
    length = np.full(30, 12)
    pairs = PairStatistics(
        source_words=length, reference_words=length, reference_length=length, reference_characters=length
    )
    drawn, significant = Resamples.draw(30, 200), 0
    for seed in range(100):
        systems = {}
        for name in "ab":
            chance = rng.beta(6, 4, size=(30, 1))
            matches = rng.binomial([12, 11, 10, 9], chance ** np.array([1, 1.5, 2, 2.5]))
            systems[name] = SentenceStatistics(
                pairs,
                HypothesisStatistics(
                    words=length,
                    length=length,
                    matches=matches,
                    characters=length,
                    character_matches=np.zeros((30, 6), dtype=np.int64),
                    edits=length,
                ),
            )
        (found,) = paired_tests(systems, method=method, resamples=drawn, trials=200, seed=seed)
        significant += found.overall.significant
    assert 1 <= significant <= (12 if method == "randomisation" else 20)


def test_what_cannot_be_tested_is_one_sentence() -> None:
    drawn = Resamples.draw(len(LENGTHS), 40)
    with pytest.raises(InputError, match=r"bootstrap .*randomisation.*'t'"):
        paired_tests(twins(0.8), resamples=drawn, method="t")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="1 trial"):
        paired_tests(twins(0.8), resamples=drawn, trials=0)
    with pytest.raises(InputError, match="seed"):
        paired_tests(twins(0.8), resamples=drawn, seed=-1)
    assert paired_tests(twins(0.8), resamples=drawn, method="randomisation", trials=1, seed=0)[0].overall.p == 1
    with pytest.raises(InputError, match=r"\bsentences\b"):
        paired_tests({"a": statistics(0.8).take([])}, resamples=drawn)
    assert paired_tests({"a": statistics(0.8)}, resamples=drawn, trials=10) == ()
