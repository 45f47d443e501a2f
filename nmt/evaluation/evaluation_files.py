"""Evaluations of runs, RUN/evaluation/NAME.json, and of external systems, whose translations this module scores."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from nmt.data.text_files import refuse_other_kinds
from nmt.errors import InputError
from nmt.evaluation.metrics import more_scores, signed_scores
from nmt.evaluation.sufficient_statistics import sentence_statistics
from nmt.evaluation.test_set import TestSet
from nmt.files import read_record, sha256_of, write_json, write_text
from nmt.records import FORMAT_VERSION
from nmt.results import UNKNOWN_LANGUAGES, Condition, Evaluation, Languages
from nmt.runs.folder import BEST, CONFIG, EVALUATION, find_run, is_hugging_face, read_settings, result_files
from nmt.texts import say

SYSTEM = "system.json"
"""File that marks the folder of an external system, as opposed to a run."""


@dataclass(frozen=True, kw_only=True)
class EvaluatedSystem:
    """A run or an external system, with its evaluations.

    Attributes:
        name: name of the folder, or the name in system.json.
        about: description of the system, or "" for a run.
        trained_to: maximum words per side of the training sentences of the run, or None if unlimited or unknown.
        languages: languages of the run, or of the evaluations of an external system. Unknown if neither names them.
    """

    name: str
    path: Path
    about: str
    evaluations: dict[str, Evaluation]
    trained_to: int | None = None
    languages: Languages = UNKNOWN_LANGUAGES

    def evaluation_on(self, test: TestSet) -> Evaluation | None:
        """Return the evaluation on the sentences of ``test``, or None. Of several evaluations, return the first with
        the name of ``test``, or else the first of all."""
        measured = [evaluation for evaluation in self.evaluations.values() if test.is_of(evaluation)]
        return min(measured, key=lambda evaluation: evaluation.test_set != test.name, default=None)


@dataclass(frozen=True)
class _SystemFile:
    """Content of system.json. If ``name`` is empty, the name of the folder is used."""

    name: str = ""
    about: str = ""


def merge_with_saved(run: Path, evaluation: Evaluation, *, into_run: bool) -> Evaluation:
    """Add the measurements that a saved evaluation has and this evaluation lacks: "All", "No UNK" and the n-grams seen
    in training. Nothing is added if weights or sentences differ. ``into_run``: read the saved evaluation in the run's
    own folder, not the user's results."""
    saved = [path for path in result_files(run, EVALUATION, own=not into_run) if path.stem == evaluation.test_set]
    old = None
    with suppress(InputError):  # a file that cannot be read is replaced
        old = read_evaluation(saved[0]) if saved else None
    sums = ("source_sha256", "reference_sha256", "weights_sha256")
    if old is None or any(getattr(old, name) != getattr(evaluation, name) for name in sums):
        return evaluation
    pairs = evaluation.pairs
    if pairs.reference_seen is None:
        pairs = replace(pairs, reference_seen=old.pairs.reference_seen)
    everything, no_unk = evaluation.everything or old.everything, evaluation.no_unk or old.no_unk
    return replace(evaluation, everything=everything, no_unk=no_unk, pairs=pairs)


def write_evaluation(folder: Path, evaluation: Evaluation) -> None:
    """Save an evaluation in FOLDER/evaluation, under the name of its test set. The file has a line for each column."""
    assert evaluation.test_set is not None
    path = folder / EVALUATION / f"{evaluation.test_set}.json"
    data = {"format": FORMAT_VERSION} | evaluation.to_dict()
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, _layout(data, depth=4) + "\n")


def read_evaluation(path: Path) -> Evaluation:
    """Read an evaluation. InputError names a broken file."""
    return read_record(Evaluation, path)


Measured = TypeVar("Measured")


def read_measured(kind: type[Measured], run: Path, folder: str, *, own: bool) -> dict[str, Measured]:
    """Read the results in a folder of a run, by test set. Leave out results that were measured with other weights, as
    after more training. ``own``: include the user's own results (``result_files``)."""
    weights = {"", sha256_of(run / BEST)} if (run / BEST).is_file() and not is_hugging_face(run) else set[str]()
    files, released = result_files(run, folder, own=own), result_files(run, folder, own=False)
    every: Any = ((file.stem, read_record(kind, file)) for file in dict.fromkeys([*released, *files]))
    current = {name: measured for name, measured in every if not weights or measured.weights_sha256 in weights}
    return {file.stem: current[file.stem] for file in files if file.stem in current}


