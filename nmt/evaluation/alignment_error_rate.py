"""Precision, recall and alignment error rate (AER) of word links against gold links.

Och, Ney 2003 (A systematic comparison of various statistical alignment models), section 6.1. With the links A of an
aligner, the sure links S and the possible links P of the gold alignment (S is part of P), summed over all sentences:

    precision = |A & P| / |A|    recall = |A & S| / |S|    AER = 1 - (|A & S| + |A & P|) / (|A| + |S|)

The interval is by bootstrap over sentence pairs: the four counts of the pairs drawn are summed and give one AER.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nmt.errors import InputError
from nmt.evaluation.bootstrap import FEWEST, Resamples, interval
from nmt.evaluation.pharaoh import Gold
from nmt.evaluation.symmetrisation import LinkSet
from nmt.results import Interval


@dataclass(frozen=True, kw_only=True)
class AlignmentErrorRate:
    """Counts over all sentence pairs, and the measures derived from them (from 0 to 1).

    Attributes:
        links: |A|.
        sure, possible: |S| and |P|, the latter including the sure links.
        sure_found, possible_found: |A & S| and |A & P|.
        sentences: number of pairs counted.
        interval: 95 % confidence interval of the AER; None if there are too few pairs, or if it was not computed.
    """

    links: int
    sure: int
    possible: int
    sure_found: int
    possible_found: int
    sentences: int
    interval: Interval | None = None

    @property
    def precision(self) -> float:
        """|A & P| / |A|; 0 if there is no link."""
        return self.possible_found / self.links if self.links else 0.0

    @property
    def recall(self) -> float:
        return self.sure_found / self.sure

    @property
    def aer(self) -> float:
        """Alignment error rate; 0 is best."""
        return 1 - (self.sure_found + self.possible_found) / (self.links + self.sure)


def alignment_error_rate(links: Sequence[LinkSet], gold: Sequence[Gold]) -> AlignmentErrorRate:
    """Compare links with gold links, pair by pair. InputError if the gold has no sure link (recall is undefined).

    >>> one = Gold(sure=frozenset({(0, 0)}), possible=frozenset({(0, 0), (1, 0), (1, 1)}))
    >>> error = alignment_error_rate([frozenset({(0, 0), (1, 1), (2, 1)})], [one])
    >>> error.precision, error.recall, error.aer
    (0.6666666666666666, 1.0, 0.25)
    """
    assert len(links) == len(gold), "as many sentences as gold"
    counts = np.array(
        [
            (len(drawn), len(one.sure), len(one.possible), len(drawn & one.sure), len(drawn & one.possible))
            for drawn, one in zip(links, gold, strict=True)
        ],
        dtype=np.int64,
    ).reshape(-1, 5)
    linked, sure, possible, sure_found, possible_found = (int(number) for number in counts.sum(axis=0))
    if not sure:
        raise InputError("the gold alignment has no sure link, so recall and AER are undefined")
    return AlignmentErrorRate(
        links=linked,
        sure=sure,
        possible=possible,
        sure_found=sure_found,
        possible_found=possible_found,
        sentences=len(counts),
        interval=_interval(counts),
    )


def _interval(counts: NDArray[np.int64]) -> Interval | None:
    """Bootstrap interval of the AER; ``counts``: links, sure, possible, sure found, possible found per pair, [N, 5]."""
    if len(counts) < FEWEST:
        return None
    links, sure, _, sure_found, possible_found = counts.T @ Resamples.draw(len(counts)).times
    all_links = links + sure
    return interval(np.where(all_links > 0, 1 - (sure_found + possible_found) / np.maximum(all_links, 1), np.nan))
