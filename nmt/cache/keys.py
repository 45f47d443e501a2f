"""Keys of what is cached: all that decides a translation or a score; without torch."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from nmt.config import SearchSettings
from nmt.runs.fingerprint import Fingerprint

_SEARCH, _SCORE = 1, 1
"""To be raised when the same weights and settings come to translate, or to score, otherwise."""


def _on_disk(fields: dict[str, Any]) -> dict[str, Any]:
    """The names that the fields have had on disk from the beginning, so that what was cached is still found."""
    return {"reading" if name == "text_pipeline" else name: value for name, value in fields.items()}


@dataclass(frozen=True)
class SearchKey:
    """All that decides how a sentence is translated: what differs in it is kept apart.

    Attributes:
        weights, text_pipeline: of the run's fingerprint.
        beam, no_unk, length_penalty: of the search.
        replace_unk: "copy", "dictionary", or "" for [UNK] itself.
        dictionary: checksum of the dictionary if that is what replaces.
        precision, device: "fp32" or "bf16", "cpu" or "cuda": they change log-probabilities a little, and so now and
            then a translation.
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
        """JSON, the same for equal keys."""
        return json.dumps({"search": _SEARCH} | _on_disk(asdict(self)), sort_keys=True)


@dataclass(frozen=True)
class ScoreKey:
    """All that decides how probable a model finds a given pair.

    Attributes:
        weights, text_pipeline: of the run's fingerprint.
        device: as in ``SearchKey``. Given pairs are scored in fp32 in any case.
    """

    weights: str
    text_pipeline: str
    device: str

    def text(self) -> str:
        """JSON, the same for equal keys, and other than any search's."""
        return json.dumps({"score": _SCORE} | _on_disk(asdict(self)), sort_keys=True)


def search_key(settings: SearchSettings, run: Fingerprint, precision: str = "fp32", device: str = "cpu") -> SearchKey:
    """Name what this run translates with these settings."""
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
