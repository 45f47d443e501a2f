"""Statistical partners of the runs. ``LinkCounts`` aligns a pair by stored counts of words, jumps and fertilities.
``SilThot`` samples eflomal's model over the whole text. It needs the package sil-thot (``pip install 'jointly[smt]'``).

Och, Ney 2003 (A systematic comparison of various statistical alignment models), section 2.1. Priors:
Östling, Tiedemann 2016 (Efficient word alignment with Markov chain Monte Carlo).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from nmt.aligners.combination import Jumps, state_probabilities, transitions
from nmt.alignments.links import BothDirections, transposed
from nmt.data.corpus import read_pairs
from nmt.data.text import Tokenizer
from nmt.errors import InputError
from nmt.files import read_record
from nmt.results.links import LinkSet
from nmt.results.statistics import Floats

COUNTS = "counts.json"
MOST_BYTES = 5_000_000
"""Largest size of the file of counts, in bytes."""

MOST_WORDS = 200
"""Largest number of words of a sentence that a partner reads. Memory grows with the square of this number."""

Words = Sequence[str]
WordPair = tuple[Words, Words]
Count = Annotated[int, Field(ge=0, le=10**9)]

NULL = ""
"""The source word of target words without a link."""
_P_NULL, _WORD_PRIOR, _FERTILITY_PRIOR = 0.2, 0.001, 0.5
"""Probability of NULL, and pseudo-counts of words and fertilities, all as in eflomal."""
MOST_FERTILITY = 3
_ROUNDS = 3
"""Number of times that expected fertilities are computed."""


@dataclass(frozen=True, kw_only=True)
class DirectedCounts:
    """Counts of links in one direction: each target word has at most one link. Words are in lower case.

    Attributes:
        words: for each source word and NULL, its number of links with each target word.
        fertilities: number of times that each source word had 0, 1, 2, and 3 or more links.
        jumps: jumps between the source words of successive linked target words.
    """

    words: Mapping[str, Mapping[str, Count]]
    fertilities: Mapping[str, tuple[Count, Count, Count, Count]]
    jumps: Jumps

    @cached_property
    def _totals(self) -> dict[str, int]:
        return {word: sum(linked.values()) for word, linked in self.words.items()}

    @cached_property
    def _target_words(self) -> int:
        return max(1, len({word for linked in self.words.values() for word in linked}))

    @cached_property
    def _usual_fertility(self) -> Floats:
        shares = np.array([*self.fertilities.values(), (1, 1, 1, 1)], dtype=np.float64).sum(axis=0)
        return np.asarray(shares / shares.sum())

    def links(self, source: Words, target: Words) -> LinkSet:
        """Link each target word with its most probable source word, or with no word. The model is a hidden Markov model
        with NULL. The weight of a link is multiplied by p(n + 1 links) / p(n links). n: expected links of its
        source word with other target words."""
        if not source or not target:
            return frozenset()
        words = len(source)
        weights = np.array([[self._probability(s, t) for s in (*source, NULL)] for t in target])
        lexical = np.hstack([weights[:, :words], np.repeat(weights[:, words:], words, axis=1)])  # a NULL for each word
        jumps = transitions(self.jumps, words, mu=1)
        moves = np.tile(np.hstack([(1 - _P_NULL) * jumps, _P_NULL * np.eye(words)]), (2, 1))
        lexical[0, :words] *= 1 - _P_NULL
        lexical[0, words:] *= _P_NULL
        gains = [self._gains(word) for word in source]
        states = state_probabilities(lexical, moves)
        for _ in range(_ROUNDS):
            others = states[:, :words].sum(axis=0) - states[:, :words]
            gained = [np.interp(others[:, j], np.arange(MOST_FERTILITY), gain) for j, gain in enumerate(gains)]
            states = state_probabilities(lexical * np.hstack([np.array(gained).T, np.ones_like(others)]), moves)
        best, null = states[:, :words].argmax(axis=1).tolist(), states[:, words:].sum(axis=1)
        return frozenset((j, i) for i, j in enumerate(best) if states[i, j] > null[i])

    def _probability(self, source: str, target: str) -> float:
        linked = self.words.get(source, {}).get(target, 0) + _WORD_PRIOR
        return linked / (self._totals.get(source, 0) + _WORD_PRIOR * self._target_words)

    def _gains(self, word: str) -> Floats:
        """Ratios p(n + 1 links) / p(n links) of a source word for n = 0, 1, 2."""
        counted = self.fertilities.get(word, (0, 0, 0, 0))
        probabilities = np.array(counted) + 4 * _FERTILITY_PRIOR * self._usual_fertility
        return np.asarray(probabilities[1:] / probabilities[:-1])


@dataclass(frozen=True, kw_only=True)
class LinkCounts:
    """A partner with stored counts of both directions. It aligns each pair by itself. forward: each target word of a
    pair has at most one link. backward: source and target are exchanged. pairs: number of counted sentence pairs."""

    name: ClassVar[str] = "stored counts"
    forward: DirectedCounts
    backward: DirectedCounts
    pairs: Count

    def links(self, pairs: Iterable[WordPair]) -> Iterator[BothDirections | None]:
        """Yield the links of each pair. None for a pair with a sentence of more than MOST_WORDS words."""
        for source, target in pairs:
            if max(len(source), len(target)) > MOST_WORDS:
                yield None
                continue
            left, right = ([word.lower() for word in words] for words in (source, target))
            yield BothDirections(self.forward.links(left, right), transposed(self.backward.links(right, left)))


def read_counts(folder: Path) -> LinkCounts | None:
    """Read the counts in an aligner's folder. None if it has no counts. Raises InputError if they are broken."""
    path = folder / COUNTS
    if not path.exists():
        return None
    if path.is_file() and path.stat().st_size > MOST_BYTES:
        raise InputError(f"{path} has more than {MOST_BYTES:,} bytes")
    return read_record(LinkCounts, path)


