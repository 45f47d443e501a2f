"""Korean-English sentence pairs written by a small grammar: subject, time, place, object with its particle, verb.

The pairs are the project's own (CC0). Korean puts the verb last and English puts it second, so that a model that is
trained on them for three minutes learns to move it. The sentence of the source documents, "I ate an apple yesterday.",
is held out, and so is every pair of its verb with its object: grammar_ko.toml, a phrasebook, has none.
"""

import random
from pathlib import Path

from nmt.data.corpora.parallel import WrittenSplit, write_split
from nmt.data.corpora.phrasebook import Phrasebook, sentences
from nmt.files import read_toml

TRAINING_PAIRS, HELD_OUT = 2000, 50
"""Numbers of pairs in train, and in dev and test each."""
EXAMPLE = ("나는 어제 사과를 먹었다.", "I ate an apple yesterday.")
"""The worked example of the source documents, the first pair of test."""

_BOOK = read_toml(Phrasebook, Path(__file__).with_suffix(".toml"))


def splits() -> dict[str, list[tuple[str, ...]]]:
    """The pairs of train, dev and test, Korean first, in random order, always the same.

    ``EXAMPLE`` is the first of test, and no other pair has its verb with its object.
    """
    pairs = [pair for pattern in _BOOK.parts["all"]["verbs"] for pair in sentences(_BOOK, pattern)]
    drawn = random.Random(0).sample(sorted(pairs), TRAINING_PAIRS + 2 * HELD_OUT - 1)
    held_out = 2 * HELD_OUT - 1
    return {"train": drawn[held_out:], "dev": drawn[:HELD_OUT], "test": [EXAMPLE, *drawn[HELD_OUT:held_out]]}


def build(folder: Path) -> list[WrittenSplit]:
    """Write the splits, as ``corpus get grammar-ko`` does."""
    return [write_split(folder, name, [pair[::-1] for pair in pairs], ("en", "ko")) for name, pairs in splits().items()]
