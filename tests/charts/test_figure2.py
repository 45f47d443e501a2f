"""Figure 2 for print: lines, marks, bands and counts are read back from the SVG."""

import io
import re
from dataclasses import replace
from xml.etree.ElementTree import Element

import numpy as np
import pytest
from defusedxml import ElementTree
from PIL import Image

from nmt import InputError
from nmt.charts import figure2
from nmt.charts.figure2 import WIDTH, _locator
from nmt.charts.print_figure import GREY, MARGIN, PrintFigure, fonts_for, text_width, typesetting
from nmt.charts.style import BLACK, line_style
from nmt.results import CurvePoint, Interval, LengthCurve, LengthCurves, Span

SVG, XLINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}"
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
    """The content of an SVG: texts with their places, and by colour lines, marks and areas."""

    def __init__(self, figure: PrintFigure) -> None:
        root = ElementTree.fromstring(figure.to_bytes("svg"))
        self.texts = [
            (float(t.get("x", "nan")), float(t.get("y", "nan")), t.text or "") for t in root.iter(f"{SVG}text")
        ]
        self.ticks: dict[str, dict[str, float]] = {"x": {}, "y": {}}
        """By axis and label the places of the tick marks."""
        self.lines: dict[str, list[np.ndarray]] = {}
        self.dashes: dict[str, set[str]] = {}
        self.marks: dict[str, list[tuple[float, float]]] = {}
        self.shapes: dict[str, set[str]] = {}
        self.areas: dict[str, list[np.ndarray]] = {}
        paths = {path.get("id"): path.get("d", "") for path in root.iter(f"{SVG}path")}
        for group in root.iter(f"{SVG}g"):
            if tick := re.fullmatch(r"([xy])tick_\d+", group.get("id", "")):
                (text,), place = group.iter(f"{SVG}text"), list(group.iter(f"{SVG}use"))[-1]
                self.ticks[tick[1]][text.text or ""] = float(place.get(tick[1], "nan"))
        for path in root.iter(f"{SVG}path"):
            stroke = colour("stroke", path)
            if stroke and "fill: none" in path.get("style", ""):
                self.lines.setdefault(stroke, []).extend(part for part in parts(path.get("d", "")) if len(part) > 1)
                dashes = re.search(r"dasharray: ([\d., ]+)", path.get("style", ""))
                self.dashes.setdefault(stroke, set()).add(dashes[1] if dashes else "")
        for use in root.iter(f"{SVG}use"):
            shape = paths[use.get(f"{XLINK}href", "").removeprefix("#")]
            place = (float(use.get("x", "nan")), float(use.get("y", "nan")))
            fill = colour("fill", use) or ("" if colour("stroke", use) else BLACK)  # which SVG need not name
            if fill and "fill-opacity" in use.get("style", ""):
                self.areas.setdefault(fill, []).extend(part + place for part in parts(shape))
            elif fill:
                self.marks.setdefault(fill, []).append(place)
                self.shapes.setdefault(fill, set()).add(shape)

    def words(self) -> list[str]:
        return [text for _, _, text in self.texts]

    def read(self, places: object) -> np.ndarray:
        """Lengths and scores of places [..., 2], read off against the ticks at both ends of the axes."""
        values = []
        for k, axis in enumerate("xy"):
            low, high = self.ticks[axis]["0"], self.ticks[axis][self.end(axis)]
            values.append((np.asarray(places)[..., k] - low) / (high - low) * float(self.end(axis)))
        return np.stack(values, axis=-1)

    def end(self, axis: str) -> str:
        return max(self.ticks[axis], key=float)

    def curve(self, number: int) -> list[np.ndarray]:
        """The lines of a system but for its sample in the legend, which lies right of the axes."""
        return [line for line in self.lines[line_style(number).colour] if line[0, 0] <= self.ticks["x"][self.end("x")]]


def colour(kind: str, element: Element) -> str:
    found = re.search(rf"(?:^|; ){kind}: (#\w+)", element.get("style", ""))
    return found[1] if found else ""


