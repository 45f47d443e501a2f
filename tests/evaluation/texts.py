"""Texts to score: our own words, shuffled, dropped and replaced."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

WORDS = ["red", "green", "blue", "round", "flat", "old", "new", "lamp", "desk", "gate", "l'été", "(sic)", "no.", "12.5"]


@dataclass(frozen=True)
class Texts:
    sources: list[str]
    hypotheses: list[str]
    references: list[str]


def texts(lengths: Sequence[int], seed: int = 1, kept: float = 0.8) -> Texts:
    """Sources of the given numbers of words, references of two more (none for none), and hypotheses that have about
    ``kept`` of them. The seed of the hypotheses depends on ``kept``, that of the rest does not."""
    random = np.random.default_rng(seed)
    sources = ["  ".join(random.choice(WORDS, size=n)) for n in lengths]
    references = [" ".join(random.choice(WORDS, size=n + 2)) + "." if n else "" for n in lengths]
    change = np.random.default_rng([seed, round(1000 * kept)])
    hypotheses = []
    for reference in references:
        words = [word if change.random() < kept else "wrong" for word in reference.split()]
        if len(words) > 2 and change.random() < 0.5:
            words = [*words[1:], words[0]]
        hypotheses.append(" ".join(words))
    return Texts(sources, hypotheses, references)
