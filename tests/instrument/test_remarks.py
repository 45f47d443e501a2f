"""Remarks on a translation, of its record alone."""

import numpy as np

from nmt.instrument.remarks import looked
from nmt.results import Alignment
from nmt.texts import LOOK, listed


def test_a_word_at_which_several_unknown_words_looked_is_named_once() -> None:
    """At most five words are named. The text has a word for each [UNK]."""
    attended = [*"aab", *"cdefg"]
    source, weights = ("a", "b", *"cdefg", "</s>"), np.zeros((len(attended), 8), np.float32)
    for i, word in enumerate(attended):
        weights[i, source.index(word)] = 0.4 + i / 100
    alpha = Alignment(source=source, target=tuple(["[UNK]"] * len(attended)), weights=weights)
    places = [LOOK.looked_at.format(word="a", weight="0.41")]
    places += [LOOK.looked_at.format(word=word, weight=f"0.{42 + k}") for k, word in enumerate("bcde")]
    told = looked(alpha, " ".join(alpha.target))
    assert told == LOOK.looked.format(places=listed([*places, "2 other words"]), text=" ".join(attended))
