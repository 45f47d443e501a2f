"""Lines can be seen on the page's own backgrounds, by WCAG's contrast of luminances."""

import re
import tomllib
from pathlib import Path

import pytest
from matplotlib.markers import MarkerStyle
from plotly.graph_objects import Scatter

import nmt.ui
from nmt.charts.style import LONGEST_LABEL, label, line_style, plain

THEMES = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text())["theme"]


APP = Path(nmt.ui.__file__).with_name("app.css").read_text(encoding="utf-8")


def luminance(colour: str) -> float:
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize(("theme", "least"), [("light", 2.0), ("dark", 5.5)])
def test_every_line_stands_out(theme: str, least: float) -> None:
    for number in range(14):
        line = line_style(number, dark=theme == "dark").colour
        assert contrast(line, THEMES[theme]["backgroundColor"]) >= least, number


def test_texts_of_axes_can_be_read() -> None:
    rule = next(line for line in APP.splitlines() if ".xtick text" in line)
    colours = re.findall("#[0-9a-f]{6}", rule)
    assert len(colours) == 2
    for theme, colour in zip(("light", "dark"), colours, strict=True):
        assert contrast(colour, THEMES[theme]["backgroundColor"]) >= 4.5


def test_the_focus_of_the_menu_can_be_seen() -> None:
    """Its outline has the colour of the text, which Streamlit writes at 60 % where a page is not open."""
    rule = next(line for line in APP.splitlines() if "stTopNavLink" in line and ":focus-visible" in line)
    assert "outline: 2px solid currentcolor" in rule
    for theme in ("light", "dark"):
        text, ground = THEMES[theme]["textColor"], THEMES[theme]["backgroundColor"]
        channels = [(int(text[k : k + 2], 16), int(ground[k : k + 2], 16)) for k in (1, 3, 5)]
        faded = "#" + "".join(f"{round(0.6 * one + 0.4 * other):02x}" for one, other in channels)
        assert contrast(faded, ground) >= 3


COLOURS = len({line_style(number).colour for number in range(100)})
"""So many systems of one figure can have a colour of their own."""


@pytest.mark.parametrize("dark", [False, True])
def test_systems_of_one_figure_look_different(dark: bool) -> None:
    """Ten colours; seven dashes and seven marks, which together tell 49 apart where there is no colour."""
    styles = [line_style(number, dark=dark) for number in range(49)]
    assert COLOURS == len({style.colour for style in styles[:10]}) == 10
    for looks in ([style.dash for style in styles], [style.marker for style in styles]):
        assert len({*looks[:7]}) == len({*looks}) == 7
    assert len({(style.dash, style.marker) for style in styles}) == 49
    for style in styles:
        assert len(style.dash) % 2 == 0  # strokes and gaps
        figure = Scatter(line=style.plotly_line(), marker={"symbol": style.plotly_symbol})  # knows what it can draw
        assert figure.line.width == 2
        lengths = [float(part.removesuffix("px")) for part in figure.line.dash.split(",")] if style.dash else []
        assert lengths == [2 * part for part in style.dash]
        assert MarkerStyle(style.matplotlib_marker).is_filled()


@pytest.mark.parametrize("length", [LONGEST_LABEL - 1, LONGEST_LABEL, LONGEST_LABEL + 1, 10 * LONGEST_LABEL])
def test_only_a_word_too_long_for_an_axis_is_cut(length: int) -> None:
    word = "ab" * length
    word = word[:length]
    shown = label(word)
    assert len(shown) == min(length, LONGEST_LABEL)
    if length > LONGEST_LABEL:
        assert (shown[:-1], shown[-1]) == (word[: len(shown) - 1], "…")
    else:
        assert shown == word
    assert label("<&$>") == plain("<&$>") == "&lt;&amp;&#36;>"
