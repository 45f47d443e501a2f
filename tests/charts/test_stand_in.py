"""A map in place of alpha: no eye takes its colours for those of alpha, and every figure says what it is."""

import io

import numpy as np
import pytest
from defusedxml import ElementTree
from numpy.typing import NDArray
from PIL import Image

from nmt import heatmap
from nmt.charts.colour_scales import (
    ALIGNER,
    LIGHT_PAPER,
    PAPER,
    POSTERIOR,
    STAND_IN,
    STAND_IN_FRAME,
    ColourScale,
    stand_in_scale,
)
from nmt.charts.figure3 import BAND, CELL
from nmt.charts.print_figure import MARGIN, PrintFigure
from nmt.results import Alignment
from nmt.results.record import LEAVE_ONE_OUT
from nmt.texts import CHARTS, INSTRUMENT
from tests.charts.printed import NOT_ATTENTION, drawn, drawn_difference

SVG = "{http://www.w3.org/2000/svg}"
GIVEN = Alignment(
    source=("the", "old", "sea"), target=("la", "mer"), weights=np.array([[0.7, 0.25, 0.05], [0.0, 0.08, 0.92]])
)
# Machado, Oliveira and Fernandes 2009, severity 1: of linear RGB
MISSING = {
    "none": np.eye(3),
    "red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def lab(colours: NDArray[np.uint8], missing: str) -> NDArray[np.float64]:
    """CIELAB (D65) of sRGB colours [..., 3] as seen without one kind of cones."""
    share = colours.astype(np.float64) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    linear = np.clip(linear @ np.array(MISSING[missing]).T, 0, 1)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = linear @ to_xyz.T / to_xyz.sum(axis=1)
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], axis=-1)


def seen(scale: ColourScale, missing: str) -> NDArray[np.float64]:
    return lab(scale.colours(np.linspace(0, 1, 101)), missing)


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("alpha", [PAPER, LIGHT_PAPER])
@pytest.mark.parametrize("other", [STAND_IN, POSTERIOR, ALIGNER])
def test_no_eye_takes_a_clear_effect_for_a_grey_of_alpha(other: ColourScale, alpha: ColourScale, missing: str) -> None:
    effect = seen(other, missing)[30:]  # from 0.3 on
    distances = np.linalg.norm(effect[:, None] - seen(alpha, missing)[None], axis=-1)
    assert distances.min() > 15  # 2.3 is just noticeable


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("other", [STAND_IN, POSTERIOR, ALIGNER])
def test_more_effect_is_darker_for_every_eye(other: ColourScale, missing: str) -> None:
    assert np.diff(seen(other, missing)[:, 0]).max() < 0


def parts(figure: PrintFigure) -> tuple[list[str], int]:
    """All texts of a figure, and the number of strokes of the hatched frame."""
    root = ElementTree.fromstring(figure.to_bytes("svg"))
    texts = [text.text or "" for text in root.iter(f"{SVG}text")]
    hatched = [path for pattern in root.iter(f"{SVG}pattern") for path in pattern.iter(f"{SVG}path")]
    strokes = [path for path in hatched if f"stroke: {STAND_IN_FRAME}" in path.get("style", "")]
    return texts, sum(path.get("d", "").count("M") for path in strokes)


@pytest.mark.parametrize("transform", ["linear", "square root", "log"])
def test_figure3_of_a_stand_in_says_so_in_title_colour_bar_frame_and_hue(transform: str) -> None:
    texts, strokes = parts(drawn(GIVEN, LEAVE_ONE_OUT, transform=transform))
    assert NOT_ATTENTION in texts
    assert any(text.startswith(CHARTS.effect) for text in texts)
    assert not any("α" in text for text in texts)
    assert strokes > 20
    assert stand_in_scale("log").transform == "log"
    texts, strokes = parts(drawn(GIVEN, transform=transform))
    assert NOT_ATTENTION not in texts
    assert strokes == 0


def test_the_cells_of_a_stand_in_are_purple_in_png_also_where_the_bare_look_is_asked_for() -> None:
    figure = drawn(GIVEN, LEAVE_ONE_OUT, titles=False, colour_bar=False)
    image = Image.open(io.BytesIO(figure.to_bytes("png"))).convert("RGB")
    colours = {colour for _, colour in image.getcolors(1 << 20) or []}
    expected = STAND_IN.colours(STAND_IN.positions(GIVEN.weights)).reshape(-1, 3)
    assert {tuple(colour) for colour in expected.tolist()} <= colours
    assert NOT_ATTENTION in parts(figure)[0]
    assert parts(figure)[1] > 20


def test_differences_and_heatmaps_say_it_too() -> None:
    texts, strokes = parts(drawn_difference(GIVEN, GIVEN, LEAVE_ONE_OUT))
    assert INSTRUMENT.no_difference_of_attention in texts
    assert strokes > 20
    assert NOT_ATTENTION in parts(heatmap(GIVEN, leave_one_out=True))[0]


def test_a_hatched_frame_lies_around_the_matrix_and_nowhere_else() -> None:
    words = tuple("abcdefghijklmnopqrst")  # a matrix wider than the title
    square = Alignment(source=words, target=words, weights=np.zeros((20, 20), np.float32))
    figure = drawn(square, LEAVE_ONE_OUT, titles=False, colour_bar=False)
    image = np.asarray(Image.open(io.BytesIO(figure.to_bytes("png"))).convert("RGB")).astype(int)
    hue = [int(STAND_IN_FRAME[k : k + 2], 16) for k in (1, 3, 5)]
    purple = (np.abs(image - hue) < 40).all(axis=-1)
    band, side = 3 * BAND, 3 * 20 * CELL
    bottom, right = image.shape[0] - 3 * MARGIN, image.shape[1] - 3 * MARGIN
    outer = purple[bottom - side - 2 * band : bottom, right - side - 2 * band : right]
    inner = outer[band:-band, band:-band]
    assert inner.shape == (side, side)
    assert not inner.any()
    title = 3 * (MARGIN + 12)  # the title of the figure has this colour, too
    assert purple[title:].sum() == outer.sum()
    for edge in (outer[:band], outer[-band:], outer[:, :band], outer[:, -band:]):
        assert 0.1 < edge.mean() < 0.5
