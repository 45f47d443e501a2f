"""Sentences that teach: each shows one thing that alpha can show; they are in gallery.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from nmt.records import as_record
from nmt.reproduce.released import LANGUAGES


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A sentence that teaches, and what to look at in it.

    Attributes:
    title: the phenomenon.
    sentence: in the first of the languages.
    look: what to look at, in a sentence or two.
    written: words that a translation with alpha must have for ``look`` to be true of it; "" = true of any.
    target: the translation that is looked at, whatever a model would write; "" = its own.
    checkpoint: the one whose weights show it; "" = any.
    languages: source and target language.
    """

    title: str
    sentence: str
    look: str
    written: str = ""
    target: str = ""
    checkpoint: str = ""
    languages: tuple[str, str] = LANGUAGES


@dataclass(frozen=True, kw_only=True)
class _Gallery:
    lesson: tuple[Lesson, ...]


_FILE = Path(__file__).with_suffix(".toml")
GALLERY = as_record(_Gallery, tomllib.loads(_FILE.read_text(encoding="utf-8")), _FILE.name).lesson
