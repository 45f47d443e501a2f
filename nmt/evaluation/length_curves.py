"""Scores as a function of sentence length.

Paper: Figure 2
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from nmt.evaluation.bootstrap import FEWEST, RESAMPLES, SEED, Resamples, interval, ratio
from nmt.evaluation.buckets import PAPER, Buckets, lengths_of
from nmt.evaluation.metrics import extend_signature
from nmt.evaluation.significance import TRIALS, paired_tests
from nmt.evaluation.span_scores import SystemCounts
from nmt.evaluation.sufficient_statistics import seen_statistics
from nmt.results import (
    CurvePoint,
    LengthAnalysis,
    LengthCurve,
    LengthCurves,
    LengthSide,
    Ratio,
    SentenceStatistics,
    Span,
    TestMethod,
)
from nmt.results.scores import EVERYTHING

SEEN = "references' n-grams seen in training"
"""Name of the curve ``LengthCurves.seen``."""
REFERENCE = "reference"
"""Name of the scores that another program's metric gives the references. Their curve is the metric's control."""
EXPECTED = "expected from the texts alone"
"""Name of the curve that the difficulty of the texts predicts."""
_ANCHOR = 15
"""Length, in words, at which the curve EXPECTED meets the best system: the middle of 11 to 20."""


def length_curves(
    systems: Mapping[str, SentenceStatistics],
    spans: Sequence[Span],
    *,
    metric: str = "BLEU",
    side: LengthSide = "source",
    resamples: Resamples | None = None,
    test_set: str = "",
    no_unk: bool = False,
    trained_to: Mapping[str, int | None] | None = None,
    control: SentenceStatistics | None = None,
) -> LengthCurves:
    """Compute a corpus score over the sentences of each range of lengths.

    The counts of the sentences of a range are summed and give one score, as for a whole corpus, never a mean of scores.

    Args:
        systems: statistics by name of the system, all on the same sentences.
        resamples: resamples of all sentences, for the intervals of ranges with ten sentences or more, or None.
        test_set, no_unk: test set and column, for the signature.
        control: statistics with the metric's scores of the references, or None. Their curve becomes ``expected``.

    Raises:
        InputError: no system, no sentence, systems on different sentences, or an unknown metric.
    """
    system_counts = SystemCounts.of(systems, [*spans, EVERYTHING], metric, side)
    values = system_counts.scores()
    samples = None if resamples is None else system_counts.resampled(resamples)
    curves = []
    counts, means = system_counts.sentences, system_counts.mean_lengths
    for k, name in enumerate(system_counts.names):
        points = []
        for s, span in enumerate(system_counts.sums.spans):
            curve_values = values[s]
            sampled = interval(samples[s][k]) if samples is not None and counts[s] >= FEWEST else None
            points.append(
                CurvePoint(
                    span=span,
                    sentences=counts[s],
                    mean_length=means[s],
                    value=None if curve_values is None else curve_values[k],
                    interval=sampled,
                )
            )
        curves.append(
            LengthCurve(
                system=name, points=tuple(points[:-1]), overall=points[-1], trained_to=(trained_to or {}).get(name)
            )
        )
    extras = {"test": test_set} if test_set else {}
    extras |= {"unk": "no" if no_unk else "yes", "n": str(counts[-1]), "by": side}
    if resamples is not None:
        extras |= {"bs": str(len(resamples)), "seed": str(resamples.seed)}
    is_bleu = system_counts.metric.name == "BLEU"
    seen, expected = _seen(systems, curves, spans, side) if is_bleu else (None, None)
    if control is not None:
        (expected,) = length_curves({REFERENCE: control}, spans, metric=metric, side=side).curves
    return LengthCurves(
        metric=system_counts.metric.name,
        side=side,
        curves=tuple(curves),
        test_set=test_set,
        no_unk=no_unk,
        resamples=None if resamples is None else len(resamples),
        seed=None if resamples is None else resamples.seed,
        signature=extend_signature(system_counts.metric.signature, extras),
        lower_is_better=system_counts.metric.lower_is_better,
        from_zero=system_counts.metric.from_zero,
        seen=seen,
        expected=expected,
    )


def _seen(
    systems: Mapping[str, SentenceStatistics], curves: Sequence[LengthCurve], spans: Sequence[Span], side: LengthSide
) -> tuple[LengthCurve | None, LengthCurve | None]:
    """Compute ``seen`` and ``expected`` of ``LengthCurves``. Of the systems whose n-grams seen in training were
    counted, take the system with the best score at about 15 words. Both are None without such a system or without
    sentences. ``expected`` is None if ``seen`` is 0 at about 15 words."""
    counted = {curve.system: curve for curve in curves if systems[curve.system].pairs.reference_seen is not None}
    lengths = [
        abs((point.mean_length or 0) - _ANCHOR) if point.sentences else float("inf") for point in curves[0].points
    ]
    if not counted or min(lengths, default=float("inf")) == float("inf"):
        return None, None
    anchor = lengths.index(min(lengths))
    best = max(counted.values(), key=lambda curve: curve.points[anchor].value or 0.0)
    statistics = seen_statistics(systems[best.system].pairs, systems[best.system].tokeniser)
    assert statistics is not None
    (seen,) = length_curves({SEEN: statistics}, spans, side=side).curves
    at_anchor = seen.points[anchor].value
    if not at_anchor:
        return seen, None
    scale = (best.points[anchor].value or 0.0) / at_anchor

    def scaled(point: CurvePoint) -> CurvePoint:
        return replace(point, value=None if point.value is None else scale * point.value)

    points = tuple(map(scaled, seen.points))
    return seen, LengthCurve(system=EXPECTED, points=points, overall=scaled(seen.overall))


LONG, SHORT = Span(51, 60), Span(11, 20)
"""The two ranges whose scores ``retention`` compares."""


def retention(
    systems: Mapping[str, SentenceStatistics],
    resamples: Resamples,
    *,
    metric: str = "BLEU",
    side: LengthSide = "source",
) -> dict[str, Ratio | None]:
    """Divide each system's score at 51-60 words by its score at 11-20 words. None if a range has fewer than ten
    sentences, if the divisor is 0, or if the metric's scale does not begin at 0."""
    system_counts = SystemCounts.of(systems, (LONG, SHORT), metric, side)
    long, short = system_counts.scores()
    if not system_counts.metric.from_zero or long is None or short is None or min(system_counts.sentences) < FEWEST:
        return dict.fromkeys(systems)
    samples = system_counts.resampled(resamples)
    return {name: ratio(long[k], short[k], samples[0][k], samples[1][k]) for k, name in enumerate(system_counts.names)}


