"""Reading vocabulary files of every kind."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nmt.data.vocabularies.subwords import Pieces
from nmt.data.vocabularies.vocabulary import Kind, Shortlist, Vocabulary
from nmt.errors import InputError
from nmt.files import read_versioned_json
from nmt.records import as_record


@dataclass(frozen=True)
class _VocabularyFile:
    kind: Kind
    words: tuple[str, ...] | None = None


def load_vocabulary(folder: Path, side: str) -> Vocabulary:
    """Read a vocabulary written by ``save``. Raises InputError naming a missing or broken file."""
    path = folder / f"{side}.vocabulary.json"
    content = as_record(_VocabularyFile, read_versioned_json(path), str(path))
    if content.kind != "words":
        return Pieces.load(folder / f"{side}.sentencepiece.model", content.kind)
    if content.words is None:
        raise InputError(f"{path}: words is missing")
    if len(set(content.words)) != len(content.words):
        raise InputError(f"{path} lists a word twice")
    return Shortlist(content.words)
