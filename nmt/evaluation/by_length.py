"""BLEU by source length as stored in an evaluation, and the share of a score retained on long sentences.

Paper: Figure 2
"""

from __future__ import annotations

from collections.abc import Mapping

from nmt.evaluation.bootstrap import FEWEST, Resamples, ratio
from nmt.evaluation.buckets import by_width
from nmt.evaluation.length_curves import length_curves
from nmt.evaluation.span_scores import SystemCounts
from nmt.results import LengthBucket, LengthSide, Ratio, SentenceStatistics, Span

LONG, SHORT = Span(51, 60), Span(11, 20)
"""The two ranges whose scores ``retention`` compares."""


def bleu_by_length(statistics: SentenceStatistics) -> tuple[LengthBucket, ...]:
    """Corpus BLEU for the sentences of 1-10, 11-20, ..., 51-60 and 61 or more source words, without intervals."""
    (curve,) = length_curves({"": statistics}, by_width()).curves
    return curve.buckets()


def retention(
    systems: Mapping[str, SentenceStatistics],
    resamples: Resamples,
    *,
    metric: str = "BLEU",
    side: LengthSide = "source",
) -> dict[str, Ratio | None]:
    """Compute each system's score at 51-60 words divided by that at 11-20: the share retained on long sentences. None
    if there are fewer than ten such sentences, or the divisor is 0."""
    system_counts = SystemCounts.of(systems, (LONG, SHORT), metric, side)
    long, short = system_counts.scores()
    if long is None or short is None or min(system_counts.sentences) < FEWEST:
        return dict.fromkeys(systems)
    samples = system_counts.resampled(resamples)
    return {name: ratio(long[k], short[k], samples[0][k], samples[1][k]) for k, name in enumerate(system_counts.names)}
