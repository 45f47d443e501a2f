"""Significance of differences between two systems."""

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Self

from nmt.results.scores import Entry, Interval, LengthCurves, Ratio, Span, Unit
from nmt.texts import RESULTS

TestMethod = Literal["bootstrap", "randomisation"]
"""Paired bootstrap resampling (Koehn 2004), or paired approximate randomisation (Riezler and Maxwell 2005)."""

LEVEL = 0.05
"""Significance level: at this p or above, a difference may be chance."""


@dataclass(frozen=True, kw_only=True)
class ScoreDifference:
    """Difference of two systems on the sentences of a range of lengths.

    Attributes:
        difference: the first system's score minus the second system's score. None without sentences.
        difference_interval: 95 % interval, by bootstrap resampling. None with too few sentences.
        ratio: first score divided by the second score. None with too few sentences, or if the second score is 0.
        p: probability that chance alone gives a difference as large. None with too few sentences for the method.
        corrected_p: p corrected for the number of ranges (Holm 1979). None without p, and for the overall difference.
    """

    span: Span
    sentences: int
    difference: float | None = None
    difference_interval: Interval | None = None
    ratio: Ratio | None = None
    p: float | None = None
    corrected_p: float | None = None

    @property
    def significant(self) -> bool:
        """True if ``corrected_p``, or without it ``p``, is below LEVEL."""
        p = self.p if self.corrected_p is None else self.corrected_p
        return p is not None and p < LEVEL


@dataclass(frozen=True, kw_only=True)
class PairedTest:
    """Significance tests of two systems on the same sentences. ``by_length``: differences over the sentences of each
    range of lengths, or empty if not requested."""

    first: str
    second: str
    metric: str
    method: TestMethod
    overall: ScoreDifference
    by_length: tuple[ScoreDifference, ...] = ()
    lower_is_better: bool = False
    unit: Unit = "sentences"

    def in_words(self, difference: ScoreDifference) -> str:
        """Describe ``overall`` or one of ``by_length`` in words, stating which system is better."""
        forms = RESULTS.forms.documents if self.unit == "documents" else RESULTS.forms.sentences
        sentences = forms[difference.sentences != 1].format(count=difference.sentences)
        if difference.difference is None:
            return RESULTS.nothing_to_compare
        digits = 1 if abs(difference.difference) >= 0.1 else 2
        details = f"{self._oriented(difference, digits)}{self._p(difference)}"
        points = f"{abs(difference.difference):.{digits}f}"
        name = self.first if (difference.difference > 0) != self.lower_is_better else self.second
        lead = RESULTS.lead.format(points=points, metric=self.metric, details=details)
        if difference.significant:
            return RESULTS.better.format(name=name, lead=lead)
        if difference.difference == 0:
            return RESULTS.equal.format(sentences=sentences, metric=self.metric)
        return RESULTS.ahead.format(sentences=sentences, name=name, lead=lead)

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON types (docs/formats.md)."""

        def plain(test: ScoreDifference) -> dict[str, Any]:
            return asdict(test) | {"in_words": self.in_words(test)}

        names = {"first": self.first, "second": self.second, "metric": self.metric, "method": self.method}
        return names | plain(self.overall) | {"by_length": [plain(test) for test in self.by_length]}

    def _oriented(self, difference: ScoreDifference, digits: int) -> str:
        """Format the interval of the better system's lead. "" without an interval."""
        if difference.difference is None or difference.difference_interval is None:
            return ""
        ends = difference.difference_interval.low, difference.difference_interval.high
        low, high = ends if difference.difference > 0 else (-ends[1], -ends[0])
        return RESULTS.interval.format(low=_rounded(low, digits), high=_rounded(high, digits))

    def _p(self, difference: ScoreDifference) -> str:
        if difference.p is None:
            return RESULTS.too_few
        several = sum(other.p is not None for other in self.by_length)
        if difference.corrected_p is not None and several > 1:
            return RESULTS.p_corrected.format(p=in_words(difference.corrected_p), tests=several)
        return RESULTS.p.format(p=in_words(difference.p if difference.corrected_p is None else difference.corrected_p))


def in_words(p: float) -> str:
    """A p-value with three decimals, for readers."""
    return RESULTS.p_value.format(p=p) if p >= 0.0005 else RESULTS.p_tiny


def _rounded(value: float, digits: int) -> str:
    """Round for display, never to "-0.0"."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


@dataclass(frozen=True)
class Likelihood:
    """Mean negative log-likelihood of the references in nats: per sentence (Table 2), and per token."""

    nll_per_sentence: float
    nll_per_token: float


@dataclass(frozen=True, kw_only=True)
class SetScores:
    """Scores of a system on a test set.

    Attributes:
        everything, no_unk: the two columns of Table 1. None if not measured.
        likelihood: likelihood of the references, or None for a system that gives no probabilities.
        signature: sacreBLEU's signature of BLEU in the column "All", with more fields. "" for several sets combined.
    """

    everything: Entry | None = None
    no_unk: Entry | None = None
    likelihood: Likelihood | None = None
    signature: str = ""
    no_unk_signature: str = ""


@dataclass(frozen=True, kw_only=True)
class LengthAnalysis:
    """The scores by length of all systems on one test set, with intervals (Figure 2) and tests. ``retention``: by
    system, its score at 51-60 words divided by its score at 11-20. None if the ratio is undefined."""

    test_set: str
    curves: LengthCurves
    retention: dict[str, Ratio | None]
    pairs: tuple[PairedTest, ...]

    def of_documents(self) -> Self:
        """This analysis, with documents as the unit instead of sentences."""
        pairs = tuple(replace(pair, unit="documents") for pair in self.pairs)
        return replace(self, curves=replace(self.curves, unit="documents"), pairs=pairs)

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON types."""
        curves = self.curves.curves
        return {
            "test_set": self.test_set,
            "overall": {curve.system: curve.overall.interval and asdict(curve.overall.interval) for curve in curves},
            "retention": {name: ratio and asdict(ratio) for name, ratio in self.retention.items()},
            "pairs": [pair.to_dict() for pair in self.pairs],
            "curves": asdict(self.curves),
        }


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Scores of systems on test sets, and analyses of some sets by length.

    Attributes:
        systems, test_sets: names of the systems and of the test sets, in order. ALL_SETS follows the combined sets.
        scores: the scores by system, then by test set. Missing scores are left out.
        closer: for some of the sets, an analysis by length with tests.
        notes: missing results and caveats, one sentence each.
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
