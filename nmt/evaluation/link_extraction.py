"""From weights to word links: the rules, by name.

All work on a map over whole words (pieces merged: summed over a source word, averaged over a target word). The end
marks are linked with nothing: a word looks for its largest weight among the words proper.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nmt.errors import InputError
from nmt.evaluation.symmetrisation import SYMMETRISATIONS, LinkSet, transposed
from nmt.results import END, Alignment

MAP_RULES = {
    "argmax": "for each target word the source word with the largest weight",
    "argmax-null": "the same, but none where the weight of the source's end mark is larger still",
    "columns": "for each source word the target word that gives it the largest weight",
    "threshold": "every pair of words with at least a given weight",
}
"""Rules for one map, and what they do."""

RULES = (*MAP_RULES, *SYMMETRISATIONS)
"""All rules. The symmetrisations are of argmax and columns, or of the argmax of two models, one a direction."""

THRESHOLD = 0.3
"""Least weight of a link, if none is given."""


@dataclass(frozen=True)
class Extraction:
    """A rule with its setting. InputError for an unknown rule and a threshold that is not above 0 and at most 1.

    Attributes:
        rule: one of RULES.
        threshold: least weight of a link, for the rule of that name.
    """

    rule: str = "argmax"
    threshold: float = THRESHOLD

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise InputError(f"there is no rule {self.rule!r}; there are {', '.join(RULES)}")
        if not 0 < self.threshold <= 1:
            raise InputError(f"the threshold is a weight above 0 and at most 1, not {self.threshold:g}")

    @property
    def name(self) -> str:
        """With its setting, as results have it."""
        return f"{self.rule} {self.threshold:g}" if self.rule == "threshold" else self.rule

    def links(self, alignment: Alignment, reverse: Alignment | None = None) -> LinkSet:
        """Links (source word, target word), from 0, by the numbers of ``source_words`` and ``target_words``.

        Args:
            alignment: of the pair.
            reverse: of the same pair by a model of the other direction, its source our target; for symmetrisations
                alone.
        """
        words = _Words.of(alignment)
        if self.rule in SYMMETRISATIONS:
            backward = words.columns() if reverse is None else transposed(_Words.of(reverse).rows())
            return SYMMETRISATIONS[self.rule](words.rows(), backward)
        assert reverse is None, "only a symmetrisation makes one alignment of two"
        if self.rule == "threshold":
            return words.least(self.threshold)
        return words.columns() if self.rule == "columns" else words.rows(null=self.rule == "argmax-null")


@dataclass(frozen=True, eq=False)
class _Words:
    """weights: [words_y, words_x] without end marks; end: weight of the source's end mark, [words_y]; source, target:
    the numbers of the words."""

    weights: NDArray[np.float32]
    end: NDArray[np.float32]
    source: tuple[int, ...]
    target: tuple[int, ...]

    @classmethod
    def of(cls, alignment: Alignment) -> _Words:
        merged = alignment.merged()
        assert merged.source[-1] == merged.target[-1] == END, "both sides end with the end mark"
        return cls(
            merged.weights[:-1, :-1], merged.weights[:-1, -1], merged.source_words[:-1], merged.target_words[:-1]
        )

    def rows(self, null: bool = False) -> LinkSet:
        if not self.source:
            return frozenset()
        best = self.weights.argmax(axis=1)
        kept = self.weights.max(axis=1) >= self.end if null else np.ones(len(best), dtype=bool)
        return frozenset((self.source[j], self.target[i]) for i, j in enumerate(best.tolist()) if kept[i])

    def columns(self) -> LinkSet:
        if not self.target:
            return frozenset()
        return frozenset((self.source[j], self.target[i]) for j, i in enumerate(self.weights.argmax(axis=0).tolist()))

    def least(self, threshold: float) -> LinkSet:
        return frozenset((self.source[j], self.target[i]) for i, j in np.argwhere(self.weights >= threshold).tolist())
