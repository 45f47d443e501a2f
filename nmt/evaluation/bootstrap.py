"""Bootstrap resampling of a test set: intervals for one system, tests for two.

A resample draws as many sentences as there are, with replacement; the counts of those drawn are added up and make one
corpus score (Koehn 2004, *Statistical Significance Tests for Machine Translation Evaluation*). The same resamples
serve all systems, so that two are always compared on the same sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nmt.evaluation.bleu import bleu_of_each
from nmt.results import Interval, PairedTest, Ratio
from nmt.results.statistics import Counts, Floats

RESAMPLES, SEED = 1000, 12345
"""As in sacreBLEU."""
_NUMBERS = 2**20
"""Numbers that are in memory at a time while sentences are drawn and added up."""


@dataclass(frozen=True, eq=False)
class Resamples:
    """Attributes:
    times: uint16 [B, N], how often resample b drew sentence n.
    """

    times: NDArray[np.uint16]

    @classmethod
    def draw(cls, sentences: int, resamples: int = RESAMPLES, seed: int = SEED) -> Resamples:
        """``resamples`` draws of ``sentences`` out of as many; the same arguments give the same draws, those of
        sacreBLEU's own tests."""
        assert sentences > 0
        assert resamples > 0
        rng = np.random.default_rng(seed)
        step = max(1, _NUMBERS // sentences)
        times = np.zeros((resamples, sentences), dtype=np.uint16)
        for first in range(0, resamples, step):
            part = times[first : first + step]
            drawn = rng.choice(sentences, size=part.shape, replace=True)
            drawn += np.arange(len(part))[:, None] * sentences
            part[:] = np.bincount(drawn.ravel(), minlength=part.size).reshape(part.shape)
        return cls(times)

    def bleu(self, table: Counts, rows: NDArray[np.intp] | None = None) -> Floats:
        """BLEU of each resample, [B].

        Args:
            table: ``SentenceStatistics.bleu`` of all sentences, [N, 10].
            rows: indices of the sentences that count, None = all; NaN where a resample drew none of them.
        """
        assert len(table) == self.times.shape[1]
        chosen = np.arange(len(table)) if rows is None else rows
        if not len(chosen):
            return np.full(len(self.times), np.nan)
        counts = table[chosen].astype(np.float64)  # sums of counts are exact
        step = max(1, _NUMBERS // len(chosen))
        found = []
        for first in range(0, len(self.times), step):
            part = self.times[first : first + step, chosen].astype(np.float64)
            scores = bleu_of_each((part @ counts).astype(np.int64))
            found.append(np.where(part.any(axis=1), scores, np.nan))
        return np.concatenate(found)


def interval(samples: Floats) -> Interval | None:
    """The middle 95 % of the samples (those that are not NaN), by the same ranks as sacreBLEU; None if there are
    none."""
    known = np.sort(samples[~np.isnan(samples)])
    if not len(known):
        return None
    outside = len(known) // 40
    return Interval(float(known[outside]), float(known[len(known) - outside - 1]))


def ratio(value: float | None, of: float | None, samples: Floats, of_samples: Floats) -> Ratio | None:
    """One BLEU over another, with an interval from their resamples; None where one is missing or the other is 0."""
    if value is None or not of:
        return None
    known = ~np.isnan(samples) & (of_samples > 0)  # comparisons with NaN are false
    return Ratio(value / of, interval(samples[known] / of_samples[known]))


def paired_test(names: Sequence[str], scores: Sequence[float], samples: Sequence[Floats]) -> PairedTest:
    """Two systems by their BLEU and that of the same resamples."""
    first, second = names
    difference = scores[0] - scores[1]
    differences = samples[0] - samples[1]
    found = interval(differences)
    assert found is not None
    not_better = int(np.count_nonzero(differences * np.sign(difference) <= 0))
    p = (not_better + 1) / (len(differences) + 1)
    return PairedTest(first, second, difference, found, ratio(scores[0], scores[1], samples[0], samples[1]), p)
