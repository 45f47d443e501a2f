"""Every figure as it is drawn: colours, sizes, axes, titles, and what the pointer reads.

That a figure shows the numbers that it is given is tested beside this file; here its look is compared with the one that
is kept (tests/kept.py).
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np
import plotly.graph_objects as go
import pytest
from defusedxml import ElementTree

from nmt.charts.curves import (
    alpha_effect_chart,
    learning_curve,
    learning_curves,
    length_chart,
    stress_curve,
)
from nmt.charts.figure2 import figure2
from nmt.charts.figure3 import PrintSettings, figure3
from nmt.charts.print_figure import PrintFigure
from nmt.charts.ribbons import ribbons_figure
from nmt.results import Alignment, CurvePoint, Interval, LengthCurve, LengthCurves, Span
from nmt.results.record import LEAVE_ONE_OUT, record_of_map
from tests.charts.examples import ALPHA, events, long_alignment, stress_curves
from tests.charts.printed import drawn, drawn_difference, links
from tests.charts.test_sessions import KEPT, SESSIONS
from tests.kept import compare_with_kept

SPANS = (Span(1, 10), Span(11, 20), Span(21, 30), Span(31, 40), Span(41))
MEANS = (6.5, 15.25, 26.0, None, 71.0)


def curves(spans: tuple[Span, ...] = SPANS, means: tuple[float | None, ...] = MEANS, **changes: Any) -> LengthCurves:
    """Two systems, one with intervals but for one range, over ranges of which one has no sentence; and what was
    expected of them."""
    found = []
    for name, first, trained, wide in (
        ("<b>a", 40.0, 50, 2.5),
        ("search", 33.5, 30, 0.0),
        ("expected", 45.0, None, 0.0),
    ):
        points = []
        for k, (span, mean) in enumerate(zip(spans, means, strict=True)):
            score = None if mean is None else first * 0.85**k
            ends = Interval(score - wide, score + 2 * wide) if score is not None and wide and k != 2 else None
            points.append(
                CurvePoint(
                    span=span, sentences=1200 * (mean is not None) + k, mean_length=mean, value=score, interval=ends
                )
            )
        overall = CurvePoint(span=Span(0), sentences=4800, mean_length=20.0, value=12.0)
        found.append(LengthCurve(system=name, points=tuple(points), overall=overall, trained_to=trained))
    given = {
        "metric": "BLEU",
        "side": "source",
        "curves": tuple(found[:2]),
        "test_set": "mine",
        "signature": "nrefs:1|v:2",
    }
    return LengthCurves(**{**given, "expected": found[2], **changes})


WINDOWS = tuple(Span(max(1, k - 2), k + 2) for k in range(1, 8))
ROLLING = curves(WINDOWS, tuple(float(k) for k in range(1, 8)), expected=None, no_unk=True, side="reference")
NUMBERS = {"<b>a": 2, "search": 6}
LEFT_OUT = [[0.75, 0.125, 0.0, 0.0625, 0.0625], [0.25, 0.25, 0.25, 0.125, 0.125]]
OTHER = replace(ALPHA, weights=ALPHA.weights[:, ::-1].copy())

PRINTED: dict[str, Callable[[], PrintFigure]] = {
    "figure2": lambda: figure2(curves(), numbers=NUMBERS),
    "figure2-short": lambda: figure2(curves(expected=None), longest=40, bands=False, counts=False, caption=""),
    "figure2-windows": lambda: figure2(ROLLING, training_marks=False, caption="a " * 90),
    "figure3": lambda: drawn(
        ALPHA, gold=links([(0, 0), (1, 3)], [(2, 2)]), scale="square root", marks=True, caption="A caption."
    ),
    "figure3-effect": lambda: drawn(ALPHA, LEAVE_ONE_OUT, links([(0, 1)]), transposed=True, scale="log"),
    "figure3-difference": lambda: drawn_difference(ALPHA, OTHER, titles=False),
    "figure3-plain": lambda: drawn(long_alignment(8), colour_bar=False, titles=False),
    "figure3-cell": lambda: drawn(Alignment(source=("a",), target=("b",), weights=np.array([[0.25]])), "α of one cell"),
    "figure3-panel": lambda: figure3(
        record_of_map(long_alignment(4), "α"), settings=PrintSettings(titles=False, lettered=True)
    ),
    "figure3-panels": lambda: figure3(
        *(record_of_map(one, "α") for one in (ALPHA, long_alignment(3), long_alignment(6))),
        settings=PrintSettings(titles=False),
    ),
    "ribbons-print": lambda: ribbons_figure(
        ALPHA, "#0072b2", "α of search, under words that take less room than what is said of them here"
    ),
}

BY_ORDER = {"one": 0, "<b>two</b>": 1}
PLOTTED: dict[str, Callable[[], go.Figure]] = {
    "length-chart": lambda: length_chart(curves(), numbers=NUMBERS, chosen=SPANS[1]),
    "length-chart-dark": lambda: length_chart(
        curves(), numbers=NUMBERS, longest=40, bands=False, counts=False, training_marks=False, dark=True
    ),
    "length-chart-windows": lambda: length_chart(ROLLING, numbers=NUMBERS, chosen=WINDOWS[2]),
    "learning-curve": lambda: learning_curve(events()),
    "learning-curves": lambda: learning_curves({"<one>": events(), "two": events()[:2]}, dark=True),
    "stress-bleu": lambda: stress_curve(stress_curves(), "bleu", 8, BY_ORDER),
    "stress-coverage": lambda: stress_curve(
        stress_curves(), "least_coverage", 6, {"one": 3, "<b>two</b>": 1}, dark=True
    ),
    "stress-ratio": lambda: stress_curve(stress_curves(), "length_ratio", 6, BY_ORDER),
    "alpha-effect": lambda: alpha_effect_chart(["the", "<area>", "x" * 30], LEFT_OUT[0][:3], LEFT_OUT[1][:2]),
}


@pytest.mark.parametrize("name", PRINTED)
def test_a_figure_for_print_looks_as_it_is_kept(name: str, request: pytest.FixtureRequest) -> None:
    figure = PRINTED[name]()
    root = ElementTree.fromstring(figure.to_bytes("svg", about="Drawn by a test."))
    lines = [f"{figure!r}; its PNG has {figure._scale('png')} pixels per point", *written(root)]
    compare_with_kept(KEPT / f"{name}.txt", "\n".join(lines), request, fold=True)


def written(element: Element, depth: int = 0) -> Iterator[str]:
    """A line for each element of an SVG, without the names that matplotlib gives at random or by the version."""
    tag = re.sub(r"\{.*\}", "", str(element.tag))
    if tag in ("date", "format", "type", "creator"):
        return
    given = {re.sub(r"\{.*\}", "", name): value for name, value in element.items() if name != "id"}
    if "clip-path" in given:
        given["clip-path"] = "..."
    shown = [tag, *(f"{name}={' '.join(value.split())}" for name, value in given.items() if name != "href")]
    text = (element.text or "").strip()
    line = "  " * depth + " ".join([*shown, *([repr(text)] if text else [])])
    yield re.sub(r"-?\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}", re.sub(r"#m?[0-9a-f]{9,}", "#", line))
    for child in element:
        yield from written(child, depth + 1)


@pytest.mark.parametrize("name", PLOTTED)
def test_a_figure_on_the_page_looks_as_it_is_kept(name: str, request: pytest.FixtureRequest) -> None:
    found = PLOTTED[name]().to_plotly_json()
    del found["layout"]["template"]
    compare_with_kept(KEPT / f"{name}.txt", "\n".join(flat(found)), request, fold=True)


def flat(value: Any, place: str = "") -> Iterator[str]:
    """A line for each value within a value, with its place."""
    if isinstance(value, dict):
        for key in sorted(value):
            yield from flat(value[key], f"{place}.{key}" if place else key)
    elif isinstance(value, list | tuple) and any(isinstance(each, dict | list | tuple) for each in value):
        for k, each in enumerate(value):
            yield from flat(each, f"{place}[{k}]")
    else:
        yield f"{place} = {value!r}"


@pytest.mark.parametrize("name", ["steps", "beam", "film", "small-figure"])
def test_the_data_of_a_view_are_those_that_are_kept(name: str, request: pytest.FixtureRequest) -> None:
    """To the last digit: a view gets no more decimals than are stored here."""
    compare_with_kept(KEPT / f"{name}-data.txt", "\n".join(flat(SESSIONS[name].data)), request, exact=True, fold=True)
