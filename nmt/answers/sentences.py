"""The sentences that the app opens with, which are also shown in the presentation for lectures, and sentences that are
concatenated, to see where a vector of fixed size is too small; they are in sentences.toml.

Paper: 2.1
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nmt.data.line_words import UNSPACED
from nmt.records import as_record


@dataclass(frozen=True, kw_only=True)
class SceneSentence:
    """A sentence, and what to look at in it.

    Attributes:
        name: name in addresses.
        title: the phenomenon.
        sentence: the source sentence.
        look: what to look at, in a sentence or two.
        written: words that a translation with alpha must have for ``look`` to be true of it; "" = true of any.
        languages: source and target language.
    """

    name: str
    title: str
    sentence: str
    look: str
    written: str = ""
    languages: tuple[str, str] = ("en", "fr")


@dataclass(frozen=True, kw_only=True)
class Lesson(SceneSentence):
    """A sentence that teaches.

    Attributes:
        target: the translation that is looked at, whatever a model would write; "" = its own.
        checkpoint: the one whose weights show it; "" = any.
    """

    name: str = ""
    target: str = ""
    checkpoint: str = ""


@dataclass(frozen=True, kw_only=True)
class _Sentences:
    opening: tuple[SceneSentence, ...]
    lesson: tuple[Lesson, ...]
    concatenated: dict[str, tuple[str, ...]]


_FILE = Path(__file__).with_suffix(".toml")
_SENTENCES = as_record(_Sentences, tomllib.loads(_FILE.read_text(encoding="utf-8")), _FILE.name)

SENTENCES = _SENTENCES.opening
"""The first one is the sentence that the app opens with; of each pair of languages, the first one is what its
checkpoints open with."""

GALLERY = _SENTENCES.lesson
"""Sentences that teach."""

CONCATENATED = _SENTENCES.concatenated
"""Sentences to be concatenated, by language. The longest concatenation has 36 words, fewer than the longest sentences
that the runs were trained on."""


def beginnings(sentences: Iterable[str], language: str) -> list[str]:
    """Concatenate the first k sentences, for each k from 1.

    >>> beginnings(("A.", "B?"), "en"), beginnings(("雨だ。", "寒い。"), "ja")
    (['A.', 'A. B?'], ['雨だ。', '雨だ。寒い。'])
    """
    space = "" if language in UNSPACED else " "
    texts = list(sentences)
    return [space.join(texts[:k]) for k in range(1, len(texts) + 1)]
