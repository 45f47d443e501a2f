"""Corpus scores with their signatures."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Score:
    """One number with its signature.

    Attributes:
        metric: "BLEU", "chrF" or "TER".
        value: 0 to 100 (TER may exceed 100).
        signature: sacreBLEU's own signature, extended by the run, its update, the beam and the test set.
    """

    metric: str
    value: float
    signature: str


@dataclass(frozen=True)
class Interval:
    """A 95 % confidence interval, ends included."""

    low: float
    high: float


@dataclass(frozen=True)
class Ratio:
    """One BLEU divided by another, with its 95 % confidence interval (None if it cannot be estimated)."""

    value: float
    interval: Interval | None


@dataclass(frozen=True, kw_only=True)
class LengthBucket:
    """The sentences of one range of lengths (Figure 2).

    Attributes:
        first: fewest words of a sentence in this bucket.
        last: most words; None for the open last bucket.
        sentences: number of sentences in it.
        bleu: corpus BLEU (0 to 100) over exactly these sentences; None if there are none.
        interval: of that BLEU, by bootstrap resampling; None if not requested.
    """

    first: int
    last: int | None
    sentences: int
    bleu: float | None
    interval: Interval | None = None

    @property
    def span(self) -> str:
        """Name of the range, such as "11-20" or "61+"."""
        return f"{self.first}+" if self.last is None else f"{self.first}-{self.last}"


@dataclass(frozen=True, kw_only=True)
class Entry:
    """BLEU, chrF (0 to 100) and TER (0 and up), with the number of sentences."""

    bleu: float
    chrf: float
    ter: float
    sentences: int


@dataclass(frozen=True, kw_only=True)
class Scores(Entry):
    """All scores of one system on one test set, each with its signature.

    Attributes:
        signature: of BLEU.
        by_length: buckets over the source length in whitespace tokens; empty if not requested.
    """

    signature: str
    chrf_signature: str
    ter_signature: str
    by_length: tuple[LengthBucket, ...] = ()

    @property
    def each(self) -> tuple[Score, Score, Score]:
        """The three scores one by one."""
        return (
            Score("BLEU", self.bleu, self.signature),
            Score("chrF", self.chrf, self.chrf_signature),
            Score("TER", self.ter, self.ter_signature),
        )
