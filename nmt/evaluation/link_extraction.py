"""Extraction of word links from attention weights: the rules, by name.

All rules work on a map over whole words (subwords merged: summed over a source word, averaged over a target word). The
end-of-sentence tokens are never linked: the largest weight is taken over the words alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from nmt.alignments.links import WordLinks, argmax_links, column_links, threshold_links
from nmt.errors import InputError
from nmt.evaluation.symmetrisation import SYMMETRISATIONS, LinkSet, transposed
from nmt.results import Alignment

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
        merged = alignment.merged()
        if self.rule in SYMMETRISATIONS:
            rows = _numbered(merged, argmax_links(merged, null=False))
            if reverse is None:
                return SYMMETRISATIONS[self.rule](rows, _numbered(merged, column_links(merged)))
            other = reverse.merged()
            return SYMMETRISATIONS[self.rule](rows, transposed(_numbered(other, argmax_links(other, null=False))))
        assert reverse is None, "only a symmetrisation makes one alignment of two"
        if self.rule == "threshold":
            return _numbered(merged, threshold_links(merged, self.threshold))
        if self.rule == "columns":
            return _numbered(merged, column_links(merged))
        return _numbered(merged, argmax_links(merged, null=self.rule == "argmax-null"))


def _numbered(merged: Alignment, places: WordLinks) -> LinkSet:
    """The links by the numbers of their words instead of columns and rows."""
    return frozenset((merged.source_words[j], merged.target_words[i]) for j, i in places)
