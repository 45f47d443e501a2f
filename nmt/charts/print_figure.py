"""Figures for print: PDF, SVG and PNG; the same content gives the same bytes."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from nmt.charts.fonts import Fonts, printable, typesetting, visible
from nmt.charts.page import Page
from nmt.errors import InputError
from nmt.files import replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("pdf", "svg", "png")

_LONGEST_PDF = 14_400
"""Largest page that PDF viewers show, in points."""

_MOST_PIXELS = 64_000_000


class PrintFigure:
    """A figure for print, which a notebook displays directly.

    Attributes:
        width, height: in points (1/72 inch).
        missing_glyphs: each text of the figure with characters that no installed font can draw, and these characters.
            PDF and PNG have boxes in their place; the texts of an SVG use the fonts of the reader's system. Freely
            licensed fonts such as Noto Sans are used if they are installed (matplotlib looks for new ones when
            its folder ~/.cache/matplotlib is removed).
    """

    def __init__(self, page: Page, fonts: Fonts) -> None:
        self._page, self._fonts = page, fonts
        self.width, self.height = page.width, page.height
        self.missing_glyphs = fonts.missing
        if self.missing_glyphs:
            words = ", ".join(map(repr, self.missing_glyphs))
            caller = 4  # of figure3 or its like
            warnings.warn(f"no installed font has all characters of {words}", stacklevel=caller)

    def save(self, path: str | Path) -> None:
        """Write the figure in the format of the name's suffix: .pdf, .svg or .png.

        Raises InputError for another suffix, a path that cannot be written, or a figure too large for the format.
        """
        path = Path(path)
        data = self.to_bytes(path.suffix.removeprefix("."))
        try:
            with replacing(path) as temporary:
                temporary.write_bytes(data)
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror or error}") from error

    def to_bytes(self, format: str) -> bytes:
        """The file: "pdf" (fonts embedded), "svg" (real text) or "png" (216 pixels per inch, fewer for a huge figure).

        Raises InputError for another format, or a figure too large for it.
        """
        format = format.lower()
        if format not in FORMATS:
            given = f"not {format!r}" if format else "and needs that suffix"
            raise InputError(f"a figure is written as .pdf, .svg or .png, {given}")
        scale = self._scale(format)
        buffer = io.BytesIO()
        with typesetting(42 if self._fonts.truetype and not self.missing_glyphs else 3):
            figure = _drawn(self._page, self._fonts, as_typed=format == "svg")
            figure.savefig(buffer, format=format, dpi=72 * scale, metadata=_METADATA[format])
        return buffer.getvalue().replace(b"</style>", _SVG_STYLE) if format == "svg" else buffer.getvalue()

    def _scale(self, format: str) -> int:
        """Pixels per point."""
        longest = max(self.width, self.height)
        if format == "pdf" and longest > _LONGEST_PDF:
            raise InputError(f"{longest:.0f} points are too long for a PDF ({_LONGEST_PDF}); save the figure as SVG")
        if format != "png":
            return 1
        for scale in (3, 2, 1):
            if self.width * self.height * scale**2 <= _MOST_PIXELS and longest * scale < 2**16:
                return scale
        raise InputError(f"{self.width:.0f} x {self.height:.0f} points are too many for a PNG; save the figure as SVG")

    def __repr__(self) -> str:
        return f"<figure for print, {self.width:.0f} x {self.height:.0f} points>"

    def _repr_svg_(self) -> str:
        return self.to_bytes("svg").decode("utf-8")

    def _repr_png_(self) -> bytes:
        return self.to_bytes("png")


_SVG_STYLE = b"text{unicode-bidi: plaintext}</style>"
"""SVG style that gives each text the direction of its own letters, as in PDF and PNG."""

_METADATA: dict[str, dict[str, str | None]] = {
    "pdf": {"Creator": "Jointly", "CreationDate": None},
    "svg": {"Creator": "Jointly", "Date": None},
    "png": {},
}


def _drawn(page: Page, fonts: Fonts, as_typed: bool) -> Figure:
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle
    from matplotlib.text import Text
    from matplotlib.transforms import Affine2D

    figure = Figure(figsize=(page.width / 72, page.height / 72))
    points = Affine2D().scale(1 / 72, -1 / 72).translate(0, page.height / 72) + figure.dpi_scale_trans
    areas = [
        PolyCollection(
            list(fills.corners),
            facecolors=fills.colours / 255,
            linewidths=0,
            alpha=None if fills.opacity == 1 else fills.opacity,
            transform=points,
        )
        for fills in (*page.fills, *page.marks)
    ]
    for area in areas[: len(page.fills)]:
        figure.add_artist(area)
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
    for path in page.paths:
        figure.add_artist(
            LineCollection(
                [path.points],
                linewidths=[path.thickness],
                colors=[path.colour],
                linestyles=[(0, path.dash) if path.dash else "solid"],
                capstyle="butt" if path.dash else "round",
                joinstyle="round",
                transform=points,
            )
        )
    for area in areas[len(page.fills) :]:
        area.set_zorder(2.5)
        figure.add_artist(area)
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
        words = printable(text.text)
        figure.add_artist(
            Text(
                text.x,
                text.y,
                words if as_typed else visible(words),
                color=text.colour,
                fontfamily=list(fonts.families),
                fontsize=text.size,
                horizontalalignment=text.anchor,
                verticalalignment="baseline",
                rotation=90 if text.upwards else 0,
                rotation_mode="anchor",
                parse_math=False,
                transform=points,
            )
        )
    return figure
