"""Conversion of the choices into systems evaluated on the same sentences, and a list of what is missing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from nmt.errors import InputError
from nmt.evaluation.comparable import common_rows, common_sentences
from nmt.evaluation.test_set import TestSet
from nmt.results import Languages, SentenceStatistics
from nmt.results.statistics import Counts
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.length.curve import strings
from nmt.ui.length.curve.evaluations import mismatched_systems, with_measured
from nmt.ui.length.curve.form import LengthsView
from nmt.ui.length.curve.systems import System
from nmt.ui.length.curve.test_sets import KnownSet, read_set


@dataclass(frozen=True, eq=False)
class Origin:
    """Origin of a sentence.

    Attributes:
        test_set: its name.
        row: from 0.
    """

    test_set: str
    row: int


@dataclass(frozen=True, eq=False, kw_only=True)
class Selection:
    """Evaluated systems that were chosen, over the sentences that they share.

    Attributes:
    view: the choices of the reader.
    languages: of the test sets.
    chosen: the systems that were chosen.
    tests: the sentences of each test set; None if only statistics are available.
    statistics: of the systems that can be shown, over the same sentences.
    """

    view: LengthsView
    languages: Languages
    chosen: dict[str, System]
    tests: dict[str, TestSet | None]
    statistics: dict[str, SentenceStatistics]
    mismatched: frozenset[str]

    @property
    def systems(self) -> dict[str, System]:
        """Systems that can be shown."""
        return {name: self.chosen[name] for name in self.statistics}

    @property
    def missing(self) -> dict[str, System]:
        """Systems that were chosen and are not measured on all of the sets."""
        selection = self.statistics.keys() | self.mismatched
        return {name: system for name, system in self.chosen.items() if name not in selection}

    @property
    def comparable(self) -> list[System]:
        """Systems that were chosen, without those measured on other sentences."""
        return [system for name, system in self.chosen.items() if name not in self.mismatched]

    @property
    def lengths(self) -> Counts:
        """Words of each sentence on the chosen side."""
        pairs = next(iter(self.statistics.values())).pairs
        return pairs.source_words if self.view.side == "source" else pairs.reference_words

    def origins(self) -> list[Origin]:
        """Return the origin of each sentence of ``statistics``."""
        evaluated = {name: system.evaluated for name, system in self.systems.items()}
        return [
            Origin(part, int(row))
            for part in self.view.sets
            for row in common_rows(evaluated, part, no_unk=self.view.no_unk)
        ]

    def sentences_of(self, test_set: str) -> TestSet | None:
        """The sentences of a test set that were measured; None if they are not available, or if the available set of
        this name has others."""
        test = self.tests[test_set]
        evaluations = [system.evaluated.evaluations[test_set] for system in self.systems.values()]
        return test if test is not None and all(test.is_of(evaluation) for evaluation in evaluations) else None


def select(view: LengthsView, systems: dict[str, System], sets: dict[str, KnownSet], languages: Languages) -> Selection:
    """Combine the choices with the evaluations; the reader is told what is wrong with a file."""
    tests: dict[str, TestSet | None] = {}
    for name in view.sets:
        try:
            tests[name] = read_set(sets[name], languages)
        except InputError as error:
            st.warning(as_sentence(str(error)), icon=":material/warning:")
            tests[name] = None
    view = replace(view, sets=_without_repetition(view.sets, tests))
    chosen = {name: with_measured(systems[name], tests, view.no_unk) for name in view.systems}
    mismatched = mismatched_systems(chosen, view.sets)
    for name, test_set in mismatched.items():
        notice = strings.OTHER_SENTENCES.format(name=escaped(name), test_set=escaped(test_set))
        st.caption(f":material/warning: {notice}")
    evaluated = {name: system.evaluated for name, system in chosen.items() if name not in mismatched}
    return Selection(
        view=view,
        languages=languages,
        chosen=chosen,
        tests=tests,
        statistics=common_sentences(evaluated, view.sets, no_unk=view.no_unk),
        mismatched=frozenset(mismatched),
    )


def _without_repetition(names: tuple[str, ...], tests: dict[str, TestSet | None]) -> tuple[str, ...]:
    """Leave out sets with the sentences of an earlier set: counting sentences twice would make intervals too narrow."""
    first_of: dict[object, str] = {}
    for name in names:
        test = tests[name]
        key = name if test is None else (test.source_sha256, test.reference_sha256)
        if key in first_of:
            notice = strings.SAME_SENTENCES.format(name=escaped(name), other=escaped(first_of[key]))
            st.caption(f":material/warning: {notice}")
        first_of.setdefault(key, name)
    return tuple(first_of.values())


def of_span(selection: Selection, first: int, last: int | None) -> Counts:
    """Indices of the sentences of a range."""
    lengths = selection.lengths
    return np.flatnonzero((lengths >= first) & (True if last is None else lengths <= last))
