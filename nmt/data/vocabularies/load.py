"""Reading vocabulary files of every kind."""

from __future__ import annotations

import json
from pathlib import Path

from nmt.config import FORMAT_VERSION
from nmt.data.vocabularies.subwords import Pieces
from nmt.data.vocabularies.vocabulary import Shortlist, Vocabulary
from nmt.errors import InputError


def load_vocabulary(folder: Path, side: str) -> Vocabulary:
    """Read a vocabulary written by ``save``. Raises InputError naming a missing or broken file."""
    path = folder / f"{side}.vocabulary.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"there is no vocabulary file {path}") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read as a vocabulary: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT_VERSION:
        raise InputError(f"{path} is not a vocabulary file of format {FORMAT_VERSION}")
    if data.get("kind") == "words":
        words = data.get("words")
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise InputError(f"{path} has no list of words")
        if len(set(words)) != len(words):
            raise InputError(f"{path} lists a word twice")
        return Shortlist(words)
    if data.get("kind") in ("unigram", "bpe"):
        return Pieces.load(folder / f"{side}.sentencepiece.model", data["kind"])
    raise InputError(f"{path} has the unknown kind {data.get('kind')!r}; known: words, unigram and bpe")
