"""Figure 3 for print: its greys, its geometry, its words."""

import io
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from defusedxml import ElementTree
from numpy.typing import NDArray
from PIL import Image

from nmt import InputError
from nmt.alignments.policy import Policy
from nmt.charts import figure3
from nmt.charts.colour_scales import DIFFERENCE, SCALES, TRANSFORMS, ColourScale, colour_scale
from nmt.charts.figure3 import Matrix, PrintSettings
from nmt.charts.print_figure import PrintFigure, fonts_for, typesetting
from nmt.results import Alignment, Languages
from nmt.results.record import LEAVE_ONE_OUT, LINKS, record_of_map
from nmt.texts import INSTRUMENT
from tests.charts.printed import drawn, drawn_difference, links

CELL, MARGIN, PIXELS = 12, 12, 3
"""Points, points, and pixels a point, as the documentation says."""


def alignment(rows: int, columns: int) -> Alignment:
    weights = np.random.default_rng(rows).random((rows, columns))
    return Alignment(
        source=tuple(f"s{j}" for j in range(columns)), target=tuple(f"t{i}" for i in range(rows)), weights=weights
    )


def pixels(figure: PrintFigure) -> NDArray[np.uint8]:
    return np.asarray(Image.open(io.BytesIO(figure.to_bytes("png"))).convert("RGB"))


def cells(figure: PrintFigure, rows: int, columns: int) -> NDArray[np.uint8]:
    """The pixels [rows, columns, 36, 36, 3] of a matrix without colour bar, titles and caption: then its lower right
    corner is a margin away from that of the page."""
    image, side = pixels(figure), CELL * PIXELS
    bottom, right = image.shape[0] - MARGIN * PIXELS, image.shape[1] - MARGIN * PIXELS
    matrix = image[bottom - rows * side : bottom, right - columns * side : right]
    return matrix.reshape(rows, side, columns, side, 3).swapaxes(1, 2)


bare = partial(drawn, titles=False, colour_bar=False)


def texts(figure: PrintFigure) -> list[str]:
    root = ElementTree.fromstring(figure.to_bytes("svg"))
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_cells_are_square_and_have_the_grey_255_alpha() -> None:
    given = alignment(5, 7)
    found = cells(bare(given), 5, 7)
    expected = np.rint(255 * given.weights.astype(np.float64))
    inner = found[:, :, 2:-2, 2:-2]  # the frame lies over the outermost pixels
    assert (inner == expected[:, :, None, None, None]).all()


def test_transposed_rows_are_columns() -> None:
    given = alignment(3, 5)
    found = cells(bare(given, transposed=True), 5, 3)[:, :, 18, 18, 0]
    assert (found == np.rint(255 * given.weights.astype(np.float64)).T).all()
    assert texts(bare(given, transposed=True)) == [*given.target, *given.source]


@pytest.mark.parametrize("transform", TRANSFORMS)
@pytest.mark.parametrize("scale", SCALES)
def test_cells_have_the_colours_of_their_scale(scale: str, transform: str) -> None:
    given = alignment(4, 3)
    found = cells(bare(given, scale=scale, transform=transform), 4, 3)[:, :, 18, 18]
    chosen = colour_scale(scale, transform)
    assert (found == chosen.colours(chosen.positions(given.weights))).all()


@pytest.mark.parametrize("length", [1, 3, 20])
@pytest.mark.parametrize("scale", [*SCALES.values(), DIFFERENCE])
def test_the_colour_bar_has_beside_each_label_the_colour_of_that_value(scale: ColourScale, length: int) -> None:
    words = tuple("abcdefghijklmnopqrstuvwxyz"[:length])
    matrix = Matrix(
        rows=words,
        columns=words,
        values=np.zeros((length, length)),
        rows_title="",
        columns_title="",
        scale=scale,
        bar_title="value",
        caption="",
    )
    with typesetting(fonts_for(matrix.texts)):
        figure = matrix.draw(as_typed=False)
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=72 * PIXELS)
        (bar,) = figure.axes[0].child_axes
        area = bar.get_window_extent()
    image = np.asarray(Image.open(buffer).convert("RGB")).astype(int)
    values = {label: value for value, label in scale.ticks().items()}
    marks = {label.get_text(): y for label, y in zip(bar.get_yticklabels(), bar.get_yticks(), strict=True)}
    assert set(values) >= set(marks)
    assert len(marks) >= 2
    assert np.diff(sorted(marks.values())).min() * area.height > 7  # points, the size of the labels
    for label, share in marks.items():
        assert share == pytest.approx(float(scale.positions(np.array(values[label]))))
        y = np.clip(share * area.height, 0.6, area.height - 0.6)  # within the outline
        shown = image[image.shape[0] - 1 - int(PIXELS * (area.y0 + y)), int(PIXELS * (area.x0 + area.x1) / 2)]
        expected = scale.colours(np.array(y / area.height)).astype(int)
        assert np.abs(shown - expected).max() <= 255 * 4 * (
            1 / 128 + 1.5 / (PIXELS * area.height)
        )  # a step, and a pixel


