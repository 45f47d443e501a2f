"""Ranges of lengths, their names, and what is derived from scores."""

import numpy as np
import pytest

from nmt.results import CurvePoint, Languages, LengthCurve, LengthCurves, Span, StressPoint
from nmt.results.scores import EVERYTHING, STANDARD_SPANS, Entry, Scores


@pytest.mark.parametrize(
    ("span", "name", "text", "held"),
    [
        (Span(11, 20), "11-20", "11–20", [False, True, True, False]),
        (Span(11), "11+", "11+", [False, True, True, True]),
        (Span(20, 20), "20", "20", [False, False, True, False]),
        (EVERYTHING, "0+", "0+", [True, True, True, True]),
    ],
)
def test_a_range_of_lengths(span: Span, name: str, text: str, held: list[bool]) -> None:
    assert (span.name, span.text) == (name, text)
    assert span.holds(np.array([10, 11, 20, 21])).tolist() == held
    assert bool(span.holds(np.array([0]))[0]) is (span == EVERYTHING)


def test_lengths_to_which_sentences_are_concatenated() -> None:
    assert [span.name for span in STANDARD_SPANS] == ["21-30", "41-50", "51-60", "71-80"]


def curve(*spans: Span) -> LengthCurve:
    points = tuple(CurvePoint(span=span, sentences=3, mean_length=1.0, value=20.0) for span in spans)
    return LengthCurve(system="a", points=points, overall=points[0])


@pytest.mark.parametrize(
    ("spans", "rolling"),
    [
        ((Span(1, 10), Span(11, 20), Span(21)), False),
        ((Span(1, 10), Span(10, 20)), True),
        ((Span(1), Span(11)), True),
        ((Span(1, 10),), False),
    ],
)
def test_ranges_that_overlap_are_rolling(spans: tuple[Span, ...], rolling: bool) -> None:
    curves = LengthCurves(metric="BLEU", side="source", curves=(curve(*spans), curve(EVERYTHING)))
    assert curves.spans == spans
    assert curves.rolling is rolling


def test_what_is_kept_is_a_share_of_what_was_there() -> None:
    values = {"joined": 2, "sentences": 9, "source_words": 9.0, "bleu": 15.0, "interval": None}
    more = {"log_probability": -1.0, "length_ratio": 1.0}
    assert StressPoint(bleu_apart=20.0, **values, **more).kept == 0.75  # type: ignore[arg-type]
    assert StressPoint(bleu_apart=0.0, **values, **more).kept is None  # type: ignore[arg-type]


def test_scores_one_by_one() -> None:
    entry = {"bleu": 1.0, "chrf": 2.0, "ter": 3.0, "sentences": 4}
    scores = Scores(**entry, signature="b", chrf_signature="c", ter_signature="t")  # type: ignore[arg-type]
    assert isinstance(scores, Entry)
    assert [(each.metric, each.value, each.signature) for each in scores.each] == [
        ("BLEU", 1.0, "b"),
        ("chrF", 2.0, "c"),
        ("TER", 3.0, "t"),
    ]


def test_directions_fit_unless_both_are_known_and_differ() -> None:
    known, other, unknown, half = Languages("en", "fr"), Languages("fr", "en"), Languages(), Languages("fr")
    assert [each.known for each in (known, other, unknown, half)] == [True, True, False, False]
    assert known.fit(Languages("en", "fr"))
    assert not known.fit(other)
    for each in (unknown, half):
        assert known.fit(each)
        assert each.fit(known)
    assert [str(each) for each in (known, unknown, half)] == ["en to fr", "? to ?", "fr to ?"]
