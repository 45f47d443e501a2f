"""Result of the stress test: translation of concatenated sentences."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from nmt.results.scores import Interval


@dataclass(frozen=True, kw_only=True)
class StressPoint:
    """Measurements of a system on inputs made of ``joined`` concatenated sentences of a test set.

    Attributes:
        joined: k, from 1.
        sentences: number of such inputs.
        source_words: mean number of words of their sources.
        bleu: corpus BLEU (0 to 100).
        interval: of ``bleu``, by bootstrap resampling; None for fewer than ten sentences.
        bleu_apart: corpus BLEU of the same sentences translated one by one and then concatenated.
        log_probability: of the references, in nats per reference word.
        length_ratio: tokens of the translations over those of the references, as BLEU counts them.
        least_coverage: mean over the sentences of the coverage of the least attended source word; None
            without alpha.
        mean_coverage: mean over the sentences of the mean coverage of their source words; None without alpha.
    """

    joined: int
    sentences: int
    source_words: float
    bleu: float
    interval: Interval | None
    bleu_apart: float
    log_probability: float
    length_ratio: float
    least_coverage: float | None = None
    mean_coverage: float | None = None

    @property
    def kept(self) -> float | None:
        """BLEU as a share of BLEU when translating one by one; None if that is 0."""
        return self.bleu / self.bleu_apart if self.bleu_apart else None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)
