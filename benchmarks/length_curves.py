"""How long curves over length take, beside a product for each bucket and system in float64.

    python -m benchmarks.length_curves --systems 10 --sentences 10000 --rounds 5

Times of the processor, the median over the rounds, and seconds by the clock, which say the same only on a machine that
has nothing else to do.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from nmt.evaluation import bootstrap
from nmt.evaluation.bootstrap import FEWEST, Resamples, interval
from nmt.evaluation.buckets import by_equal_counts, by_width, rolling
from nmt.evaluation.length_curves import length_curves
from nmt.evaluation.metrics import metrics
from nmt.evaluation.significance import paired_tests
from nmt.results import HypothesisStatistics, Interval, PairStatistics, SentenceStatistics, Span
from nmt.results.statistics import CHARACTER_ORDER, WORD_ORDER


@dataclass(frozen=True)
class Timed:
    """Seconds: of the processor, and by the clock."""

    what: str
    processor: float
    clock: float


def systems(number: int, sentences: int, seed: int = 1) -> dict[str, SentenceStatistics]:
    """Made-up counts of systems that are better and better, on the same sentences of 1 to 150 words."""
    random = np.random.default_rng(seed)
    words = np.clip(random.gamma(2, 12, sentences).astype(np.int64) + 1, 1, 150)
    pairs = PairStatistics(
        source_words=words, reference_words=words + 1, reference_length=words + 2, reference_characters=5 * words
    )
    found = {}
    for k in range(number):
        share = 0.4 + 0.4 * (k + 1) / number
        length = np.maximum(words + random.integers(-2, 3, sentences), 1)
        shorter = np.minimum(length, words + 2)[:, None]
        matches = random.binomial(np.maximum(shorter - np.arange(WORD_ORDER), 0), share ** np.arange(1, WORD_ORDER + 1))
        letters = np.maximum(np.minimum(5 * length, 5 * words)[:, None] - np.arange(CHARACTER_ORDER), 0)
        found[f"system {k + 1}"] = SentenceStatistics(
            pairs,
            HypothesisStatistics(
                words=length,
                length=length,
                matches=matches,
                characters=5 * length,
                character_matches=random.binomial(letters, share),
                edits=random.binomial(words, 1 - share),
            ),
        )
    return found


def one_by_one(
    given: Mapping[str, SentenceStatistics], spans: Sequence[Span], resamples: Resamples, metric: str = "BLEU"
) -> dict[str, list[Interval | None]]:
    """The intervals of each system in each range, a product in float64 for each."""
    chosen, found = metrics()[metric], {}
    for name, statistics in given.items():
        table, ends = chosen.table(statistics), []
        for span in spans:
            rows = np.flatnonzero(span.holds(statistics.pairs.source_words))
            sums = table[rows].T.astype(np.float64) @ resamples.times[rows].astype(np.float64)
            ends.append(interval(chosen.of_each(sums)) if len(rows) >= FEWEST else None)
        found[name] = ends
    return found


def measure(given: Mapping[str, SentenceStatistics], rounds: int) -> list[Timed]:
    """Measure everything once per round, so that other work of the machine affects all alike."""
    lengths = next(iter(given.values())).pairs.source_words
    sentences = len(lengths)
    resamples = Resamples.draw(sentences)
    divisions = {"width 10": by_width(), "10 equal": by_equal_counts(lengths, 10), "rolling 10": rolling(10, 60)}

    def draw() -> None:
        bootstrap._drawn.cache_clear()
        Resamples.draw(sentences)

    two = dict(list(given.items())[:2])
    works: dict[str, Callable[[], Any]] = {"drawing 1,000 resamples, once": draw}
    for how, spans in divisions.items():
        for metric in metrics():
            works[f"{metric}, {how}"] = partial(length_curves, given, spans, metric=metric, resamples=resamples)
        works[f"BLEU, {how}, one by one"] = partial(one_by_one, given, (*spans, Span(0)), resamples)
    works["BLEU of two, width 10, 10,000 swaps"] = partial(paired_tests, two, by_width(), resamples=resamples)
    times: dict[str, list[tuple[float, float]]] = {what: [] for what in works}
    for _ in range(rounds):
        for what, work in works.items():
            clock, processor = time.perf_counter(), time.process_time()
            work()
            times[what].append((time.process_time() - processor, time.perf_counter() - clock))
    return [Timed(what, *(median(column) for column in zip(*some, strict=True))) for what, some in times.items()]


def table(measured: Sequence[Timed]) -> str:
    """Markdown; where both ways were measured, how many times as fast the first is."""
    by_name = {timed.what: timed for timed in measured}
    lines = ["| work | processor, s | clock, s | one by one takes |", "|---|---:|---:|---:|"]
    for timed in measured:
        other = by_name.get(f"{timed.what}, one by one")
        ratio = "" if other is None else f"{other.processor / timed.processor:.1f}x"
        lines.append(f"| {timed.what} | {timed.processor:.3f} | {timed.clock:.3f} | {ratio} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.length_curves", description=__doc__)
    parser.add_argument("--systems", type=int, default=10)
    parser.add_argument("--sentences", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print(table(measure(systems(options.systems, options.sentences), options.rounds)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
