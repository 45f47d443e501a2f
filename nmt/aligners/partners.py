"""Statistical aligners beside the runs: counts of links, words, jumps and fertilities, which are stored beside an
aligner for pairs that were not read, and eflomal's model by sil-thot, an optional package (``pip install
'jointly[smt]'``) that nothing else imports and that reads the whole text.

Och, Ney 2003 (A systematic comparison of various statistical alignment models), section 2.1; Östling, Tiedemann 2016
(Efficient word alignment with Markov chain Monte Carlo), whose priors these are.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from nmt.aligners.combination import JumpModel, state_probabilities
from nmt.alignments.links import BothDirections, transposed
from nmt.data.corpus import read_pairs
from nmt.data.text import Tokenizer
from nmt.errors import InputError
from nmt.files import read_record
from nmt.results.links import LinkSet
from nmt.results.statistics import Floats

COUNTS = "counts.json"
MOST_BYTES = 5_000_000
"""Of the file."""

MOST_WORDS = 200
"""Of a sentence that a partner reads; memory grows with the square of its length."""

Words = Sequence[str]
WordPair = tuple[Words, Words]
Count = Annotated[int, Field(ge=0, le=10**9)]

NULL = ""
"""The source word of target words that are linked with none."""
_P_NULL, _WORD_PRIOR, _FERTILITY_PRIOR = 0.2, 0.001, 0.5
"""Probability of NULL, and pseudo-counts of words and fertilities: eflomal's."""
MOST_FERTILITY = 3
_ROUNDS = 3
"""Times that expected fertilities are computed."""


@dataclass(frozen=True, kw_only=True)
class DirectedCounts:
    """Counts of links of which each target word has at most one, in lower case.

    Attributes:
        words: by source word, NULL among them, how often each target word was linked with it.
        fertilities: by source word how often it had 0, 1, 2, and 3 or more links.
        jumps: in the layout of ``JumpModel``, from the source word of a linked target word to that of the next.
    """

    words: Mapping[str, Mapping[str, Count]]
    fertilities: Mapping[str, tuple[Count, Count, Count, Count]]
    jumps: tuple[Count, ...]

    def __post_init__(self) -> None:
        JumpModel(self.jumps, mu=1)

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
        """Link each target word with its most probable source word, or with none: a hidden Markov model with NULL, in
        which each word's expected fertility without a link weighs that link."""
        if not source or not target:
            return frozenset()
        words = len(source)
        weights = np.array([[self._probability(one, other) for one in (*source, NULL)] for other in target])
        lexical = np.hstack([weights[:, :words], np.repeat(weights[:, words:], words, axis=1)])  # each word's own NULL
        jumps = JumpModel(self.jumps, mu=1).transitions(words)
        transitions = np.tile(np.hstack([(1 - _P_NULL) * jumps, _P_NULL * np.eye(words)]), (2, 1))
        lexical[0, :words] *= 1 - _P_NULL
        lexical[0, words:] *= _P_NULL
        gains = [self._gains(word) for word in source]
        states = state_probabilities(lexical, transitions)
        for _ in range(_ROUNDS):
            others = states[:, :words].sum(axis=0) - states[:, :words]
            gained = [np.interp(others[:, j], np.arange(MOST_FERTILITY), gain) for j, gain in enumerate(gains)]
            states = state_probabilities(lexical * np.hstack([np.array(gained).T, np.ones_like(others)]), transitions)
        best, null = states[:, :words].argmax(axis=1).tolist(), states[:, words:].sum(axis=1)
        return frozenset((j, i) for i, j in enumerate(best) if states[i, j] > null[i])

    def _probability(self, source: str, target: str) -> float:
        linked = self.words.get(source, {}).get(target, 0) + _WORD_PRIOR
        return linked / (self._totals.get(source, 0) + _WORD_PRIOR * self._target_words)

    def _gains(self, word: str) -> Floats:
        """How much more probable one link more is: p(n + 1 links) / p(n links) for n = 0, 1, 2."""
        counted = self.fertilities.get(word, (0, 0, 0, 0))
        probabilities = np.array(counted) + 4 * _FERTILITY_PRIOR * self._usual_fertility
        return np.asarray(probabilities[1:] / probabilities[:-1])


