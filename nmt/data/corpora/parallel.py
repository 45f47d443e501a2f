"""Pairs of lines as files: how all corpora are cleaned, split and written."""

from __future__ import annotations

import hashlib
import lzma
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

LANGUAGES = ("en", "fr")

_CURLY = str.maketrans({"’": "'", "‘": "'"})
_PRESET = 6
_SHARES = 10_000


class SentencePair(NamedTuple):
    """A sentence in English and in the other language."""

    en: str
    other: str


@dataclass(frozen=True)
class WrittenSplit:
    """Attributes:
    name: such as "train" or "test2016".
    pairs: how many.
    words: whitespace words of the English side.
    sha256: of each side's text, uncompressed, by language.
    """

    name: str
    pairs: int
    words: int
    sha256: dict[str, str]


def tidy(text: str) -> str:
    """White space of any kind, line separators and no-break spaces among it, made one space, none at the ends.

    >>> tidy(" Qui\\u202f?  ")
    'Qui ?'
    """
    return " ".join(text.split())


def straight_apostrophes(text: str) -> str:
    """Single curly quotation marks made straight, as most text has them."""
    return text.translate(_CURLY)


def share(key: str) -> float:
    """A number in [0, 1) that depends on the key alone: the same on every machine, and evenly spread.

    Whatever is to stay together, such as the translations of one sentence, must have one key.
    """
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") % _SHARES / _SHARES


def sentence_key(text: str) -> str:
    """The letters and digits of a sentence, without case, accents composed: equal for what differs in the rest alone.

    >>> sentence_key("It's late!") == sentence_key("It’s late.")
    True
    """
    letters = "".join(filter(str.isalnum, unicodedata.normalize("NFC", text).casefold()))
    return letters or text


def write_split(
    folder: Path, name: str, pairs: Iterable[SentencePair], languages: tuple[str, str] = LANGUAGES
) -> WrittenSplit:
    """Write ``name.en.xz`` and the same of the other language; the same pairs give the same bytes."""
    sides = list(zip(*pairs, strict=True)) or [(), ()]
    digests = {}
    for language, lines in zip(languages, sides, strict=True):
        text = "".join(line + "\n" for line in lines).encode()
        digests[language] = hashlib.sha256(text).hexdigest()
        (folder / f"{name}.{language}.xz").write_bytes(lzma.compress(text, preset=_PRESET))
    return WrittenSplit(name, len(sides[0]), sum(len(line.split()) for line in sides[0]), digests)
