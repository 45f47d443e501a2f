"""Settings of a search for translations; without torch."""

from __future__ import annotations

from dataclasses import dataclass

from nmt.cache.keys import SearchKey
from nmt.data.dictionary import Replacement
from nmt.runs.fingerprint import Fingerprint


@dataclass(frozen=True)
class SearchSettings:
    """How to search; the arguments of ``Translator.translate``. For one translation a sentence.

    Attributes:
        replace_unk: as ``Translator.replacement`` says; None for [UNK] itself.
    """

    beam: int = 12
    no_unk: bool = False
    replace_unk: Replacement | None = None
    length_penalty: float = 0.0

    def key(self, run: Fingerprint, precision: str = "fp32", device: str = "cpu") -> SearchKey:
        """Under which a store has what this run translates so."""
        return SearchKey(
            run.weights,
            run.text_pipeline,
            self.beam,
            self.no_unk,
            float(self.length_penalty),
            self.replace_unk or "",
            run.dictionary if self.replace_unk == "dictionary" else "",
            precision,
            device,
        )