def parts(path: str) -> list[np.ndarray]:
    """The corners of each uninterrupted part."""
    return [
        np.array([[float(x) for x in pair] for pair in re.findall(r"([\d.-]+) ([\d.-]+)", part)])
        for part in path.split("M")[1:]
    ]


def area(corners: np.ndarray) -> float:
    """Area of a polygon, by the shoelace formula."""
    (x, y), (u, v) = corners.T, np.roll(corners, -1, axis=0).T
    return float(abs((x * v - u * y).sum()) / 2)


def test_lines_run_through_the_scores_at_the_mean_lengths() -> None:
    drawn = Drawn(figure2(curves()))
    assert (drawn.end("x"), drawn.end("y")) == ("80", "50")
    for number, scores in enumerate(VALUES.values()):
        (line,) = drawn.curve(number)
        expected = np.stack([MEANS, scores], axis=1)
        assert drawn.read(line) == pytest.approx(expected, abs=0.001)
        assert drawn.read(drawn.marks[line_style(number).colour][:4]) == pytest.approx(expected, abs=0.001)


def test_as_in_the_paper_the_axis_ends_at_60() -> None:
    drawn = Drawn(figure2(curves(), longest=60))
    (line,) = drawn.curve(1)
    assert (drawn.end("x"), drawn.end("y")) == ("60", "50")
    assert drawn.read(line) == pytest.approx(np.stack([MEANS[:3], VALUES["$x$"][:3]], axis=1), abs=0.001)
    assert {"100", "101", "102"} <= set(drawn.words())
    assert "103" not in drawn.words()


def test_curves_are_drawn_over_the_grid() -> None:
    svg = figure2(curves()).to_bytes("svg").decode()
    assert svg.rindex("#e6e6e6") < svg.index(line_style(1).colour)


def test_bands_reach_from_one_end_of_the_intervals_to_the_other() -> None:
    drawn = Drawn(figure2(curves(wide=3)))
    for number, scores in enumerate(VALUES.values()):
        (band,) = drawn.areas[line_style(number).colour]
        found = np.unique(drawn.read(band).round(3), axis=0)
        expected = np.unique(
            [(mean, value + end) for mean, value in zip(MEANS, scores, strict=True) for end in (-3, 3)], axis=0
        )
        assert found == pytest.approx(expected, abs=0.001)
        assert area(drawn.read(band)) == pytest.approx(6 * (MEANS[-1] - MEANS[0]), rel=0.001)
    for without in (figure2(curves(wide=3), bands=False), figure2(curves(wide=0))):
        assert not any(area(band) for bands in Drawn(without).areas.values() for band in bands)


def test_names_counts_and_titles_are_text_as_typed() -> None:
    drawn = Drawn(figure2(curves()))
    words = drawn.words()
    assert [*VALUES] == [word for word in words if word in VALUES]
    assert {"BLEU", "n", "100", "101", "102", "103", "nrefs:1|version:2"} <= set(words)
    by_count = {text: x for x, _, text in drawn.texts if text in ("100", "103")}
    for text, mean in (("100", MEANS[0]), ("103", MEANS[3])):
        assert drawn.read((by_count[text], 0))[0] == pytest.approx(mean, abs=0.001)
    assert "100" not in Drawn(figure2(curves(), counts=False)).words()
    assert "my own" in Drawn(figure2(curves(), caption="my own")).words()
    other = Drawn(figure2(replace(curves(), metric="TER", side="reference"))).words()
    assert "TER" in other
    assert [word.replace("source", "reference") for word in words if "source" in word] == [
        word for word in other if "reference" in word
    ]


def test_a_name_may_begin_like_those_that_matplotlib_leaves_out() -> None:
    drawn = Drawn(figure2(curves({"_hidden": VALUES["c"]})))
    assert "_hidden" in drawn.words()


