"""Figures for print: PDF, SVG and PNG, with fonts for every script. The same content gives the same bytes.

DejaVu Sans comes with matplotlib: Latin, Greek, Cyrillic, Arabic, Hebrew and more. For other characters, freely
licensed installed fonts follow in matplotlib's list of fallback families. Matplotlib shapes the text itself (HarfBuzz
and the bidirectional algorithm), so Arabic letters join and run from right to left.
"""

from __future__ import annotations

import io
import math
import re
import threading
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nmt.errors import InputError
from nmt.files import export
from nmt.texts import say

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ft2font import FT2Font

FORMATS = ("pdf", "svg", "png")

GREY = "#444444"
"""Colour of titles and notes."""

MARGIN = 12
"""Points between the drawing and the edge of the page."""

BASE = "DejaVu Sans"

BOXES = "Last Resort High-Efficiency"
"""A font that also comes with matplotlib. Its glyph for each character is a box that shows the script only."""

JAPANESE = (
    *("Noto Sans JP", "Noto Sans CJK JP"),
    *("IPAexGothic", "IPAGothic", "VL Gothic", "TakaoGothic", "MotoyaLCedar"),
)
"""Families to search first after BASE if a text has kana: Japanese characters look different in fonts for Chinese."""

_PREFERRED = (
    *("Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari", "Noto Sans Symbols"),
    *("Noto Sans KR", "Noto Sans JP", "Noto Sans SC", "NanumGothic", "Noto Sans CJK KR", "Noto Sans CJK JP"),
    *("Noto Sans CJK SC", "WenQuanYi Zen Hei", *JAPANESE[2:], "Noto Emoji", "Symbola"),
)
"""Families to search next. After them come all other families whose name begins with Noto Sans, by name."""

_KANA = re.compile("[\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f]")

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)
"""Invisible characters (Unicode's Default_Ignorable_Code_Point, without letters)."""

_JOINERS = "\u200c\u200d"
"""Zero-width non-joiner and joiner: they choose the form of the letters beside them."""

_LONGEST_PDF = 14_400
"""Largest page that PDF viewers show, in points."""

_MOST_PIXELS = 64_000_000

_MATPLOTLIB = threading.RLock()
"""Matplotlib's settings and fonts belong to the whole process, so one thread draws at a time."""


@dataclass(frozen=True)
class Fonts:
    """Fonts for a set of texts.

    Attributes:
        families: names in the order in which they are searched for a character. ``BOXES`` is last.
        missing: the characters that no font has, by the texts that contain them.
        truetype: True if all outlines can be embedded in a PDF as TrueType.
    """

    families: tuple[str, ...]
    missing: dict[str, str]
    truetype: bool


def fonts_for(texts: Iterable[str]) -> Fonts:
    """Choose as few installed families as the texts need. The same texts and installed fonts give the same choice.
    Every figure for print calls this function first. Raises InputError if matplotlib is missing."""
    try:
        from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font
    except ImportError:
        raise InputError("figures for print need matplotlib: pip install 'jointly[print]'") from None

    texts = list(dict.fromkeys(texts))
    needed = {character for text in texts for character in _INVISIBLE.sub("", _composed(printable(text)))}
    needed = {character for character in needed if not character.isspace()}
    installed = set(fontManager.get_font_names())
    others = sorted(name for name in installed if name.startswith("Noto Sans "))
    japanese = JAPANESE if any(_KANA.search(text) for text in texts) else ()
    families, truetype = [], True
    for name in dict.fromkeys((BASE, *japanese, *_PREFERRED, *others)):
        if name != BASE and (not needed or name not in installed):
            continue
        font = get_font(findfont(FontProperties(family=[name])))
        characters = _drawable(font, needed)
        if characters or name == BASE:
            families.append(name)
            needed -= characters
            profile = font.get_sfnt_table("maxp")  # of version 0.5 for CFF outlines
            truetype = truetype and profile is not None and profile["version"] == (1, 0)
    missing = {
        text: "".join(lost)
        for text in texts
        if (lost := dict.fromkeys(c for c in _composed(text) if c in needed or _unprintable(c)))
    }
    return Fonts((*families, BOXES), missing, truetype)


def _drawable(font: FT2Font, characters: Iterable[str]) -> set[str]:
    """The characters that a font has, precomposed or as letter and marks. Empty for a colour bitmap font."""
    from matplotlib.ft2font import FaceFlags

    has = {} if FaceFlags.COLOR in font.face_flags else font.get_charmap()
    return {c for c in characters if ord(c) in has or all(ord(d) in has for d in unicodedata.normalize("NFD", c))}


def printable(text: str) -> str:
    """``text`` with U+FFFD for characters that no file can represent: controls, line ends, half surrogates."""
    return "".join("\ufffd" if _unprintable(character) else character for character in text)


def visible(text: str) -> str:
    """``text`` without invisible characters, which would shift neighbouring letters in matplotlib's PDFs. If the text
    has letters of Arabic or Indian scripts, its joiners stay."""
    joins = any(unicodedata.bidirectional(c) == "AL" or "\u0900" <= c <= "\u0dff" for c in text)
    return _INVISIBLE.sub(lambda found: found[0] if joins and found[0] in _JOINERS else "", text)


