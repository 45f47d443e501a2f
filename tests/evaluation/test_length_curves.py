"""Curves over length against sacreBLEU over the texts of each range, and loops over the resamples."""

from dataclasses import asdict
from functools import cache
from typing import get_args

import numpy as np
import pytest
import sacrebleu

from nmt.errors import InputError
from nmt.evaluation.bootstrap import Resamples, interval
from nmt.evaluation.buckets import Buckets, by_equal_counts, by_hand, by_width, lengths_of, rolling
from nmt.evaluation.length_curves import length_curves
from nmt.evaluation.metrics import metrics
from nmt.evaluation.sufficient_statistics import sentence_statistics
from nmt.results import LengthCurves, LengthSide, SentenceStatistics, Span
from tests.evaluation.texts import Texts, texts

LENGTHS = [0, 1, 1, 2, *range(3, 33), *range(3, 33), 61, 64, 90]
CORPUS = {"BLEU": sacrebleu.corpus_bleu, "chrF": sacrebleu.corpus_chrf, "TER": sacrebleu.corpus_ter}
SYSTEMS = {"good": 0.9, "middling": 0.7, "bad": 0.3}
SPANS = {
    "width": by_width(),
    "counts": by_equal_counts(np.array(LENGTHS), 5),
    "hand": by_hand([2, 40, 61, 80]),
    "rolling": rolling(6, 20),
}

VALUES = [  # sacreBLEU's TER of every range takes longer than all the rest
    pytest.param(metric, spans, marks=pytest.mark.slow if metric == "TER" and spans != "width" else ())
    for metric in metrics()
    for spans in SPANS
]


@cache
def given(kept: float) -> Texts:
    return texts(LENGTHS, kept=kept)


@cache
def statistics(kept: float) -> SentenceStatistics:
    some = given(kept)
    return sentence_statistics(some.sources, some.hypotheses, some.references)


def curves(
    spans: tuple[Span, ...], metric: str = "BLEU", side: LengthSide = "source", resamples: int = 0
) -> LengthCurves:
    drawn = Resamples.draw(len(LENGTHS), resamples) if resamples else None
    systems = {name: statistics(kept) for name, kept in SYSTEMS.items()}
    return length_curves(systems, spans, metric=metric, side=side, resamples=drawn)


@pytest.mark.parametrize("side", get_args(LengthSide))
@pytest.mark.parametrize(("metric", "spans"), VALUES)
def test_values_are_sacrebleus_over_the_sentences_of_each_range(metric: str, spans: str, side: LengthSide) -> None:
    found = curves(SPANS[spans], metric, side)
    assert found.spans == SPANS[spans]
    assert found.rolling == (spans == "rolling")
    for curve, (name, kept) in zip(found.curves, SYSTEMS.items(), strict=True):
        assert curve.system == name
        lines = given(kept)
        sized = [len(line.split()) for line in (lines.sources if side == "source" else lines.references)]
        for point in (*curve.points, curve.overall):
            rows = [i for i, n in enumerate(sized) if n >= point.span.first and n <= (point.span.last or 10**9)]
            assert point.sentences == len(rows)
            assert point.interval is None
            if not rows:
                assert (point.value, point.mean_length) == (None, None)
                continue
            hypotheses, references = ([part[i] for i in rows] for part in (lines.hypotheses, lines.references))
            assert point.value == CORPUS[metric](hypotheses, [references]).score
            assert point.mean_length == pytest.approx(sum(sized[i] for i in rows) / len(rows))
        assert curve.overall.sentences == len(LENGTHS)


@pytest.mark.parametrize("metric", metrics())
@pytest.mark.parametrize("spans", ["width", "rolling"])
def test_intervals_are_those_of_a_loop_over_the_resamples(metric: str, spans: str) -> None:
    """Every resample of the whole set, cut down to the range, scored by sacreBLEU."""
    found = curves(SPANS[spans], metric, resamples=40)
    drawn = np.random.default_rng(12345).choice(len(LENGTHS), size=(40, len(LENGTHS)), replace=True)
    for curve, kept in zip(found.curves, SYSTEMS.values(), strict=True):
        table = metrics()[metric].table(statistics(kept))
        for point in (*curve.points, curve.overall):
            if point.sentences < 10:
                assert point.interval is None
                continue
            held = point.span.holds(np.array(LENGTHS))
            scores = [metrics()[metric].score(table[[n for n in one if held[n]]].sum(axis=0)) for one in drawn]
            expected = interval(np.array(scores))
            assert expected is not None
            assert point.interval is not None
            assert (point.interval.low, point.interval.high) == pytest.approx((expected.low, expected.high))
    assert any(point.interval is not None for point in found.curves[0].points)


def test_the_signature_says_how() -> None:
    systems = {"a": statistics(0.9)}
    drawn = Resamples.draw(len(LENGTHS), 50, 7)
    found = length_curves(
        systems, by_width(), side="reference", resamples=drawn, test_set="my set", no_unk=True, trained_to={"a": 50}
    )
    base = str(sacrebleu.BLEU(references=[[""]]).get_signature())
    assert found.signature == f"{base}|test:my_set|unk:no|n:{len(LENGTHS)}|by:reference|bs:50|seed:7"
    assert (found.resamples, found.seed, found.curves[0].trained_to) == (50, 7, 50)
    assert asdict(found)["curves"][0]["points"][0]["span"] == {"first": 1, "last": 10}


def test_buckets_as_settings() -> None:
    lengths = np.array(LENGTHS)
    assert Buckets().spans(lengths) == by_width()
    assert Buckets("width", (5, 21)).spans(lengths) == by_width(5, 21)
    assert Buckets("equal counts", (4,)).spans(lengths) == by_equal_counts(lengths, 4)
    assert Buckets("hand", (1, 9)).spans(lengths) == by_hand([1, 9])
    assert Buckets("rolling", (5,)).spans(lengths) == rolling(5, 90)
    assert Buckets("rolling", (5,)).spans(np.array([1000])) == rolling(5, 200)
    assert lengths_of(statistics(0.9).pairs, "source").tolist() == LENGTHS


def test_what_cannot_be_drawn_is_one_sentence() -> None:
    one = statistics(0.9)
    for systems, message in (
        ({}, "no system"),
        ({"a": one.take([])}, "no sentences"),
        ({"a": one, "b": one.take(np.arange(10))}, "^a and b "),
        ({"a": one, "b": one.take(np.roll(np.arange(len(one)), 1))}, "^a and b "),
    ):
        with pytest.raises(InputError, match=message):
            length_curves(systems, by_width())
    with pytest.raises(InputError, match=r"BLEU.*'bleu'"):
        length_curves({"a": one}, by_width(), metric="bleu")
