"""Corpora that are published as sentence pairs: Tatoeba's pairs with English, as manythings.org/anki has them, and
Multi30k, task 1."""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, ZipFile

from nmt.data.corpora.parallel import SentencePair, WrittenSplit, sentence_key, share, tidy, write_split
from nmt.errors import InputError

DEV_SHARE, TEST_SHARE = 0.008, 0.018
"""Share of the distinct English sentences."""


TATOEBA_MEMBERS = {"fr": "fra.txt", "de": "deu.txt", "ja": "jpn.txt", "ko": "kor.txt"}
"""Name of the file in the archive, by language."""


def build_tatoeba(archive: Path, folder: Path, language: str = "fr") -> list[WrittenSplit]:
    """Write train, dev and test from the zip file.

    English sentences are held out by a hash of their letters, so that those of dev and test do not occur in train, not
    even with other punctuation, and are the same for every language; they keep the first of their translations.
    Repeated pairs count once.
    """
    splits: dict[str, dict[SentencePair, None]] = {"train": {}, "dev": {}, "test": {}}
    held_out: set[str] = set()
    for pair in _tatoeba_pairs(archive, TATOEBA_MEMBERS[language]):
        key = sentence_key(pair.en)
        where = share(key)
        name = "dev" if where < DEV_SHARE else "test" if where < DEV_SHARE + TEST_SHARE else "train"
        if name != "train":
            if key in held_out:
                continue
            held_out.add(key)
        splits[name][pair] = None
    return [write_split(folder, name, pairs, ("en", language)) for name, pairs in splits.items()]


def _tatoeba_pairs(archive: Path, member: str) -> Iterator[SentencePair]:
    """Yield the pairs of lines: English, tab, the translation, and in newer files another tab and the attribution."""
    try:
        with ZipFile(archive) as file:
            names = [name for name in file.namelist() if PurePosixPath(name).name == member]
            lines = file.read(names[0]).split(b"\n") if names else []
    except (BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise InputError(f"{archive} is damaged or not an archive: {error}") from None
    if not lines:
        raise InputError(f"there is no {member} in {archive}")
    for number, line in enumerate(lines[:-1] if not lines[-1] else lines, start=1):
        try:
            columns = line.decode("utf-8").split("\t")
        except UnicodeDecodeError:
            raise InputError(f"{member} in {archive}, line {number}: not valid UTF-8") from None
        if len(columns) < 2:
            raise InputError(f"{member} in {archive}, line {number}: no tab between two sentences")
        pair = SentencePair(tidy(columns[0]), tidy(columns[1]))
        if all(pair):
            yield pair


MULTI30K_SPLITS = {
    "train": "train",
    "dev": "val",
    "test2016": "test_2016_flickr",
    "test2017": "test_2017_flickr",
    "test2017-mscoco": "test_2017_mscoco",
}
"""Name of each split, and the stem of its files."""


_NAMES = {"en": "English", "fr": "French", "de": "German"}


def build_multi30k(downloads: Path, folder: Path, language: str = "fr") -> list[WrittenSplit]:
    """Write the splits from ``NAME.en.gz`` and ``NAME.LANGUAGE.gz``, complete and with tidied white space.

    Raises InputError for a damaged file, and if the two sides differ in number of lines.
    """
    languages = ("en", language)
    return [
        write_split(folder, name, _multi30k_pairs(downloads, stem, languages), languages)
        for name, stem in MULTI30K_SPLITS.items()
    ]


def _multi30k_pairs(downloads: Path, stem: str, languages: tuple[str, str]) -> list[SentencePair]:
    sides = [_multi30k_lines(downloads / f"{stem}.{language}.gz") for language in languages]
    if len(sides[0]) != len(sides[1]):
        other = _NAMES[languages[1]]
        raise InputError(f"{stem} of Multi30k has {len(sides[0]):,} English lines, but {len(sides[1]):,} {other} ones")
    return [SentencePair(*lines) for lines in zip(*sides, strict=True)]


def _multi30k_lines(path: Path) -> list[str]:
    try:
        text = gzip.decompress(path.read_bytes()).decode("utf-8")
    except (gzip.BadGzipFile, EOFError, zlib.error, UnicodeDecodeError):
        raise InputError(f"{path} is damaged; delete it to fetch it again") from None
    return [tidy(line) for line in text.removesuffix("\n").split("\n")]
