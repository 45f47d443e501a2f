"""Policy with which an alignment is saved. End-of-sentence tokens or punctuation may be removed, and then each row is
renormalised. Hard links are extracted from the rows. The end-of-sentence tokens have no links, but the weight on the
source's end-of-sentence token competes with the weight on the words."""

from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from nmt.alignments.links import map_links
from nmt.alignments.measures import end_mask, proportions, punctuation_mask
from nmt.records import check_fields
from nmt.results import Alignment
from nmt.results.links import LinkSet

LEAST_SHARE = 1e-4
"""Rows with less remaining weight than this are zeroed, since renormalising would amplify rounding noise."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Restriction:
    """A restricted alignment, with the effect of the restriction.

    Attributes:
        alignment: alignment of the remaining tokens, with their word indices. Each row sums to 1, or is all 0.
        source, target: positions of the remaining tokens in the original alignment.
        share: for each remaining target token, the share of its row's weight, 0 to 1, by which the row was divided.
        empty: rows of ``alignment`` that are all 0, since less than LEAST_SHARE of their weight was left.
    """

    alignment: Alignment
    source: tuple[int, ...]
    target: tuple[int, ...]
    share: NDArray[np.float64]
    empty: tuple[int, ...]

    @property
    def undivided(self) -> Alignment:
        """The alignment of the remaining tokens with undivided weights. A row's sum lacks the removed weights."""
        return replace(self.alignment, weights=(self.alignment.weights * self.share[:, None]).astype(np.float32))


def restrict(alignment: Alignment, *, without_end: bool = False, without_punctuation: bool = False) -> Restriction:
    """Remove the end-of-sentence tokens or the punctuation from both sides and divide each row by its remaining sum. A
    row with less remaining weight than LEAST_SHARE becomes all 0 and is listed in ``empty``. The weights are over words
    or subwords.

    >>> a = Alignment(source=("a", "b", "</s>"), target=("x", "y", "</s>"),
    ...               weights=np.array([[.3, .1, .6], [0, 0, 1], [.2, .2, .6]]))
    >>> r = restrict(a, without_end=True)
    >>> r.alignment.weights.round(2).tolist(), r.empty, r.share.round(2).tolist()
    ([[0.75, 0.25], [0.0, 0.0]], (1,), [0.4, 0.0])
    """
    if not (without_end or without_punctuation):
        sums = alignment.weights.astype(np.float64).sum(axis=1)
        return Restriction(
            alignment=alignment,
            source=tuple(range(len(alignment.source))),
            target=tuple(range(len(alignment.target))),
            share=np.where(sums > 0, 1.0, 0.0),
            empty=tuple(np.flatnonzero(sums == 0).tolist()),
        )
    columns, rows = (
        np.flatnonzero(~((end_mask(side) & without_end) | (punctuation_mask(side) & without_punctuation)))
        for side in (alignment.source, alignment.target)
    )
    before = proportions(alignment.weights[rows].astype(np.float64))
    remaining = before[:, columns]
    share = np.minimum(remaining.sum(axis=1), 1.0)
    enough = share >= LEAST_SHARE
    weights = np.where(enough[:, None], proportions(remaining), 0.0)
    source, target = tuple(columns.tolist()), tuple(rows.tolist())
    return Restriction(
        alignment=Alignment(
            source=tuple(alignment.source[j] for j in source),
            target=tuple(alignment.target[i] for i in target),
            weights=weights,
            source_words=tuple(alignment.source_words[j] for j in source),
            target_words=tuple(alignment.target_words[i] for i in target),
        ),
        source=source,
        target=target,
        share=share,
        empty=tuple(np.flatnonzero(~enough).tolist()),
    )


Subwords = Literal["words", "pieces"]
Presence = Literal["kept", "removed"]
Rule = Literal["argmax-null", "threshold", "mass"]
Direction = Literal["source-target", "target-source"]

Share = Annotated[float, Field(gt=0, le=1, allow_inf_nan=False, description="a share of weight above 0 and at most 1")]


@dataclass(frozen=True, kw_only=True)
class Policy:
    """Choices made when an alignment is saved, and stored with the alignment.

    The first three choices concern weights and links, the others links only. Raises InputError for an unknown choice,
    and for a threshold or mass that is not above 0 and at most 1.

    Attributes:
        subwords: whether rows and columns are the model's tokens ("pieces") or whole words. For words, weights are
            summed over source subwords and averaged over target subwords.
        end_mark, punctuation: kept, or removed from both sides. Then each row is divided by its remaining sum.
        rule: a rule of ``map_links``. The end-of-sentence tokens are never linked. If the source's end-of-sentence
            token is kept, argmax-null gives no link where it has the largest weight, and its weight counts as mass.
        threshold, mass: settings of the rules ``threshold`` and ``mass``.
        base: the number of the first word in a link.
        direction: order of the words of a link.
    """

    subwords: Subwords = "words"
    end_mark: Presence = "kept"
    punctuation: Presence = "kept"
    rule: Rule = "argmax-null"
    threshold: Share = 0.3
    mass: Share = 0.5
    base: Annotated[int, Field(ge=0, le=1, description="0 or 1")] = 0
    direction: Direction = "source-target"

    def __post_init__(self) -> None:
        check_fields(self)

    def applied(self, alignment: Alignment) -> Restriction:
        """Apply the policy: first merge subwords if chosen, then remove tokens."""
        return restrict(
            alignment.merged() if self.subwords == "words" else alignment,
            without_end=self.end_mark == "removed",
            without_punctuation=self.punctuation == "removed",
        )

    def links(self, alignment: Alignment) -> LinkSet:
        """Links (source, target) from 0, before base and direction are applied. They number words (``source_words``,
        ``target_words``) or subwords of the original alignment."""
        restriction = self.applied(alignment)
        places = map_links(restriction.alignment, self.rule, self.mass if self.rule == "mass" else self.threshold)
        if self.subwords == "words":
            source, target = restriction.alignment.source_words, restriction.alignment.target_words
        else:
            source, target = restriction.source, restriction.target
        return frozenset((source[j], target[i]) for j, i in places)

    def numbered(self, links: LinkSet) -> list[tuple[int, int]]:
        """Write links (source, target) from 0 as numbers from ``base``, in ``direction``, sorted."""
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
        setting = {"argmax-null": "", "threshold": f" {self.threshold:g}", "mass": f" {self.mass:g}"}
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
        'words, end mark kept, punctuation kept, argmax-null, from 1, source-target'
        """
        return f"{self.of_weights}, {self.rule_name}, from {self.base}, {self.direction}"
