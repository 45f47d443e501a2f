"""Computing scenes with the runs of a folder."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from nmt.answers.sentences import SENTENCES, SceneSentence
from nmt.errors import InputError
from nmt.inference.translator import load
from nmt.inspection.maps import leave_one_out_of
from nmt.runs.fingerprint import read_fingerprint
from nmt.runs.folder import RunInfo, list_runs
from nmt.scenes.scene import Scene, SceneSystem, system

_PROGRAMS = ("torch", "sentencepiece", "sacremoses")


def make_scenes(folder: Path, progress: Callable[[str], None] = lambda name: None) -> list[Scene]:
    """Translate every scene's sentence with every run that reads its language and writes its target language, each
    with the run's own search settings.

    Args:
        folder: a folder of run folders.
        progress: called with the name of each run before it is loaded.

    Raises InputError if the folder contains no run that can be used.
    """
    runs = [info for info in list_runs(folder) if isinstance(info, RunInfo)]
    if not runs:
        raise InputError(f"{folder} contains no run that can be used")
    systems: dict[str, list[SceneSystem]] = {sentence.name: [] for sentence in SENTENCES}
    for info in runs:
        progress(info.name)
        for name, made in _systems(info).items():
            systems[name].append(made)
    versions = {name: version(name) for name in _PROGRAMS}
    return [
        Scene(
            name=each.name,
            sentence=each.sentence,
            source_language=each.languages[0],
            target_language=each.languages[1],
            versions=versions,
            systems=tuple(systems[each.name]),
        )
        for each in SENTENCES
        if systems[each.name]
    ]


def _systems(info: RunInfo) -> dict[str, SceneSystem]:
    sentences = [each for each in SENTENCES if each.languages == (info.source_language, info.target_language)]
    return _translated(info, sentences) if sentences else {}


def _translated(info: RunInfo, sentences: list[SceneSentence]) -> dict[str, SceneSystem]:
    """Translate the sentences; the results are by name of the scene."""
    translator = load(info.path)
    fingerprint = read_fingerprint(info)
    search = translator.resolved(translator.search_settings)
    made = {}
    for each in sentences:
        translation = translator.translate(each.sentence, search)
        attribution = None
        if not translator.has_alignment:
            assert translation.encoded is not None
            assert translation.best.encoded is not None
            pair = (translation.encoded, translation.best.encoded)
            attribution = next(iter(leave_one_out_of(translator, [pair])))
        made[each.name] = system(info.name, fingerprint, search, translation, attribution)
    return made
