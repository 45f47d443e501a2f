"""Significance of differences between systems, over all sentences and by length, by two methods.

Paired bootstrap resampling, as in sacreBLEU and Moses (after Koehn 2004): p is the share of resamples in which the
absolute difference exceeds its mean by at least the observed difference. Paired approximate randomisation: each trial
swaps the outputs of the two systems at random for each sentence. p is the share of trials whose absolute difference is
at least the observed absolute difference (Riezler and Maxwell 2005). The same seed and number of samples give
sacreBLEU's p, except for ties. sacreBLEU does not count them, but then a system would differ from itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from nmt.errors import InputError
from nmt.evaluation.bootstrap import FEWEST, SEED, Resamples, interval, ratio
from nmt.evaluation.span_scores import SystemCounts
from nmt.results import LengthSide, PairedTest, ScoreDifference, SentenceStatistics, Span, TestMethod
from nmt.results.scores import EVERYTHING
from nmt.results.statistics import Counts, Floats

TRIALS = 10_000
"""Default number of trials of the randomisation, as in sacreBLEU."""

TRIALS_AT_ONCE = 1024
"""Number of trials in memory at a time: a multiple of 32, since a generator draws 32 booleans at a time."""

_ROUNDING = 1e-9
"""Largest difference between scores that count as equal."""


def paired_tests(
    systems: Mapping[str, SentenceStatistics],
    spans: Sequence[Span] = (),
    *,
    metric: str = "BLEU",
    side: LengthSide = "source",
    method: TestMethod = "randomisation",
    resamples: Resamples,
    trials: int = TRIALS,
    seed: int = SEED,
) -> tuple[PairedTest, ...]:
    """Test every pair of systems, over all sentences and over the sentences of each range.

    Args:
        systems: statistics by name of the system, all on the same sentences.
        spans: ranges of lengths. The p of the ranges are corrected by Holm's method.
        resamples: resamples of all sentences, for intervals and for p by bootstrap. Both need ten sentences of a range.

    Raises:
        InputError: no system, no sentence, systems on different sentences, an unknown metric, side or method, no
            trials, or a negative seed.
    """
    if method not in ("bootstrap", "randomisation"):
        raise InputError(f"the method must be bootstrap or randomisation, not {method!r}")
    if trials < 1 or seed < 0:
        raise InputError("randomisation needs at least 1 trial and a seed of at least 0")
    system_counts = SystemCounts.of(systems, [EVERYTHING, *spans], metric, side)
    scores = system_counts.scores()
    samples = system_counts.resampled(resamples)
    as_large = _count_as_large(system_counts, scores, trials, seed) if method == "randomisation" else None
    tests = []
    for pair, (i, j) in enumerate(combinations(range(len(system_counts.names)), 2)):
        differences = []
        for s, (span, sentences) in enumerate(zip(system_counts.sums.spans, system_counts.sentences, strict=True)):
            values = scores[s]
            if values is None:
                differences.append(ScoreDifference(span=span, sentences=0))
                continue
            p = None if as_large is None else (int(as_large[s, pair]) + 1) / (trials + 1)
            difference = ScoreDifference(span=span, sentences=sentences, difference=values[i] - values[j], p=p)
            if sentences >= FEWEST:
                first, second = samples[s][i], samples[s][j]
                difference = replace(
                    difference,
                    difference_interval=interval(first - second),
                    ratio=ratio(values[i], values[j], first, second),
                    p=bootstrap_p(values[i] - values[j], first - second) if p is None else p,
                )
            differences.append(difference)
        overall, *by_length = differences
        tests.append(
            PairedTest(
                first=system_counts.names[i],
                second=system_counts.names[j],
                metric=system_counts.metric.name,
                method=method,
                overall=overall,
                by_length=corrected(by_length),
                lower_is_better=system_counts.metric.lower_is_better,
            )
        )
    return tuple(tests)


def bootstrap_p(difference: float, differences: Floats) -> float:
    """Compute p of a difference from the differences of the resamples, ignoring NaN."""
    sizes = np.abs(differences[~np.isnan(differences)])
    above = sizes - sizes.mean()
    return (int(np.count_nonzero(above >= abs(difference))) + 1) / (len(sizes) + 1)


def corrected(differences: Sequence[ScoreDifference]) -> tuple[ScoreDifference, ...]:
    """Correct p for multiple tests by Holm's method (Holm 1979): multiply the k-th smallest of m values by m - k + 1.
    No corrected value is smaller than the one before it, or larger than 1."""
    tested = [k for k, difference in enumerate(differences) if difference.p is not None]
    values = np.array([differences[k].p for k in tested], dtype=np.float64)
    order = np.argsort(values, kind="stable")
    steps = np.minimum(1, values[order] * np.arange(len(values), 0, -1))
    by_index = dict(zip((tested[k] for k in order), np.maximum.accumulate(steps).tolist(), strict=True))
    return tuple(replace(difference, corrected_p=by_index.get(k)) for k, difference in enumerate(differences))


def _count_as_large(counts: SystemCounts, scores: Sequence[list[float] | None], trials: int, seed: int) -> Counts:
    """Number of trials in which two systems differ by at least the observed difference, [spans, pairs]."""
    pairs = list(combinations(range(len(counts.names)), 2))
    totals = [counts.by_system(row[1:]) for row in counts.sums.once()]
    at_least = np.zeros((len(scores), len(pairs)), dtype=np.int64)
    for unswapped_sentences in _kept(len(counts.sums.lengths), trials, seed):
        for s, sums in enumerate(counts.sums.weighted(unswapped_sentences)):
            values = scores[s]
            if values is None:
                continue
            unswapped = counts.by_system(sums[1:])
            swapped = totals[s][:, :, None] - unswapped
            for pair, (i, j) in enumerate(pairs):
                first = counts.metric.of_each(unswapped[i] + swapped[j])
                second = counts.metric.of_each(unswapped[j] + swapped[i])
                observed = abs(values[i] - values[j])
                at_least[s, pair] += np.count_nonzero(np.abs(first - second) >= observed - _ROUNDING)
    return at_least


def _kept(sentences: int, trials: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """Yield masks [N, trials], for some trials at a time, as sacreBLEU draws them: 1 if a sentence is not swapped."""
    rng = np.random.default_rng(seed)
    for first in range(0, trials, TRIALS_AT_ONCE):
        part = rng.integers(2, size=(min(TRIALS_AT_ONCE, trials - first), sentences), dtype=np.bool_)
        yield np.ascontiguousarray(part.T).view(np.uint8)