@pytest.mark.slow
def test_a_long_caption_is_whole_and_a_long_name_widens_the_page() -> None:
    caption = "|".join(f"key{k}:value" for k in range(60))
    name = "x" * 150
    figure, narrow = (figure2(curves({given: VALUES["c"]}), caption=caption) for given in (name, "x"))
    for each in (figure, narrow):
        lines = [text for text in Drawn(each).words() if "key" in text]
        assert "".join(lines) == caption
        assert len(lines) > 1
    assert name in Drawn(figure).words()
    assert figure.width > narrow.width + 400
    image = np.asarray(Image.open(io.BytesIO(figure.to_bytes("png"))).convert("L"))
    margin = 3 * MARGIN - 6
    assert all((side == 255).all() for side in (image[:margin], image[-margin:], image[:, :margin], image[:, -margin:]))
    assert (image[:, -3 * MARGIN - 60 : -3 * MARGIN] < 255).any()  # no more than the margin is empty


def test_the_warning_of_missing_glyphs_names_the_line_that_draws() -> None:
    with pytest.warns(UserWarning, match="font") as caught:
        figure = figure2(curves({"a\x00": VALUES["c"]}))
    assert caught[0].filename == __file__
    assert figure.missing_glyphs == {"a\x00": "\x00"}


def test_marks_stand_at_the_length_of_the_training() -> None:
    given = curves()
    trained = [replace(curve, trained_to=length) for curve, length in zip(given.curves, (50, 30, 50), strict=True)]
    marked = replace(given, curves=tuple(trained))
    drawn, plain = Drawn(figure2(marked)), Drawn(figure2(given))
    for number, length in enumerate((50, 30, 50)):
        places = drawn.marks[line_style(number).colour]
        (above,) = [
            place for place in places if place[1] < drawn.ticks["y"]["50"] and place[0] < drawn.ticks["x"]["80"]
        ]
        assert drawn.read(above)[0] == pytest.approx(length, abs=0.001)
        assert len(places) == len(plain.marks[line_style(number).colour]) + 1
    places = [place for some in drawn.marks.values() for place in some if place[1] < drawn.ticks["y"]["50"]]
    assert len(set(places)) == len(places)  # one above the other
    assert len(drawn.lines[GREY]) == 2
    without = Drawn(figure2(marked, training_marks=False))
    assert {key: len(value) for key, value in without.marks.items()} == {k: len(v) for k, v in plain.marks.items()}
    assert GREY not in without.lines
    assert GREY not in Drawn(figure2(replace(marked, unit="documents"))).lines


def test_a_range_without_sentences_interrupts_the_line() -> None:
    drawn = Drawn(figure2(curves({"a": (40.0, 30.0, None, 10.0)})))
    (line,) = drawn.curve(0)
    assert len(line) == 2
    assert len(drawn.marks[line_style(0).colour]) == 3 + 1  # and the legend


@pytest.mark.parametrize(("apart", "shown"), [(1.9, ["1,000"]), (2.1, ["1,000", "1,001"])])
def test_counts_are_two_points_apart_or_left_out_but_marks_stay(apart: float, shown: list[str]) -> None:
    with typesetting(fonts_for(["1,000"])):
        middles = (100.0, 100 + (text_width("1,000", 6) + text_width("1,001", 6)) / 2 + apart)
    points = tuple(
        CurvePoint(span=span, sentences=1000 + k, mean_length=60 * middle / WIDTH, value=30.0)
        for k, (span, middle) in enumerate(zip(SPANS, middles, strict=False))
    )
    one = LengthCurves(
        metric="BLEU", side="source", curves=(LengthCurve(system="a", points=points, overall=points[0]),)
    )
    drawn = Drawn(figure2(one, longest=60))
    assert [word for word in drawn.words() if word.startswith("1,")] == shown
    assert len(drawn.marks[line_style(0).colour]) == 2 + 1  # and the legend


