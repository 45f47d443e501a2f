"""``scenes``: compute what the app shows without loading a model (nmt/answers/shipped.py)."""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from nmt.answers.keys import DOUBTS, LEAVE_ONE_OUT, STEPS, doubts_key, leave_one_out_key, search_key, steps_key
from nmt.answers.shipped import (
    CONCATENATED,
    PRECISION,
    SENTENCES,
    STORED,
    ShippedAnswer,
    ShippedFile,
    beginnings,
    shipped_record,
    shipped_translation,
)
from nmt.cli.options import JSON, Commands, print_json
from nmt.errors import InputError
from nmt.inference.translator import Translator, load
from nmt.inspection.maps import leave_one_out_of, word_scores
from nmt.inspection.steps import translate_with_steps
from nmt.released import INSIDE, OPENS_FIRST, RELEASED
from nmt.results import TranslationSteps, TranslationWithSteps
from nmt.runs.folder import RunInfo, list_runs

_PROGRAMS = ("torch", "sentencepiece", "sacremoses")
_VECTORS_OF_A_STEP = ("state", "context", "maxout", "update_gate", "next_state")


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "scenes",
        description="Translate the sentences that the app opens with, and store the results, so that no model is "
        "loaded for them.",
        parents=[JSON],
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a folder of run folders, such as checkpoints")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="ANSWERS",
        help="folder to write to (default: the program's own): one JSON file per run",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    runs = [info for info in list_runs(options.folder) if isinstance(info, RunInfo)]
    if not runs:
        raise InputError(f"{options.folder} contains no run that can be used")
    out = STORED if options.out is None else options.out
    out.mkdir(parents=True, exist_ok=True)
    with_steps, judge = _with_steps(runs), _judge(runs)
    scenes: dict[str, dict[str, str]] = {}
    for info in runs:
        print(info.name, file=sys.stderr)
        file = shipped_file(info, with_steps=info.name in with_steps, judge=judge)
        path = file.write(out)
        texts = {answer.name: answer.head["text"] for answer in file.answers if answer.head is not None}
        if not options.json:
            print(f"{path}:")
        for each in SENTENCES:
            if each.sentence in texts and each.languages == (info.source_language, info.target_language):
                scenes.setdefault(each.name, {})[info.name] = texts[each.sentence]
                if not options.json:
                    print(f"  {each.sentence}\n  {texts[each.sentence]}")
    if options.json:
        print_json({"scenes": scenes})


def _with_steps(runs: list[RunInfo]) -> set[str]:
    """Choose the runs whose steps are stored, all of which translate the app's first sentence: the run inside the
    package, and for each architecture the run that the app opens with, or else the first of the released ones."""
    order = {name: number for number, name in enumerate(dict.fromkeys((*OPENS_FIRST, *RELEASED)))}
    chosen: dict[str, str] = {}
    for info in sorted(runs, key=lambda info: (order.get(info.name, len(order)), info.name)):
        if (info.source_language, info.target_language) == SENTENCES[0].languages:
            chosen.setdefault(INSIDE if info.name == INSIDE else info.config.model.architecture, info.name)
    return {*chosen.values()}


def _judge(runs: list[RunInfo]) -> RunInfo | None:
    """The run with alpha that the app opens with, which says what it thinks of the words of the one without."""
    return next((info for info in runs if info.name in OPENS_FIRST and info.has_alignment), None)


def shipped_file(info: RunInfo, *, with_steps: bool, judge: RunInfo | None = None) -> ShippedFile:
    """Compute the answers of a run, with its own search settings: translations of the sentences that the app opens
    with; for a run without alpha, their leave-one-out attribution and ``judge``'s scores of their words; the
    concatenated sentences, as texts alone unless the app or the package opens with the run; and, if wanted, the steps
    of the first sentence, [UNK] kept."""
    judges = judge is not None and info.name in OPENS_FIRST and not info.has_alignment
    other = load(judge, precision=PRECISION) if judges and judge is not None else None
    answers = tuple(_answers(load(info, precision=PRECISION), info, with_steps, other))
    versions = {name: version(name) for name in _PROGRAMS}
    return ShippedFile(run=info.name, precision=PRECISION, versions=versions, answers=answers)


def _answers(
    model: Translator, info: RunInfo, with_steps: bool, judge: Translator | None = None
) -> Iterator[ShippedAnswer]:
    settings = model.resolved(model.search_settings.changed(n_best=1))
    fingerprint = model.fingerprint
    assert fingerprint is not None
    key = search_key(settings, fingerprint, model.precision)
    for each in SENTENCES:
        if each.languages != (info.source_language, info.target_language):
            continue
        translation = model.translate(each.sentence, settings)
        yield shipped_translation(key, translation)
        if not model.has_alignment:
            source, target = translation.encoded, translation.best.encoded
            assert source is not None
            assert target is not None
            (attribution,) = leave_one_out_of(model, [(source, target)])
            yield shipped_record(LEAVE_ONE_OUT, leave_one_out_key(fingerprint, source, target), attribution)
            if judge is not None and judge.fingerprint is not None:
                read = judge.source.encode(each.sentence)
                scores = word_scores(judge, read, target)
                yield shipped_record(DOUBTS, doubts_key(judge.fingerprint, read, target), scores)
    sentences, whole = CONCATENATED.get(info.source_language, ()), info.name in (*OPENS_FIRST, INSIDE)
    for source_text in dict.fromkeys([*sentences, *beginnings(sentences, info.source_language)]):
        yield shipped_translation(key, model.translate(source_text, settings), whole=whole)
    if with_steps:
        kept = settings.changed(replace_unk=False)
        found = translate_with_steps(model, SENTENCES[0].sentence, kept)
        yield shipped_record(STEPS, steps_key(fingerprint, kept, SENTENCES[0].sentence), _rounded(found))


def _rounded(found: TranslationWithSteps) -> TranslationWithSteps:
    """Round the vectors to three decimals, enough for a drawing, so that they take a third of the space."""

    def short(values: Any) -> Any:
        return None if values is None else values.round(3)

    steps: TranslationSteps = found.steps
    rounded = tuple(
        replace(step, **{name: short(getattr(step, name)) for name in _VECTORS_OF_A_STEP}) for step in steps.steps
    )
    return replace(found, steps=replace(steps, annotations=short(steps.annotations), steps=rounded))