def read_evaluated_system(folder: str | Path, *, own: bool = True) -> EvaluatedSystem:
    """Read a run or an external system, with its evaluations (``read_measured``), sorted by test set. ``folder`` may
    also be the name of a run. ``own``: include the user's own results of a released run (``result_files``).

    Raises InputError if the folder is neither a run nor a system, or a file is broken.
    """
    path = Path(find_run(str(folder)))
    if not path.is_dir():
        raise InputError(f"there is no folder {path}")
    if not (path / CONFIG).is_file() and not (path / SYSTEM).is_file():
        raise InputError(say("errors.no_system", folder=path, config=CONFIG, system=SYSTEM))
    name, about = path.resolve().name, ""
    if (path / SYSTEM).is_file():
        system = read_record(_SystemFile, path / SYSTEM)
        name, about = system.name or name, system.about
    evaluations = read_measured(Evaluation, path, EVALUATION, own=own)
    settings = None
    with suppress(InputError):  # scores can be shown without a run, and with broken settings
        settings = read_settings(path)
    known_pairs = (evaluation.languages for evaluation in evaluations.values() if evaluation.languages.known)
    return EvaluatedSystem(
        name=name,
        path=path,
        about=about,
        evaluations=evaluations,
        trained_to=None if settings is None else settings.config.training.max_length,
        languages=next(known_pairs, UNKNOWN_LANGUAGES) if settings is None else settings.languages,
    )


def write_system(folder: Path, name: str, about: str) -> None:
    """Create or update the folder of an external system. The former description stays if ``about`` is "".

    Raises InputError if the folder is a run, or its system.json is broken.
    """
    if (folder / CONFIG).is_file():
        raise InputError(f"{folder} is a run; choose another folder or another name for the system")
    folder.mkdir(parents=True, exist_ok=True)
    if not about and (folder / SYSTEM).is_file():
        about = read_record(_SystemFile, folder / SYSTEM).about
    write_json(folder / SYSTEM, {"name": name, "about": about})


def list_systems(folder: str | Path) -> list[Path]:
    """List the folders of systems in ``folder``, sorted by name. Empty if ``folder`` does not exist."""
    return sorted(path.parent for path in Path(folder).glob(f"*/{SYSTEM}"))


def _layout(value: Any, depth: int, indent: str = "") -> str:
    """Format JSON. Each entry of the first ``depth`` levels begins a line. Deeper values stay on the entry's line."""
    if not isinstance(value, dict) or not depth or not value:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    inner = indent + "  "
    items = (
        f"{inner}{json.dumps(key, ensure_ascii=False)}: {_layout(v, depth - 1, inner)}" for key, v in value.items()
    )
    return "{\n" + ",\n".join(items) + f"\n{indent}}}"


def evaluate_external_system(
    system: str,
    test: TestSet,
    hypotheses: Sequence[str],
    *,
    languages: Languages = UNKNOWN_LANGUAGES,
    on_progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Score the translations of an external system.

    Args:
        hypotheses: its translations, one line per sentence of the test set.
        languages: languages of the test set. Unknown ones are scored as languages with spaces.
        on_progress: called with the number of sentences counted. An exception that it raises aborts the work.

    Raises:
        InputError: the numbers of hypotheses and sentences differ, or nearly all hypotheses are no plain sentences.
    """
    refuse_other_kinds(hypotheses, system)
    if len(hypotheses) != len(test):
        raise InputError(
            say("errors.other_output", system=system, lines=len(hypotheses), test_set=test.name, sentences=len(test))
        )
    assert test.name is not None
    statistics = sentence_statistics(
        test.sources, hypotheses, test.references, on_progress, languages, test.more_references
    )
    extras = {"system": system, "n": str(len(test)), "test": test.name}
    scores = signed_scores(statistics, signature_extras=extras)
    return Evaluation(
        system=system,
        test_set=test.name,
        sentences_given=len(test),
        everything=Condition(
            **vars(scores),
            hypotheses=statistics.hypotheses,
            more=more_scores(hypotheses, test.all_references, languages.target),
        ),
        no_unk=None,
        pairs=statistics.pairs,
        source_sha256=test.source_sha256,
        reference_sha256=test.reference_sha256,
        languages=languages,
    )
