"""Bootstrap resampling of a test set.

A resample draws as many sentences as the test set has, with replacement. The summed counts of the drawn sentences give
one corpus score (Koehn 2004, *Statistical Significance Tests for Machine Translation Evaluation*). All systems share
the same resamples, so two systems are always compared on the same sentences.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from nmt.errors import InputError
from nmt.results import Interval, Ratio
from nmt.results.statistics import Floats

RESAMPLES, SEED = 1000, 12345
"""Default number of resamples, and default seed, as in sacreBLEU."""

FEWEST = 10
"""Minimum number of sentences for an interval. Fewer say too little about the variance."""

_FEWEST_RESAMPLES = 40
"""Minimum number of resamples. With fewer, the middle 95 % would be all of the resamples."""

_DRAWS_AT_ONCE = 2**20
"""Number of draws held in memory at a time."""


@dataclass(frozen=True, eq=False)
class Resamples:
    """Resamples of a test set. ``times``: uint8 [N, B], how often resample b drew sentence n."""

    times: NDArray[np.uint8]
    seed: int

    @classmethod
    def draw(cls, sentences: int, resamples: int = RESAMPLES, seed: int = SEED) -> Resamples:
        """Draw ``resamples`` samples of ``sentences`` sentences each. The draws depend on these numbers and ``seed``
        alone, and equal sacreBLEU's draws.

        Raises InputError for too few resamples or a negative seed.
        """
        if resamples < _FEWEST_RESAMPLES:
            raise InputError(f"at least {_FEWEST_RESAMPLES} resamples are needed, not {resamples}")
        if seed < 0:
            raise InputError(f"the seed must be at least 0, not {seed}")
        return cls(_drawn(sentences, resamples, seed), seed)

    def __len__(self) -> int:
        return int(self.times.shape[1])


@lru_cache(maxsize=4)
def _drawn(sentences: int, resamples: int, seed: int) -> NDArray[np.uint8]:
    rng = np.random.default_rng(seed)
    step = max(1, _DRAWS_AT_ONCE // sentences)
    times = np.zeros((sentences, resamples), dtype=np.uint8)
    for first in range(0, resamples, step):
        drawn = rng.choice(sentences, size=(min(step, resamples - first), sentences), replace=True)
        part = [np.bincount(row, minlength=sentences) for row in drawn]  # never 256 in the life of the universe
        times[:, first : first + len(part)] = np.transpose(part)
    times.setflags(write=False)
    return times


def interval(samples: Floats) -> Interval | None:
    """The middle 95 % of the samples that are not NaN. sacreBLEU cuts at the same ranks. None if all are NaN."""
    numbers = np.sort(samples[~np.isnan(samples)])
    if not len(numbers):
        return None
    outside = len(numbers) // 40
    return Interval(float(numbers[outside]), float(numbers[len(numbers) - outside - 1]))


def ratio(value: float | None, of: float | None, samples: Floats, of_samples: Floats) -> Ratio | None:
    """Divide the score ``value`` by the score ``of``. Both scores of each resample, [B], give the interval. None if a
    score is missing or ``of`` is 0."""
    if value is None or not of:
        return None
    defined = ~np.isnan(samples) & (of_samples > 0)  # comparisons with NaN are false
    return Ratio(value / of, interval(samples[defined] / of_samples[defined]))
