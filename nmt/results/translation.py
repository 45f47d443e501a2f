"""Sentences as ids and tokens, and their translations and scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from nmt.results.alignment import Alignment
from nmt.results.record import ALPHA, SentenceRecord, System, Text, Tokens, Writer, map_of, sides_of, words_of


@dataclass(frozen=True, kw_only=True)
class Encoded:
    """A sentence as a model reads or writes it. T = number of tokens, end-of-sentence token included.

    Attributes:
        tokens: [T], surfaces as written (an unknown word keeps its surface). The last is the end-of-sentence token.
        words: [T], index of the word that contains the token. The end-of-sentence token is a word of its own.
        unknown: the words encoded as [UNK], in order.
    """

    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    words: tuple[int, ...]
    unknown: tuple[str, ...]

    def aligned(self, target: Encoded, weights: NDArray[np.float32]) -> Alignment:
        """Align this source with a target by weights, [T_y, T_x] or padded to more rows and columns."""
        return Alignment(
            source=self.tokens,
            target=target.tokens,
            weights=weights[: len(target.ids), : len(self.ids)].copy(),
            source_words=self.words,
            target_words=target.words,
        )


def _tokens(
    encoded: Encoded | None, alignment: Alignment | None, side: Literal["source", "target"], plain: Sequence[str] = ()
) -> Tokens:
    """The tokens of a side for a record, taken from ``encoded``, else from the alignment, else from ``plain``."""
    if encoded is not None:
        return Tokens(tokens=encoded.tokens, words=encoded.words, unknown=encoded.unknown)
    if alignment is None:
        return Tokens(tokens=tuple(plain), words=tuple(range(len(plain))))
    return sides_of(alignment)[side == "target"]


def _encoded(tokens: Tokens, ids: tuple[int, ...]) -> Encoded | None:
    return Encoded(ids=ids, tokens=tokens.tokens, words=tokens.words, unknown=tokens.unknown) if ids else None


@dataclass(frozen=True, kw_only=True)
class Hypothesis:
    """A finished hypothesis of the search.

    Attributes:
        tokens: T_y target tokens as the model wrote them (words or subwords), end-of-sentence token last.
        log_probability: log p(y | x) in nats, end-of-sentence token included.
        score: ranking criterion of the search: log_probability / T_y^A for length penalty A.
        token_log_probabilities: T_y values in nats. Their sum is log_probability.
        alignment: alpha of the search's own steps, [T_y, T_x]. None for a model without attention.
        encoded: ``tokens`` with their ids, so that no id need be looked up again. None if unknown. The JSON lacks it.
    """

    text: str
    tokens: tuple[str, ...]
    log_probability: float
    score: float
    token_log_probabilities: tuple[float, ...]
    alignment: Alignment | None = None
    encoded: Encoded | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Translation:
    """The n-best list of one source sentence.

    Attributes:
        source: the sentence, unchanged.
        hypotheses: best first, at least one.
        unknown_words: words of the source (after tokenisation) that are not in the vocabulary, in order.
        encoded: the source as the model read it, to save tokenising it again. None if unknown. The JSON lacks it.
        unk_in_beam: whether [UNK] may have been in a hypothesis of the search. If False, a search that forbids [UNK]
            gives the same list. The JSON lacks it.
    """

    source: str
    hypotheses: tuple[Hypothesis, ...]
    unknown_words: tuple[str, ...] = ()
    encoded: Encoded | None = field(default=None, compare=False, kw_only=True)
    unk_in_beam: bool = field(default=True, compare=False, kw_only=True)
    writer: Writer | None = field(default=None, compare=False, kw_only=True)
    drawn: ClassVar[Callable[[Translation], str | None]] = lambda _: None
    """Draws a translation as HTML. The module ``nmt`` sets it, because records know no drawing."""

    @property
    def best(self) -> Hypothesis:
        return self.hypotheses[0]

    @property
    def text(self) -> str:
        """The best hypothesis, detokenised."""
        return self.best.text

    @property
    def alignment(self) -> Alignment | None:
        """Alpha of the best hypothesis, [T_y, T_x]. None for a model without attention."""
        return self.best.alignment

    @property
    def log_probability(self) -> float:
        """log p(y | x) of the best hypothesis, in nats."""
        return self.best.log_probability

    def __repr__(self) -> str:  # one line, since lists show it
        return f"Translation({self.source!r} → {self.text!r}, log p {self.log_probability:.2f})"

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str | None:
        """Draw the ribbons and the matrix of alpha for a notebook, or return None."""
        return type(self).drawn(self)

    @classmethod
    def of_record(
        cls, record: SentenceRecord, ids: Sequence[tuple[int, ...]], unk_in_beam: bool, n_best: int
    ) -> Translation:
        """Make a translation from the result of ``record``. ``ids``: token ids of the source, then of each hypothesis
        (empty = unknown). ``n_best``: the largest number of hypotheses taken."""
        first = record.systems[0].source
        return cls(
            record.source.text,
            tuple(
                Hypothesis(
                    text=system.text,
                    tokens=system.target.tokens,
                    log_probability=system.log_probability or 0.0,
                    score=system.score or 0.0,
                    token_log_probabilities=system.token_log_probabilities,
                    alignment=system.alignment(system.main_map) if system.maps else None,
                    encoded=_encoded(system.target, written),
                )
                for system, written in zip(record.systems[:n_best], ids[1:], strict=False)
            ),
            first.unknown,
            encoded=_encoded(first, ids[0]),
            unk_in_beam=unk_in_beam,
        )

    def record(self, search: Mapping[str, Any] | None = None, *, exact: bool = False) -> SentenceRecord:
        """The record of the sentence, with a system for each hypothesis. ``exact``: whether weights have as many digits
        as float32 needs, instead of six decimals."""
        by = self.writer or Writer()
        systems = [
            System(
                name=by.name,
                kind=by.kind,
                language=by.target_language,
                rank=rank,
                text=hypothesis.text,
                source=_tokens(self.encoded, hypothesis.alignment, "source"),
                target=_tokens(hypothesis.encoded, hypothesis.alignment, "target", hypothesis.tokens),
                log_probability=hypothesis.log_probability,
                score=hypothesis.score,
                token_log_probabilities=hypothesis.token_log_probabilities,
                maps=map_of(ALPHA, hypothesis.alignment, exact=exact),
                search=None if search is None else dict(search),
            )
            for rank, hypothesis in enumerate(self.hypotheses, start=1)
        ]
        return SentenceRecord(source=Text(text=self.source, language=by.source_language), systems=tuple(systems))

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON types: a *record* of docs/formats.md."""
        return self.record().to_dict()


