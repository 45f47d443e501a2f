"""Phrase-based systems on Look: external systems with a packed model in their folder. They are no runs."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from nmt.answers.keys import task_key
from nmt.answers.request import LOADING, ProgressReporter, Task
from nmt.evaluation.evaluation_files import list_systems
from nmt.files import changed_at
from nmt.inference.phrase_based import PHRASES, PhraseBased, load_phrase_based, read_about
from nmt.results import Languages
from nmt.results.record import System
from nmt.texts import LOOK
from nmt.ui.checkpoints import systems_folder
from nmt.ui.compute import answer_to, errors_shown
from nmt.ui.look.explore.view import Shown
from nmt.ui.resources import once_a_run


@once_a_run
def phrase_systems() -> dict[str, Languages]:
    """Languages of phrase-based systems, by the names of their folders. An error is shown for a broken system."""
    languages = {}
    for folder in list_systems(systems_folder()):
        if (folder / PHRASES).is_file():
            with errors_shown():
                about = read_about(folder)
                languages[folder.name] = Languages(about.source_language, about.target_language)
    return languages


@st.cache_resource(max_entries=2, show_spinner=False)
def _loaded(folder: Path, stamp: int) -> PhraseBased:
    return load_phrase_based(folder)


@dataclass(frozen=True)
class PhrasesTask(Task[System]):
    """Translation of one sentence by a phrase-based system. The sentence must not be blank."""

    folder: Path
    sentence: str

    @property
    def key(self) -> str:
        return task_key("phrases", str(self.folder), changed_at(self.folder / PHRASES), self.sentence)

    def run(self, progress: ProgressReporter) -> System:
        with progress.stage(LOADING, 0):
            system = _loaded(self.folder, changed_at(self.folder / PHRASES))
        progress.checkpoint()
        written = system.translate(self.sentence)
        assert written is not None
        return written


def translated_by_phrases(chosen: Collection[str], language: str, sentence: str) -> list[Shown]:
    """Translations by the chosen systems that read the language. If one of them cannot translate, the page says why."""
    written_by = []
    for name, languages in phrase_systems().items():
        if name not in chosen or languages.source != language:
            continue
        written = answer_to(PhrasesTask(systems_folder() / name, sentence), st.empty())
        if written is not None and written.target.tokens:
            written_by.append(_shown(written))
    return written_by


def _shown(written: System) -> Shown:
    copied = ", ".join(dict.fromkeys(written.source.unknown))
    system = replace(written, source=replace(written.source, unknown=()))  # copied words are no [UNK]
    return Shown.of_file(system, LOOK.phrase_based, notes=(LOOK.copied_words.format(words=copied),) if copied else ())
