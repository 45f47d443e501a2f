"""Records kept of finished translations."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AlignmentSummary:
    """Summary of the alpha of one sentence, over whole words; for sorting sentences.

    Attributes:
        entropy: mean entropy of the rows of the target words in bits, from 0 (each looks at one source word).
        least_coverage, mean_coverage: over the source words: how many target words' worth of attention one gets.
    """

    entropy: float
    least_coverage: float
    mean_coverage: float


@dataclass(frozen=True)
class WrittenSentence:
    """A system's translation of a sentence of a test set.

    Attributes:
        text: its translation, detokenised.
        alignment: None for a system without alpha, and where there is no word to measure.
    """

    text: str
    alignment: AlignmentSummary | None = None


@dataclass(frozen=True, kw_only=True)
class FinishedTranslation:
    """The best translation of a sentence, without its tokens and weights.

    Attributes:
        source: the sentence as given.
        text: its translation, detokenised; "" for a blank sentence.
        tokens: T_y, how many the model wrote, end mark included; 0 for a blank sentence.
        log_probability: log p(text | source) in nats.
        alignment: None for a model without alpha, and where there is no word to measure.
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
        source, target: the pair, as given.
        tokens: T_y of the target, end mark included.
        log_probability: log p(target | source) in nats.
    """

    source: str
    target: str
    tokens: int
    log_probability: float
