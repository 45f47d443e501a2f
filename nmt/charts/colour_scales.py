"""Colour scales by name, for Plotly figures, figures for print, and the view in the browser (js/colour_scale.js)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from nmt.errors import InputError
from nmt.texts import CHARTS, by_name

Transform = Literal["linear", "square root", "log"]
"""Mapping of values to positions. A square root or a logarithm shows small weights. The labels of the colour bar are
the values themselves."""

TRANSFORMS: tuple[Transform, ...] = get_args(Transform)

LOG_FLOOR = 0.001
"""Lower end of a logarithmic scale, as a share of its range. Smaller values are drawn as this value."""

_TICKS: dict[Transform, tuple[float, ...]] = {
    "linear": (0.0, 1.0, 0.5, 0.25, 0.75),
    "square root": (0.0, 1.0, 0.25, 0.5, 0.05),
    "log": (LOG_FLOOR, 1.0, 0.1, 0.01),
}
"""Shares of the range that have labels, the more useful shares first."""


@dataclass(frozen=True, kw_only=True)
class ColourScale:
    """Colours from the lowest to the highest value.

    Attributes:
        stops: colours as #rrggbb at equal distances, linear in sRGB between them.
        dark: the stops on a dark page, whose paper is dark. () if they are the same there.
        over: a colour visible on all stops, for marks over the matrix.
        low, high: the values of the first and the last colour. They never follow the data.
        symbol: symbol of the values beside the colour bar, or the key of the text that has the symbol.
    """

    stops: tuple[str, ...]
    dark: tuple[str, ...] = ()
    over: str = "#e69f00"
    transform: Transform = "linear"
    low: float = 0.0
    high: float = 1.0
    symbol: str = "charts.alpha"

    def positions(self, values: NDArray[np.floating]) -> NDArray[np.float64]:
        """Positions on the scale, from 0 to 1, of values [...]. Values outside the scale lie at the nearest end.

        >>> SCALES["square root"].positions(np.array([0.01, 0.25, 1.0])).round(3).tolist()
        [0.1, 0.5, 1.0]
        >>> SCALES["log"].positions(np.array([0.0, 0.001, 0.1, 1.0])).round(3).tolist()
        [0.0, 0.0, 0.667, 1.0]
        """
        shares = np.clip((np.asarray(values, dtype=np.float64) - self.low) / (self.high - self.low), 0, 1)
        if self.transform == "square root":
            return np.asarray(np.sqrt(shares))
        if self.transform == "log":
            return np.asarray(1 - np.log(np.maximum(shares, LOG_FLOOR)) / np.log(LOG_FLOOR))
        return np.asarray(shares)

    def colours(self, positions: NDArray[np.floating]) -> NDArray[np.uint8]:
        """The 8-bit sRGB colours [..., 3] at positions [...] from 0 (lowest) to 1 (highest)."""
        stops = np.array(_rgb(self.stops))
        places = np.linspace(0, 1, len(stops))
        channels = [np.interp(positions, places, stops[:, k]) for k in range(3)]
        return np.asarray(np.rint(np.stack(channels, axis=-1)), dtype=np.uint8)

    def ticks(self) -> dict[float, str]:
        """Values and texts of the labels of a colour bar. Both ends are first, then the more useful values."""
        values = [self.low + share * (self.high - self.low) for share in _TICKS[self.transform]]
        texts = {value: f"{value:g}".replace("-", "−") for value in values}
        return texts if self.transform != "log" else texts | {values[0]: f"≤ {texts[values[0]]}"}

    def to_dict(self) -> dict[str, Any]:
        """The scale in the form of colour_scale.js, as JSON types."""
        return {
            "symbol": by_name(self.symbol),
            "stops": _rgb(self.stops),
            "dark": _rgb(self.dark),
            "low": self.low,
            "high": self.high,
            "transform": self.transform,
            "floor": LOG_FLOOR,
            "ticks": [list(tick) for tick in sorted(self.ticks().items())],
            "description": self._spoken(),
        }

    def _spoken(self) -> str:
        linear = self.transform == "linear"
        template = CHARTS.scale_spoken if linear else CHARTS.scale_transformed_spoken
        transform = "" if linear else CHARTS.by_key.transforms[self.transform]
        return template.format(symbol=by_name(self.symbol), low=self.low, high=self.high, transform=transform)


def _rgb(stops: tuple[str, ...]) -> list[list[int]]:
    return [[int(stop[k : k + 2], 16) for k in (1, 3, 5)] for stop in stops]


PAPER = ColourScale(stops=("#000000", "#ffffff"))
"""0 black, 1 white. Paper: Figure 3."""

INK = ColourScale(stops=("#ffffff", "#0072b2", "#00436b"), dark=("#1b2530", "#0072b2", "#84c7ee"))
"""From 0 (paper) over the blue of the ribbons to 1: dark blue, on a dark page light blue."""

LIGHT_PAPER = ColourScale(stops=("#ffffff", "#000000"))
"""0 white, 1 black: less ink."""

CIVIDIS = ColourScale(
    stops=(
        *("#00224e", "#083370", "#35456c", "#4f576c", "#666970", "#7d7c78"),
        *("#948e77", "#aea371", "#c8b866", "#e5cf52", "#fee838"),
    ),
    over="#56b4e9",
)
"""cividis (Nuñez, Anderton, Renslow 2018), eleven of its colours: looks the same with red-green colour blindness."""

DIFFERENCE = ColourScale(
    stops=("#00436b", "#0072b2", "#ffffff", "#d55e00", "#7a3600"),
    dark=("#84c7ee", "#0072b2", "#1b2530", "#d55e00", "#ffbb85"),
    over="#000000",
    low=-1.0,
    symbol="charts.alpha_difference",
)
"""From -1 (blue) over 0 (white) to 1 (vermillion), for differences."""

# The look of a map that takes the place of alpha, in every view and figure: no reader may take it for attention.
# RNNencdec has no alpha. The map drawn in its place is the effect of leaving out a source word
# (nmt.inspection.maps), in another hue, within a hatched frame, under a title that says so.

STAND_IN = ColourScale(
    stops=("#ffffff", "#f0acf6", "#ce2cdd", "#74077e"),
    dark=("#1b2530", "#74077e", "#ce2cdd", "#f0acf6"),
    symbol="charts.effect",
)
"""0 white, 1 dark purple: neither the greys of alpha nor the blue and vermillion of differences. Readers who cannot see
red, green or blue still see purple as a colour."""

POSTERIOR = ColourScale(
    stops=("#ffffff", "#86e3a0", "#0f9d3a", "#05531c"),
    dark=("#1b2530", "#05531c", "#0f9d3a", "#86e3a0"),
    over="#d55e00",
    symbol="charts.posterior_scale",
)
"""The scale of the posterior beside alpha: 0 white, 1 dark green."""

ALIGNER = ColourScale(
    stops=("#ffffff", "#f5d76e", "#c98a00", "#6b4700"),
    dark=("#1b2530", "#6b4700", "#c98a00", "#f5d76e"),
    over="#d55e00",
    symbol="charts.aligner_scale",
)
"""The scale of an aligner's weights beside alpha: 0 white, 1 brown."""

