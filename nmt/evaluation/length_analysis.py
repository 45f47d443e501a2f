"""Analysis of a test set by length: curves, intervals, and tests of all pairs of systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nmt.errors import InputError
from nmt.evaluation.bootstrap import RESAMPLES, SEED, Resamples
from nmt.evaluation.buckets import PAPER, Buckets, lengths_of
from nmt.evaluation.by_length import retention
from nmt.evaluation.length_curves import length_curves
from nmt.evaluation.significance import TRIALS, paired_tests
from nmt.results import LengthAnalysis, LengthSide, SentenceStatistics, TestMethod


@dataclass(frozen=True, kw_only=True)
class LengthAnalysisSettings:
    """Metric, bucketing and significance test of the analysis by length.

    Attributes:
        metric: "BLEU", "chrF" or "TER".
        side: the side whose words define the length.
        buckets: division of the lengths.
        no_unk: use the column "No UNK" of Table 1 instead of "All".
        method: method of the significance tests.
        resamples, seed: parameters of the bootstrap.
        trials: number of trials of the randomisation, which uses the same seed.
    """

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
) -> LengthAnalysis:
    """Analyse all systems over the same resamples of the set.

    Args:
        systems: by name, on the same sentences (``nmt.evaluation.common_sentences``).
        trained_to: maximum words of a training sentence, by system.

    Raises the errors of ``length_curves`` and ``paired_tests``. Rolling windows overlap, so their differences are not
    tested.
    """
    if not systems:
        raise InputError(f"no system has sentences to analyse on {test_set!r}")
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
