"""Saved measurements of a run. Alignment error rates are in RUN/alignment/NAME.json, one file per gold set. Stress
tests are in RUN/stress/NAME.json, one file per test set. Translations are beside the evaluation.

Translations reveal the sentences. Therefore translations are saved on request only, for test sets that may be
redistributed. All other files hold counts, which can be shared even if the sentences may not.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from nmt.config import SearchSettings
from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import AlignmentErrorRate
from nmt.evaluation.evaluation_files import read_evaluated_system, read_measured
from nmt.files import read_record, read_versioned_json, read_whole, write_json, write_text
from nmt.records import FORMAT_VERSION, as_record, parse_object, to_data
from nmt.results import AlignmentSummary, Evaluation, RetentionPoint, StressPoint, WrittenSentence
from nmt.runs.folder import ALIGNMENT, EVALUATION, STRESS, RunInfo, own_results, result_files, results_folder

_RATES = ("aer", "precision", "recall")
"""Rates that the file has for people who read it. The program computes them from the counts instead."""


@dataclass(frozen=True, kw_only=True)
class MeasuredErrorRate(AlignmentErrorRate):
    """Alignment error rate of a run, an aligner or a file of links, with its conditions.

    Attributes:
        run, update: run or aligner, and training update, of the weights. None for a file of links. An aligner has no
            ``update``.
        map: the map that links were extracted from, such as "attention". None for a file of links.
    """

    run: str | None
    update: int | None
    map: str | None
    rule: str

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON types (docs/formats.md)."""
        data = to_data(self)
        conditions = {name: data.pop(name) for name in ("run", "update", "map", "rule")}
        return conditions | {name: getattr(self, name) for name in _RATES} | data


@dataclass(frozen=True)
class _ErrorRateFile:
    gold: str
    results: tuple[MeasuredErrorRate, ...]


def write_error_rates(run: Path, name: str, measured: list[MeasuredErrorRate], *, into_run: bool) -> Path:
    """Add error rates to the file of gold set ``name``, and return the path of the file. Saved rates stay if they are
    of the same update and as many gold links, and of another map or another rule. ``into_run``: as for
    ``results_folder``."""
    path = results_folder(run, into_run) / ALIGNMENT / f"{name}.json"
    new = {(rates.map, rates.rule): rates for rates in measured}
    saved = [file for file in result_files(run, ALIGNMENT, own=not into_run) if file.stem == name]
    old = _read_error_rates(saved[0]) if saved else []
    same = attrgetter("update", "sentences", "sure", "possible")
    others = [rates for rates in old if (rates.map, rates.rule) not in new and same(rates) == same(measured[0])]
    path.parent.mkdir(exist_ok=True)
    results = [rates.to_dict() for rates in (*others, *measured)]
    write_json(path, {"gold": name, "results": results})
    return path


def read_error_rates(run: Path, *, own: bool = True) -> dict[str, list[MeasuredErrorRate]]:
    """Read the error rates by gold set, in alphabetical order. ``own``: include the user's own results
    (``result_files``). InputError names a broken file."""
    return {path.stem: _read_error_rates(path) for path in result_files(run, ALIGNMENT, own=own)}


def _read_error_rates(path: Path) -> list[MeasuredErrorRate]:
    return list(as_record(_ErrorRateFile, read_versioned_json(path), str(path), unknown="ignore").results)


@dataclass(frozen=True, kw_only=True)
class StoredStress:
    """Stress test of a run on one test set.

    Attributes:
        source_sha256, reference_sha256: checksums of the test set's sentences, as in evaluations.
        tokeniser: sacreBLEU's name of BLEU's tokeniser.
        most_words: most words of a single sentence in ``points``, or None without ``points``.
        points: a point for each number of concatenated sentences, or empty if not measured.
        retention: a point for each range of lengths, or empty if not measured.
    """

    run: str
    test_set: str
    source_sha256: str
    reference_sha256: str
    weights_sha256: str
    search: SearchSettings
    precision: str
    tokeniser: str
    most_words: int | None = None
    points: tuple[StressPoint, ...] = ()
    retention: tuple[RetentionPoint, ...] = ()


def write_stress(run: Path, measured: StoredStress, *, into_run: bool) -> Path:
    """Save a stress test as stress/NAME.json, and return the path. If its ``points`` or its ``retention`` is empty, the
    saved one stays if its conditions are equal. ``into_run``: as for ``results_folder``."""
    path = results_folder(run, into_run) / STRESS / f"{measured.test_set}.json"
    saved = [file for file in result_files(run, STRESS, own=not into_run) if file.stem == measured.test_set]
    try:
        old = read_record(StoredStress, saved[0]) if saved else measured
    except InputError:  # a file that cannot be read is replaced
        old = measured
    bare, bare_old = (replace(stress, most_words=None, points=(), retention=()) for stress in (measured, old))
    if bare == bare_old:
        if not measured.points:
            measured = replace(measured, points=old.points, most_words=old.most_words)
        if not measured.retention:
            measured = replace(measured, retention=old.retention)
    path.parent.mkdir(exist_ok=True)
    write_json(path, to_data(measured))
    return path


