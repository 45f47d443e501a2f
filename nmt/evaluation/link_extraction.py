"""Extraction of word links from attention weights: the rules, by name.

All rules work on a map over whole words (subwords merged: summed over a source word, averaged over a target word). The
end-of-sentence tokens are never linked: the largest weight of a word is that among the other words.
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
    "argmax-null": "the same, but no link if the source's end-of-sentence token has a larger weight",
    "columns": "for each source word the target word that gives it the largest weight",
    "threshold": "every pair of words with at least a given weight",
}
"""Rules for a single map, with descriptions."""

RULES = (*MAP_RULES, *SYMMETRISATIONS)
"""All rules. A symmetrisation combines argmax and columns, or the argmax of two models, one per direction."""

THRESHOLD = 0.3
"""Default minimum weight of a link."""


@dataclass(frozen=True)
class Extraction:
    """A rule with its setting. InputError for an unknown rule, or a threshold that is not above 0 and at most 1.

    Attributes:
        rule: one of RULES.
        threshold: minimum weight of a link, for the rule of that name.
    """

    rule: str = "argmax"
    threshold: float = THRESHOLD

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise InputError(f"unknown rule {self.rule!r}; choose one of {', '.join(RULES)}")
        if not 0 < self.threshold <= 1:
            raise InputError(f"the threshold must be above 0 and at most 1, not {self.threshold:g}")

    @property
    def name(self) -> str:
        """Name of the rule with its setting, as recorded in results."""
        return f"{self.rule} {self.threshold:g}" if self.rule == "threshold" else self.rule

    def links(self, alignment: Alignment, reverse: Alignment | None = None) -> LinkSet:
        """Extract links (source word, target word), from 0, with the indices of ``source_words`` and ``target_words``.

        Args:
            alignment: alignment of the pair.
            reverse: alignment of the same pair by a model of the other direction (its source is our target); only for
                symmetrisations.
        """
        words = _Words.of(alignment)
        if self.rule in SYMMETRISATIONS:
            backward = words.columns() if reverse is None else transposed(_Words.of(reverse).rows())
            return SYMMETRISATIONS[self.rule](words.rows(), backward)
        assert reverse is None, "only a symmetrisation makes one alignment of two"
        if self.rule == "threshold":
            return words.least(self.threshold)
        return words.columns() if self.rule == "columns" else words.rows(null=self.rule == "argmax-null")


@dataclass(frozen=True, eq=False, kw_only=True)
class _Words:
    """Weights between words. weights: [words_y, words_x] without end-of-sentence tokens; end: weight of the source's
    end-of-sentence token, [words_y]; source, target: the indices of the words."""

    weights: NDArray[np.float32]
    end: NDArray[np.float32]
    source: tuple[int, ...]
    target: tuple[int, ...]

    @classmethod
    def of(cls, alignment: Alignment) -> _Words:
        merged = alignment.merged()
        assert merged.source[-1] == merged.target[-1] == END, "both sides end with the end-of-sentence token"
        return cls(
            weights=merged.weights[:-1, :-1],
            end=merged.weights[:-1, -1],
            source=merged.source_words[:-1],
            target=merged.target_words[:-1],
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
