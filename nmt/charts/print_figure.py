"""Figures for print: PDF, SVG and PNG; the same content gives the same bytes."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from nmt.charts.fonts import Fonts, typesetting
from nmt.errors import InputError
from nmt.files import replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("pdf", "svg", "png")

_LONGEST_PDF = 14_400
"""Largest page that PDF viewers show, in points."""

_MOST_PIXELS = 64_000_000


class Drawing(Protocol):
    """Content of a figure, which can be drawn any number of times."""

    def size(self, fonts: Fonts) -> tuple[float, float]:
        """Width and height of the page in points."""

    def draw(self, fonts: Fonts, as_typed: bool) -> Figure:
        """Draw the page; without ``as_typed`` texts lack their invisible characters."""


class PrintFigure:
    """A figure for print, which a notebook displays directly.

    Attributes:
        width, height: in points (1/72 inch).
        missing_glyphs: each text of the figure with characters that no installed font can draw, and these characters.
            PDF and PNG have boxes in their place; the texts of an SVG use the fonts of the reader's system. Freely
            licensed fonts such as Noto Sans are used if they are installed (matplotlib looks for new ones when
            its folder ~/.cache/matplotlib is removed).
    """

    def __init__(self, drawing: Drawing, fonts: Fonts) -> None:
        """Draw the figure; to be called within ``typesetting``, with fonts for all texts of the drawing."""
        self._drawing, self._fonts = drawing, fonts
        self.width, self.height = drawing.size(fonts)
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

    def to_bytes(self, format: str, about: str = "") -> bytes:
        """The file: "pdf" (fonts embedded), "svg" (real text) or "png" (216 pixels per inch, fewer for a huge figure).

        ``about``: where the figure comes from, which is written into the file's metadata: "Subject" of a PDF,
        "Description" of an SVG or PNG.

        Raises InputError for another format, or a figure too large for it.
        """
        format = format.lower()
        if format not in FORMATS:
            problem = f"not {format!r}" if format else "and needs that suffix"
            raise InputError(f"a figure is written as .pdf, .svg or .png, {problem}")
        scale = self._scale(format)
        buffer = io.BytesIO()
        metadata = _METADATA[format] | ({_ABOUT[format]: about} if about else {})
        with typesetting(42 if self._fonts.truetype and not self.missing_glyphs else 3):
            figure = self._drawing.draw(self._fonts, as_typed=format == "svg")
            figure.savefig(buffer, format=format, dpi=72 * scale, metadata=metadata)
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

_ABOUT = {"pdf": "Subject", "svg": "Description", "png": "Description"}
_METADATA: dict[str, dict[str, str | None]] = {
    "pdf": {"Creator": "Jointly", "CreationDate": None},
    "svg": {"Creator": "Jointly", "Date": None},
    "png": {},
}
