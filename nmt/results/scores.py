"""Corpus scores with their signatures, of all sentences and as a function of sentence length."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nmt.results.statistics import Counts


@dataclass(frozen=True)
class Score:
    """One number with its signature.

    Attributes:
        metric: "BLEU", "chrF" or "TER".
        value: 0 to 100 (TER may exceed 100).
        signature: sacreBLEU's own signature, extended by the run, the update, the beam and the test set.
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
    """One score divided by another, with its 95 % confidence interval. None if the interval cannot be estimated."""

    value: float
    interval: Interval | None


@dataclass(frozen=True, kw_only=True)
class Entry:
    """BLEU, chrF (0 to 100) and TER (0 and up), with the number of sentences."""

    bleu: float
    chrf: float
    ter: float
    sentences: int


@dataclass(frozen=True, kw_only=True)
class Scores(Entry):
    """All scores of one system on one test set, each with its signature. ``signature`` is that of BLEU."""

    signature: str
    chrf_signature: str
    ter_signature: str

    @property
    def each(self) -> tuple[Score, Score, Score]:
        """The three scores one by one."""
        return (
            Score("BLEU", self.bleu, self.signature),
            Score("chrF", self.chrf, self.chrf_signature),
            Score("TER", self.ter, self.ter_signature),
        )


LengthSide = Literal["source", "reference"]
"""Side of a sentence pair whose number of words is the length of the pair."""

Unit = Literal["sentences", "documents"]
"""The items of a curve. Each item has a length and a score."""


@dataclass(frozen=True)
class Span:
    """A range of lengths in words, ends included. ``last`` is None if there is no limit."""

    first: int
    last: int | None = None

    @property
    def name(self) -> str:
        """Name of the range, such as "11-20", "61+" or "7"."""
        if self.last is None:
            return f"{self.first}+"
        return f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"

    @property
    def text(self) -> str:
        """The name as readers see it, with a dash: "11–20"."""
        return self.name.replace("-", "–")

    def holds(self, lengths: Counts) -> NDArray[np.bool_]:
        """Mask of the lengths in the range."""
        inside: NDArray[np.bool_] = lengths >= self.first
        return inside if self.last is None else inside & (lengths <= self.last)


EVERYTHING = Span(0)
"""Range of the lengths of all sentences, including sentences without words."""


@dataclass(frozen=True, kw_only=True)
class CurvePoint:
    """A point of a curve: the score of the sentences in a range of lengths.

    Attributes:
        mean_length: mean length of these sentences, in words, or None if there are none.
        value: the corpus score over exactly these sentences, or None if there are none.
        interval: 95 % interval, by bootstrap resampling. None if not requested, or with too few sentences.
    """

    span: Span
    sentences: int
    mean_length: float | None
    value: float | None
    interval: Interval | None = None


@dataclass(frozen=True, kw_only=True)
class LengthCurve:
    """Curve of one system. ``trained_to``: maximum words per side in training. None if unknown or unlimited."""

    system: str
    points: tuple[CurvePoint, ...]
    overall: CurvePoint
    trained_to: int | None = None


