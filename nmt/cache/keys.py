"""Cache keys: everything that determines a translation or a score; without torch."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from nmt.config import SearchSettings
from nmt.runs.fingerprint import Fingerprint

_SEARCH, _SCORE = 1, 1
"""Version of the results, to be increased when the same weights and settings give other translations or scores."""


def _on_disk(fields: dict[str, Any]) -> dict[str, Any]:
    """Rename fields to the names they have always had on disk, so that existing cache entries are still found."""
    return {"reading" if name == "text_pipeline" else name: value for name, value in fields.items()}


@dataclass(frozen=True)
class SearchKey:
    """Key of everything that determines how a sentence is translated; different keys have separate entries.

    Attributes:
        weights, text_pipeline: checksums from the run's fingerprint.
        beam, no_unk, length_penalty: search settings.
        replace_unk: "copy", "dictionary", or "" to keep [UNK].
        dictionary: checksum of the dictionary if it replaces [UNK].
        precision, device: "fp32" or "bf16", "cpu" or "cuda": they change log-probabilities slightly, and so
            occasionally a translation.
    """

    weights: str
    text_pipeline: str
    beam: int
    no_unk: bool
    length_penalty: float
    replace_unk: str
    dictionary: str
    precision: str
    device: str

    def text(self) -> str:
        """Serialise to JSON, the same for equal keys."""
        return json.dumps({"search": _SEARCH} | _on_disk(asdict(self)), sort_keys=True)


@dataclass(frozen=True)
class ScoreKey:
    """Key of everything that determines the score of a given pair.

    Attributes:
        weights, text_pipeline: checksums from the run's fingerprint.
        device: as in ``SearchKey``. Given pairs are always scored in fp32.
    """

    weights: str
    text_pipeline: str
    device: str

    def text(self) -> str:
        """Serialise to JSON, the same for equal keys, and different from every search key."""
        return json.dumps({"score": _SCORE} | _on_disk(asdict(self)), sort_keys=True)


def search_key(settings: SearchSettings, run: Fingerprint, precision: str = "fp32", device: str = "cpu") -> SearchKey:
    """Make the cache key of this run's translations with these settings."""
    return SearchKey(
        run.weights,
        run.text_pipeline,
        settings.beam,
        settings.no_unk,
        float(settings.length_penalty),
        settings.replace_unk or "",
        run.dictionary if settings.replace_unk == "dictionary" else "",
        precision,
        device,
    )
