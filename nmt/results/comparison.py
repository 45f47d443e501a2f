"""Systems side by side: what ``compare`` tells."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from nmt.results.scores import Interval, LengthBucket, Ratio


@dataclass(frozen=True)
class Entry:
    """BLEU, chrF (0 to 100) and TER (0 and up) over so many sentences."""

    bleu: float
    chrf: float
    ter: float
    sentences: int


@dataclass(frozen=True)
class Likelihood:
    """Mean negative log-likelihood of the references in nats: per sentence (Table 2), and per token."""

    nll_per_sentence: float
    nll_per_token: float


@dataclass(frozen=True)
class SetScores:
    """A system on a test set.

    Attributes:
        everything, no_unk: the two columns of Table 1; None where not measured.
        likelihood: None for a system that gives no probabilities.
        signature: sacreBLEU's signature of BLEU over all sentences, extended; "" for sets joined here.
        no_unk_signature: of the column "No UNK".
    """

    everything: Entry | None = None
    no_unk: Entry | None = None
    likelihood: Likelihood | None = None
    signature: str = ""
    no_unk_signature: str = ""


@dataclass(frozen=True)
class PairedTest:
    """Two systems on the same sentences, by paired bootstrap resampling (Koehn 2004).

    Attributes:
        first, second: their names.
        difference: BLEU of the first less that of the second.
        difference_interval: 95 %.
        ratio: BLEU of the first over that of the second; None if that is 0.
        p: the share of resamples in which the better of the two is not better; 1 for equal scores.
    """

    first: str
    second: str
    difference: float
    difference_interval: Interval
    ratio: Ratio | None
    p: float


@dataclass(frozen=True)
class CloserLook:
    """One test set with intervals and tests.

    Attributes:
        test_set: its name.
        overall: by system, the 95 % interval of BLEU over all sentences.
        by_length: by system, BLEU by source length in whitespace words, with intervals (Figure 2).
        retention: by system, BLEU at 51-60 words over BLEU at 11-20; None where there are too few.
        pairs: every two systems.
    """

    test_set: str
    overall: dict[str, Interval | None]
    by_length: dict[str, tuple[LengthBucket, ...]]
    retention: dict[str, Ratio | None]
    pairs: tuple[PairedTest, ...]


@dataclass(frozen=True)
class Comparison:
    """Attributes:
    systems, test_sets: names, in order; "joined" (all sets as one) is last where there are several.
    scores: by system, then by test set; what is missing is not there.
    closer: the sets that were looked at more closely.
    notes: what is missing or is to be kept in mind, a sentence each.
    resamples, seed: of the bootstrap.
    """

    systems: tuple[str, ...]
    test_sets: tuple[str, ...]
    scores: dict[str, dict[str, SetScores]]
    closer: tuple[CloserLook, ...]
    notes: tuple[str, ...]
    resamples: int
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        data = asdict(self)
        for look, plain in zip(self.closer, data["closer"], strict=True):
            plain["by_length"] = {name: [b.to_dict() for b in buckets] for name, buckets in look.by_length.items()}
        return data
