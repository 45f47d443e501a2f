"""Figure 2 for print: lines where the scores are, styles that differ, what is said beside them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from defusedxml import ElementTree

from nmt import InputError
from nmt.charts import figure2
from nmt.charts.markers import marks
from nmt.charts.print_figure import PrintFigure
from nmt.charts.style import line_style
from nmt.results import CurvePoint, Interval, LengthCurve, LengthCurves, Span

SVG = "{http://www.w3.org/2000/svg}"
SPANS = (Span(1, 10), Span(11, 20), Span(21, 30), Span(31))
MEANS = (6.5, 15.25, 26.0, 71.0)
VALUES = {"a <b>": (40.0, 30.5, 20.0, 5.0), "$x$": (35.0, 33.0, 31.0, 30.0), "c": (1.0, 2.0, 3.0, 4.0)}


def curves(values: dict[str, tuple[float | None, ...]] | None = None, wide: float = 2.0) -> LengthCurves:
    found = []
    for name, scores in (VALUES if values is None else values).items():
        points = [
            CurvePoint(
                span=span,
                sentences=0 if value is None else 100 + k,
                mean_length=None if value is None else mean,
                value=value,
                interval=None if value is None or not wide else Interval(value - wide, value + wide),
            )
            for k, (span, mean, value) in enumerate(zip(SPANS, MEANS, scores, strict=True))
        ]
        found.append(
            LengthCurve(
                system=name,
                points=tuple(points),
                overall=CurvePoint(span=Span(0), sentences=410, mean_length=20.0, value=12.0),
            )
        )
    return LengthCurves(
        metric="BLEU", side="source", curves=tuple(found), test_set="mine", signature="nrefs:1|version:2"
    )


class Drawn:
    """What an SVG has: texts with their places, lines by colour, areas by colour."""

    def __init__(self, figure: PrintFigure) -> None:
        root = ElementTree.fromstring(figure.to_bytes("svg"))
        self.texts = [
            (float(t.get("x", "nan")), float(t.get("y", "nan")), t.text or "") for t in root.iter(f"{SVG}text")
        ]
        self.lines: dict[str, list[np.ndarray]] = {}
        self.dashes: dict[str, set[str]] = {}
        self.areas: dict[str, list[np.ndarray]] = {}
        for path in root.iter(f"{SVG}path"):
            style, d = path.get("style", ""), path.get("d", "")
            places = np.array([[float(x) for x in pair] for pair in re.findall(r"[ML] ([\d.-]+) ([\d.-]+)", d)])
            stroke, fill = (re.search(rf"(?:^|; ){key}: (#\w+)", style) for key in ("stroke", "fill"))
            if stroke and not fill:
                self.lines.setdefault(stroke[1], []).append(places)
                self.dashes.setdefault(stroke[1], set()).add((re.search(r"dasharray: ([\d., ]+)", style) or [""])[0])
            elif fill:
                self.areas.setdefault(fill[1], []).append(places)

    def words(self) -> list[str]:
        return [text for _, _, text in self.texts]

    def x(self, word: str) -> float:
        """Where a label of the axis of lengths stands, which is above the row of numbers."""
        lowest = max(y for _, y, text in self.texts if text == "0")
        (found,) = (x for x, y, text in self.texts if text == word and y == lowest)
        return found

    def longest_line(self, number: int) -> list[np.ndarray]:
        """The lines of a system but for its sample in the legend, which is level."""
        return [
            line for line in self.lines[line_style(number).colour] if not (len(line) == 2 and line[0, 1] == line[1, 1])
        ]


def lengths_and_scores(drawn: Drawn, line: np.ndarray, end: str, top: str) -> np.ndarray:
    """Read off against the labels of the axes."""
    zero, right = drawn.x("0"), drawn.x(end)
    level = {text: y for x, y, text in drawn.texts if x < zero - 3 and text in ("0", top)}
    low = min(y for x, y, text in drawn.texts if text == "0" and x < zero - 3)
    scale = float(top) / (low - level[top])
    middle = low - 0.36 * 7  # of the digits, which are 7 points high
    return np.stack([(line[:, 0] - zero) / (right - zero) * float(end), (middle - line[:, 1]) * scale], axis=1)


def test_lines_run_through_the_scores_at_the_mean_lengths() -> None:
    drawn = Drawn(figure2(curves()))
    for number, scores in enumerate(VALUES.values()):
        (line,) = drawn.longest_line(number)
        found = lengths_and_scores(drawn, line, "80", "50")
        assert found == pytest.approx(np.stack([MEANS, scores], axis=1), abs=0.05)


def test_as_in_the_paper_the_axis_ends_at_60() -> None:
    drawn = Drawn(figure2(curves(), longest=60, highest=40))
    (line,) = drawn.longest_line(1)
    found = lengths_and_scores(drawn, line, "60", "40")
    assert found == pytest.approx(np.stack([MEANS[:3], VALUES["$x$"][:3]], axis=1), abs=0.05)
    assert {"100", "101", "102"} <= set(drawn.words())
    assert "103" not in drawn.words()


def test_bands_reach_from_one_end_of_the_intervals_to_the_other() -> None:
    drawn = Drawn(figure2(curves(wide=3)))
    (band,) = [area for area in drawn.areas[line_style(0).colour] if len(area) == 8]
    found = lengths_and_scores(drawn, band, "80", "50")
    upper, lower = ([value + wide for value in VALUES["a <b>"]] for wide in (3, -3))
    expected = [*zip(MEANS, upper, strict=True), *zip(MEANS[::-1], lower[::-1], strict=True)]
    assert found == pytest.approx(np.array(expected), abs=0.05)
    for without in (figure2(curves(wide=3), bands=False), figure2(curves(wide=0))):
        plain = Drawn(without)
        assert not [area for areas in plain.areas.values() for area in areas if len(area) == 8]
        assert "bands: 95 % intervals" not in " ".join(plain.words())


def test_what_is_said() -> None:
    drawn = Drawn(figure2(curves()))
    words = drawn.words()
    assert [*VALUES] == [word for word in words if word in VALUES]  # as typed
    assert {"BLEU", "words of the source", "n", "100", "101", "102", "103", "nrefs:1|version:2"} <= set(words)
    by_number = {text: x for x, _, text in drawn.texts if text in ("100", "103")}
    right, zero = drawn.x("80"), drawn.x("0")
    for text, mean in (("100", MEANS[0]), ("103", MEANS[3])):
        assert by_number[text] == pytest.approx(zero + mean / 80 * (right - zero), abs=0.1)
    assert "100" not in Drawn(figure2(curves(), counts=False)).words()
    assert "my own" in Drawn(figure2(curves(), caption="my own")).words()
    other = replace(curves(), metric="TER", side="reference", no_unk=True)
    assert {"TER, no UNK", "words of the reference"} <= set(Drawn(figure2(other)).words())


def test_marks_stand_at_the_length_of_the_training() -> None:
    given = curves()
    trained = [replace(curve, trained_to=length) for curve, length in zip(given.curves, (50, 30, 50), strict=True)]
    drawn, plain = (Drawn(figure2(replace(given, curves=tuple(some)))) for some in (trained, given.curves))
    zero, right = drawn.x("0"), drawn.x("80")
    for number, length in enumerate((50, 30, 50)):
        colour = line_style(number).colour
        middles = [area.min(axis=0) / 2 + area.max(axis=0) / 2 for area in drawn.areas[colour]]
        upper = min(middles, key=lambda place: float(place[1]))
        assert upper[0] == pytest.approx(zero + length / 80 * (right - zero), abs=0.5)
        assert len(drawn.areas[colour]) == len(plain.areas[colour]) + 1
    assert "marks above" in " ".join(drawn.words())
    assert "marks above" not in " ".join(plain.words())
    hidden = replace(given, curves=tuple(trained))
    assert "marks above" not in " ".join(Drawn(figure2(hidden, training_marks=False)).words())


def test_a_range_without_sentences_interrupts_the_line() -> None:
    drawn = Drawn(figure2(curves({"a": (40.0, 30.0, None, 10.0)})))
    (line,) = drawn.longest_line(0)
    assert len(line) == 2
    marked = [area for area in drawn.areas[line_style(0).colour] if len(area) == 24]
    assert len(marked) == 3 + 1  # and the legend


def test_windows_have_marks_at_the_ticks_alone() -> None:
    spans = [Span(max(1, n - 2), n + 2) for n in range(1, 61)]
    points = tuple(
        CurvePoint(span=span, sentences=1000 + n, mean_length=float(n), value=30.0 - n / 4)
        for n, span in enumerate(spans, 1)
    )
    drawn = Drawn(
        figure2(
            LengthCurves(
                metric="BLEU", side="source", curves=(LengthCurve(system="a", points=points, overall=points[0]),)
            )
        )
    )
    (line,) = drawn.longest_line(0)
    assert len(line) == 60
    assert len(drawn.areas[line_style(0).colour]) == 6 + 1
    assert "words of the source, in windows of 5" in drawn.words()
    assert [word for word in drawn.words() if word.startswith("1,")] == [f"1,0{n}" for n in range(10, 70, 10)]


def test_systems_can_be_told_apart_without_colour() -> None:
    styles = [line_style(number) for number in range(49)]
    assert len({(style.dash, style.marker) for style in styles}) == 49
    for key in ("colour", "dash", "marker"):
        assert len({getattr(style, key) for style in styles[:7]}) == 7
    drawn = Drawn(figure2(curves()))
    assert len({frozenset(drawn.dashes[line_style(k).colour]) for k in range(3)}) == 3
    outlines = {marks(style, [(0, 0)], 6).corners.tobytes() for style in styles[:7]}
    assert len(outlines) == 7


def test_a_system_keeps_its_style() -> None:
    alone = curves({"c": VALUES["c"]})
    drawn = Drawn(figure2(alone, numbers={"c": 2, "other": 0}))
    assert line_style(2).colour in drawn.lines
    assert line_style(0).colour not in drawn.lines


def test_the_same_bytes_every_time(tmp_path: Path) -> None:
    for format in ("pdf", "svg", "png"):
        figure2(curves()).save(tmp_path / f"figure.{format}")
        assert (tmp_path / f"figure.{format}").read_bytes() == figure2(curves()).to_bytes(format)


@pytest.mark.parametrize("scores", [(0.0, 0.0, 0.0, 0.0), (250.0, 100.0, 3.0, 0.1), (7.0, None, None, None)])
def test_any_scores_stay_on_the_page(scores: tuple[float | None, ...]) -> None:
    figure = figure2(curves({"a": scores}, wide=0))
    drawn = Drawn(figure)
    for places in (
        *(p for some in drawn.lines.values() for p in some),
        *(p for some in drawn.areas.values() for p in some),
    ):
        assert places.min() >= 0
        assert (places.max(axis=0) <= [figure.width + 0.01, figure.height + 0.01]).all()


def test_what_cannot_be_drawn_is_one_sentence() -> None:
    with pytest.raises(InputError, match="no score to draw"):
        figure2(curves({"a": (None, None, None, None)}))
    with pytest.raises(InputError, match="no score to draw"):
        figure2(curves(), longest=3)
    for arguments in ({"longest": 0}, {"highest": -1}, {"longest": float("nan")}):
        with pytest.raises(InputError, match="must be above 0"):
            figure2(curves(), **arguments)
    with pytest.raises(InputError, match="at least 0"):
        figure2(curves(), numbers={"c": -1})
