"""The training corpora in words, as eflomal reads them: the same pairs and words that the models are trained on."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from nmt.data.corpus import Line, read_pairs
from nmt.data.text import Tokenizer
from nmt.data.tokenised import CHUNK, MAX_CHARACTERS, PairTokenizer, chunks
from nmt.errors import InputError


@dataclass(frozen=True)
class TrainingCorpus:
    """One corpus after tokenisation.

    Attributes:
        name: of its folder.
        lines: in its files.
        kept: the lines, from 0, that went on to the aligner; blank ones and those with too many words did not.
    """

    name: str
    lines: int
    kept: tuple[int, ...]


def corpora_in(data: Path, target: str = "fr") -> list[Path]:
    """The folders of ``data`` with train.en.xz and, if the target language is French, train.fr.xz, by name; InputError
    if there is none."""
    other = f"train.{target}.xz"
    found = sorted(path.parent for path in data.glob("*/train.en.xz") if (path.parent / other).is_file())
    if not found:
        raise InputError(f"{data} has no folder with train.en.xz and {other}")
    return found


def write_words(
    folders: Sequence[Path], max_length: int, source: IO[str], target: IO[str], language: str = "fr", every: int = 1
) -> list[TrainingCorpus]:
    """Tokenise every so many training pairs of all folders (English to another language, Moses words, joined by spaces)
    into two files, without pairs of more than ``max_length`` words on a side."""
    tokenize = PairTokenizer(Tokenizer("en"), Tokenizer(language), max_length)
    return [_write(folder, tokenize, source, target, every) for folder in folders]


def _write(folder: Path, tokenize: PairTokenizer, source: IO[str], target: IO[str], every: int) -> TrainingCorpus:
    lines = 0
    kept: list[int] = []
    language = tokenize.target.language
    for chunk in chunks(_pairs(folder, language, every), CHUNK):
        words = tokenize(chunk)
        source.write(words.lines[0])
        target.write(words.lines[1])
        kept.extend(lines + index for index in words.kept)
        lines += len(chunk)
    print(f"{folder.name}: {len(kept):,} of {lines:,} pairs", file=sys.stderr)
    return TrainingCorpus(folder.name, lines, tuple(kept))


def _pairs(folder: Path, language: str, every: int) -> Iterator[tuple[str, str]]:
    """Pairs of text; blank where one is left out, so that lines keep their numbers."""
    for number, pair in enumerate(read_pairs(folder / "train.en.xz", folder / f"train.{language}.xz")):
        yield ("", "") if number % every else (_text(pair.source), _text(pair.target))


def _text(line: Line) -> str:
    """Blank for a line that is too long to be a sentence."""
    return "" if line.text is None or len(line.text) > MAX_CHARACTERS else line.text
