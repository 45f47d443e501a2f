"""A statistical aligner that reads the whole text: eflomal's model (Östling, Tiedemann 2016) by sil-thot, an optional
package (``pip install 'jointly[smt]'``) that nothing else imports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

from nmt.aligners.counts import MOST_WORDS, WordPair
from nmt.data.corpus import read_pairs
from nmt.data.text import Tokenizer
from nmt.errors import InputError
from nmt.evaluation.links import BothDirections, transposed
from nmt.results.links import LinkSet

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
    for pair in islice(read_pairs(source, target), 0, None, every):
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
