"""Translations of the systems that are shown, as they were evaluated: from the file beside the evaluation, from the
cache, or uploaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from nmt.config import SearchSettings
from nmt.errors import InputError
from nmt.evaluation.translation_files import read_translations
from nmt.results import Evaluation, WrittenSentence
from nmt.ui.compute import NamedJob, start, watch_jobs
from nmt.ui.formatting import counted, escaped, listed
from nmt.ui.length.curve import strings
from nmt.ui.length.curve.evaluations import session_uploads
from nmt.ui.length.curve.selection import Selection
from nmt.ui.length.curve.systems import System
from nmt.ui.resources import compute_service
from nmt.ui.tasks import TextTask

Translations = Mapping[str, Mapping[str, WrittenSentence]]
"""Translations by system and source."""


def search_settings_of(evaluation: Evaluation, no_unk: bool) -> SearchSettings:
    """Return the search settings of the evaluated translations; the usual settings for an evaluation that has none."""
    condition = evaluation.no_unk if no_unk else evaluation.everything
    assert condition is not None
    return condition.search or SearchSettings(no_unk=no_unk)


def translations_of(
    selection: Selection, sources: Mapping[str, Mapping[int, str]]
) -> dict[str, dict[str, WrittenSentence]]:
    """Return the translations of each system, as far as they are available; ``sources`` by test set and row."""
    by_system: dict[str, dict[str, WrittenSentence]] = {}
    for name, system in selection.systems.items():
        mine = by_system.setdefault(name, {})
        for test_set, sources_of_set in sources.items():
            mine |= _written(selection, system, test_set, sources_of_set)
    return by_system


def _written(
    selection: Selection, system: System, test_set: str, sources: Mapping[int, str]
) -> dict[str, WrittenSentence]:
    kept = _kept(selection, system, test_set)
    by_source = {source: kept[row] for row, source in sources.items() if row in kept}
    lacking = [source for source in sources.values() if source not in by_source]
    if system.run is not None and lacking:
        stored = TextTask(system.run, tuple(lacking), _settings(selection, system, test_set)).partial()
        by_source |= {source: translation.written for source, translation in stored.items()}
    return by_source


def _kept(selection: Selection, system: System, test_set: str) -> Mapping[int, WrittenSentence]:
    """The translations, by row: uploaded, or saved beside the evaluation. A broken file counts as missing."""
    brought = session_uploads().written(system.name, test_set)
    if brought is not None and system.run is None:
        return dict(enumerate(map(WrittenSentence, brought)))
    evaluation = system.evaluated.evaluations[test_set]
    try:
        written = read_translations(system.evaluated.path, evaluation)
    except InputError:
        return {}
    return written.no_unk if selection.view.no_unk and system.run is not None else written.everything


def missing_translations(
    selection: Selection, sources: Mapping[str, Mapping[int, str]], known: Translations
) -> list[TextTask]:
    """List the tasks that compute the missing translations; ``sources`` by test set and row."""
    tasks = []
    for name, system in selection.systems.items():
        for test_set, sources_of_set in sources.items():
            lacking = tuple(
                dict.fromkeys(s for s in sources_of_set.values() if s.strip() and s not in known.get(name, {}))
            )
            if system.run is not None and lacking:
                settings = _settings(selection, system, test_set)
                tasks.append(TextTask(system.run, lacking, settings))
    return tasks


def offer_translations(missing: Sequence[TextTask], key: str) -> None:
    """Show a button that computes the missing translations, and its progress."""
    jobs = [(task, compute_service().job(task)) for task in missing]
    idle = [task for task, job in jobs if job is None or job.state.status in ("cancelled", "failed")]
    if idle:
        names = listed(list(dict.fromkeys(task.checkpoint.name for task in idle)))
        sentences = len({sentence for task in idle for sentence in task.sentences})
        st.button(
            escaped(counted(sentences, strings.TRANSLATE_SENTENCES, names=names)),
            icon=":material/translate:",
            key=f"translate-{key}",
            on_click=start,
            args=(idle,),
            help=strings.TRANSLATE_HELP,
            wrap=True,
        )
    under_way = [NamedJob(task.checkpoint.name, job) for task, job in jobs if job and job.state.status != "cancelled"]
    watch_jobs(under_way, key)


def _settings(selection: Selection, system: System, test_set: str) -> SearchSettings:
    return search_settings_of(system.evaluated.evaluations[test_set], selection.view.no_unk)
