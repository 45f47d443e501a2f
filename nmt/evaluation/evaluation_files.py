"""The files that evaluations are kept in: RUN/evaluation/NAME.json, and systems that are only their output."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nmt.config import FORMAT_VERSION
from nmt.errors import InputError
from nmt.files import read_json, replacing, write_json
from nmt.results import UNKNOWN_LANGUAGES, Evaluation, Languages
from nmt.runs.folder import CONFIG, EVALUATION, RunSettings, read_settings

SYSTEM = "system.json"
"""What a folder has that is no run, but the output of some other system."""


@dataclass(frozen=True)
class EvaluatedSystem:
    """A run or a system with what is known of it.

    Attributes:
        name: of the folder, or as system.json says.
        path: the folder.
        about: what the system is, in words; "" for a run.
        evaluations: by test set.
        trained_to: most words a side of the sentences that the run was trained on; None if any, or not known.
        languages: of the run, or of what a system was evaluated on; unknown where neither tells.
    """

    name: str
    path: Path
    about: str
    evaluations: dict[str, Evaluation]
    trained_to: int | None = None
    languages: Languages = UNKNOWN_LANGUAGES


def digest(lines: Iterable[str]) -> str:
    """SHA-256 of the lines in UTF-8, a newline after each: that of a plain file of them."""
    found = hashlib.sha256()
    for line in lines:
        found.update(line.encode() + b"\n")
    return found.hexdigest()


def merge_with_saved(folder: Path, evaluation: Evaluation) -> Evaluation:
    """The evaluation, with the column that it did not measure as FOLDER/evaluation has it: "All" and "No UNK" may be
    measured one after the other, by the same weights and on the same sentences."""
    try:
        old = read_evaluation(folder / EVALUATION / f"{evaluation.test_set}.json")
    except InputError:  # there is none, or none that can be read: it is replaced
        return evaluation
    sums = ("source_sha256", "reference_sha256", "weights_sha256")
    if any(getattr(old, name) != getattr(evaluation, name) for name in sums):
        return evaluation
    return replace(
        evaluation, everything=evaluation.everything or old.everything, no_unk=evaluation.no_unk or old.no_unk
    )


def write_evaluation(folder: Path, evaluation: Evaluation) -> None:
    """Keep it in FOLDER/evaluation, under the name of its test set; a line of the file for each column."""
    assert evaluation.test_set is not None
    write_evaluation_file(folder / EVALUATION / f"{evaluation.test_set}.json", evaluation)


def write_evaluation_file(path: Path, evaluation: Evaluation) -> None:
    """What ``read_evaluation`` reads; folders are made."""
    data = {"format": FORMAT_VERSION} | evaluation.to_dict()
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary:
        temporary.write_text(_layout(data, depth=3) + "\n", encoding="utf-8")


def read_evaluation(path: Path) -> Evaluation:
    """Read one file, with statistics or from before there were any; InputError names it if it is broken."""
    data = read_json(path)
    if data.get("format") != FORMAT_VERSION:
        raise InputError(f"{path} has format {data.get('format')!r}; this program reads format {FORMAT_VERSION}")
    try:
        return Evaluation.from_dict(data)
    except KeyError as error:
        raise InputError(f"{path} lacks {error}") from None
    except (ValueError, TypeError, AttributeError, OverflowError) as error:
        raise InputError(f"{path} is no evaluation: {error}") from None


def read_evaluated_system(folder: str | Path) -> EvaluatedSystem:
    """A run or a system with all its evaluations, by test set in alphabetical order; none if it has none yet.

    Raises InputError if the folder is neither, or a file is broken.
    """
    path = Path(folder)
    if not path.is_dir():
        raise InputError(f"there is no folder {path}")
    if not (path / CONFIG).is_file() and not (path / SYSTEM).is_file():
        raise InputError(f"{path} is neither a run nor a system: it has no {CONFIG} and no {SYSTEM}")
    name, about = path.resolve().name, ""
    if (path / SYSTEM).is_file():
        system = read_json(path / SYSTEM)
        name, about = str(system.get("name", name)), str(system.get("about", ""))
    files = sorted((path / EVALUATION).glob("*.json"))
    evaluations = {file.stem: read_evaluation(file) for file in files}
    settings = _settings(path)
    if settings is not None:
        languages = Languages(settings.source_language, settings.target_language)
        return EvaluatedSystem(name, path, about, evaluations, settings.config.training.max_length or None, languages)
    told = (each.languages for each in evaluations.values() if each.languages.known)
    return EvaluatedSystem(name, path, about, evaluations, None, next(told, UNKNOWN_LANGUAGES))


def _settings(run: Path) -> RunSettings | None:
    try:
        return read_settings(run)
    except InputError:  # no run, or one whose settings cannot be read, which is no reason not to show its scores
        return None


def write_system(folder: Path, name: str, about: str) -> None:
    """Make or renew the folder of a system that is only its output.

    Raises InputError if the folder is a run.
    """
    if (folder / CONFIG).is_file():
        raise InputError(f"{folder} is a run; choose another place or another name for the system")
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / SYSTEM, {"format": FORMAT_VERSION, "name": name, "about": about})


def list_systems(folder: str | Path) -> list[Path]:
    """The folders of systems in it, by name; none if it does not exist."""
    return sorted(path.parent for path in Path(folder).glob(f"*/{SYSTEM}"))


def _layout(value: Any, depth: int, indent: str = "") -> str:
    """JSON with the objects of the first levels spread over lines, everything else on one line."""
    if not isinstance(value, dict) or not depth or not value:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    inner = indent + "  "
    items = (
        f"{inner}{json.dumps(key, ensure_ascii=False)}: {_layout(v, depth - 1, inner)}" for key, v in value.items()
    )
    return "{\n" + ",\n".join(items) + f"\n{indent}}}"
