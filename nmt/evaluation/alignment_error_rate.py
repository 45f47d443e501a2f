"""How far word links are from gold ones: precision, recall and alignment error rate (AER).

Och, Ney 2003 (A systematic comparison of various statistical alignment models), section 6.1. With the links A of an
aligner, the sure links S and the possible links P of the gold alignment (S is part of P), summed over all sentences:

    precision = |A & P| / |A|    recall = |A & S| / |S|    AER = 1 - (|A & S| + |A & P|) / (|A| + |S|)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nmt.errors import InputError
from nmt.evaluation.pharaoh import Gold
from nmt.evaluation.symmetrisation import Links


@dataclass(frozen=True)
class AlignmentErrorRate:
    """Counts over all sentence pairs, and what follows from them (shares, from 0 to 1).

    Attributes:
        links: |A|.
        sure, possible: |S| and |P|, the latter with the sure ones.
        sure_found, possible_found: |A & S| and |A & P|.
        sentences: how many pairs were counted.
    """

    links: int
    sure: int
    possible: int
    sure_found: int
    possible_found: int
    sentences: int

    @property
    def precision(self) -> float:
        """0 where there is no link."""
        return self.possible_found / self.links if self.links else 0.0

    @property
    def recall(self) -> float:
        return self.sure_found / self.sure

    @property
    def aer(self) -> float:
        """Alignment error rate: 0 is best."""
        return 1 - (self.sure_found + self.possible_found) / (self.links + self.sure)


def alignment_error_rate(links: Sequence[Links], gold: Sequence[Gold]) -> AlignmentErrorRate:
    """Hold links against gold, pair by pair. InputError if the gold has no sure link at all: then there is no recall.

    >>> one = Gold(sure=frozenset({(0, 0)}), possible=frozenset({(0, 0), (1, 0), (1, 1)}))
    >>> error = alignment_error_rate([frozenset({(0, 0), (1, 1), (2, 1)})], [one])
    >>> error.precision, error.recall, error.aer
    (0.6666666666666666, 1.0, 0.25)
    """
    assert len(links) == len(gold), "as many sentences as gold"
    pairs = list(zip(links, gold, strict=True))
    sure = sum(len(g.sure) for g in gold)
    if not sure:
        raise InputError("the gold alignment has no sure link, so there is no recall and no AER")
    return AlignmentErrorRate(
        links=sum(len(found) for found in links),
        sure=sure,
        possible=sum(len(g.possible) for g in gold),
        sure_found=sum(len(found & g.sure) for found, g in pairs),
        possible_found=sum(len(found & g.possible) for found, g in pairs),
        sentences=len(pairs),
    )
