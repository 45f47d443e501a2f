"""Drawing of a page by matplotlib, element by element."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nmt.charts.fonts import Fonts
from nmt.charts.page import Page

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class PageDrawing:
    """A page as the content of a ``PrintFigure``."""

    page: Page

    def size(self, fonts: Fonts) -> tuple[float, float]:
        return self.page.width, self.page.height

    def draw(self, fonts: Fonts, as_typed: bool) -> Figure:
        """Draw areas, lines, frames and texts, in this order."""
        from matplotlib.collections import LineCollection, PolyCollection
        from matplotlib.figure import Figure
        from matplotlib.patches import Rectangle
        from matplotlib.text import Text
        from matplotlib.transforms import Affine2D

        page = self.page
        figure = Figure(figsize=(page.width / 72, page.height / 72))
        points = Affine2D().scale(1 / 72, -1 / 72).translate(0, page.height / 72) + figure.dpi_scale_trans
        for fills in page.fills:
            colours = fills.colours / 255
            figure.add_artist(PolyCollection(list(fills.corners), facecolors=colours, linewidths=0, transform=points))
        if page.lines:
            figure.add_artist(
                LineCollection(
                    [((line.x0, line.y0), (line.x1, line.y1)) for line in page.lines],
                    linewidths=[line.thickness for line in page.lines],
                    colors=[line.colour for line in page.lines],
                    capstyle="round",
                    transform=points,
                )
            )
        for frame in page.frames:
            figure.add_artist(
                Rectangle(
                    (frame.x, frame.y),
                    frame.width,
                    frame.height,
                    fill=False,
                    edgecolor=frame.colour,
                    linewidth=frame.thickness,
                    linestyle=(0, (2, 1.2)) if frame.dashed else "solid",
                    transform=points,
                )
            )
        for text in page.texts:
            figure.add_artist(
                Text(
                    text.x,
                    text.y,
                    fonts.drawn(text.text, as_typed),
                    color=text.colour,
                    fontfamily=list(fonts.families),
                    fontsize=text.size,
                    horizontalalignment=text.anchor,
                    verticalalignment="baseline",
                    rotation=90 if text.upwards else 0,
                    rotation_mode="anchor",
                    transform=points,
                )
            )
        return figure