@dataclass(frozen=True, kw_only=True)
class LengthAnalysisSettings:
    """Metric, bucketing and significance test of the analysis by length. ``no_unk``: use the column "No UNK" of Table 1
    instead of "All". ``trials``: number of trials of the randomisation, which uses the same seed."""

    metric: str = "BLEU"
    side: LengthSide = "source"
    buckets: Buckets = PAPER
    no_unk: bool = False
    method: TestMethod = "bootstrap"
    resamples: int = RESAMPLES
    seed: int = SEED
    trials: int = TRIALS


DEFAULTS = LengthAnalysisSettings()


def length_analysis(
    test_set: str,
    systems: Mapping[str, SentenceStatistics],
    settings: LengthAnalysisSettings,
    trained_to: Mapping[str, int | None] | None = None,
    control: SentenceStatistics | None = None,
) -> LengthAnalysis:
    """Compute the curves, the retention and the tests of all systems. All use the same resamples of the test set.
    ``control``: as in ``length_curves``.

    Raises the errors of ``length_curves`` and ``paired_tests``. Rolling windows overlap and are not tested.
    """
    metric, side = settings.metric, settings.side
    pairs = next(iter(systems.values())).pairs
    resamples = Resamples.draw(len(pairs), settings.resamples, settings.seed)
    spans = settings.buckets.spans(lengths_of(pairs, side))
    curves = length_curves(
        systems,
        spans,
        metric=metric,
        side=side,
        resamples=resamples,
        test_set=test_set,
        no_unk=settings.no_unk,
        trained_to=trained_to,
        control=control,
    )
    tests = paired_tests(
        systems,
        () if curves.rolling else spans,
        metric=metric,
        side=side,
        method=settings.method,
        resamples=resamples,
        trials=settings.trials,
        seed=settings.seed,
    )
    return LengthAnalysis(
        test_set=test_set, curves=curves, retention=retention(systems, resamples, metric=metric, side=side), pairs=tests
    )
