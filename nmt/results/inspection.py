"""A model's computations: one cell of alpha, the steps of a translation, a beam search, and constraints on a
translation. Also the spelling of subwords for readers: a dot marks a piece that continues a word."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nmt.results.alignment import END, PIECE_MARK, UNKNOWN, Alignment
from nmt.results.record import System
from nmt.results.translation import Encoded
from nmt.texts import RESULTS


@dataclass(frozen=True, eq=False)
class Gate:
    """The values of one gate. ``name``: "update" or "reset". For an LSTM "input", "forget" or "output". ``values``: a
    value for each unit, from 0 (closed) to 1 (open), float32 [n]."""

    name: str
    values: NDArray[np.float32]

    @property
    def mean(self) -> float:
        return float(self.values.mean())


IMPROBABLE = math.log(0.003)
"""Log-probability of a word, in nats, below which a model doubts it."""
SURE = -0.9
"""Mean log-probability per token, in nats, that a model's own translation must have, so that the model may doubt the
words of another one. Then 114 of 185 wrong sentences by RNNencdec have a doubted word (docs/log/app.md)."""
_APOSTROPHES = ("'", "\u2019")


def may_doubt(own: System) -> bool:
    """Whether a model may doubt words of another one: it is sure of its own translation, and knows all its words."""
    tokens, log_probability = own.target.tokens, own.log_probability
    if own.forced or own.source.unknown or any(UNKNOWN in token for token in tokens):
        return False
    return log_probability is not None and log_probability / len(tokens) > SURE


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Probabilities of the words of a translation, and what they become when each source word is left out.

    Attributes:
        before: probability of each word, [words_y], the end-of-sentence token last.
        without: the same without each source word, [words_y, words_x - 1]. The end-of-sentence token stays.
    """

    before: NDArray[np.float64]
    without: NDArray[np.float64]

    @property
    def falls(self) -> NDArray[np.float64]:
        """By how much each probability falls, [words_y, words_x - 1]. Below 0 where it rises."""
        return self.before[:, None] - self.without


@dataclass(frozen=True)
class WordScores:
    """log p of each word that a model was made to write, in nats, without the end-of-sentence token."""

    log_probabilities: tuple[float, ...]

    def improbable(self, words: Sequence[str], others: Iterable[str]) -> list[float | None]:
        """For each scored word its probability if the model doubts it, else None. The model does not doubt
        punctuation, [UNK], elided articles, and ``others``, the words that it writes itself. Of 418 doubted words 385
        were wrong (docs/log/app.md)."""
        sure = {word.casefold() for word in others}
        return [
            math.exp(value) if value < IMPROBABLE and word.casefold() not in sure and _can_be_wrong(word) else None
            for word, value in zip(words, self.log_probabilities, strict=False)
        ]


def _can_be_wrong(word: str) -> bool:
    return any(letter.isalnum() for letter in word) and UNKNOWN not in word and not word.endswith(_APOSTROPHES)


@dataclass(frozen=True)
class NextToken:
    """A candidate for the next token.

    Attributes:
        token: a word or subword, "[UNK]" or the end-of-sentence token.
        log_probability: log p(token | y_<i, x) in nats.
        without: ``log_probability`` after removing the source word, or None if no word was removed.
    """

    token: str
    log_probability: float
    without: float | None

    @property
    def probability(self) -> float:
        return math.exp(self.log_probability)

    @property
    def probability_without(self) -> float | None:
        return None if self.without is None else math.exp(self.without)


