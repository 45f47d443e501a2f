"""Choice of fonts for the texts of a printed figure, detection of missing glyphs, and text widths.

DejaVu Sans comes with matplotlib: Latin, Greek, Cyrillic, Arabic, Hebrew and more. For other characters, freely
licensed installed fonts are used, in a fixed order. Matplotlib shapes the text itself (HarfBuzz and the bidirectional
algorithm), so Arabic joins and runs from right to left.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from matplotlib.font_manager import FontPath

BASE = "DejaVu Sans"

BOXES = "Last Resort High-Efficiency"
"""A font that also comes with matplotlib: for every character it has a box that shows the script only."""

JAPANESE = (
    *("Noto Sans JP", "Noto Sans CJK JP"),
    *("IPAexGothic", "IPAGothic", "VL Gothic", "TakaoGothic", "MotoyaLCedar"),
)
"""Families to search before all others for a text with kana: kanji have other forms in China and Korea."""

_KANA = re.compile("[\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f]")

_PREFERRED = (
    *("Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari", "Noto Sans Symbols"),
    *("Noto Sans KR", "Noto Sans JP", "Noto Sans SC", "NanumGothic", "Noto Sans CJK KR", "Noto Sans CJK JP"),
    *("Noto Sans CJK SC", "WenQuanYi Zen Hei", *JAPANESE[2:], "Noto Emoji", "Symbola"),
)
"""Families to search first; then all others whose name begins with Noto Sans, by name."""

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)
"""Invisible characters (Unicode's Default_Ignorable_Code_Point, without letters)."""

_JOINERS = "\u200c\u200d"
"""Zero-width non-joiner and joiner: they choose the form of the letters beside them."""


_MATPLOTLIB = threading.RLock()
"""Matplotlib's settings and fonts belong to the whole process, so one thread draws at a time."""


class Installed(Protocol):
    """The installed fonts, by the names of their families."""

    def names(self) -> Iterable[str]:
        """All families."""

    def drawable(self, family: str, characters: Iterable[str]) -> set[str]:
        """Return those of the characters that an installed family can draw."""

    def is_truetype(self, family: str) -> bool:
        """True if the outlines of an installed family can be embedded in a PDF as TrueType."""


class MatplotlibFonts:
    """The fonts that matplotlib knows of: its own, and those installed when it last looked."""

    def names(self) -> Iterable[str]:
        from matplotlib.font_manager import fontManager

        return fontManager.get_font_names()

    def drawable(self, family: str, characters: Iterable[str]) -> set[str]:
        """The characters that the family has, precomposed or as letter and marks; none for a colour bitmap font, whose
        outlines are empty."""
        from matplotlib.font_manager import get_font
        from matplotlib.ft2font import FaceFlags

        font = get_font(_path(family))
        if FaceFlags.COLOR in font.face_flags:
            return set()
        has = font.get_charmap()
        return {c for c in characters if ord(c) in has or all(ord(d) in has for d in unicodedata.normalize("NFD", c))}

    def is_truetype(self, family: str) -> bool:
        from matplotlib.font_manager import get_font

        profile = get_font(_path(family)).get_sfnt_table("maxp")
        return profile is not None and profile["version"] == (1, 0)  # 0.5 for CFF outlines


INSTALLED = MatplotlibFonts()


@dataclass(frozen=True)
class Fonts:
    """Fonts for a set of texts.

    Attributes:
        families: names in the order in which they are searched for a character; ``BOXES`` last.
        missing: for each text with characters that no font has, these characters.
        truetype: True if all outlines can be embedded in a PDF as TrueType.
    """

    families: tuple[str, ...]
    missing: dict[str, str]
    truetype: bool

    def width(self, text: str, size: float) -> float:
        """Width of ``text`` in one line, in points. To be called within ``typesetting``."""
        from matplotlib.font_manager import FontProperties
        from matplotlib.textpath import text_to_path

        drawn = visible(printable(text))
        if not drawn:
            return 0.0
        properties = FontProperties(family=self.families, size=size)
        return float(text_to_path.get_text_width_height_descent(drawn, properties, False)[0])

    def drawn(self, text: str, as_typed: bool) -> str:
        """``text`` as it is handed to matplotlib: for SVG as typed, else without invisible characters."""
        return printable(text) if as_typed else visible(printable(text))


@contextmanager
def typesetting(pdf_fonts: Literal[3, 42] = 42) -> Iterator[None]:
    """Reserve matplotlib for this thread, with its default settings in place of the user's.

    Args:
        pdf_fonts: form of the fonts embedded in a PDF: 42 as TrueType, 3 as drawings of their glyphs.
    """
    import matplotlib.style

    ours = {
        "pdf.fonttype": pdf_fonts,
        "svg.fonttype": "none",
        "svg.hashsalt": "jointly",
        "text.hinting": "none",
        "text.parse_math": False,
        "path.simplify": False,
    }
    with _MATPLOTLIB, matplotlib.style.context(["default", ours]):
        yield


def fonts_for(texts: Iterable[str], installed: Installed = INSTALLED) -> Fonts:
    """Choose as few families as the texts need. The same texts and installed fonts give the same choice. To be called
    within ``typesetting``.

    Args:
        installed: the families to choose from, ``BASE`` among them.
    """
    texts = list(dict.fromkeys(texts))
    needed = {character for text in texts for character in _needed(text)}
    at_hand = set(installed.names())
    others = sorted(name for name in at_hand if name.startswith("Noto Sans ") and name not in _PREFERRED)
    families, truetype = [BASE], True
    needed -= installed.drawable(BASE, needed)
    japanese = JAPANESE if any(_KANA.search(text) for text in texts) else ()
    for name in dict.fromkeys((*japanese, *_PREFERRED, *others)):
        characters = installed.drawable(name, needed) if needed and name in at_hand else set()
        if characters:
            families.append(name)
            needed -= characters
            truetype = truetype and installed.is_truetype(name)
    missing = {
        text: "".join(lost)
        for text in texts
        if (lost := dict.fromkeys(c for c in _composed(text) if c in needed or _unprintable(c)))
    }
    return Fonts((*families, BOXES), missing, truetype)


def printable(text: str) -> str:
    """``text`` with U+FFFD for characters that no file can represent as text: control characters, line ends, half
    surrogates."""
    return "".join("\ufffd" if _unprintable(character) else character for character in text)


def visible(text: str) -> str:
    """``text`` without its invisible characters, which would shift neighbouring letters in matplotlib's PDFs; only
    joiners between joining letters stay."""
    joins = any(unicodedata.bidirectional(c) == "AL" or "\u0900" <= c <= "\u0dff" for c in text)
    return _INVISIBLE.sub(lambda found: found[0] if joins and found[0] in _JOINERS else "", text)


def _needed(text: str) -> str:
    """The characters for which a font must have a glyph."""
    return "".join(c for c in _INVISIBLE.sub("", _composed(printable(text))) if not c.isspace())


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _unprintable(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") or character in "\ufffe\uffff"


def _path(family: str) -> FontPath:
    from matplotlib.font_manager import FontProperties, findfont

    return findfont(FontProperties(family=[family]), fallback_to_default=False)
