"""What of a run decides its translations, as checksums."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass

from nmt.run_folder import DICTIONARY, RunInfo


@dataclass(frozen=True)
class RunIdentity:
    """Two runs with the same identity translate alike.

    Attributes:
        weights: SHA-256 of the weights file.
        reading: SHA-256 of what turns text into ids and ids into text: shape of the model, languages, vocabularies.
        dictionary: SHA-256 of the dictionary for [UNK]; "" without one.
    """

    weights: str
    reading: str
    dictionary: str


def read_identity(info: RunInfo) -> RunIdentity:
    """Read the files of a run to their ends, without torch."""
    reading = hashlib.sha256()
    shape = [asdict(info.config.model), info.source_language, info.target_language]
    reading.update(json.dumps(shape, sort_keys=True).encode())
    for side in ("source", "target"):
        for path in sorted(info.path.glob(f"{side}.*")):
            reading.update(f"\n{path.name}\n".encode() + hashlib.sha256(path.read_bytes()).digest())
    dictionary = info.path / DICTIONARY
    return RunIdentity(
        info.weights.sha256(),
        reading.hexdigest(),
        hashlib.sha256(dictionary.read_bytes()).hexdigest() if dictionary.is_file() else "",
    )
