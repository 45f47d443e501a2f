"""Saved translations of a test set, beside the evaluation: FOLDER/evaluation/NAME.translations.jsonl.

Saved only on request: an evaluation consists of counts, so it can be shared even if the sentences may not. Translations
reveal the content of the sentences, so they are kept for test sets that may themselves be redistributed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nmt.config import FORMAT_VERSION
from nmt.errors import InputError
from nmt.evaluation.evaluation_files import read_evaluated_system
from nmt.evaluation.measurement_files import read_error_rates
from nmt.files import read_whole, write_text
from nmt.records import parse_object
from nmt.results import AlignmentSummary, Evaluation, WrittenSentence
from nmt.runs.folder import EVALUATION, RunInfo, own_results

_ENDING = ".translations.jsonl"
_COLUMNS = ("all", "no_unk")
_DIGITS = 4


@dataclass(frozen=True)
class SavedTranslations:
    """Saved translations of one evaluation.

    Attributes:
    everything, no_unk: translations of each column of Table 1, by row of the test set, from 0; empty if not kept.
    """

    everything: dict[int, WrittenSentence]
    no_unk: dict[int, WrittenSentence]


NO_TRANSLATIONS = SavedTranslations({}, {})


def write_translations(
    folder: Path,
    evaluation: Evaluation,
    everything: Sequence[WrittenSentence],
    no_unk: Sequence[WrittenSentence] = (),
) -> None:
    """Save translations beside the evaluation, which must exist. For an empty argument the saved column is kept, if it
    belongs to this evaluation.

    Args:
        everything: one per sentence of the test set, or none.
        no_unk: one per sentence without an unknown word, or none.
    """
    before = NO_TRANSLATIONS
    with suppress(InputError):  # a broken file is replaced
        before = read_translations(folder, evaluation)
    rows = evaluation.pairs.without_unknown()
    kept = range(evaluation.sentences_given) if rows is None else rows.tolist()
    data = {
        "all": dict(enumerate(everything)) or before.everything,
        "no_unk": dict(zip(kept, no_unk, strict=True)) if no_unk else before.no_unk,
    }
    lines = [json.dumps(_head(evaluation), ensure_ascii=False)]
    for row in range(evaluation.sentences_given):
        sentence = {name: _flat(column[row]) for name, column in data.items() if row in column}
        lines.append(json.dumps(sentence, ensure_ascii=False))
    write_text(translations_path(folder, evaluation), "\n".join(lines) + "\n")


def delete_translations(folder: Path, evaluation: Evaluation) -> None:
    """Delete the translations of an earlier evaluation on the test set, if any."""
    translations_path(folder, evaluation).unlink(missing_ok=True)


def read_translations(folder: Path, evaluation: Evaluation) -> SavedTranslations:
    """Read the translations of exactly this evaluation; empty for another one of this name, with other weights,
    sentences or settings. Of a released run, one's own are looked at first.

    Raises InputError if the file is broken.
    """
    for place in (own_results(folder), folder):
        if place is not None and (path := translations_path(place, evaluation)).exists():
            kept = _read(path, evaluation)
            if kept is not NO_TRANSLATIONS:
                return kept
    return NO_TRANSLATIONS


def _read(path: Path, evaluation: Evaluation) -> SavedTranslations:
    content = read_whole(path)
    try:
        lines = content.decode("utf-8").replace("\r\n", "\n").rstrip("\n").split("\n")
    except ValueError as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    try:
        head, wanted = parse_object(lines[0], "line 1"), _head(evaluation)
        signatures = head.pop("signatures"), wanted.pop("signatures")
        if head != wanted:
            return NO_TRANSLATIONS
        if len(lines) != evaluation.sentences_given + 1:
            raise ValueError(f"{len(lines)} lines for {evaluation.sentences_given} sentences")
        columns: dict[str, dict[int, WrittenSentence]] = {name: {} for name in _COLUMNS}
        for row, line in enumerate(lines[1:]):
            for name, flat in parse_object(line, f"line {row + 2}").items():
                if signatures[0].get(name) == signatures[1].get(name):
                    columns[name][row] = _sentence(flat)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise InputError(f"{path} is broken: {error}") from None
    return SavedTranslations(columns["all"], columns["no_unk"])


def translations_path(folder: Path, evaluation: Evaluation) -> Path:
    """Return the path of the file, whether or not it exists."""
    return folder / EVALUATION / f"{evaluation.test_set}{_ENDING}"


def _head(evaluation: Evaluation) -> dict[str, Any]:
    columns = {"all": evaluation.everything, "no_unk": evaluation.no_unk}
    return {
        "format": FORMAT_VERSION,
        "run": evaluation.system,
        "test_set": evaluation.test_set,
        "source_sha256": evaluation.source_sha256,
        "weights_sha256": evaluation.weights_sha256,
        "signatures": {name: c.signature for name, c in columns.items() if c is not None},
    }


def _flat(sentence: WrittenSentence) -> dict[str, Any]:
    data: dict[str, Any] = {"text": sentence.text}
    if sentence.alignment is not None:
        a = sentence.alignment
        numbers = (a.entropy, a.least_coverage, a.mean_coverage)
        data["alignment"] = [round(number, _DIGITS) for number in numbers]
    return data


def _sentence(flat: dict[str, Any]) -> WrittenSentence:
    text, numbers = flat["text"], flat.get("alignment")
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is not a text")
    if numbers is None:
        return WrittenSentence(text)
    entropy, least, mean = map(float, numbers)
    if not np.isfinite([entropy, least, mean]).all():
        raise ValueError(f"{numbers} are not numbers")
    return WrittenSentence(text, AlignmentSummary(entropy, least, mean))


def check_run_evaluations(run: RunInfo) -> None:
    """Raise InputError unless evaluations, their saved translations, and alignment error rates can be read."""
    for evaluation in read_evaluated_system(run.path, own=False).evaluations.values():
        read_translations(run.path, evaluation)
    read_error_rates(run.path, own=False)
