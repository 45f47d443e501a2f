"""Comparison of systems, the result of ``compare``."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from nmt.results.curve import LengthCurves
from nmt.results.scores import Ratio
from nmt.results.significance import PairedTest


@dataclass(frozen=True, kw_only=True)
class Entry:
    """BLEU, chrF (0 to 100) and TER (0 and up), with the number of sentences."""

    bleu: float
    chrf: float
    ter: float
    sentences: int


@dataclass(frozen=True)
class Likelihood:
    """Mean negative log-likelihood of the references in nats: per sentence (Table 2), and per token."""

    nll_per_sentence: float
    nll_per_token: float


@dataclass(frozen=True, kw_only=True)
class SetScores:
    """Scores of a system on a test set.

    Attributes:
        everything, no_unk: the two columns of Table 1; None if not measured.
        likelihood: None for a system that gives no probabilities.
        signature: sacreBLEU's signature of BLEU over all sentences, extended; "" for combined sets.
        no_unk_signature: signature of the column "No UNK".
    """

    everything: Entry | None = None
    no_unk: Entry | None = None
    likelihood: Likelihood | None = None
    signature: str = ""
    no_unk_signature: str = ""


@dataclass(frozen=True, kw_only=True)
class LengthAnalysis:
    """One test set with intervals and tests.

    Attributes:
        test_set: its name.
        curves: the score of each system over length, and over all sentences, with intervals (Figure 2).
        retention: by system, the score at 51-60 words divided by that at 11-20; None if there are too few sentences.
        pairs: tests of every pair of systems.
    """

    test_set: str
    curves: LengthCurves
    retention: dict[str, Ratio | None]
    pairs: tuple[PairedTest, ...]

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON types; if the metric is BLEU, include its buckets in the format of an evaluation."""
        curves = self.curves.curves
        data: dict[str, Any] = {
            "test_set": self.test_set,
            "overall": {curve.system: curve.overall.interval and asdict(curve.overall.interval) for curve in curves},
            "retention": {name: ratio and asdict(ratio) for name, ratio in self.retention.items()},
            "pairs": [pair.to_dict() for pair in self.pairs],
            "curves": self.curves.to_dict(),
        }
        if self.curves.metric == "BLEU":
            data["by_length"] = {curve.system: [b.to_dict() for b in curve.buckets()] for curve in curves}
        return data


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Scores of systems on test sets, and analyses of some sets by length.

    Attributes:
    systems, test_sets: names, in order; "all test sets" is last if there are several.
    scores: by system, then by test set; missing scores are left out.
    closer: the sets analysed by length, with tests.
    notes: missing results and caveats, one sentence each.
    resamples, seed: of the bootstrap.
    trials: of the randomisation.
    """

    systems: tuple[str, ...]
    test_sets: tuple[str, ...]
    scores: dict[str, dict[str, SetScores]]
    closer: tuple[LengthAnalysis, ...]
    notes: tuple[str, ...]
    resamples: int
    seed: int
    trials: int

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON types."""
        return asdict(replace(self, closer=())) | {"closer": [look.to_dict() for look in self.closer]}