def drawn(text: str, as_typed: bool) -> str:
    """``text`` as it is handed to matplotlib: as typed for SVG, otherwise without invisible characters."""
    return printable(text) if as_typed else visible(printable(text))


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _unprintable(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") or character in "\ufffe\uffff"


@contextmanager
def typesetting(fonts: Fonts) -> Iterator[None]:
    """Reserve matplotlib for this thread within the block, with matplotlib's default settings and these fonts."""
    import matplotlib.style

    ours = {
        "font.family": list(fonts.families),
        "hatch.linewidth": 0.7,
        "pdf.fonttype": 42 if fonts.truetype and not fonts.missing else 3,  # as TrueType, or as drawings of the glyphs
        "svg.fonttype": "none",
        "svg.hashsalt": "jointly",
        "text.hinting": "none",
        "text.parse_math": False,
        "path.simplify": False,
    }
    with _MATPLOTLIB, matplotlib.style.context(["default", ours]):
        yield


def text_width(text: str, size: float) -> float:
    """Width of ``text`` in one line, in points. To be called within ``typesetting``."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    letters = drawn(text, as_typed=False)
    if not letters:
        return 0.0
    return float(text_to_path.get_text_width_height_descent(letters, FontProperties(size=size), False)[0])


def wrapped(parts: Iterable[str], between: str, width: float, size: float) -> list[str]:
    """Join parts into lines of at most ``width`` points. A wider part has its own line. Only within ``typesetting``."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]}{between}{part}" if lines else part
        if lines and text_width(longer.rstrip(), size) <= width:
            lines[-1] = longer
        else:
            lines.append(part)
    return [line.rstrip() for line in lines]


def page_of(width: float, height: float) -> tuple[Figure, Axes]:
    """A page that holds only axes of this size in points. ``fit_page`` fits the page to the drawing."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width / 72, height / 72), dpi=72)
    return figure, figure.add_axes((0, 0, 1, 1))


def fit_page(figure: Figure, axes: Axes, width: float, height: float) -> None:
    """Fit a page made by ``page_of`` to all that is drawn on it and a margin, in whole points. The axes keep their
    size, which matplotlib's layouts would shrink. The corners of the axes lie at whole points."""
    box = figure.get_tightbbox()  # in inches, from the lower left corner of the axes
    left, below = _whole(-72 * box.x0), _whole(-72 * box.y0)
    right, above = _whole(72 * box.x1 - width), _whole(72 * box.y1 - height)
    page = width + left + right + 2 * MARGIN, height + below + above + 2 * MARGIN
    figure.set_size_inches(page[0] / 72, page[1] / 72)
    axes.set_position(((left + MARGIN) / page[0], (below + MARGIN) / page[1], width / page[0], height / page[1]))


def _whole(points: float) -> int:
    """Round points up for a side of the page. Up to half a point, half the width of a line, may lie in the margin."""
    return math.ceil(points - 0.5)


class PrintFigure:
    """A figure for print, which a notebook displays directly.

    Attributes:
        width, height: size in points (1/72 inch).
        missing_glyphs: the characters that no installed font can draw, by the texts that contain them. PDF and PNG have
            boxes in their place. The texts of an SVG use the fonts of the reader's system. Freely licensed fonts such
            as Noto Sans are used if they are installed (matplotlib finds new fonts when its folder ~/.cache/matplotlib
            is removed).
    """

    def __init__(self, texts: Iterable[str], draw: Callable[[bool], Figure]) -> None:
        """Draw the figure.

        Args:
            texts: all texts of the figure, for the choice of fonts.
            draw: function that draws the page within ``typesetting``, and may be called again. Its argument tells
                whether texts are as typed. Otherwise texts have no invisible characters.
        """
        self._draw = draw
        with _MATPLOTLIB:
            self._fonts = fonts_for(texts)
        with typesetting(self._fonts):
            width, height = draw(False).get_size_inches()
        self.width, self.height = round(72 * width), round(72 * height)
        self.missing_glyphs = self._fonts.missing
        if self.missing_glyphs:
            words = ", ".join(map(repr, self.missing_glyphs))
            caller = 3  # the code that calls figure3 or a similar function
            warnings.warn(f"no installed font has all characters of {words}", stacklevel=caller)

    def save(self, path: str | Path) -> None:
        """Write the figure in the format of the name's suffix: .pdf, .svg or .png.

        Raises InputError for another suffix, a path that cannot be written, or a figure too large for the format.
        """
        path = Path(path)
        export(path, self.to_bytes(path.suffix.removeprefix(".")))

    def to_bytes(self, format: str, about: str = "") -> bytes:
        """The file: "pdf" (fonts embedded), "svg" (real text) or "png" (216 pixels per inch, fewer for a huge figure).

        ``about``: origin of the figure, for the file's metadata: "Subject" of a PDF, "Description" of an SVG or PNG.

        Raises InputError for another format, or a figure too large for the format.
        """
        format = format.lower()
        if format not in FORMATS:
            problem = f"not {format!r}" if format else "and needs that suffix"
            raise InputError(f"a figure is written as .pdf, .svg or .png, {problem}")
        scale = self._scale(format)
        buffer = io.BytesIO()
        metadata = _METADATA[format] | ({_ABOUT[format]: about} if about else {})
        with typesetting(self._fonts):
            figure = self._draw(format == "svg")
            figure.savefig(buffer, format=format, dpi=72 * scale, metadata=metadata)
        return buffer.getvalue().replace(b"</style>", _SVG_STYLE) if format == "svg" else buffer.getvalue()

    @staticmethod
    def pages(figures: Sequence[PrintFigure], about: str = "") -> bytes:
        """A PDF with a page for each figure. ``about``: as for ``to_bytes``.

        Raises InputError for a figure that is too large.
        """
        from matplotlib.backends.backend_pdf import PdfPages

        buffer = io.BytesIO()
        metadata = _METADATA["pdf"] | ({_ABOUT["pdf"]: about} if about else {})
        with typesetting(figures[0]._fonts), PdfPages(buffer, metadata=metadata) as pdf:
            for figure in figures:
                figure._scale("pdf")
                with typesetting(figure._fonts):
                    pdf.savefig(figure._draw(False))
        return buffer.getvalue()

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
        raise InputError(say("errors.png_too_large", width=self.width, height=self.height))

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
