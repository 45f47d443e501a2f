"""Multi30k, task 1: descriptions of images, with the published splits."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from nmt.data.corpora.parallel import SentencePair, WrittenSplit, tidy, write_split
from nmt.errors import InputError

SPLITS = {
    "train": "train",
    "dev": "val",
    "test2016": "test_2016_flickr",
    "test2017": "test_2017_flickr",
    "test2017-mscoco": "test_2017_mscoco",
}
"""Name of each split, and the stem of its files."""


_NAMES = {"en": "English", "fr": "French", "de": "German"}


def build(downloads: Path, folder: Path, language: str = "fr") -> list[WrittenSplit]:
    """Write the splits from ``NAME.en.gz`` and ``NAME.LANGUAGE.gz``, complete and with tidied white space.

    Raises InputError for a damaged file, and if the two sides differ in number of lines.
    """
    languages = ("en", language)
    return [write_split(folder, name, _pairs(downloads, stem, languages), languages) for name, stem in SPLITS.items()]


def _pairs(downloads: Path, stem: str, languages: tuple[str, str]) -> list[SentencePair]:
    sides = [_lines(downloads / f"{stem}.{language}.gz") for language in languages]
    if len(sides[0]) != len(sides[1]):
        other = _NAMES[languages[1]]
        raise InputError(f"{stem} of Multi30k has {len(sides[0]):,} English lines, but {len(sides[1]):,} {other} ones")
    return [SentencePair(*lines) for lines in zip(*sides, strict=True)]


def _lines(path: Path) -> list[str]:
    try:
        text = gzip.decompress(path.read_bytes()).decode("utf-8")
    except (gzip.BadGzipFile, EOFError, zlib.error, UnicodeDecodeError):
        raise InputError(f"{path} is damaged; delete it to fetch it again") from None
    return [tidy(line) for line in text.removesuffix("\n").split("\n")]