def read_stress(run: Path, *, own: bool = True) -> dict[str, StoredStress]:
    """Read the results by test set, in alphabetical order (``read_measured``). InputError names a broken file."""
    return read_measured(StoredStress, run, STRESS, own=own)


def on_one_set(stored: Iterable[Mapping[str, StoredStress]]) -> list[StoredStress | None]:
    """For each run, its stress test over lengths on one test set, the first on which a run has one. None for a run that
    has none on exactly these sentences. ``stored``: the stress tests of each run."""
    by_run = [
        {(s.test_set, s.source_sha256, s.reference_sha256): s for s in tests.values() if s.retention}
        for tests in stored
    ]
    first = next((key for tests in by_run for key in tests), ("", "", ""))
    return [tests.get(first) for tests in by_run]


def curve_points(stress: StoredStress, single: Evaluation | None) -> list[tuple[float, float]]:
    """Points (mean source words, BLEU), sorted: one for each range of concatenated texts, and one for the single
    sentences if exactly these were evaluated."""
    points = [(point.source_words, point.bleu) for point in stress.retention]
    sums = stress.source_sha256, stress.reference_sha256
    same = single is not None and (single.source_sha256, single.reference_sha256) == sums
    if same and single is not None and single.everything is not None:
        points.append((float(single.pairs.source_words.mean()), single.everything.bleu))
    return sorted(points)


_ENDING = ".translations.jsonl"
_COLUMNS = ("all", "no_unk")
_DIGITS = 4


@dataclass(frozen=True)
class SavedTranslations:
    """Saved translations of one evaluation. ``everything``, ``no_unk``: translations of each column of Table 1, by row
    of the test set, from 0. Empty if not saved."""

    everything: dict[int, WrittenSentence]
    no_unk: dict[int, WrittenSentence]


NO_TRANSLATIONS = SavedTranslations({}, {})


def write_translations(
    folder: Path, evaluation: Evaluation, everything: Sequence[WrittenSentence], no_unk: Sequence[WrittenSentence] = ()
) -> None:
    """Save translations beside the file of the evaluation, which must exist: of every sentence of the test set, and of
    those without an unknown word. If one of them is empty, the saved column stays, unless it is of another evaluation.
    """
    before = NO_TRANSLATIONS
    with suppress(InputError):  # a broken file is replaced
        before = read_translations(folder, evaluation)
    rows = evaluation.pairs.without_unknown()
    numbers = range(evaluation.sentences_given) if rows is None else rows.tolist()
    data = {
        "all": dict(enumerate(everything)) or before.everything,
        "no_unk": dict(zip(numbers, no_unk, strict=True)) if no_unk else before.no_unk,
    }
    lines = [json.dumps(_head(evaluation), ensure_ascii=False)]
    for row in range(evaluation.sentences_given):
        sentence = {name: _flat(column[row]) for name, column in data.items() if row in column}
        lines.append(json.dumps(sentence, ensure_ascii=False))
    write_text(translations_path(folder, evaluation), "\n".join(lines) + "\n")


def drop_other_translations(folder: Path, evaluation: Evaluation) -> None:
    """Delete the translations beside the evaluation if they are broken, or of another evaluation with the same name."""
    path = translations_path(folder, evaluation)
    with suppress(InputError):
        if path.exists() and _read(path, evaluation) is not NO_TRANSLATIONS:
            return
    path.unlink(missing_ok=True)


def read_translations(folder: Path, evaluation: Evaluation) -> SavedTranslations:
    """Read the saved translations of this evaluation. Empty if there are none, or if the saved translations are of
    other weights, sentences or settings. The user's own results of a released run are read first.

    Raises InputError if the file is broken.
    """
    for place in (own_results(folder), folder):
        if place is not None and (path := translations_path(place, evaluation)).exists():
            translations = _read(path, evaluation)
            if translations is not NO_TRANSLATIONS:
                return translations
    return NO_TRANSLATIONS


def _read(path: Path, evaluation: Evaluation) -> SavedTranslations:
    content = read_whole(path)
    try:
        lines = content.decode("utf-8").replace("\r\n", "\n").rstrip("\n").split("\n")
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
    return data | ({"segments": sentence.segments} if sentence.segments else {})


def _sentence(flat: dict[str, Any]) -> WrittenSentence:
    text, numbers, segments = flat["text"], flat.get("alignment"), flat.get("segments", "")
    if not isinstance(text, str) or not isinstance(segments, str):
        raise TypeError(f"{text!r} or {segments!r} is not a text")
    alignment = None if numbers is None else AlignmentSummary(*map(float, numbers))
    return WrittenSentence(text, alignment, segments)


def check_run_evaluations(run: RunInfo) -> None:
    """Raise InputError unless the run's evaluations, saved translations and alignment error rates can be read."""
    for evaluation in read_evaluated_system(run.path, own=False).evaluations.values():
        read_translations(run.path, evaluation)
    read_error_rates(run.path, own=False)