@dataclass(frozen=True, kw_only=True)
class LengthCurves:
    """Curves of systems on the same sentences, over the same ranges.

    Attributes:
        resamples, seed: parameters of the bootstrap, or None without intervals.
        signature: signature of the scores in sacreBLEU's style.
        seen: BLEU of imaginary translations, as long as the references. They match an n-gram of a reference only if one
            system has seen it in training: of the systems for which these n-grams were counted, the one with the best
            score at about 15 words. None for a metric other than BLEU, or without counts.
        expected: for BLEU, ``seen`` times a factor, so that it equals this system's score at about 15 words. This shows
            how the score would change if it depended on the texts alone. For a metric of another program: the scores
            that it gives the references. None if neither is available.
        unit: whether sentences or documents have a length and a score.
    """

    metric: str
    side: LengthSide
    curves: tuple[LengthCurve, ...]
    test_set: str = ""
    no_unk: bool = False
    resamples: int | None = None
    seed: int | None = None
    signature: str = ""
    lower_is_better: bool = False
    from_zero: bool = True
    unit: Unit = "sentences"
    seen: LengthCurve | None = None
    expected: LengthCurve | None = None

    @property
    def spans(self) -> tuple[Span, ...]:
        return tuple(point.span for point in self.curves[0].points)

    @property
    def rolling(self) -> bool:
        """True if the ranges overlap, so that a sentence counts in several ranges."""
        return any(a.last is None or a.last >= b.first for a, b in pairwise(self.spans))

    @property
    def ends(self) -> tuple[int, int] | None:
        """Indices of two ranges to compare, of short and of long sentences. None without two ranges that count.

        A range counts if it has an interval, which needs ten sentences, or without intervals any sentence. The first
        such range is compared with the last. Of four or more, the second replaces the first if it is nearer to 15
        words.
        """
        points = self.curves[0].points
        scored = [
            k
            for k, p in enumerate(points)
            if p.value is not None and (self.resamples is None or p.interval is not None)
        ]
        if len(scored) < 2:
            return None
        firsts = scored[:1] if len(scored) < 4 or self.rolling else scored[:2]
        return min(firsts, key=lambda k: abs((points[k].mean_length or 0.0) - 15)), scored[-1]

    @property
    def groups(self) -> list[list[LengthCurve]]:
        """Groups of systems to compare. The systems of a group were trained on sentences up to the same length. A
        system alone is left out. If every system is alone, all form one group."""
        by_length: dict[int | None, list[LengthCurve]] = {}
        for curve in self.curves:
            by_length.setdefault(curve.trained_to, []).append(curve)
        return [group for group in by_length.values() if len(group) > 1] or [list(self.curves)]

    @property
    def in_groups(self) -> list[str]:
        """The systems of all groups."""
        return [curve.system for group in self.groups for curve in group]


STANDARD_SPANS = (Span(21, 30), Span(41, 50), Span(51, 60), Span(71, 80))
"""Default lengths, in source words, to which sentences are concatenated."""


@dataclass(frozen=True, kw_only=True)
class RetentionPoint:
    """Scores of a system on sentences that were concatenated to a range of lengths.

    Attributes:
        span: the range, in words of the concatenated source.
        source_words: mean number of words per concatenated source.
        bleu: corpus BLEU of the concatenated texts, 0 to 100.
        bleu_apart: corpus BLEU of the same sentences, translated one by one and then concatenated.
        kept: ``bleu`` divided by ``bleu_apart``, or None if ``bleu_apart`` is 0.
        interval: 95 % interval of ``kept``, by bootstrap resampling of the texts. None for fewer than ten texts.
    """

    span: Span
    texts: int
    sentences: int
    source_words: float
    bleu: float
    bleu_apart: float
    kept: float | None
    interval: Interval | None = None


@dataclass(frozen=True, kw_only=True)
class StressPoint:
    """Measurements of a system on inputs made of ``joined`` concatenated sentences of a test set.

    Attributes:
        joined: k, from 1.
        source_words: mean number of source words of an input.
        interval: interval of ``bleu``, by bootstrap resampling, or None for fewer than ten sentences.
        bleu_apart: corpus BLEU of the same sentences translated one by one and then concatenated.
        log_probability: log-probability of the references, in nats per reference word.
        length_ratio: tokens of the translations divided by tokens of the references, as BLEU counts them.
        least_coverage: mean over the inputs of the coverage of the least attended source word, or None without alpha.
        mean_coverage: mean over the inputs of the mean coverage of the source words, or None without alpha.
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
        """``bleu`` divided by ``bleu_apart``, or None if ``bleu_apart`` is 0."""
        return self.bleu / self.bleu_apart if self.bleu_apart else None
