"""Curves, tests and tables, each computed once for the same counts and settings."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from nmt.evaluation.bootstrap import RESAMPLES, Resamples
from nmt.evaluation.buckets import lengths_of
from nmt.evaluation.comparison import compare
from nmt.evaluation.evaluation_files import EvaluatedSystem
from nmt.evaluation.length_curves import LengthAnalysisSettings, length_curves
from nmt.evaluation.significance import paired_tests
from nmt.results import Comparison, LengthCurves, PairedTest, SentenceStatistics, TestMethod
from nmt.ui.length.curve import strings
from nmt.ui.length.curve.form import LengthsView

StatisticsBySystem = Mapping[str, SentenceStatistics]


def curves_of(
    view: LengthsView, systems: StatisticsBySystem, trained_to: Mapping[str, int | None], bands: bool
) -> LengthCurves:
    """The curve of every system. InputError as ``length_curves``."""
    return _curves(_fingerprint(systems), _without_drawing_options(view), bands, tuple(trained_to.items()), systems)


def test_of(view: LengthsView, systems: StatisticsBySystem, rolling: bool, method: TestMethod) -> PairedTest:
    """Test the first of two systems against the second, over all sentences and each range."""
    return _test(_fingerprint(systems), _without_drawing_options(view), rolling, method, systems)


def comparison_of(view: LengthsView, systems: Sequence[EvaluatedSystem], method: TestMethod) -> Comparison:
    """The complete comparison, for the tables."""
    key = "".join(
        f"{system.name} {name} {_column(evaluation.statistics())} {_column(evaluation.statistics(no_unk=True))}"
        for system in systems
        for name, evaluation in system.evaluations.items()
        if name in view.sets
    )
    return _comparison(key, _without_drawing_options(view), method, systems)


def _without_drawing_options(view: LengthsView) -> LengthsView:
    """The view without the options that change only the drawing."""
    return replace(view, options=frozenset())


@st.cache_data(max_entries=64, show_spinner=strings.COMPUTING_CURVES)
def _curves(
    key: str,
    view: LengthsView,
    bands: bool,
    trained_to: tuple[tuple[str, int | None], ...],
    _systems: StatisticsBySystem,
) -> LengthCurves:
    pairs = next(iter(_systems.values())).pairs
    spans = view.buckets.spans(lengths_of(pairs, view.side))
    return length_curves(
        _systems,
        spans,
        metric=view.metric,
        side=view.side,
        resamples=Resamples.draw(len(pairs)) if bands else None,
        test_set=view.set_name,
        no_unk=view.no_unk,
        trained_to=dict(trained_to),
    )


@st.cache_data(max_entries=64, show_spinner=strings.TESTING)
def _test(key: str, view: LengthsView, rolling: bool, method: TestMethod, _systems: StatisticsBySystem) -> PairedTest:
    pairs = next(iter(_systems.values())).pairs
    spans = () if rolling else view.buckets.spans(lengths_of(pairs, view.side))
    resamples = Resamples.draw(len(pairs))
    (test,) = paired_tests(_systems, spans, metric=view.metric, side=view.side, method=method, resamples=resamples)
    return test


@st.cache_data(max_entries=16, show_spinner=strings.MAKING_TABLES)
def _comparison(key: str, view: LengthsView, method: TestMethod, _systems: Sequence[EvaluatedSystem]) -> Comparison:
    settings = LengthAnalysisSettings(
        metric=view.metric,
        side=view.side,
        buckets=view.buckets,
        no_unk=view.no_unk,
        method=method,
        resamples=RESAMPLES,
    )
    return compare(_systems, view.sets, [view.set_name], settings)


def _fingerprint(systems: StatisticsBySystem) -> str:
    """A text that is equal for equal names and counts."""
    return " ".join(f"{name!r} {_column(statistics)}" for name, statistics in systems.items())


def _column(statistics: SentenceStatistics | None) -> str:
    if statistics is None:
        return "-"
    digest = hashlib.sha256(statistics.pairs.source_words.tobytes())
    for table in (statistics.bleu, statistics.chrf, statistics.ter):
        digest.update(table.tobytes())
    return digest.hexdigest()
