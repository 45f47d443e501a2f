"""Lines can be seen on the page's own backgrounds, by WCAG's contrast of luminances."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from nmt.charts.style import line_style

THEMES = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text())["theme"]


def luminance(colour: str) -> float:
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(("theme", "least"), [("light", 2.0), ("dark", 5.5)])
def test_every_line_stands_out(theme: str, least: float) -> None:
    background = luminance(THEMES[theme]["backgroundColor"])
    for number in range(14):
        line = luminance(line_style(number, dark=theme == "dark").colour)
        darker, lighter = sorted((line, background))
        assert (lighter + 0.05) / (darker + 0.05) >= least, number
