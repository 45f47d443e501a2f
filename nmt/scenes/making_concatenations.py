"""Computing the concatenations with the runs of a folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from nmt.errors import InputError
from nmt.inference.translator import load
from nmt.runs.fingerprint import read_fingerprint
from nmt.runs.folder import RunInfo, list_runs
from nmt.scenes.concatenations import SENTENCES, Concatenations, ConcatenationsOfRun, beginnings

_PROGRAMS = ("torch", "sentencepiece", "sacremoses")


def make_concatenations(folder: Path, progress: Callable[[str], None] = lambda name: None) -> list[Concatenations]:
    """Translate the sentences of each language, one by one and concatenated, by every run that reads the language, with
    the run's own search settings.

    Args:
        folder: a folder of run folders.
        progress: called with the name of each run before it is loaded.

    Raises InputError if the folder contains no run that reads a language of the sentences.
    """
    runs = [info for info in list_runs(folder) if isinstance(info, RunInfo)]
    systems: dict[str, list[ConcatenationsOfRun]] = {}
    for info in runs:
        if info.source_language in SENTENCES:
            progress(info.name)
            systems.setdefault(info.source_language, []).append(_of_run(info))
    if not systems:
        raise InputError(f"{folder} contains no run that translates from {' or '.join(SENTENCES)}")
    versions = {name: version(name) for name in _PROGRAMS}
    return [
        Concatenations(
            source_language=language, sentences=SENTENCES[language], versions=versions, systems=tuple(systems[language])
        )
        for language in SENTENCES
        if language in systems
    ]


def _of_run(info: RunInfo) -> ConcatenationsOfRun:
    sentences = SENTENCES[info.source_language]
    translator, fingerprint = load(info.path), read_fingerprint(info)
    search = translator.resolved(translator.search_settings)
    alone = [translator.translate(sentence, search).text for sentence in sentences]
    longer = beginnings(sentences, info.source_language)[1:]
    return ConcatenationsOfRun(
        run=info.name,
        weights_sha256=fingerprint.weights,
        text_pipeline_sha256=fingerprint.text_pipeline,
        dictionary_sha256=fingerprint.dictionary,
        search=replace(search, n_best=1),
        alone=tuple(alone),
        together=(alone[0], *(translator.translate(source, search).text for source in longer)),
    )
