"""The small Figure 2 beside a sentence: BLEU over length, with the length of the sentence. Paper: Figure 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nmt.charts.style import LineStyle
from nmt.texts import CHARTS


@dataclass(frozen=True, kw_only=True)
class SmallCurve:
    """A system's line in the small Figure 2. ``points``: (source words, BLEU), sorted by words."""

    name: str
    style: LineStyle
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, kw_only=True)
class SmallFigure:
    """The small Figure 2. Paper: Figure 2.

    Attributes:
        spoken: a sentence on the curves, for screen readers.
        words: length of the sentence that is shown, in source words (None = no sentence is shown).
        text: a sentence for readers on this length, or "".
        signature: sacreBLEU's signature, so that the figure can be cited ("" = unknown).
    """

    title: str
    test_set: str
    spoken: str
    curves: Sequence[SmallCurve]
    words: int | None = None
    text: str = ""
    signature: str = ""

    @classmethod
    def of(cls, curves: Sequence[SmallCurve], test_set: str, signature: str = "") -> SmallFigure:
        """Make the figure of some curves, without the length of a sentence. ``spoken`` names the ends of each curve."""
        title = CHARTS.curve.format(test_set=test_set)
        ends = []
        for curve in curves:
            (begin, first), (end, last) = curve.points[0], curve.points[-1]
            ends.append(CHARTS.curve_ends.format(name=curve.name, first=first, begin=begin, last=last, end=end))
        spoken = CHARTS.curve_spoken.format(title=title, ends="; ".join(ends))
        return cls(title=title, test_set=test_set, spoken=spoken, curves=curves, signature=signature)

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON types."""
        return {
            "title": self.title,
            "x_title": CHARTS.curve_x,
            "spoken": self.spoken,
            "curves": [
                {
                    "name": curve.name,
                    "colour": curve.style.colour,
                    "dash": " ".join(f"{2 * part:g}" for part in curve.style.dash),
                    "points": [[round(float(words), 2), round(float(score), 2)] for words, score in curve.points],
                }
                for curve in self.curves
            ],
            "signature": self.signature,
            "here": None if self.words is None else {"words": self.words, "text": self.text},
        }
