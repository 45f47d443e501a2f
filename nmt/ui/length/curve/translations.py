"""Translations of the systems that are shown, as they were measured: beside the evaluation, from the store, or brought
along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from nmt.config import SearchSettings
from nmt.errors import InputError
from nmt.evaluation.translation_files import read_translations
from nmt.results import Evaluation, WrittenSentence
from nmt.ui.compute import start
from nmt.ui.formatting import counted, escaped, listed
from nmt.ui.length.curve import strings
from nmt.ui.length.curve.evaluations import session_uploads
from nmt.ui.length.curve.selection import Selection
from nmt.ui.length.curve.systems import System
from nmt.ui.progress import NamedJob, watch_jobs
from nmt.ui.resources import compute_service
from nmt.ui.tasks import TextTask

Translations = Mapping[str, Mapping[str, WrittenSentence]]
"""By system and source."""


def search_settings_of(evaluation: Evaluation, no_unk: bool) -> SearchSettings:
    """How the evaluated translations were searched for; the usual settings for an evaluation that does not say."""
    condition = evaluation.no_unk if no_unk else evaluation.everything
    assert condition is not None
    return condition.search or SearchSettings(no_unk=no_unk)


def translations_of(
    selection: Selection, sources: Mapping[str, Mapping[int, str]]
) -> dict[str, dict[str, WrittenSentence]]:
    """Of each system, as far as they are here; ``sources`` by test set and row."""
    found: dict[str, dict[str, WrittenSentence]] = {}
    for name, system in selection.systems.items():
        mine = found.setdefault(name, {})
        for test_set, some in sources.items():
            mine |= _written(selection, system, test_set, some)
    return found


def _written(
    selection: Selection, system: System, test_set: str, sources: Mapping[int, str]
) -> dict[str, WrittenSentence]:
    kept = _kept(selection, system, test_set)
    found = {source: kept[row] for row, source in sources.items() if row in kept}
    lacking = [source for source in sources.values() if source not in found]
    if system.run is not None and lacking:
        stored = TextTask(system.run, tuple(lacking), _settings(selection, system, test_set)).partial()
        found |= {source: translation.written for source, translation in stored.items()}
    return found


def _kept(selection: Selection, system: System, test_set: str) -> Mapping[int, WrittenSentence]:
    """Brought along, or beside the evaluation; by row. A broken file is as good as none."""
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
    """What has to be asked for those that are not here; ``sources`` by test set and row."""
    found = []
    for name, system in selection.systems.items():
        for test_set, some in sources.items():
            lacking = tuple(dict.fromkeys(s for s in some.values() if s.strip() and s not in known.get(name, {})))
            if system.run is not None and lacking:
                settings = _settings(selection, system, test_set)
                found.append(TextTask(system.run, lacking, settings))
    return found


def offer_translations(missing: Sequence[TextTask], key: str) -> None:
    """A button for what is missing, and how far it is."""
    jobs = [(asked, compute_service().job(asked)) for asked in missing]
    idle = [asked for asked, job in jobs if job is None or job.state.status in ("cancelled", "failed")]
    if idle:
        names = listed(list(dict.fromkeys(asked.checkpoint.name for asked in idle)))
        sentences = len({sentence for asked in idle for sentence in asked.sentences})
        st.button(
            escaped(counted(sentences, strings.TRANSLATE_SENTENCES, names=names)),
            icon=":material/translate:",
            key=f"translate-{key}",
            on_click=start,
            args=(idle,),
            help=strings.TRANSLATE_HELP,
            wrap=True,
        )
    under_way = [NamedJob(asked.checkpoint.name, job) for asked, job in jobs if job and job.state.status != "cancelled"]
    watch_jobs(under_way, key)


def _settings(selection: Selection, system: System, test_set: str) -> SearchSettings:
    return search_settings_of(system.evaluated.evaluations[test_set], selection.view.no_unk)
