"""Scales of the matrix: which value has which colour. The same in every panel and every figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

ScaleName = Literal["paper", "light", "colour", "sqrt", "log", "difference"]
Colour = tuple[int, int, int]

_BLACK, _WHITE = (0, 0, 0), (255, 255, 255)
_CIVIDIS = tuple(
    (int(code[0:2], 16), int(code[2:4], 16), int(code[4:6], 16))
    for code in (
        "00224e 123570 3b496c 575d6d 707173 8a8678 a59c74 c3b369 e1cc55 fee838".split()
    )
)  # fmt: skip
"""Nuñez, Anderton, Renslow 2018: a scale made to look the same to the colour-blind; from dark to light throughout."""
_LESS, _MORE = (213, 94, 0), (0, 114, 178)
"""Vermillion and blue of Okabe and Ito's palette."""


@dataclass(frozen=True)
class Scale:
    """Attributes:
    title: what a reader chooses it by.
    name: of the values, beside the bar.
    stops: colours at equal distances along the bar.
    transform: how values become places on the bar: linear; their square root; their logarithm (below ``low`` all look
        alike).
    low, high: the values at the ends.
    ticks: values that the bar names.
    """

    title: str
    name: str
    stops: tuple[Colour, ...]
    transform: Literal["linear", "sqrt", "log"] = "linear"
    low: float = 0.0
    high: float = 1.0
    ticks: Sequence[float] = (0, 0.5, 1)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        kind = {"linear": "", "sqrt": ", square-root scale", "log": ", logarithmic scale"}[self.transform]
        return {
            "name": self.name,
            "stops": [list(stop) for stop in self.stops],
            "transform": self.transform,
            "low": self.low,
            "high": self.high,
            "ticks": [[tick, f"{tick:g}".replace("-", "−")] for tick in self.ticks],
            "spoken": f"Colour scale of {self.name}, from {self.low:g} to {self.high:g}{kind}",
        }


SCALES: dict[ScaleName, Scale] = {
    "paper": Scale("Paper: 0 black, 1 white", "αᵢⱼ", (_BLACK, _WHITE)),
    "light": Scale("Light: 0 white, 1 black", "αᵢⱼ", (_WHITE, _BLACK)),
    "colour": Scale("Colour, safe for the colour-blind", "αᵢⱼ", _CIVIDIS),
    "sqrt": Scale("Square root", "αᵢⱼ", (_BLACK, _WHITE), "sqrt", ticks=(0, 0.1, 0.25, 0.5, 1)),
    "log": Scale("Logarithm", "αᵢⱼ", (_BLACK, _WHITE), "log", 0.001, 1.0, (0.001, 0.01, 0.1, 1)),
    "difference": Scale("Difference", "Δαᵢⱼ", (_LESS, _WHITE, _MORE), low=-1.0, ticks=(-1, -0.5, 0, 0.5, 1)),
}