@dataclass(frozen=True, eq=False, kw_only=True)
class CellExplanation:
    """One cell of alpha: target token i and source token j, both counted from 0. The paper counts i from 1.

    Attributes:
        source, target: T_x and T_y tokens, end-of-sentence tokens last.
        energies: e_i of the whole row before the softmax, float32 [T_x]. None without attention.
        alpha: alpha_i, the row of the cell, float32 [T_x], or None without attention.
        gates: gates of the update that computes s_i from s_{i-1}, y and c_i, with y = y_{i-1} (in program order y_i).
        state_norm: Euclidean norm of s_{i-1}, which determines e_i and the token.
        context_norm: Euclidean norm of c_i.
        annotation_norm: Euclidean norm of h_j, or None without attention.
        left_out: indices of the removed source tokens, all tokens of the word that contains j. () if j is the
            end-of-sentence token, which is not removed.
        next_tokens: the most probable tokens with and without the source word, and the token written. They are sorted
            by decreasing probability with the word.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    i: int
    j: int
    energies: NDArray[np.float32] | None
    alpha: NDArray[np.float32] | None
    gates: tuple[Gate, ...]
    state_norm: float
    context_norm: float
    annotation_norm: float | None
    left_out: tuple[int, ...]
    next_tokens: tuple[NextToken, ...]

    @property
    def written(self) -> NextToken:
        """The token that was written, among the most probable ones."""
        return next(token for token in self.next_tokens if token.token == self.target[self.i])

    @property
    def in_words(self) -> str:
        """The cell in one sentence for readers, without marks of subwords."""
        share = None if self.alpha is None else float(self.alpha[self.j])
        return _sentence([self], _plain(self.target[self.i]), _plain(self.source[self.j]), share)


def word_in_words(cells: Sequence[CellExplanation], share: float | None) -> str:
    """A cell of whole words in one sentence for readers. ``cells``: the cells of all tokens of the target word, in
    order, at one token of the source word. ``share``: the attention on the source word, or None without attention."""
    first = cells[0]
    word = _plain("".join(cell.target[cell.i] for cell in cells))
    source_word = _plain("".join(first.source[k] for k in first.left_out or (first.j,)))
    return _sentence(cells, word, source_word, share)


def _sentence(cells: Sequence[CellExplanation], word: str, source_word: str, share: float | None) -> str:
    begin = RESULTS.not_attended.format(word=word)
    if share is not None:
        begin = RESULTS.attended.format(word=word, percent=100 * share, source_word=source_word)
    written = [cell.written for cell in cells]
    probability = math.exp(sum(token.log_probability for token in written))
    left = [token.without for token in written if token.without is not None]
    if len(left) < len(written):
        return RESULTS.probability.format(begin=begin, p=probability)
    without = math.exp(sum(left))
    removed = _plain("".join(cells[0].source[k] for k in cells[0].left_out))
    if f"{probability:.2f}" == f"{without:.2f}":
        return RESULTS.probability_stays.format(begin=begin, removed=removed, p=probability)
    change = RESULTS.probability_falls if without < probability else RESULTS.probability_rises
    return change.format(begin=begin, removed=removed, p=probability, without=without)


def _plain(token: str) -> str:
    return token.replace(PIECE_MARK, "") or token


Vector = NDArray[np.float32]


@dataclass(frozen=True, eq=False, kw_only=True)
class TranslationStep:
    """The step that writes target token i.

    Attributes:
        state: s_{i-1}, [n].
        energies: e_i before the softmax, [T_x]. None without attention.
        alpha: alpha_i, [T_x]. None without attention.
        context: c_i, [2n]. Without attention it is c, [n].
        update_gate: z_i of the update that computes s_i, [n], or None for a unit without an update gate (LSTM).
        maxout: t_i, [l].
        log_probability: log-probability of the token written, nats.
        rank: place of the token written among all tokens by probability, from 1.
        next_tokens: the most probable tokens, by decreasing probability.
        next_state: s_i, [n], or None after the last token.
        subwords: the subwords of a word whose steps were merged into this one. () for the step of one token.
    """

    state: Vector
    energies: Vector | None
    alpha: Vector | None
    context: Vector
    update_gate: Vector | None
    maxout: Vector
    log_probability: float
    rank: int
    next_tokens: tuple[NextToken, ...]
    next_state: Vector | None
    subwords: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class TranslationSteps:
    """All steps of one translation.

    Attributes:
        architecture: "rnnsearch" or "rnnencdec".
        state_order: "printed" or "program", as in ``ModelConfig``.
        score: name of the attention's score, as in ``ModelConfig``.
        vocabulary: K_y, the number of words or subwords in the target vocabulary.
        source, target: T_x and T_y tokens, end-of-sentence tokens last.
        annotations: h_j, [T_x, 2n]. For RNNencdec the forward states, [T_x, n]. The last forward state is c.
    """

    architecture: str
    state_order: str
    score: str
    vocabulary: int
    source: tuple[str, ...]
    target: tuple[str, ...]
    text: str
    annotations: Vector
    steps: tuple[TranslationStep, ...]

    @property
    def attends(self) -> bool:
        """True if the model has attention, and so energies and alpha."""
        return self.architecture == "rnnsearch"

    @property
    def hidden(self) -> int:
        """n, the number of units of a state."""
        return len(self.steps[0].state)


@dataclass(frozen=True, eq=False, kw_only=True)
class TranslationWithSteps:
    """A model's own translation of a sentence, with the internals of its steps."""

    source: Encoded
    target: Encoded
    steps: TranslationSteps


