"""Computing the steps of the first sentence of "How it works" with the runs of a folder."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from nmt.answers.sentences import SENTENCES
from nmt.errors import InputError
from nmt.inference.translator import load
from nmt.inspection.steps import translation_steps
from nmt.reproduce.released import OPENS_FIRST, RELEASED
from nmt.runs.fingerprint import read_fingerprint
from nmt.runs.folder import RunInfo, list_runs
from nmt.scenes.steps import SceneSteps, StepsOfRun, steps_of_run

_PROGRAMS = ("torch", "sentencepiece", "sacremoses")


def make_steps(folder: Path, progress: Callable[[str], None] = lambda name: None) -> SceneSteps:
    """Compute all steps of the translation of the app's first sentence by one run of each architecture: the one that
    the app opens with, or else the first in the order of the released runs. Each run uses its own search settings,
    except that [UNK] is kept.

    Args:
        folder: a folder of run folders.
        progress: called with the name of each run before it is loaded.

    Raises InputError if the folder contains no run that reads the language of the sentence and writes its target
    language.
    """
    first = SENTENCES[0]
    run_infos = [info for info in list_runs(folder) if isinstance(info, RunInfo)]
    order = {name: number for number, name in enumerate(dict.fromkeys((*OPENS_FIRST, *(run.name for run in RELEASED))))}
    runs: dict[str, RunInfo] = {}
    for info in sorted(run_infos, key=lambda info: (order.get(info.name, len(order)), info.name)):
        if (info.source_language, info.target_language) == first.languages:
            runs.setdefault(info.config.model.architecture, info)
    if not runs:
        raise InputError(f"{folder} contains no run that translates from {' to '.join(first.languages)}")
    systems = []
    for info in runs.values():
        progress(info.name)
        systems.append(_of_run(info, first.sentence))
    return SceneSteps(
        sentence=first.sentence,
        versions={name: version(name) for name in _PROGRAMS},
        systems=tuple(systems),
    )


def _of_run(info: RunInfo, sentence: str) -> StepsOfRun:
    translator = load(info.path)
    search = info.config.search.changed(n_best=1, replace_unk=False)
    best = translator.translate(sentence, search).best
    assert best.encoded is not None
    pair = translator.source.encode(sentence), best.encoded
    steps = translation_steps(translator, *pair)
    return steps_of_run(info.name, read_fingerprint(info), search, pair, steps)
