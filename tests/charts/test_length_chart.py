"""The interactive curve shows the numbers that were computed, and says which range a click is on."""

from dataclasses import replace
from typing import Any

import pytest

from nmt.charts.curves import length_chart
from nmt.evaluation.bootstrap import Resamples
from nmt.evaluation.buckets import by_hand
from nmt.evaluation.length_curves import length_curves
from nmt.evaluation.sufficient_statistics import sentence_statistics
from nmt.results import LengthCurves, Span
from tests.evaluation.texts import texts


def curves(spans: tuple[Span, ...]) -> LengthCurves:
    """Two systems on 60 sentences of 1 to 12 and of 31 to 36 words."""
    lengths = [*range(1, 13), *range(31, 37)] * 3
    systems = {}
    for name, kept in (("one", 0.9), ("<b>two</b>", 0.6)):
        given = texts(lengths, kept=kept)
        systems[name] = sentence_statistics(given.sources, given.hypotheses, given.references)
    resamples = Resamples.draw(len(lengths), 60)
    return length_curves(systems, spans, resamples=resamples, trained_to={"one": 30, "<b>two</b>": 30})


SPANS = by_hand([1, 6, 11, 21, 31])
NUMBERS = {"one": 0, "<b>two</b>": 6}


def lines(figure: Any) -> list[Any]:
    return [trace for trace in figure.data if trace.type == "scatter" and trace.fill is None]


def test_lines_bars_and_bands_say_what_the_records_say() -> None:
    given = curves(SPANS)
    figure = length_chart(given, numbers=NUMBERS)
    for curve, line in zip(given.curves, lines(figure), strict=True):
        assert list(line.y) == [point.value for point in curve.points]
        assert list(line.x) == [point.mean_length for point in curve.points]
        assert [row[0] for row in line.customdata] == list(range(len(SPANS)))
        assert line.connectgaps is False
    assert given.curves[0].points[3].value is None
    (bars,) = [trace for trace in figure.data if trace.type == "bar"]
    assert list(bars.y) == [15, 15, 6, 0, 18]
    bands = [trace for trace in figure.data if trace.type == "scatter" and trace.fill == "toself"]
    assert len(bands) == 4  # 1-5 and 6-10, then 31+, of either system; six sentences have no interval
    first = [point.interval for point in given.curves[0].points[:2]]
    assert list(bands[0].y) == [i.high for i in first if i] + [i.low for i in reversed(first) if i]
    bare = length_chart(given, numbers=NUMBERS, bands=False, counts=False, training_marks=False)
    assert len(bare.data) == 2
    assert not bare.layout.annotations


@pytest.mark.parametrize(("longest", "marks"), [(None, 1), (60, 1), (30, 1), (29, 0)])
def test_the_mark_of_training_is_where_it_was_trained_to(longest: float | None, marks: int) -> None:
    figure = length_chart(curves(SPANS), numbers=NUMBERS, longest=longest)
    assert [a.x for a in figure.layout.annotations] == [30] * marks
    if longest:
        assert figure.layout.xaxis.range == (0, longest)


def test_documents_have_no_mark_of_training() -> None:
    """A run was trained on sentences up to a length, which says nothing of the length of a document."""
    assert not length_chart(replace(curves(SPANS), unit="documents"), numbers=NUMBERS).layout.annotations


def test_the_chosen_range_is_marked_from_its_first_to_its_last_length() -> None:
    figure = length_chart(curves(SPANS), numbers=NUMBERS, chosen=SPANS[1], training_marks=False)
    (area,) = figure.layout.shapes
    assert (area.x0, area.x1) == (5.5, 10.5)
    assert not length_chart(curves(SPANS), numbers=NUMBERS, chosen=Span(2, 3), training_marks=False).layout.shapes
