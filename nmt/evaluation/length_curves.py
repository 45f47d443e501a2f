"""Scores as a function of sentence length.

Paper: Figure 2
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from nmt.evaluation.bootstrap import FEWEST, Resamples, interval
from nmt.evaluation.metrics import extend_signature
from nmt.evaluation.seen_ngrams import seen_statistics
from nmt.evaluation.span_scores import SystemCounts
from nmt.results import CurvePoint, LengthCurve, LengthCurves, LengthSide, SentenceStatistics, Span
from nmt.results.curve import EVERYTHING

SEEN = "references' n-grams seen in training"
"""Name of the curve of these n-grams."""
EXPECTED = "expected from the texts alone"
"""Name of the curve that the texts' own difficulty predicts."""
_ANCHOR = 15
"""Length, in words, at which the curve EXPECTED begins: the middle of 11 to 20. The share that a model keeps is counted
from there."""


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
) -> LengthCurves:
    """Compute a corpus score over the sentences of each range of lengths.

    The counts of the sentences of a range are summed and give one score, as for a whole corpus; it is never a mean of
    sentence scores.

    Args:
        systems: by name, on the same sentences.
        spans: ranges from ``nmt.evaluation.buckets``.
        metric: "BLEU", "chrF" or "TER".
        side: the side whose words define the length.
        resamples: of all sentences, for the intervals of ranges with ten sentences or more; None = no intervals.
        test_set, no_unk: test set and column, for the signature.
        trained_to: maximum words of a training sentence, by system.

    Raises:
        InputError: no system, no sentence, systems on different sentences, an unknown metric or side.
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
    texts = _seen(systems, curves, spans, side) if system_counts.metric.name == "BLEU" else _Seen(None, None)
    return LengthCurves(
        metric=system_counts.metric.name,
        side=side,
        curves=tuple(curves),
        test_set=test_set,
        no_unk=no_unk,
        resamples=None if resamples is None else len(resamples),
        seed=None if resamples is None else resamples.seed,
        signature=extend_signature(system_counts.metric.signature, extras),
        seen=texts.seen,
        expected=texts.expected,
    )


def _seen(
    systems: Mapping[str, SentenceStatistics], curves: Sequence[LengthCurve], spans: Sequence[Span], side: LengthSide
) -> _Seen:
    """Compute ``seen`` and ``expected`` for the system with the best score at about 15 words among those whose n-grams
    seen in training were counted."""
    counted = {curve.system: curve for curve in curves if systems[curve.system].pairs.reference_seen is not None}
    lengths = [
        abs((point.mean_length or 0) - _ANCHOR) if point.sentences else float("inf") for point in curves[0].points
    ]
    if not counted or min(lengths, default=float("inf")) == float("inf"):
        return _Seen(None, None)
    anchor = lengths.index(min(lengths))
    best = max(counted.values(), key=lambda curve: curve.points[anchor].value or 0.0)
    statistics = seen_statistics(systems[best.system].pairs, systems[best.system].tokeniser)
    assert statistics is not None
    (seen,) = length_curves({SEEN: statistics}, spans, side=side).curves
    at_anchor = seen.points[anchor].value
    if not at_anchor:
        return _Seen(seen, None)
    scale = (best.points[anchor].value or 0.0) / at_anchor

    def scaled(point: CurvePoint) -> CurvePoint:
        return replace(point, value=None if point.value is None else scale * point.value)

    points = tuple(map(scaled, seen.points))
    return _Seen(seen, LengthCurve(system=EXPECTED, points=points, overall=scaled(seen.overall)))


@dataclass(frozen=True)
class _Seen:
    """The curves ``seen`` and ``expected`` of ``LengthCurves``."""

    seen: LengthCurve | None
    expected: LengthCurve | None