@dataclass(frozen=True, eq=False, kw_only=True)
class BeamNode:
    """A hypothesis of the search: the tokens of its parent, and one more token.

    Attributes:
        parent: number of the parent, or None for the empty hypothesis, which is number 0.
        token_log_probability: log-probability of the token, nats.
        log_probability: log-probability of the whole hypothesis, nats.
        fate: "continued" by a hypothesis of the next step, "finished" by the end-of-sentence token, or "pruned" if
            others were more probable. "open" if it could no longer win when the search stopped.
        following: the most probable next tokens, by decreasing probability, or () if the search took no step from here.
        alpha: weights with which the token was written, [T_x]. None for the empty hypothesis, and without attention.
    """

    parent: int | None
    length: int
    token: str
    text: str
    token_log_probability: float
    log_probability: float
    fate: Literal["continued", "finished", "pruned", "open"]
    following: tuple[NextToken, ...]
    alpha: NDArray[np.float32] | None


@dataclass(frozen=True, eq=False, kw_only=True)
class BeamTree:
    """All hypotheses of one search.

    Attributes:
        nodes: hypotheses, parents before children. Number 0 is the empty hypothesis.
        best: number of the hypothesis that the search returned.
        given: tokens with which the search had to begin every hypothesis.
    """

    source: Encoded
    nodes: tuple[BeamNode, ...]
    best: int
    given: tuple[str, ...]
    beam: int

    def path(self, number: int) -> tuple[int, ...]:
        """Numbers of the hypotheses from the empty one (left out) to hypothesis ``number`` (included)."""
        steps_back: list[int] = []
        while (parent := self.nodes[number].parent) is not None:
            steps_back.append(number)
            number = parent
        return tuple(reversed(steps_back))

    def tokens(self, number: int) -> tuple[str, ...]:
        """The tokens of a hypothesis."""
        return tuple(self.nodes[k].token for k in self.path(number))

    def alignment(self, number: int) -> Alignment | None:
        """Alpha of the tokens of a hypothesis. None without attention, and for the empty hypothesis."""
        rows = [self.nodes[k].alpha for k in self.path(number)]
        weights = [row for row in rows if row is not None]
        if not weights:
            return None
        return Alignment(
            source=self.source.tokens,
            target=self.tokens(number),
            weights=np.array(weights),
            source_words=self.source.words,
        )


CONTINUATION_MARK = "·"
"""Mark before a piece that continues a word."""


def readable_piece(piece: str) -> str:
    """Write one subword for readers.

    >>> [readable_piece(piece) for piece in ("▁Econ", "omic", "▁", "</s>")]
    ['Econ', '·omic', '▁', '</s>']
    """
    if piece in ("", PIECE_MARK, END):
        return piece
    return piece.removeprefix(PIECE_MARK) if piece.startswith(PIECE_MARK) else CONTINUATION_MARK + piece


def writer(tokens: Iterable[str]) -> Callable[[str], str]:
    """Return a function that spells the tokens of a side: subwords by ``readable_piece``, whole words unchanged. A side
    has subwords if one of ``tokens`` begins with the mark of a word's start."""
    return readable_piece if any(token.startswith(PIECE_MARK) for token in tokens) else str


def readable_alignment(alignment: Alignment) -> Alignment:
    """Write the tokens of an alignment for readers."""
    source, target = writer(alignment.source), writer(alignment.target)
    return replace(alignment, source=tuple(map(source, alignment.source)), target=tuple(map(target, alignment.target)))


def readable_steps(steps: TranslationSteps) -> TranslationSteps:
    """Steps of a translation whose tokens are written for readers."""
    source, target = writer(steps.source), writer(steps.target)
    return replace(
        steps,
        source=tuple(map(source, steps.source)),
        target=tuple(map(target, steps.target)),
        steps=tuple(
            replace(
                step,
                next_tokens=tuple(replace(token, token=target(token.token)) for token in step.next_tokens),
                subwords=tuple(map(target, step.subwords)),
            )
            for step in steps.steps
        ),
    )


@dataclass(frozen=True, kw_only=True)
class Intervention:
    """Constraints on a translation. Words are untokenised target words. Equal interventions have equal hashes.

    Attributes:
        prefix: the beginning of the translation. A text has whole words. A tuple has tokens as the model wrote them
            (``Hypothesis.tokens``), and its last token may be the beginning of a word.
        forbidden: words that the translation must not contain. "[UNK]" may be one of them.
        forced: (step, words): one or more words written from target token ``step`` on, from 0 like the rows of alpha.
            No translation ends before them. "[UNK]" may be one of them, but not for a subword model.
        weights: (step, row): the attention weights at target token ``step``: one number per source word or per source
            token, end-of-sentence token included, with any sum. A step after the last token has no effect.
        blocked: indices of source words, from 0, that get no weight at the steps that ``weights`` does not set.
    """

    prefix: str | tuple[str, ...] = ""
    forbidden: tuple[str, ...] = ()
    forced: tuple[tuple[int, str], ...] = ()
    weights: tuple[tuple[int, tuple[float, ...]], ...] = ()
    blocked: tuple[int, ...] = ()
