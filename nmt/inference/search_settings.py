"""Settings of a search for translations; without torch."""

from __future__ import annotations

from dataclasses import dataclass

from nmt.data.dictionary import Replacement


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
