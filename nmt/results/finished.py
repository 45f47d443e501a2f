"""Compact records of finished translations and scores, which the cache keeps."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AlignmentSummary:
    """Summary of the alpha of one sentence, over whole words; for sorting sentences.

    Attributes:
        entropy: mean entropy of the rows of the target words in bits; 0 if each attends to a single source word.
        least_coverage, mean_coverage: of the source words; the coverage of one is the sum of its weights.
    """

    entropy: float
    least_coverage: float
    mean_coverage: float


@dataclass(frozen=True)
class WrittenSentence:
    """A system's translation of a sentence of a test set.

    Attributes:
        text: its translation, detokenised.
        alignment: None for a system without alpha, and for a sentence without words.
    """

    text: str
    alignment: AlignmentSummary | None = None


@dataclass(frozen=True, kw_only=True)
class FinishedTranslation:
    """The best translation of a sentence, without its tokens and weights.

    Attributes:
        source: the sentence, unchanged.
        text: its translation, detokenised; "" for a blank sentence.
        tokens: T_y, target tokens, end-of-sentence token included; 0 for a blank sentence.
        log_probability: log p(text | source) in nats.
        alignment: None for a model without alpha, and for a sentence without words.
    """

    source: str
    text: str
    tokens: int
    log_probability: float
    alignment: AlignmentSummary | None = None

    @property
    def written(self) -> WrittenSentence:
        """The part shown to a reader."""
        return WrittenSentence(self.text, self.alignment)


@dataclass(frozen=True, kw_only=True)
class FinishedScore:
    """Score that a model assigns to a given pair.

    Attributes:
        source, target: the pair, unchanged.
        tokens: T_y of the target, end-of-sentence token included.
        log_probability: log p(target | source) in nats.
    """

    source: str
    target: str
    tokens: int
    log_probability: float
