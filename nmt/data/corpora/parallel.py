"""Cleaning, splitting and writing of sentence pairs, for all corpora."""

import hashlib
import lzma
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

LANGUAGES = ("en", "fr")

_PRESET = 6
_SHARES = 10_000


class SentencePair(NamedTuple):
    """A sentence in English and in the other language."""

    en: str
    other: str


@dataclass(frozen=True, kw_only=True)
class WrittenSplit:
    """Record of a split that was written, such as "train" or "test2016". words: number of whitespace tokens of the
    English side. sha256: checksum of each side's text, uncompressed, by language."""

    name: str
    pairs: int
    words: int
    sha256: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class Built:
    """Result of a builder: the splits, the numbers of omitted pairs and documents by reason, and one sentence for
    each file that could not be used."""

    splits: Sequence[WrittenSplit]
    dropped: Mapping[str, int] = field(default_factory=dict)
    unreadable: Sequence[str] = ()


def tidy(text: str) -> str:
    """Collapse white space of any kind, including line separators and no-break spaces, to one space, and strip it.

    >>> tidy(" Qui\\u202f?  ")
    'Qui ?'
    """
    return " ".join(text.split())


def share(key: str) -> float:
    """Hash a key to a number in [0, 1), uniformly distributed and the same on every machine.

    Items that must stay together, such as the translations of one sentence, must share a key.
    """
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") % _SHARES / _SHARES


def sentence_key(text: str) -> str:
    """Reduce a sentence to its letters and digits, case-folded and in NFC. Sentences with the same key count as equal.

    >>> sentence_key("It's late!") == sentence_key("It’s late.")
    True
    """
    letters = "".join(filter(str.isalnum, unicodedata.normalize("NFC", text).casefold()))
    return letters or text


def write_split(
    folder: Path,
    name: str,
    pairs: Iterable[Sequence[str]],
    languages: Sequence[str] = LANGUAGES,
    *,
    compressed: bool = True,
) -> WrittenSplit:
    """Write a file for each language, such as ``name.en.xz`` or ``name.en``. The same pairs give the same bytes."""
    sides = list(zip(*pairs, strict=True)) or [()] * len(languages)
    digests = {}
    for language, lines in zip(languages, sides, strict=True):
        text = "".join(line + "\n" for line in lines).encode()
        digests[language] = hashlib.sha256(text).hexdigest()
        path = folder / f"{name}.{language}{'.xz' if compressed else ''}"
        path.write_bytes(lzma.compress(text, preset=_PRESET) if compressed else text)
    return WrittenSplit(
        name=name, pairs=len(sides[0]), words=sum(len(line.split()) for line in sides[0]), sha256=digests
    )
