"""Corpus scores with their signatures."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any


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

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


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

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON types; without ``interval`` if not requested."""
        data = asdict(self)
        if self.interval is None:
            del data["interval"]
        return data


@dataclass(frozen=True, kw_only=True)
class Scores:
    """All scores of one system on one test set.

    Attributes:
        bleu, chrf, ter: over all sentences considered.
        sentences: number of sentences considered.
        by_length: buckets over the source length in whitespace tokens; empty if not requested.
    """

    bleu: Score
    chrf: Score
    ter: Score
    sentences: int
    by_length: tuple[LengthBucket, ...] = ()

    def with_lengths(self, buckets: tuple[LengthBucket, ...]) -> Scores:
        """Return the same scores with buckets."""
        return replace(self, by_length=buckets)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {"by_length": [bucket.to_dict() for bucket in self.by_length]}