def test_no_hair_lines_between_cells_at_any_magnification() -> None:
    from matplotlib.collections import QuadMesh

    weights = np.where(np.indices((6, 6)).sum(axis=0) % 2, 0.9, 0.91)
    words = tuple("abcdef")
    light = Matrix(
        rows=words,
        columns=words,
        values=weights,
        rows_title="",
        columns_title="",
        scale=colour_scale("light paper"),
        bar_title=None,
        caption="",
    )
    with typesetting(fonts_for(words)):
        figure = light.draw(as_typed=False)
        for area in figure.findobj(QuadMesh):
            area.set_snap(False)  # as viewers of PDF and SVG draw
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=72 * 1.37)
    image = np.asarray(Image.open(buffer).convert("L"))
    inside = image[-int((MARGIN + 71) * 1.37) : -int((MARGIN + 1) * 1.37), -int((MARGIN + 71) * 1.37) :]
    inside = inside[:, : int(70 * 1.37)]
    assert inside.max() <= np.rint(255 * 0.1) + 1  # nothing of the white page


def test_words_are_text_source_first_on_top() -> None:
    given = alignment(6, 4)
    record = record_of_map(given, languages=Languages("en", "fr"))
    figure = figure3(record, settings=PrintSettings(caption="a run"))
    assert texts(figure)[:12] == [*given.source, "source: English", *given.target, "target: French"]
    assert {"a run", "αᵢⱼ", "0", "0.25", "0.5", "0.75", "1"} <= set(texts(figure))


def test_the_bar_names_another_value_and_its_transform() -> None:
    assert "link (log)" in texts(drawn(alignment(2, 2), LINKS, transform="log"))
    assert {"not attention: mine", "mine (log)"} <= {*texts(drawn(alignment(2, 2), "mine", transform="log"))}


def test_long_words_are_whole_and_widen_the_page() -> None:
    long = Alignment(source=("x" * 120, "b"), target=("a", "y" * 200), weights=np.eye(2))
    figure = drawn(long)
    assert {"x" * 120, "y" * 200} <= set(texts(figure))
    short = drawn(Alignment(source=("x", "b"), target=("a", "y"), weights=np.eye(2)))
    assert figure.width - short.width == pytest.approx(199 / 119 * (figure.height - short.height), rel=0.02)
    image = pixels(figure)
    assert (image[:, : MARGIN * PIXELS - 2] == 255).all()  # nothing runs out of the page
    assert (image[: MARGIN * PIXELS - 2] == 255).all()


def test_sure_links_are_solid_and_possible_ones_dashed_frames_around_whole_words() -> None:
    pieces = Alignment(
        source=("▁a", "b", "▁c"),
        target=("▁x", "▁y"),
        weights=np.zeros((2, 3)),
        source_words=(0, 0, 1),
        target_words=(0, 1),
    )
    found = cells(bare(pieces, gold=links([(0, 0)], [(0, 0), (1, 1)])), 2, 3)
    gold = (found == [0xE6, 0x9F, 0x00]).all(axis=-1)  # [rows, columns, 36, 36]
    assert gold[0, 0, 3, 5:].all()  # the upper edge runs on through both pieces
    assert gold[0, 1, 3, :-5].all()
    assert not gold[0, 0, 8:-8, -1].any()  # no edge between them
    assert 0.3 < gold[1, 2, 3, 5:-5].mean() < 0.9  # dashes
    assert not gold[0, 2].any()
    assert not gold[1, :2].any()
    turned = cells(bare(pieces, gold=links([(0, 0)]), transposed=True), 3, 2)
    assert (turned == [0xE6, 0x9F, 0x00]).all(axis=-1)[0, 0, 5:, 3].all()


def test_a_link_to_a_word_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="7-1"):
        drawn(alignment(3, 3), gold=links([(7, 1)]))


