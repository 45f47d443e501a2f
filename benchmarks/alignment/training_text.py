"""The training corpora in words, as eflomal reads them: the same pairs and words that the models are trained on."""

from __future__ import annotations

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


def corpora_in(data: Path) -> list[Path]:
    """The folders of ``data`` with train.en.xz and train.fr.xz, by name; InputError if there is none."""
    found = sorted(path.parent for path in data.glob("*/train.en.xz") if (path.parent / "train.fr.xz").is_file())
    if not found:
        raise InputError(f"{data} has no folder with train.en.xz and train.fr.xz")
    return found


def write_words(folders: Sequence[Path], max_length: int, source: IO[str], target: IO[str]) -> list[TrainingCorpus]:
    """Tokenise the training pairs of all folders (English to French, Moses words, joined by spaces) into two files,
    without pairs of more than ``max_length`` words on a side."""
    tokenize = PairTokenizer(Tokenizer("en"), Tokenizer("fr"), max_length)
    return [_write(folder, tokenize, source, target) for folder in folders]


def _write(folder: Path, tokenize: PairTokenizer, source: IO[str], target: IO[str]) -> TrainingCorpus:
    lines = 0
    kept: list[int] = []
    for chunk in chunks(_pairs(folder), CHUNK):
        words = tokenize(chunk)
        source.write(words.source)
        target.write(words.target)
        kept.extend(lines + index for index in words.kept)
        lines += len(chunk)
    print(f"{folder.name}: {len(kept):,} of {lines:,} pairs", file=sys.stderr)
    return TrainingCorpus(folder.name, lines, tuple(kept))


def _pairs(folder: Path) -> Iterator[tuple[str, str]]:
    for pair in read_pairs(folder / "train.en.xz", folder / "train.fr.xz"):
        yield _text(pair.source), _text(pair.target)


def _text(line: Line) -> str:
    """Blank for a line that is too long to be a sentence."""
    return "" if line.text is None or len(line.text) > MAX_CHARACTERS else line.text