SAMPLERS, ALPHA = 5, 2.0
"""Number of samplers, and pseudo-count of jumps and of fertilities, as the authors of eflomal advise."""
MOST_TRAINING_WORDS = 50
"""Largest number of words of a sentence to train on. Pairs with a longer sentence are skipped."""


def is_installed() -> bool:
    """True if the package sil-thot is installed."""
    return find_spec("thot") is not None


class SilThot:
    """A partner that samples the links of all pairs at once, together with those of ``training``, whose links are not
    returned. Raises InputError if the package is not installed."""

    name = "sil-thot"

    def __init__(self, training: Iterable[WordPair] = ()) -> None:
        if not is_installed():
            raise InputError("sil-thot is not installed; pip install 'jointly[smt]' installs it")
        self._training = training

    def links(self, pairs: Iterable[WordPair]) -> Iterator[BothDirections | None]:
        """Read all pairs, sample them once for each direction, and yield the links of each pair. None for a pair with
        an empty or too long sentence."""
        to_link = list(pairs)
        read = [_read(pair) for pair in (*to_link, *self._training)]
        readable = [pair for pair in read if pair is not None]
        forward = _sampled(readable)
        backward = _sampled([(target, source) for source, target in readable])
        sampled = zip(forward, map(transposed, backward), strict=False)  # the links of the training pairs come last
        for pair in read[: len(to_link)]:
            yield None if pair is None else BothDirections(*next(sampled))


def training_words(source: Path, target: Path, tokenizers: tuple[Tokenizer, Tokenizer]) -> Iterator[WordPair]:
    """Yield the words of the pairs of two parallel texts, without pairs with a side of no word or of more than
    MOST_TRAINING_WORDS words. Raises the errors of ``read_pairs``."""
    languages = tokenizers[0].language, tokenizers[1].language
    for pair in read_pairs(source, target, languages=languages):
        left, right = (
            tokenizer.tokenize(line.text or "")
            for tokenizer, line in zip(tokenizers, (pair.source, pair.target), strict=True)
        )
        if min(len(left), len(right)) > 0 and max(len(left), len(right)) <= MOST_TRAINING_WORDS:
            yield left, right


def _read(pair: WordPair) -> WordPair | None:
    """The pair in lower case, as eflomal reads it. None if a side has no word or more than MOST_WORDS words."""
    if not all(0 < len(side) <= MOST_WORDS for side in pair):
        return None
    source, target = ([word.lower() for word in side] for side in pair)
    return source, target


def _sampled(pairs: Sequence[WordPair]) -> Iterator[LinkSet]:
    """Sample the links of all pairs, and yield the links of each pair. Each target word has at most one link."""
    if not pairs:
        return
    from thot.alignment import EflomalAlignmentModel

    model = EflomalAlignmentModel()
    model.num_samplers, model.alpha_jump, model.alpha_fertility = SAMPLERS, ALPHA, ALPHA
    model.deterministic = model.emit_training_alignments = True
    for source, target in pairs:
        model.add_sentence_pair(source, target)
    model.start_training()
    for _ in range(model.scheduled_iterations):
        model.train()
    model.end_training()
    for number in range(len(pairs)):
        _, links = model.get_training_alignment(number)
        yield frozenset(zip(*(words.tolist() for words in links.to_numpy().nonzero()), strict=True))