@dataclass(frozen=True, kw_only=True)
class ForcedScore:
    """Score that a model assigns to a given pair (forced decoding).

    Attributes:
        log_probability: log p(y | x) in nats, end-of-sentence token included, unknown words scored as [UNK].
        token_log_probabilities: T_y values in nats. Their sum is log_probability.
        alignment: [T_y, T_x]. None for a model without attention.
        pair: source and target as given, or "" for a side that was given as tokens.
        source, target: the pair as the model read it. None for a record read from a file.
    """

    log_probability: float
    token_log_probabilities: tuple[float, ...]
    tokens: tuple[str, ...]
    alignment: Alignment | None = None
    pair: tuple[str, str] = field(default=("", ""), compare=False)
    source: Encoded | None = field(default=None, compare=False, repr=False)
    target: Encoded | None = field(default=None, compare=False, repr=False)
    writer: Writer | None = field(default=None, compare=False)

    def translation(self, text: str) -> Translation:
        """The target as the only hypothesis of a translation. ``text``: the target, detokenised."""
        written = Hypothesis(
            text=text,
            tokens=self.tokens,
            log_probability=self.log_probability,
            score=self.log_probability,
            token_log_probabilities=self.token_log_probabilities,
            alignment=self.alignment,
            encoded=self.target,
        )
        return Translation(self.pair[0], (written,), encoded=self.source, writer=self.writer)

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON types. The result is a *record* (docs/formats.md) of one system with a given target."""
        source, target = self.pair
        record = self.translation(target).record()
        (system,) = record.systems
        system = replace(system, forced=True, score=None, text=target or " ".join(words_of(system.target)[:-1]))
        text = replace(record.source, text=source or " ".join(words_of(system.source)[:-1]))
        return replace(record, source=text, systems=(system,)).to_dict()


@dataclass(frozen=True)
class AlignmentSummary:
    """Summary of the alpha of one sentence, over whole words, by which sentences are sorted.

    Attributes:
        entropy: mean entropy of the rows of the target words, bits. 0 if each target word attends to one source word.
        least_coverage, mean_coverage: least and mean coverage of the source words. The coverage of a source word is the
            sum of the weights in its column.
    """

    entropy: float
    least_coverage: float
    mean_coverage: float


@dataclass(frozen=True)
class WrittenSentence:
    """A system's translation of a sentence of a test set.

    Attributes:
        alignment: summary of alpha. None for a system without alpha, and for a sentence without words.
        segments: sentence and translation, such as `a | b ||| x | y`. A bar separates segments that were translated
            separately. "" if the sentence was translated whole.
    """

    text: str
    alignment: AlignmentSummary | None = None
    segments: str = ""


@dataclass(frozen=True, kw_only=True)
class FinishedTranslation:
    """The best translation of a sentence, without its tokens and weights.

    Attributes:
        tokens: T_y, target tokens, end-of-sentence token included. 0 for a blank sentence.
        log_probability: log p(text | source) in nats.
        alignment: summary of alpha. None for a model without alpha, and for a sentence without words.
    """

    source: str
    text: str
    tokens: int
    log_probability: float
    alignment: AlignmentSummary | None = None

    @property
    def written(self) -> WrittenSentence:
        """The part that readers see: the text, and the summary of alpha."""
        return WrittenSentence(self.text, self.alignment)


@dataclass(frozen=True, kw_only=True)
class FinishedScore:
    """Score that a model assigns to a given pair. ``tokens``: T_y of the target, end-of-sentence token included.
    ``log_probability``: log p(target | source) in nats."""

    source: str
    target: str
    tokens: int
    log_probability: float
