"""Policy of a written file: the tokens removed from alpha, and the rule for links."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from nmt.alignments.links import WordLinks, argmax_links, mass_links, threshold_links
from nmt.alignments.restriction import Restriction, restrict
from nmt.records import as_record, check_fields
from nmt.results import Alignment

Subwords = Literal["words", "pieces"]
Presence = Literal["kept", "removed"]
Rule = Literal["argmax", "threshold", "mass"]
Direction = Literal["source-target", "target-source"]

Share = Annotated[float, Field(gt=0, le=1, allow_inf_nan=False, description="a share of weight above 0 and at most 1")]

CHOICES: dict[str, tuple[str | int, ...]] = {
    "subwords": ("words", "pieces"),
    "end_mark": ("kept", "removed"),
    "punctuation": ("kept", "removed"),
    "rule": ("argmax", "threshold", "mass"),
    "base": (0, 1),
    "direction": ("source-target", "target-source"),
}
"""Choices for each field of Policy."""


@dataclass(frozen=True, kw_only=True)
class Policy:
    """Choices made when an alignment is saved, and written with it.

    The first three concern weights and links, the others links only. InputError for an unknown choice and for a
    threshold or mass that is not above 0 and at most 1.

    Attributes:
        subwords: rows and columns are whole words (summed over the subwords of a source word, averaged over those of a
            target word), or the tokens as the model read and wrote them.
        end_mark, punctuation: kept, or removed from both sides, and each row divided by its remaining sum.
        rule: ``argmax``: for each target word the source word with the largest weight; ``threshold``: every pair with
            at least ``threshold``; ``mass``: for each target word the fewest source words that together have at least
            ``mass``. The end-of-sentence tokens are never linked. If they are kept, the weight on the source's
            end-of-sentence token counts: argmax gives no link if it is the largest, and it is part of the mass.
        threshold, mass: for the rules of these names.
        base: the number of the first word in a link.
        direction: order of the words of a link.
    """

    subwords: Subwords = "words"
    end_mark: Presence = "kept"
    punctuation: Presence = "kept"
    rule: Rule = "argmax"
    threshold: Share = 0.3
    mass: Share = 0.5
    base: Annotated[int, Field(ge=0, le=1, description="0 or 1")] = 0
    direction: Direction = "source-target"

    def __post_init__(self) -> None:
        check_fields(self)

    def applied(self, alignment: Alignment) -> Restriction:
        """Apply the policy: merge subwords if chosen, then remove tokens."""
        return restrict(
            alignment.merged() if self.subwords == "words" else alignment,
            without_end=self.end_mark == "removed",
            without_punctuation=self.punctuation == "removed",
        )

    def links(self, alignment: Alignment) -> WordLinks:
        """Links (source, target) from 0, before base and direction are applied: numbers of words (``source_words``,
        ``target_words``), or of subwords, in the given alignment."""
        restriction = self.applied(alignment)
        match self.rule:
            case "argmax":
                places = argmax_links(restriction.alignment)
            case "threshold":
                places = threshold_links(restriction.alignment, self.threshold)
            case "mass":
                places = mass_links(restriction.alignment, self.mass)
        if self.subwords == "words":
            source, target = restriction.alignment.source_words, restriction.alignment.target_words
        else:
            source, target = restriction.source, restriction.target
        return frozenset((source[j], target[i]) for j, i in places)

    def numbered(self, links: WordLinks) -> list[tuple[int, int]]:
        """Links (source, target) from 0 as they are written: from ``base``, in ``direction``, sorted."""
        return sorted(
            (i + self.base, j + self.base) if self.direction == "source-target" else (j + self.base, i + self.base)
            for i, j in links
        )

    @property
    def rule_name(self) -> str:
        """The rule with its setting.

        >>> Policy(rule="threshold", threshold=0.25).rule_name
        'threshold 0.25'
        """
        setting = {"argmax": "", "threshold": f" {self.threshold:g}", "mass": f" {self.mass:g}"}
        return self.rule + setting[self.rule]

    @property
    def of_weights(self) -> str:
        """The policy of the weights, in words.

        >>> Policy(end_mark="removed").of_weights
        'words, end mark removed, punctuation kept'
        """
        return f"{self.subwords}, end mark {self.end_mark}, punctuation {self.punctuation}"

    @property
    def of_links(self) -> str:
        """The policy of the weights and the links, in words.

        >>> Policy(base=1).of_links
        'words, end mark kept, punctuation kept, argmax, from 1, source-target'
        """
        return f"{self.of_weights}, {self.rule_name}, from {self.base}, {self.direction}"

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Policy:
        """The inverse of ``to_dict``; InputError for data that are not a policy."""
        return as_record(cls, data, "policy")
