"""Settings with which the instrument shows maps: the fields of VIEW in js/panels.js."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from nmt.charts.colour_scales import SCALES, ScaleName


@dataclass(frozen=True, kw_only=True)
class MapView:
    """The settings of shown maps.

    Attributes:
        scale: colour scale of the matrix, with hyphens.
        by: rule of the drawn links (``map_links``), with the setting ``least``.
        least: smallest weight of a link, or share of a row, from 0 to 1.
        bars: whether coverage and entropy stand beside the matrix.
        end: whether the end-of-sentence token is shown.
        pieces: whether rows and columns are tokens instead of words.
        transposed: whether target words stand on top.
        around: whether translations into several languages stand around one source sentence.
        map: key of one of several maps, such as "head.2.1". "" = the default map.
    """

    show: Literal["matrix", "links", "both"] = "matrix"
    scale: Literal["ink", "paper", "light-paper", "colour-blind-safe", "square-root", "log"] = "ink"
    layout: Literal["auto", "horizontal", "vertical"] = "auto"
    by: Literal["threshold", "mass"] = "threshold"
    least: Annotated[float, Field(ge=0, le=1)] = 0.2
    bars: bool = False
    end: bool = True
    punctuation: bool = True
    pieces: bool = False
    transposed: bool = False
    around: bool = True
    map: Annotated[str, Field(max_length=80)] = ""

    @property
    def printed_scale(self) -> ScaleName:
        """Name of the scale of a printed figure. The default scale is printed as the scale of Figure 3."""
        named = {name.replace(" ", "-"): name for name in SCALES}
        return "paper" if self.scale == MapView.scale else named[self.scale]