@dataclass(frozen=True, kw_only=True)
class LinkCounts:
    """Counts of both directions. As a partner of an aligner it links each pair by itself.

    Attributes:
        forward: of links of which each target word has at most one.
        backward: the same with source and target exchanged.
        pairs: number of sentence pairs that were counted.
    """

    forward: DirectedCounts
    backward: DirectedCounts
    pairs: Count

    @property
    def name(self) -> str:
        return "stored counts"

    def links(self, pairs: Iterable[WordPair]) -> Iterator[BothDirections | None]:
        """As in ``Partner``."""
        for source, target in pairs:
            if max(len(source), len(target)) > MOST_WORDS:
                yield None
                continue
            left, right = ([word.lower() for word in words] for words in (source, target))
            yield BothDirections(self.forward.links(left, right), transposed(self.backward.links(right, left)))


def read_counts(folder: Path) -> LinkCounts | None:
    """Read the counts beside an aligner; None if it has none, InputError that names the file and the fault."""
    path = folder / COUNTS
    if not path.exists():
        return None
    if path.is_file() and path.stat().st_size > MOST_BYTES:
        raise InputError(f"{path} has more than {MOST_BYTES:,} bytes")
    return read_record(LinkCounts, path)


SAMPLERS, ALPHA = 5, 2.0
"""Samplers, and pseudo-counts of jumps and fertilities, as the authors advise."""
MOST_TRAINING_WORDS = 50
"""Of a sentence to train on; pairs with a longer one are not read."""


def is_installed() -> bool:
    """True if the package is there."""
    return find_spec("thot") is not None


class SilThot:
    """A partner that samples the links of all pairs at once. InputError if the package is not installed.

    Args:
        training: pairs of words that are read with those to align.
    """

    name = "sil-thot"

    def __init__(self, training: Iterable[WordPair] = ()) -> None:
        if not is_installed():
            raise InputError("sil-thot is not installed; pip install 'jointly[smt]' installs it")
        self._training = training

    def links(self, pairs: Iterable[WordPair]) -> Iterator[BothDirections | None]:
        """As in ``Partner``; all pairs are read first, and sampled once for each direction."""
        given = list(pairs)
        read = [_read(pair) for pair in (*given, *self._training)]
        kept = [pair for pair in read if pair is not None]
        forward = _sampled(kept)
        backward = _sampled([(target, source) for source, target in kept])
        found = zip(forward, map(transposed, backward), strict=False)  # without those of the training pairs
        for pair in read[: len(given)]:
            yield None if pair is None else BothDirections(*next(found))


def training_words(
    source: Path, target: Path, tokenizers: tuple[Tokenizer, Tokenizer], every: int = 1
) -> Iterator[WordPair]:
    """Words of every so many pairs of lines of two parallel texts, without blank and long ones. Raises the errors of
    ``read_pairs``."""
    languages = tokenizers[0].language, tokenizers[1].language
    for pair in islice(read_pairs(source, target, languages=languages), 0, None, every):
        left, right = (
            tokenizer.tokenize(line.text or "")
            for tokenizer, line in zip(tokenizers, (pair.source, pair.target), strict=True)
        )
        if min(len(left), len(right)) > 0 and max(len(left), len(right)) <= MOST_TRAINING_WORDS:
            yield left, right


def _read(pair: WordPair) -> WordPair | None:
    """The pair in lower case, as eflomal reads it; None if a side is empty or too long."""
    if not all(0 < len(side) <= MOST_WORDS for side in pair):
        return None
    source, target = ([word.lower() for word in side] for side in pair)
    return source, target


def _sampled(pairs: Sequence[WordPair]) -> Iterator[LinkSet]:
    """Link each target word with at most one source word, in all pairs."""
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
