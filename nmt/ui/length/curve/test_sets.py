"""The test sets that can be shown: those that were evaluated, those whose sentences are on this machine, and uploaded
ones."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from nmt.errors import InputError
from nmt.evaluation.test_set import CorpusTestSet, TestSet, find_in_corpora, from_corpus, from_folder, list_folders
from nmt.reproduce.test_sets import KNOWN_TEST_SETS
from nmt.results import Languages
from nmt.ui.checkpoints import ROOT
from nmt.ui.formatting import escaped
from nmt.ui.length.curve import strings
from nmt.ui.length.curve.systems import System

DATA = "data"
"""The parameter of the address that names the folder of corpora."""


@dataclass(frozen=True)
class KnownSet:
    """A test set that can be chosen.

    Attributes:
        name: its name in evaluations.
        sentences: their location: a folder of this repository, files of a corpus, or an upload; None if only statistics
            are available.
    """

    name: str
    sentences: Path | CorpusTestSet | TestSet | None

    def how_to_get(self) -> str:
        """Say where to get the sentences, in Markdown."""
        corpus = KNOWN_TEST_SETS[self.name].corpus if self.name in KNOWN_TEST_SETS else ""
        if not corpus:
            return strings.ADD_FILES
        return strings.GET_CORPUS.format(corpus=corpus)


def first_data_folder() -> str:
    """The folder of corpora that is searched until the reader names one: $JOINTLY_DATA, or data/corpora if it
    exists."""
    if folder := os.environ.get("JOINTLY_DATA"):
        return folder
    default = ROOT / "data" / "corpora"
    return str(default) if default.is_dir() else ""


def known_sets(
    systems: Iterable[System], languages: Languages, data: str, added: Mapping[str, TestSet]
) -> dict[str, KnownSet]:
    """Return test sets by name: those of the released runs first, then those of this repository, then others."""
    measured = {name for system in systems for name in system.evaluated.evaluations}
    shipped = {path.name: path for path in list_folders(ROOT / "testsets", languages.source, languages.target)}
    corpora = {place.name: place for place in _corpora(data.strip(), languages)}
    sentences: dict[str, Path | CorpusTestSet | TestSet] = {**corpora, **shipped, **added}
    names = [name for name, known in KNOWN_TEST_SETS.items() if not known.own and name in measured | corpora.keys()]
    names += sorted(shipped, key=lambda name: (name not in KNOWN_TEST_SETS, name))
    names += sorted((measured | corpora.keys() | added.keys()) - {*names})
    return {name: KnownSet(name, sentences.get(name)) for name in names}


def _corpora(data: str, languages: Languages) -> list[CorpusTestSet]:
    """The test sets in the folder of corpora; none, after showing a warning, if the folder cannot be read."""
    try:
        known = {one.stem: one.name for one in KNOWN_TEST_SETS.values() if one.in_table_1}
        return find_in_corpora(Path(data).expanduser(), languages.source, languages.target, known) if data else []
    except (OSError, RuntimeError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        notice = strings.CORPORA_UNREADABLE.format(reason=escaped(reason or strings.UNKNOWN_REASON))
        st.warning(notice, icon=":material/warning:")
        return []


def read_set(known: KnownSet, languages: Languages) -> TestSet | None:
    """Read the sentences; None if they are not available. Raises InputError for files that are not a test set."""
    place = known.sentences
    if place is None or isinstance(place, TestSet):
        return place
    if isinstance(place, CorpusTestSet):
        return _of_place(place, (_stamp(place.source), _stamp(place.reference)))
    files = tuple(_stamp(place / f"sentences.{language}") for language in (languages.source, languages.target))
    return _of_folder(str(place), languages.source, languages.target, files)


def _stamp(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError as error:
        raise InputError(strings.UNREADABLE.format(path=path, reason=error.strerror)) from None


@st.cache_data(max_entries=16, show_spinner=strings.READING_TEST_SET)
def _of_place(place: CorpusTestSet, stamps: tuple[int, ...]) -> TestSet:
    """Read the files again whenever ``stamps`` change."""
    return from_corpus(place)


@st.cache_data(max_entries=16, show_spinner=strings.READING_TEST_SET)
def _of_folder(folder: str, source: str, target: str, stamps: tuple[int, ...]) -> TestSet:
    return from_folder(Path(folder), source, target)
