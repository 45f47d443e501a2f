"""Checksums of every file that influences a run's translations."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from nmt.config import ONLY_IN_TRAINING, ModelConfig
from nmt.data.vocabulary import vocabulary_files, vocabulary_names
from nmt.errors import InputError, MissingWeightsError
from nmt.runs.checksums import check_files, digest, read_checksums
from nmt.runs.folder import BEST, CONFIG, DICTIONARY, HEADER, LAST, SNAPSHOTS, RunInfo, RunSettings
from nmt.texts import say, term


@dataclass(frozen=True)
class Fingerprint:
    """SHA-256 checksums of a run. Two runs with the same fingerprint give the same translations. text_pipeline: over
    the settings of the model, the languages and the vocabularies. dictionary: "" without a dictionary for [UNK]."""

    weights: str
    text_pipeline: str
    dictionary: str


_ADDED = {"encoder": "bidirectional", "readout": "maxout", "start": "backward"}
"""Model settings that later versions added, each with the value that keeps the older model. The checksum leaves out a
setting with this value, so that results stored for older runs stay valid."""
_USUAL = asdict(ModelConfig())


def read_fingerprint(info: RunInfo) -> Fingerprint:
    """Compute the fingerprint from the run's files, without torch. ``RunInfo.behind`` has the checksums
    of files that the installed package leaves out."""
    return _fingerprint(info, {name: info.behind.get(name) or digest(info.path, name) for name in _names(info)})


def checked_fingerprint(info: RunInfo) -> Fingerprint:
    """Compute the fingerprint, and compare the checksums with the run's list (nmt.runs.checksums). Raises InputError
    for a file that is missing or differs from the list, and MissingWeightsError without weights."""
    if not info.has_weights and (info.path / HEADER).is_file():
        raise MissingWeightsError(say("errors.missing_weights", run=info.name, again=info.name))
    listed = read_checksums(info.path) or {}
    weights = (CONFIG, BEST, LAST, f"{SNAPSHOTS}/")
    others = {name for name in listed if not name.startswith(weights)}
    return _fingerprint(info, check_files(info.path, sorted({*_names(info), *others})))


def owner(run: Path, settings: RunSettings) -> dict[str, str]:
    """Compute the entry that identifies the run in the header of a weights file: a checksum of the vocabularies, and
    one of the settings on which translations depend. Defaults do not count, so a new setting changes no checksum."""
    model = asdict(settings.config.model)
    shown = {name: value for name, value in model.items() if name not in ONLY_IN_TRAINING and value != _USUAL[name]}
    about = [shown, settings.source_language, settings.target_language]
    names = [path.name for side in ("source", "target") for path in vocabulary_files(run, side)]
    vocabularies = "".join(f"{name} {digest(run, name)}\n" for name in names)
    return {
        "vocabularies": hashlib.sha256(vocabularies.encode()).hexdigest(),
        "settings": hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest(),
    }


def check_owner(info: RunInfo) -> None:
    """Raise InputError if the weights belong to another run. Older weights, whose headers name no run, pass."""
    if info.weights.owner is not None:
        for name, value in owner(info.path, info).items():
            if info.weights.owner.get(name) != value:
                raise InputError(say("errors.other_run", file=info.weights.path, kind=term(name), run=info.path))


def _names(info: RunInfo) -> list[str]:
    """Names of the files of a fingerprint, relative to the run folder: weights, vocabularies, dictionary if present."""
    names = (*vocabulary_names("source"), *vocabulary_names("target"), DICTIONARY)
    others = [name for name in names if name in info.behind or (info.path / name).is_file()]
    return [info.weights.path.relative_to(info.path).as_posix(), *others]


def _fingerprint(info: RunInfo, digests: Mapping[str, str]) -> Fingerprint:
    text_pipeline = hashlib.sha256()
    model = {name: value for name, value in asdict(info.config.model).items() if _ADDED.get(name) != value}
    shape = [model, info.source_language, info.target_language]
    text_pipeline.update(json.dumps(shape, sort_keys=True).encode())
    for side in ("source", "target"):
        for name in sorted(name for name in digests if name in vocabulary_names(side)):
            text_pipeline.update(f"\n{name}\n".encode() + bytes.fromhex(digests[name]))
    weights = info.weights.path.relative_to(info.path).as_posix()
    return Fingerprint(digests[weights], text_pipeline.hexdigest(), digests.get(DICTIONARY, ""))