def test_what_lies_at_the_end_of_an_axis_is_on_it() -> None:
    given = curves({"a": VALUES["a <b>"]})
    trained = replace(given, curves=(replace(given.curves[0], trained_to=26),))
    drawn = Drawn(figure2(trained, longest=26.0))
    (line,) = drawn.curve(0)
    assert len(line) == 3
    assert len(drawn.marks[line_style(0).colour]) == 3 + 1 + 1  # the length of the training, and the legend


def test_the_shortest_axes_end_at_1() -> None:
    words = (CurvePoint(span=Span(1, 1), sentences=9, mean_length=1.0, value=0.0),)
    one = LengthCurve(system="a", points=words, overall=words[0])
    drawn = Drawn(figure2(LengthCurves(metric="BLEU", side="source", curves=(one,))))
    assert (drawn.end("x"), drawn.end("y")) == ("1", "1")
    assert len(drawn.ticks["x"]) == len(drawn.ticks["y"]) == 6


@pytest.mark.parametrize(
    ("end", "step"), [(0.8, 0.1), (8, 1), (9, 2), (16, 2), (17, 5), (40, 5), (41, 10), (80, 10), (81, 20)]
)
def test_ticks_are_at_1_2_5_or_10_and_at_most_eight(end: float, step: float) -> None:
    ticks = _locator().tick_values(0, end)
    assert np.diff(ticks) == pytest.approx(step)
    assert ticks[0] == 0
    assert ticks[-1] == pytest.approx(step * np.ceil(end / step))


def test_a_line_keeps_all_its_corners() -> None:
    """Even where a straight one would look the same with fewer."""
    points = tuple(
        CurvePoint(span=Span(n, n), sentences=1, mean_length=float(n), value=30.0 - n / 10) for n in range(1, 201)
    )
    one = LengthCurve(system="a", points=points, overall=points[0])
    drawn = Drawn(figure2(LengthCurves(metric="BLEU", side="source", curves=(one,)), longest=None))
    assert [len(line) for line in drawn.curve(0)] == [200]


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
    (line,) = drawn.curve(0)
    assert len(line) == 60
    lengths = drawn.read(drawn.marks[line_style(0).colour])[:-1, 0]
    assert lengths == pytest.approx([10, 20, 30, 40, 50, 60], abs=0.001)
    assert [word for word in drawn.words() if word.startswith("1,")] == [f"1,0{n}" for n in range(10, 70, 10)]


def test_systems_can_be_told_apart_without_colour() -> None:
    styles = [line_style(number) for number in range(49)]
    assert len({(style.dash, style.marker) for style in styles}) == 49
    for key in ("colour", "dash", "marker"):
        assert len({getattr(style, key) for style in styles[:7]}) == 7
    drawn = Drawn(figure2(curves()))
    assert len({frozenset(drawn.dashes[line_style(k).colour]) for k in range(3)}) == 3
    seven = Drawn(figure2(curves({str(k): VALUES["c"] for k in range(7)})))
    assert len({frozenset(seven.shapes[style.colour]) for style in styles[:7]}) == 7


@pytest.mark.parametrize("scores", [(0.0, 0.0, 0.0, 0.0), (250.0, 100.0, 3.0, 0.1), (7.0, None, None, None)])
def test_any_scores_stay_on_the_page(scores: tuple[float | None, ...]) -> None:
    figure = figure2(curves({"a": scores}, wide=0))
    drawn = Drawn(figure)
    for places in (
        *(line for some in drawn.lines.values() for line in some),
        *(np.array(some) for some in drawn.marks.values()),
    ):
        assert places.min() >= 0
        assert (places.max(axis=0) <= [figure.width + 0.01, figure.height + 0.01]).all()


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(InputError):
        figure2(curves({"a": (None, None, None, None)}))
    with pytest.raises(InputError):
        figure2(curves(), longest=3)
    for value in (0, -1, float("nan"), float("inf")):
        with pytest.raises(InputError, match=f" {value:g}$"):
            figure2(curves(), longest=value)
