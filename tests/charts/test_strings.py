"""All texts of the figures are in tables of strings, and what fills the templates fits them."""

from __future__ import annotations

from pathlib import Path

import nmt.charts
from tests.tables_of_strings import check_templates, texts_outside, unused

CHARTS = Path(nmt.charts.__file__).parent
MODULES = sorted(CHARTS.rglob("*.py"))
NO_TEXTS = {
    "colour_scales.py": ("light paper", "colour-blind safe", "square root"),
    "data.py": ("colour-blind safe", "square root"),
    "fonts.py": ("DejaVu Sans", "Last Resort", "Noto ", "VL Gothic", "WenQuanYi"),
    "curve_drawing.py": ("offset points", "axes fraction", "upper left"),
    "es_modules.py": ("const ", "export "),
    "standalone.py": ("\n:root", "<!doctype", "</h1>", "</dl>", "</script>"),
    "print_figure.py": ("and needs that suffix", "<figure for print", "no installed font"),
    "boxes.py": ("e_{", "s_", "E y_", "t̃_i", "z_i", " + U_z", "p(y_i)", "α_{", "c_i", "h_j"),
    "figure2.py": ("the right end of the axis", "the upper end of the scale"),
}
"""By module how a literal begins that is no text but the name of a scale or a font, a place on matplotlib's axes, HTML,
JavaScript, part of an error message or an equation."""


def test_texts_are_in_tables_alone() -> None:
    assert not texts_outside([path for path in MODULES if path.name != "strings.py"], NO_TEXTS)


def test_every_text_is_used() -> None:
    assert not unused(MODULES, "nmt.charts")


def test_templates_are_filled_with_their_fields() -> None:
    check_templates(MODULES, "nmt.charts")
