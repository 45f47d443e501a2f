"""Checksums of every file that influences a run's translations."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass

from nmt.runs.folder import DICTIONARY, RunInfo


@dataclass(frozen=True)
class Fingerprint:
    """Checksums of a run: two runs with the same fingerprint give the same translations.

    Attributes:
        weights: SHA-256 of the weights file.
        text_pipeline: SHA-256 of everything that converts text to ids and back: shape of the model, languages,
            vocabularies.
        dictionary: SHA-256 of the dictionary for [UNK]; "" without one.
    """

    weights: str
    text_pipeline: str
    dictionary: str


def read_fingerprint(info: RunInfo) -> Fingerprint:
    """Compute the fingerprint by reading all of the run's files, without torch."""
    text_pipeline = hashlib.sha256()
    shape = [asdict(info.config.model), info.source_language, info.target_language]
    text_pipeline.update(json.dumps(shape, sort_keys=True).encode())
    for side in ("source", "target"):
        for path in sorted(info.path.glob(f"{side}.*")):
            text_pipeline.update(f"\n{path.name}\n".encode() + hashlib.sha256(path.read_bytes()).digest())
    dictionary = info.path / DICTIONARY
    return Fingerprint(
        info.weights.sha256(),
        text_pipeline.hexdigest(),
        hashlib.sha256(dictionary.read_bytes()).hexdigest() if dictionary.is_file() else "",
    )
