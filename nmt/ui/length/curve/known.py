"""The systems and test sets that can be shown: checkpoints and external systems, each with the same look everywhere;
test sets that were evaluated, whose sentences are on this machine, or that were uploaded."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from nmt.config import SearchSettings
from nmt.evaluation.evaluation_files import EvaluatedSystem
from nmt.evaluation.test_set import CorpusTestSet, TestSet, find_in_corpora, from_corpus, from_folder, list_folders
from nmt.files import changed_at
from nmt.reproduce.released import KNOWN_TEST_SETS, RELEASED
from nmt.results import UNKNOWN_LANGUAGES, Evaluation, Languages
from nmt.runs.folder import RunInfo
from nmt.ui.checkpoints import ROOT, Checkpoints
from nmt.ui.evaluated import evaluated_folders
from nmt.ui.formatting import escaped
from nmt.ui.length import strings

DATA = "data"
"""The parameter of the address that names the folder of corpora."""

PAPER = ("rnnsearch-50", "rnnsearch-30", "rnnencdec-50", "rnnencdec-30")
"""The models of Figure 2."""

_NUMBERS = {run.name: number for number, run in enumerate(RELEASED)}


@dataclass(frozen=True, eq=False, kw_only=True)
class System:
    """A checkpoint or an external system, with its evaluations.

    Attributes:
        name: as the page and its address have it.
        evaluated: its evaluations; ``evaluated.name`` is ``name``.
        run: the checkpoint; None for an external system.
        number: of its style, the same whatever else is shown, unless that has its colour.
        uploaded: whether the reader uploaded its output in this session.
    """

    name: str
    evaluated: EvaluatedSystem
    run: RunInfo | None
    number: int
    uploaded: bool = False

    @property
    def attends(self) -> bool:
        """Whether it is known to have attention."""
        return self.run is not None and self.run.has_alignment

    @property
    def settings(self) -> SearchSettings:
        """The run's own search settings, with which it is evaluated here."""
        assert self.run is not None
        return self.run.config.search

    def beside(self, evaluations: Mapping[str, Evaluation]) -> System:
        """The system with more evaluations, which take precedence over its own."""
        merged = self.evaluated.evaluations | dict(evaluations)
        known_pairs = (each.languages for each in evaluations.values() if each.languages.known)
        languages = self.evaluated.languages if self.evaluated.languages.known else next(known_pairs, UNKNOWN_LANGUAGES)
        return replace(self, evaluated=replace(self.evaluated, evaluations=merged, languages=languages))


@dataclass(frozen=True, eq=False)
class KnownSystems:
    """All systems that can be shown.

    Attributes:
        by_name: released checkpoints first, then others, then external systems.
        problems: what could not be read, a sentence each.
    """

    by_name: dict[str, System]
    problems: tuple[str, ...]

    def of_pair(self, pair: Languages) -> dict[str, System]:
        """Return the systems of these languages, and those whose languages are not known."""
        return {name: system for name, system in self.by_name.items() if system.evaluated.languages.fit(pair)}


def known_systems(checkpoints: Checkpoints, outputs: Mapping[str, Mapping[str, Evaluation]]) -> KnownSystems:
    """Find the systems in all folders.

    Args:
        outputs: evaluations of uploaded outputs, by name of the system and test set.
    """
    folders = evaluated_folders(checkpoints)
    systems: dict[str, System] = {}
    next_number = len(RELEASED)
    for name, evaluated in folders.by_name.items():
        run = checkpoints.usable.get(name)
        if run is not None and name in _NUMBERS:
            number = _NUMBERS[name]
        else:
            number, next_number = next_number, next_number + 1
        systems[name] = System(name=name, evaluated=evaluated, run=run, number=number)
    for name, evaluations in outputs.items():
        empty = EvaluatedSystem(name=name, path=Path(name), about="", evaluations={})
        system = systems.setdefault(name, System(name=name, evaluated=empty, run=None, number=next_number))
        next_number += system.number == next_number
        systems[name] = replace(system.beside(evaluations), uploaded=True)
    return KnownSystems(systems, (*(run.problem for run in checkpoints.broken), *folders.problems))


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
        files = [place.source, place.reference]
    else:
        files = [place / f"sentences.{language}" for language in (languages.source, languages.target)]
    return _read(place, languages, tuple(map(changed_at, files)))


@st.cache_data(max_entries=16, show_spinner=strings.READING_TEST_SET)
def _read(place: Path | CorpusTestSet, languages: Languages, stamps: tuple[int, ...]) -> TestSet:
    """Read the files again whenever ``stamps`` change."""
    if isinstance(place, CorpusTestSet):
        return from_corpus(place)
    return from_folder(place, languages.source, languages.target)
