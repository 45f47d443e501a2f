"""Significance of differences between systems: paired bootstrap resampling and paired approximate randomisation, over
all sentences and by length.

Bootstrap: the share of resamples in which the absolute difference exceeds its mean by more than the observed difference
exceeds 0, as in sacreBLEU and Moses (after Koehn 2004). Randomisation: the share of trials in which the systems, after
swapping outputs at random for each sentence, differ by at least as much (Riezler and Maxwell 2005); its p is
two-sided. The same seed and number of samples give sacreBLEU's p, except that a tie counts as "at least as much" here:
a system does not differ from itself.

Counts are summed over the sentences of many ranges of lengths, for many resamples and systems at a time: one matrix
product per stretch of lengths that no range divides. A range is the sum of its stretches. The products are in float32,
and exact, since counts are non-negative integers and every partial sum below 2^24 is an exact integer. If a sum is
larger, or a count is a mean over several references, all are recomputed in float64.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import combinations, pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from nmt.errors import InputError
from nmt.evaluation.bootstrap import FEWEST, SEED, Resamples, interval, ratio
from nmt.evaluation.buckets import lengths_of
from nmt.evaluation.metrics import CorpusMetric, corpus_metric
from nmt.results import LengthSide, PairedTest, ScoreDifference, SentenceStatistics, Span, TestMethod
from nmt.results.scores import EVERYTHING
from nmt.results.statistics import Counts, Floats

_EXACT = 2**24
"""Largest n such that float32 represents all integers up to n."""


@dataclass(frozen=True, eq=False)
class SpanSums:
    """Counts to be summed over ranges of lengths.

    Attributes:
        lengths: lengths of the sentences, [N].
        spans: ranges of these lengths, which may overlap.
        table: non-negative counts, [N, counts].
        rows: number of sentences whose weights are in memory as floats at a time.
    """

    lengths: Counts
    spans: Sequence[Span]
    table: Counts
    rows: int = field(default=1024, kw_only=True)

    def __post_init__(self) -> None:
        assert len(self.lengths) == len(self.table)

    def once(self) -> Counts:
        """Sums over each range, [spans, counts]."""
        sums = [self.table[span.holds(self.lengths)].sum(axis=0) for span in self.spans]
        return np.array(sums, dtype=self.table.dtype)

    def weighted(self, weights: NDArray[np.uint8]) -> Iterator[Floats]:
        """Yield for each range the sums [counts, B] over its sentences, weighted by ``weights`` [N, B]."""
        assert len(weights) == len(self.table)
        cuts = sorted({cut for span in self.spans for cut in _cuts(span)})
        stretch = np.searchsorted(cuts, self.lengths, side="right")
        columns, where = _distinct(self.table)
        parts = self._stretches(columns, stretch, weights, len(cuts) + 1, np.float32)
        if reduce(np.add, parts).max(initial=0) >= _EXACT or self.table.dtype.kind == "f":
            parts = self._stretches(columns, stretch, weights, len(cuts) + 1, np.float64)
        for span in self.spans:
            first, *after = (cuts.index(cut) + 1 for cut in _cuts(span))
            total = reduce(np.add, parts[first : after[0] if after else None])
            yield total.astype(np.float64)[where]

    def _stretches(
        self, columns: Counts, stretch: Counts, weights: NDArray[np.uint8], number: int, kind: type[np.floating[Any]]
    ) -> list[NDArray[Any]]:
        """Yield the sums [columns, B] over the sentences of each stretch."""
        buffer = np.empty((min(self.rows, len(weights)), weights.shape[1]), dtype=kind)
        counts = columns.astype(kind)
        parts = []
        for k in range(number):
            rows = np.flatnonzero(stretch == k)
            total = np.zeros((len(columns), weights.shape[1]), dtype=kind)
            for begin in range(0, len(rows), self.rows):
                some_rows = rows[begin : begin + self.rows]
                buffer[: len(some_rows)] = weights[some_rows]
                total += counts[:, some_rows] @ buffer[: len(some_rows)]
            parts.append(total)
        return parts


def _cuts(span: Span) -> list[int]:
    """First length of a range, and the length after its last unless it is open."""
    return [span.first] if span.last is None else [span.first, span.last + 1]


def _distinct(table: Counts) -> tuple[Counts, NDArray[np.intp]]:
    """Distinct columns of a table, [columns, N], and the index of each original column among them: systems on the same
    sentences share the counts of the references."""
    index_of: dict[bytes, int] = {}
    columns = np.ascontiguousarray(table.T)
    where = [index_of.setdefault(column.tobytes(), len(index_of)) for column in columns]
    first = np.unique(where, return_index=True)[1]
    return columns[first], np.array(where, dtype=np.intp)


_Number = TypeVar("_Number", np.int64, np.float64)


@dataclass(frozen=True, eq=False)
class SystemCounts:
    """Counts of systems on the same sentences, by ranges of lengths.

    Attributes:
        names: names of the S systems.
        metric: the metric.
        sums: a column of ones followed by the counts of all systems, [N, 1 + S * counts].
    """

    names: tuple[str, ...]
    metric: CorpusMetric
    sums: SpanSums

    @classmethod
    def of(
        cls, systems: Mapping[str, SentenceStatistics], spans: Sequence[Span], metric: str, side: LengthSide
    ) -> SystemCounts:
        """Collect the counts; InputError if there is no system, two systems have different sentences, or the metric or
        side is unknown."""
        check_same_sentences(systems)
        chosen = corpus_metric(metric, next(iter(systems.values())))
        chosen = replace(chosen, signature=chosen.signature + _files(systems, metric))
        lengths = lengths_of(next(iter(systems.values())).pairs, side)
        tables = [chosen.table(statistics) for statistics in systems.values()]
        ones = np.ones((len(lengths), 1), dtype=np.int64)
        return cls(tuple(systems), chosen, SpanSums(lengths, spans, np.concatenate([ones, *tables], axis=1)))

    @property
    def sentences(self) -> list[int]:
        """Number of sentences in each range."""
        return [int(span.holds(self.sums.lengths).sum()) for span in self.sums.spans]

    @property
    def mean_lengths(self) -> list[float | None]:
        """Mean length in each range; None without sentences."""
        inside = [self.sums.lengths[span.holds(self.sums.lengths)] for span in self.sums.spans]
        return [float(lengths_inside.mean()) if len(lengths_inside) else None for lengths_inside in inside]

    def scores(self) -> list[list[float] | None]:
        """Scores of the systems in each range; None without sentences."""
        return [
            [self.metric.score(one.tolist()) for one in self.by_system(row[1:])] if row[0] else None
            for row in self.sums.once()
        ]

    def resampled(self, resamples: Resamples) -> list[Floats]:
        """Scores [S, B] on the resamples of all sentences, per range; NaN if a resample has none of its sentences."""
        return [
            np.where(total[0] > 0, self.metric.of_each(np.moveaxis(self.by_system(total[1:]), 1, 0)), np.nan)
            for total in self.sums.weighted(resamples.times)
        ]

    def by_system(self, sums: NDArray[_Number]) -> NDArray[_Number]:
        """Reshape [S * counts, ...] -> [S, counts, ...]."""
        return sums.reshape(len(self.names), -1, *sums.shape[1:])


def _files(systems: Mapping[str, SentenceStatistics], metric: str) -> str:
    """The files of the scores of another program, and their means, for the signature; "" for other metrics."""
    rows = [
        f"{name}={statistics.scores.sha256[:16]}={statistics.scores.values.mean():.6f}"
        for name, statistics in systems.items()
        if statistics.scores is not None and statistics.scores.metric == metric
    ]
    return "|files:" + re.sub(r"[|:\s]", "_", ",".join(rows)) if rows else ""


def check_same_sentences(systems: Mapping[str, SentenceStatistics]) -> None:
    """Raise InputError if there is no system or no sentence, or if two systems have different sentences, judged by
    their lengths, or different tokenisers."""
    if not systems:
        raise InputError("there is no system to score")
    for (first, one), (second, other) in pairwise(systems.items()):
        if one.tokeniser != other.tokeniser:
            raise InputError(
                f"{first} and {second} have different tokenisers ({one.tokeniser} and {other.tokeniser}), so "
                "they cannot be compared"
            )
        if not all(np.array_equal(a, b) for a, b in zip(_lengths(one), _lengths(other), strict=True)):
            raise InputError(f"{first} and {second} have different sentences, so they cannot be compared")
    if not len(next(iter(systems.values()))):
        raise InputError("there are no sentences to score")


def _lengths(statistics: SentenceStatistics) -> list[Counts]:
    pairs = statistics.pairs
    return [pairs.source_words, pairs.reference_words, pairs.reference_length, pairs.reference_characters]


TRIALS = 10_000
"""Default number of trials of the randomisation, as in sacreBLEU."""

TRIALS_AT_ONCE = 1024
"""Number of trials in memory at a time; a multiple of 32, the number of booleans a generator draws at a time."""

_ROUNDING = 1e-9
"""Tolerance below which scores are equal."""


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
        systems: by name, on the same sentences.
        spans: ranges of lengths; p over them is corrected by Holm's method.
        resamples: of all sentences, for the intervals, and for p by bootstrap, which needs ten sentences.
        trials, seed: parameters of the randomisation.

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
            found = ScoreDifference(span=span, sentences=sentences, difference=values[i] - values[j], p=p)
            if sentences >= FEWEST:
                first, second = samples[s][i], samples[s][j]
                found = replace(
                    found,
                    difference_interval=interval(first - second),
                    ratio=ratio(values[i], values[j], first, second),
                    p=bootstrap_p(values[i] - values[j], first - second) if p is None else p,
                )
            differences.append(found)
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
    """Correct p for multiple tests by Holm's method: the k-th smallest of m is multiplied by m - k + 1, and is at least
    as large as those before it (Holm 1979)."""
    tested = [k for k, each in enumerate(differences) if each.p is not None]
    values = np.array([differences[k].p for k in tested], dtype=np.float64)
    order = np.argsort(values, kind="stable")
    steps = np.minimum(1, values[order] * np.arange(len(values), 0, -1))
    by_index = dict(zip((tested[k] for k in order), np.maximum.accumulate(steps).tolist(), strict=True))
    return tuple(replace(each, corrected_p=by_index.get(k)) for k, each in enumerate(differences))


def _count_as_large(counts: SystemCounts, scores: Sequence[list[float] | None], trials: int, seed: int) -> Counts:
    """Number of trials in which two systems differ by at least the observed difference, [spans, pairs]."""
    pairs = list(combinations(range(len(counts.names)), 2))
    totals = [counts.by_system(row[1:]) for row in counts.sums.once()]
    at_least = np.zeros((len(scores), len(pairs)), dtype=np.int64)
    for kept in _kept(len(counts.sums.lengths), trials, seed):
        for s, sums in enumerate(counts.sums.weighted(kept)):
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
    """Masks of the sentences whose outputs are not swapped in each trial, [N, trials], sacreBLEU's draws in parts."""
    rng = np.random.default_rng(seed)
    for first in range(0, trials, TRIALS_AT_ONCE):
        part = rng.integers(2, size=(min(TRIALS_AT_ONCE, trials - first), sentences), dtype=np.bool_)
        yield np.ascontiguousarray(part.T).view(np.uint8)
