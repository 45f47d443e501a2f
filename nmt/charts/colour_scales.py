"""Colour scales by name, and the transforms of their value axis; every view of a matrix uses them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nmt.errors import InputError

LOG_FLOOR = 0.001
"""Lower end of the axis "log"; smaller values are drawn as this one."""

TRANSFORMS = ("linear", "square root", "log")
"""Mappings of values from 0 to 1 to the colours. A square root or a logarithm shows small weights; the colour
bar is labelled with the values themselves."""


@dataclass(frozen=True, kw_only=True)
class ColourScale:
    """Colours from the lowest to the highest value.

    Attributes:
        stops: colours as #rrggbb at equal distances, linear in sRGB between them.
        low, high: the values of the first and the last colour. They never follow the data.
        over: a colour visible on all of them, for marks over the matrix.
    """

    stops: tuple[str, ...]
    low: float
    high: float
    over: str

    def colours(self, positions: NDArray[np.floating]) -> NDArray[np.uint8]:
        """The 8-bit sRGB colours [..., 3] at positions [...] from 0 (lowest) to 1 (highest)."""
        stops = np.array([[int(stop[k : k + 2], 16) for k in (1, 3, 5)] for stop in self.stops])
        places = np.linspace(0, 1, len(stops))
        channels = [np.interp(positions, places, stops[:, k]) for k in range(3)]
        return np.asarray(np.rint(np.stack(channels, axis=-1)), dtype=np.uint8)

    def plotly(self) -> list[list[float | str]]:
        """The scale in Plotly's form: [[0, "#rrggbb"], …, [1, "#rrggbb"]]."""
        last = len(self.stops) - 1
        return [[k / last, stop] for k, stop in enumerate(self.stops)]


PAPER = ColourScale(stops=("#000000", "#ffffff"), low=0.0, high=1.0, over="#e69f00")
"""0 black, 1 white. Paper: Figure 3."""

LIGHT_PAPER = ColourScale(stops=("#ffffff", "#000000"), low=0.0, high=1.0, over="#e69f00")
"""0 white, 1 black: less ink."""

CIVIDIS = ColourScale(
    stops=(
        *("#00224e", "#083370", "#35456c", "#4f576c", "#666970", "#7d7c78"),
        *("#948e77", "#aea371", "#c8b866", "#e5cf52", "#fee838"),
    ),
    low=0.0,
    high=1.0,
    over="#56b4e9",
)
"""cividis (Nuñez, Anderton, Renslow 2018), eleven of its colours: looks the same with red-green colour blindness."""

DIFFERENCE = ColourScale(
    stops=("#00436b", "#0072b2", "#ffffff", "#d55e00", "#7a3600"), low=-1.0, high=1.0, over="#000000"
)
"""From -1 (blue) over 0 (white) to 1 (vermillion), for differences."""

COLOUR_SCALES: Mapping[str, ColourScale] = {"paper": PAPER, "light paper": LIGHT_PAPER, "colour-blind safe": CIVIDIS}
"""The scales for weights from 0 to 1, by their names in menus."""


def colour_scale(name: str) -> ColourScale:
    """The scale called ``name``; InputError if there is none."""
    if name not in COLOUR_SCALES:
        raise InputError(f"there is no colour scale {name!r}; there are: {', '.join(COLOUR_SCALES)}")
    return COLOUR_SCALES[name]


def positions(values: NDArray[np.floating], scale: ColourScale, transform: str = "linear") -> NDArray[np.float64]:
    """Positions of values on a scale, from 0 to 1, [...] each; values outside the scale lie at its ends.

    InputError for a transform that is not in ``TRANSFORMS``.

    >>> positions(np.array([0.01, 0.25, 1.0]), PAPER, "square root").round(3).tolist()
    [0.1, 0.5, 1.0]
    >>> positions(np.array([0.0, 0.001, 0.1, 1.0]), PAPER, "log").round(3).tolist()
    [0.0, 0.0, 0.667, 1.0]
    """
    shares = np.clip((np.asarray(values, dtype=np.float64) - scale.low) / (scale.high - scale.low), 0, 1)
    if transform == "linear":
        return np.asarray(shares)
    if transform == "square root":
        return np.asarray(np.sqrt(shares))
    if transform == "log":
        return np.asarray(1 - np.log10(np.maximum(shares, LOG_FLOOR)) / np.log10(LOG_FLOOR))
    raise InputError(f"there is no transform {transform!r}; there are: {', '.join(TRANSFORMS)}")


def ticks(scale: ColourScale, transform: str = "linear") -> dict[float, str]:
    """Values and texts of the labels of a colour bar; both ends first, then the more useful ones."""
    if transform == "log":
        return {LOG_FLOOR: f"≤ {LOG_FLOOR:g}", 1.0: "1", 0.1: "0.1", 0.01: "0.01"}
    if transform == "square root":
        return {0.0: "0", 1.0: "1", 0.25: "0.25", 0.5: "0.5", 0.05: "0.05"}
    shares = (0.0, 1.0, 0.5, 0.25, 0.75)
    values = [scale.low + share * (scale.high - scale.low) for share in shares]
    return {value: f"{value:g}".replace("-", "−") for value in values}
