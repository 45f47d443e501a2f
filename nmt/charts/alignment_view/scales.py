"""Scales of the view: the colours of nmt.charts.colour_scales, with titles for the menu and ticks for the colour
bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from nmt.charts.colour_scales import CIVIDIS, DIFFERENCE, LIGHT_PAPER, LOG_FLOOR, PAPER, ColourScale

ScaleName = Literal["paper", "light", "colour", "sqrt", "log", "difference"]


@dataclass(frozen=True, kw_only=True)
class Scale:
    """Attributes:
    title: name in the menu.
    name: symbol of the values, beside the bar.
    colours: colours along the bar.
    transform: mapping of values to positions on the bar: linear; square root; logarithm (all values below ``low`` look
        alike).
    low: the value at the left end.
    ticks: values that are labelled on the bar.
    """

    title: str
    name: str
    colours: ColourScale
    transform: Literal["linear", "square root", "log"] = "linear"
    low: float = 0.0
    ticks: Sequence[float] = (0, 0.5, 1)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; colours as red, green and blue from 0 to 255."""
        kind = {"linear": "", "square root": ", square-root scale", "log": ", logarithmic scale"}[self.transform]
        high = self.colours.high
        return {
            "name": self.name,
            "stops": [[int(stop[k : k + 2], 16) for k in (1, 3, 5)] for stop in self.colours.stops],
            "transform": self.transform,
            "low": self.low,
            "high": high,
            "ticks": [[tick, f"{tick:g}".replace("-", "−")] for tick in self.ticks],
            "spoken": f"Colour scale of {self.name}, from {self.low:g} to {high:g}{kind}",
        }


SCALES: dict[ScaleName, Scale] = {
    "paper": Scale(title="Paper: 0 black, 1 white", name="αᵢⱼ", colours=PAPER),
    "light": Scale(title="Light: 0 white, 1 black", name="αᵢⱼ", colours=LIGHT_PAPER),
    "colour": Scale(title="Colour, safe for the colour-blind", name="αᵢⱼ", colours=CIVIDIS),
    "sqrt": Scale(
        title="Square root", name="αᵢⱼ", colours=PAPER, transform="square root", ticks=(0, 0.1, 0.25, 0.5, 1)
    ),
    "log": Scale(
        title="Logarithm", name="αᵢⱼ", colours=PAPER, transform="log", low=LOG_FLOOR, ticks=(0.001, 0.01, 0.1, 1)
    ),
    "difference": Scale(title="Difference", name="Δαᵢⱼ", colours=DIFFERENCE, low=-1.0, ticks=(-1, -0.5, 0, 0.5, 1)),
}
