"""Tatoeba's pairs of English and another language, as manythings.org/anki publishes them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from nmt.data.corpora.archives import open_member
from nmt.data.corpora.parallel import SentencePair, WrittenSplit, sentence_key, share, tidy, write_split
from nmt.errors import InputError

DEV_SHARE, TEST_SHARE = 0.008, 0.018
"""Share of the distinct English sentences."""


MEMBERS = {"fr": "fra.txt", "de": "deu.txt", "ja": "jpn.txt"}
"""Name of the file in the archive, by language."""


def build(archive: Path, folder: Path, language: str = "fr") -> list[WrittenSplit]:
    """Write train, dev and test from the zip file.

    English sentences are held out by a hash of their letters, so that those of dev and test do not occur in train, not
    even with other punctuation, and are the same for every language; they keep the first of their translations.
    Repeated pairs count once.
    """
    splits: dict[str, dict[SentencePair, None]] = {"train": {}, "dev": {}, "test": {}}
    held_out: set[str] = set()
    for pair in _pairs(archive, MEMBERS[language]):
        key = sentence_key(pair.en)
        where = share(key)
        name = "dev" if where < DEV_SHARE else "test" if where < DEV_SHARE + TEST_SHARE else "train"
        if name != "train":
            if key in held_out:
                continue
            held_out.add(key)
        splits[name][pair] = None
    return [write_split(folder, name, pairs, ("en", language)) for name, pairs in splits.items()]


def _pairs(archive: Path, member: str) -> Iterator[SentencePair]:
    """Yield the pairs of lines: English, tab, the translation, and in newer files another tab and the attribution."""
    with open_member(archive, lambda name: PurePosixPath(name).name == member, member) as file:
        for number, line in enumerate(file, start=1):
            try:
                columns = line.decode("utf-8").split("\t")
            except UnicodeDecodeError:
                raise InputError(f"{member} in {archive}, line {number}: not valid UTF-8") from None
            if len(columns) < 2:
                raise InputError(f"{member} in {archive}, line {number}: no tab between two sentences")
            pair = SentencePair(tidy(columns[0]), tidy(columns[1]))
            if all(pair):
                yield pair