STAND_IN_FRAME = "#9416a1"
"""Colour of the frame and the title, in print, of a map that takes the place of alpha."""


def stand_in_scale(transform: Transform) -> ColourScale:
    """Return the scale STAND_IN, with the transform of alpha's scale."""
    return replace(STAND_IN, transform=transform)


ScaleName = Literal["ink", "paper", "light paper", "colour-blind safe", "square root", "log"]

SCALES: Mapping[ScaleName, ColourScale] = {
    "ink": INK,
    "paper": PAPER,
    "light paper": LIGHT_PAPER,
    "colour-blind safe": CIVIDIS,
    "square root": replace(PAPER, transform="square root"),
    "log": replace(PAPER, transform="log"),
}
"""The scales for weights from 0 to 1, by the names that functions and files use."""


def colour_scale(name: str, transform: str | None = None) -> ColourScale:
    """The scale called ``name``, optionally with another transform. Raises InputError for an unknown name."""
    if name not in SCALES:
        raise InputError(f"there is no colour scale {name!r}; there are: {', '.join(SCALES)}")
    if transform not in (None, *TRANSFORMS):
        raise InputError(f"there is no transform {transform!r}; there are: {', '.join(TRANSFORMS)}")
    scale = SCALES[cast(ScaleName, name)]
    return replace(scale, transform=transform or scale.transform)
