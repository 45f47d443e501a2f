"""The share of BLEU that is kept when sentences are concatenated to a given length."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from nmt.results.curve import Span
from nmt.results.scores import Interval

STANDARD_SPANS = (Span(21, 30), Span(41, 50), Span(51, 60), Span(71, 80))
"""Default lengths, in source words, to which sentences are concatenated."""


@dataclass(frozen=True, kw_only=True)
class RetentionPoint:
    """A system on sentences that were concatenated to a range of lengths.

    Attributes:
        span: the range, in words of the concatenated source.
        texts: number of concatenated texts.
        sentences: number of sentences in them.
        source_words: mean number of words per concatenated source.
        bleu: corpus BLEU of the concatenated texts, 0 to 100.
        bleu_apart: corpus BLEU of the same sentences, translated one by one and then concatenated.
        kept: ``bleu`` divided by ``bleu_apart``; None if the latter is 0.
        interval: 95 % interval of ``kept``, by bootstrap resampling of the texts; None for fewer than ten texts.
    """

    span: Span
    texts: int
    sentences: int
    source_words: float
    bleu: float
    bleu_apart: float
    kept: float | None
    interval: Interval | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready (docs/formats.md)."""
        return asdict(self)