def test_a_difference_is_red_where_the_second_is_larger() -> None:
    first, second = alignment(3, 4), alignment(3, 4)
    object.__setattr__(second, "weights", first.weights[::-1].copy())
    figure = drawn_difference(first, second, titles=False, colour_bar=False)
    found = cells(figure, 3, 4)[:, :, 18, 18].astype(int)
    expected = DIFFERENCE.colours((second.weights - first.weights + 1) / 2)
    assert np.abs(found - expected).max() <= 1
    assert (found[1] == 255).all()
    assert {"−1", "0", "1", "Δαᵢⱼ"} <= set(texts(drawn_difference(first, second)))


@pytest.mark.parametrize("wrong", [-0.1, 1.1, np.nan])
def test_weights_that_the_scale_does_not_have_are_refused(wrong: float) -> None:
    with pytest.raises(InputError, match=r"\b0\b.*\b1\b"):
        drawn(Alignment(source=("a",), target=("b",), weights=np.array([[wrong]])))


def test_no_words_are_refused() -> None:
    with pytest.raises(InputError):
        drawn(Alignment(source=(), target=("b",), weights=np.zeros((1, 0))))


@pytest.mark.thorough
@pytest.mark.slow
def test_100_words_a_side_take_seconds_and_keep_their_size(tmp_path: Path) -> None:
    began = time.process_time()
    figure = drawn(alignment(100, 100))
    for ending in ("pdf", "svg", "png"):
        figure.save(tmp_path / f"large.{ending}")
    assert time.process_time() - began < 30
    assert figure.width > 100 * CELL
    assert set(alignment(100, 100).source) <= set(texts(figure))


def test_importing_the_charts_loads_no_matplotlib() -> None:
    code = "import sys, nmt.charts; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_signs_stand_beside_their_words_and_are_explained_below() -> None:
    given = Alignment(
        source=("we", "sleep", "long", "</s>"),
        target=("nous", "nous", "nous", "nous", "dormons", "</s>"),
        weights=np.array([[1, 0, 0, 0]] * 4 + [[0.25, 0.75, 0, 0], [0, 0, 0, 1]]),
    )
    figure = drawn(given, gold=links([(0, 0)], [(1, 4)]), marks=True)
    found = texts(figure)
    assert {"we +", "sleep", "long ∅", "nous ↻", "dormons"} <= {*found}
    said, marks = " ".join(found), INSTRUMENT.by_key.marks
    sure, possible = (text.format(place="frame") for text in (INSTRUMENT.sure, INSTRUMENT.possible))
    for text in (f"∅ {marks['hardly']}", f"+ {marks['often']}", f"↻ {marks['repeated']}", sure, possible):
        assert said.count(text) == 1
    assert not figure.missing_glyphs
    assert INSTRUMENT.by_key.of_effect["hardly"] in " ".join(texts(drawn(given, LEAVE_ONE_OUT, marks=True)))
    assert "∅" not in " ".join(texts(drawn(given, LINKS, marks=True)))
    plain = " ".join(texts(drawn(given, gold=links([(0, 0)]))))
    assert "∅" not in plain
    assert sure in plain
    assert "dashed" not in plain
    assert sure not in " ".join(texts(bare(given, gold=links([(0, 0)]))))
    shorter = replace(given, target=("nous", "nous", "x", "nous", "dormons", "</s>"))
    delta = {*texts(drawn_difference(given, shorter))}
    assert {"nous −", "x +", f"− {INSTRUMENT.only_before}"} <= delta
    assert any(f"+ {INSTRUMENT.only_after}" in text for text in delta)


def test_panels_follow_from_the_maps_of_the_records() -> None:
    one, two = (record_of_map(alignment(2, 2), name) for name in ("one", "two"))
    (system,) = two.systems
    heads = tuple(replace(system.maps[0], kind="head", layer=0, head=k) for k in range(3))
    several = replace(two, systems=(replace(system, maps=heads), replace(system, rank=2)))
    found = texts(figure3(one, several))
    assert [text for text in found if text.startswith("(")] == [
        "(a) one: s0 s1", "(b) two: s0 s1", "(c) two: s0 s1", "(d) two: s0 s1"
    ]  # fmt: skip
    assert not [text for text in texts(figure3(one)) if text.startswith("(")]
    with pytest.raises(InputError, match="without a map"):
        figure3(replace(one, systems=(replace(system, maps=()),)))
    with pytest.raises(InputError, match="one map"):
        figure3(one, settings=PrintSettings(difference=True))


def test_the_policy_leaves_words_out() -> None:
    given = Alignment(source=("a", ",", "</s>"), target=("x", "</s>"), weights=np.full((2, 3), 1 / 3))
    without = Policy(end_mark="removed", punctuation="removed")
    assert texts(bare(given, policy=without)) == ["a", "x"]
