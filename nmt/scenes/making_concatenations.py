"""Computing the concatenations with the runs of a folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from nmt.errors import InputError
from nmt.inference.loading import load
from nmt.runs.fingerprint import read_fingerprint
from nmt.runs.folder import RunInfo, list_runs
from nmt.scenes.concatenations import SENTENCES, SOURCE_LANGUAGE, Concatenations, ConcatenationsOfRun, beginnings

_PROGRAMS = ("torch", "sentencepiece", "sacremoses")


def make_concatenations(folder: Path, progress: Callable[[str], None] = lambda name: None) -> Concatenations:
    """Translate the sentences one by one and concatenated with every run that reads their language, each with the run's
    own search settings.

    Args:
        folder: a folder of run folders.
        progress: called with the name of each run before it is loaded.

    Raises InputError if the folder contains no run that reads the language of the sentences.
    """
    found = [info for info in list_runs(folder) if isinstance(info, RunInfo)]
    runs = [info for info in found if info.source_language == SOURCE_LANGUAGE]
    if not runs:
        raise InputError(f"{folder} contains no run that translates from {SOURCE_LANGUAGE}")
    systems = []
    for info in runs:
        progress(info.name)
        systems.append(_of_run(info))
    return Concatenations(
        source_language=SOURCE_LANGUAGE,
        sentences=SENTENCES,
        versions={name: version(name) for name in _PROGRAMS},
        systems=tuple(systems),
    )


def _of_run(info: RunInfo) -> ConcatenationsOfRun:
    translator, fingerprint = load(info.path), read_fingerprint(info)
    search = translator.resolved(translator.search_settings)
    alone = [translator.translate(sentence, search).text for sentence in SENTENCES]
    longer = beginnings(SENTENCES, SOURCE_LANGUAGE)[1:]
    return ConcatenationsOfRun(
        run=info.name,
        weights_sha256=fingerprint.weights,
        text_pipeline_sha256=fingerprint.text_pipeline,
        dictionary_sha256=fingerprint.dictionary,
        search=replace(search, n_best=1),
        alone=tuple(alone),
        together=(alone[0], *(translator.translate(source, search).text for source in longer)),
    )
