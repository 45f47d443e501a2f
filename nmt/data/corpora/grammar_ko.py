"""Korean-English sentence pairs written by a small grammar: subject, time, place, object with its particle, verb.

The pairs are the project's own (CC0). Korean puts the verb last and English puts it second, so that a model that is
trained on them for three minutes learns to move it. The sentence of the source documents, "I ate an apple yesterday.",
is held out, and so is every pair of its verb with its object.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Literal

from nmt.data.corpora.parallel import WrittenSplit, write_split
from nmt.data.corpora.phrasebook import with_particle
from nmt.files import read_toml

TRAINING_PAIRS, HELD_OUT = 2000, 50
"""Numbers of pairs in train, and in dev and test each."""
EXAMPLE = ("나는 어제 사과를 먹었다.", "I ate an apple yesterday.")
"""The worked example of the source documents, the first pair of test."""


@dataclass(frozen=True, kw_only=True)
class _Verb:
    """Forms of a verb. korean: past, before "있다", and before "것이다"; english: past, -ing form, infinitive; objects:
    kinds that it takes; places: where it happens."""

    korean: tuple[str, str, str]
    english: tuple[str, str, str]
    objects: tuple[str, ...]
    places: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class _Words:
    """Content of grammar_ko.toml: English by Korean words; times with their tense, objects by kind."""

    plural: tuple[str, ...]
    subjects: dict[str, str]
    times: dict[str, tuple[str, Literal["past", "present", "future"]]]
    places: dict[str, str]
    objects: dict[str, dict[str, str]]
    verbs: tuple[_Verb, ...]


_WORDS = read_toml(_Words, Path(__file__).with_suffix(".toml"))


def splits() -> dict[str, list[tuple[str, str]]]:
    """The pairs of train, dev and test, Korean first, in random order, always the same.

    ``EXAMPLE`` is the first of test, and no other pair has its verb with its object.
    """
    drawn = random.Random(0).sample(sorted(_all_pairs()), TRAINING_PAIRS + 2 * HELD_OUT - 1)
    held_out = 2 * HELD_OUT - 1
    return {"train": drawn[held_out:], "dev": drawn[:HELD_OUT], "test": [EXAMPLE, *drawn[HELD_OUT:held_out]]}


def build(folder: Path) -> list[WrittenSplit]:
    """Write the splits, as ``corpus get grammar-ko`` does."""
    return [
        write_split(folder, name, [(english, korean) for korean, english in pairs], ("en", "ko"))
        for name, pairs in splits().items()
    ]


def _all_pairs() -> Iterator[tuple[str, str]]:
    """All sentences of the grammar but those in which somebody eats an apple."""
    subjects, times = _WORDS.subjects.items(), _WORDS.times.items()
    for (who, subject), (when, (time, tense)), verb in product(subjects, times, _WORDS.verbs):
        for where in ("", *verb.places):
            for kind in verb.objects:
                for what, thing in _WORDS.objects[kind].items():
                    if (what, verb.english[2]) == ("사과", "eat"):
                        continue
                    yield (
                        _korean(who, when, where, what, verb, tense),
                        _english(subject, time, _WORDS.places.get(where, ""), thing, verb, tense),
                    )


def _korean(who: str, when: str, where: str, what: str, verb: _Verb, tense: str) -> str:
    past, before_be, before_will = verb.korean
    last = {"past": past, "present": f"{before_be} 있다", "future": f"{before_will} 것이다"}[tense]
    words = [with_particle(who, "은"), when, f"{where}에서" if where else "", with_particle(what, "을"), f"{last}."]
    return " ".join(filter(None, words))


def _english(subject: str, time: str, place: str, thing: str, verb: _Verb, tense: str) -> str:
    past, ing, infinitive = verb.english
    be = "am" if subject == "I" else "are" if subject in _WORDS.plural else "is"
    middle = {"past": past, "present": f"{be} {ing}", "future": f"will {infinitive}"}[tense]
    text = " ".join(filter(None, [subject, middle, thing, place, time]))
    return f"{text[0].upper()}{text[1:]}."
