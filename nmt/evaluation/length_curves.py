"""Scores as a function of sentence length.

Paper: Figure 2
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from nmt.evaluation.bootstrap import FEWEST, Resamples, interval
from nmt.evaluation.metrics import extend_signature
from nmt.evaluation.seen_ngrams import seen_statistics
from nmt.evaluation.span_scores import SystemCounts
from nmt.results import CurvePoint, LengthCurve, LengthCurves, LengthSide, SentenceStatistics, Span
from nmt.results.curve import EVERYTHING

SEEN = "references' n-grams seen in training"
"""Name of their curve."""
EXPECTED = "expected from the texts alone"
"""Name of the curve that the texts' own difficulty predicts."""
_ANCHOR = 15
"""Length at which it begins, in words: the middle of 11 to 20, from where the share that a model keeps is counted."""


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
    given = SystemCounts.of(systems, [*spans, EVERYTHING], metric, side)
    values = given.scores()
    samples = None if resamples is None else given.resampled(resamples)
    curves = []
    counts, means = given.sentences, given.mean_lengths
    for k, name in enumerate(given.names):
        points = []
        for s, span in enumerate(given.sums.spans):
            found = values[s]
            sampled = interval(samples[s][k]) if samples is not None and counts[s] >= FEWEST else None
            points.append(
                CurvePoint(
                    span=span,
                    sentences=counts[s],
                    mean_length=means[s],
                    value=None if found is None else found[k],
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
    seen = _seen(systems, spans, side) if given.metric.name == "BLEU" else None
    return LengthCurves(
        metric=given.metric.name,
        side=side,
        curves=tuple(curves),
        test_set=test_set,
        no_unk=no_unk,
        resamples=None if resamples is None else len(resamples),
        seed=None if resamples is None else resamples.seed,
        signature=extend_signature(given.metric.signature, extras),
        seen=seen,
        expected=None if seen is None else _expected(curves, seen),
    )


def _expected(curves: Sequence[LengthCurve], seen: LengthCurve) -> LengthCurve | None:
    """The curve of the best system at about 15 words, if it followed ``seen`` from there; None where nothing is
    known there."""
    known = [k for k, point in enumerate(seen.points) if point.value]
    if not known:
        return None
    anchor = min(known, key=lambda k: abs((seen.points[k].mean_length or 0) - _ANCHOR))
    best = max(curve.points[anchor].value or 0.0 for curve in curves)
    scale = best / (seen.points[anchor].value or 1.0)

    def scaled(point: CurvePoint) -> CurvePoint:
        return replace(point, value=None if point.value is None else scale * point.value)

    points = tuple(map(scaled, seen.points))
    return LengthCurve(system=EXPECTED, points=points, overall=scaled(seen.overall))


def _seen(systems: Mapping[str, SentenceStatistics], spans: Sequence[Span], side: LengthSide) -> LengthCurve | None:
    """The curve of the n-grams seen in training; None if no system has them, or two systems have different ones."""
    counted = [each for each in systems.values() if each.pairs.reference_seen is not None]
    if len({each.pairs.reference_seen.tobytes() for each in counted if each.pairs.reference_seen is not None}) != 1:
        return None
    first = counted[0]
    statistics = seen_statistics(first.pairs, first.tokeniser)
    assert statistics is not None
    (curve,) = length_curves({SEEN: statistics}, spans, side=side).curves
    return curve
