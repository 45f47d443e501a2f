"""Maps (alignments) of sentence pairs, in order. Some pairs are read ahead, and pairs of similar length are batched."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray

from nmt.errors import InputError
from nmt.inference.system import System
from nmt.inference.text_codec import PaddedTokens
from nmt.inference.text_search import EncodedPair, in_groups
from nmt.inference.translator import Translator
from nmt.results import END, Alignment
from nmt.results.inspection import LeftOut, WordScores
from nmt.results.links import ATTENTION, LEAVE_ONE_OUT, POSTERIOR, MapName
from nmt.results.translation import Encoded, ForcedScore

TOGETHER = 64
"""Largest number of pairs read ahead."""

_STEP, _ATTENDED = 10, 10
"""A step of forced decoding costs as much as this many softmaxes over the target vocabulary. Attention to this many
source tokens costs as much as one softmax."""


def maps_by_name(
    model: System,
    pairs: Iterable[tuple[str, str]],
    name: MapName,
    *,
    pretokenised: bool,
    on_progress: Callable[[int], None] | None = None,
) -> Iterator[Alignment]:
    """Compute the map called ``name`` of each pair: alpha or the posterior over tokens, or leave-one-out over words.
    Words are numbered as in ``System.align``. The other arguments are those of ``System.align_stream``."""
    if name == ATTENTION:
        return model.align_stream(pairs, pretokenised=pretokenised, on_progress=on_progress)
    if name == POSTERIOR:
        return posterior(model, pairs, pretokenised=pretokenised, on_progress=on_progress)
    return leave_one_out_of(model, model.encode_pairs(pairs, pretokenised=pretokenised), on_progress)


def cost_of(source: Encoded, target: Encoded, name: MapName) -> int:
    """Estimate the cost of a pair's map, in softmaxes over the target vocabulary. Forced decoding costs 10 + T_x / 10
    per target token. The posterior costs T_x more per target token. Leave-one-out costs T_x forced decodings."""
    columns, rows = len(source.ids), len(target.ids)
    forced = rows * (_STEP + columns // _ATTENDED)
    return forced + rows * columns if name == POSTERIOR else forced * (columns if name == LEAVE_ONE_OUT else 1)


def word_scores(model: System, source: Encoded, written: Encoded) -> WordScores:
    """Compute the log-probability that ``model`` gives each word of a translation, in nats. ``written``: the
    translation as its writer encodes it, which may be another model."""
    target = model.target.encode_output(written)
    (score,) = model.score_stream([(source, target)], alpha=False)
    return WordScores(tuple(_of_words(target, score)[:-1].tolist()))


def left_out(model: System, source: Encoded, target: Encoded) -> LeftOut:
    """Compute the probability of each word of ``target``, with the whole source and without each of its words. A word's
    probability is the product over its tokens."""
    scores = model.score_stream(_variants([(source, target)], deque()), alpha=False)
    before, *without = (np.exp(_of_words(target, score)) for score in scores)
    return LeftOut(before, np.array(without).T)


def _of_words(target: Encoded, score: ForcedScore) -> NDArray[np.float64]:
    """Log-probability of each word, the sum over its tokens."""
    owners = np.unique(target.words, return_inverse=True)[1]
    return np.bincount(owners, weights=score.token_log_probabilities).astype(np.float64)


def posterior(
    model: System,
    pairs: Iterable[tuple[str, str]],
    *,
    pretokenised: bool,
    bf16: bool = False,
    on_progress: Callable[[int], None] | None = None,
) -> Iterator[Alignment]:
    """Compute the posterior of each pair, in order, [T_y, T_x]. Words are numbered as in ``System.align``.
    ``bf16``: compute matrix products in bf16, for speed. Weights then differ by up to a few hundredths.

    Raises InputError for a system that is not a ``Translator`` with attention.
    """
    if not model.has_alignment or not isinstance(model, Translator):
        raise InputError(f"{model.name} is of the kind {model.kind}, from whose alpha no posterior can be computed")

    def of_group(group: Sequence[EncodedPair]) -> Iterator[Alignment]:
        read, written = (PaddedTokens([pair[side] for pair in group], model.device) for side in (0, 1))
        weights = model.model.posterior(
            read.ids, read.mask, written.ids, written.mask, torch.bfloat16 if bf16 else None
        )
        for (x, y), rows in zip(group, weights.cpu().numpy(), strict=True):
            yield x.aligned(y, rows)

    yield from in_groups(
        model.encode_pairs(pairs, pretokenised=pretokenised),
        of_group,
        cost=lambda pair: len(pair[0].ids) * len(pair[1].ids),
        length=lambda pair: max(len(side.ids) for side in pair),
        most=TOGETHER,
        on_progress=on_progress,
    )


def leave_one_out_of(
    model: System, pairs: Iterable[tuple[Encoded, Encoded]], on_progress: Callable[[int], None] | None = None
) -> Iterator[Alignment]:
    """Compute the leave-one-out map of each pair that ``model.source`` and ``model.target`` have encoded, in order.
    Pairs are read one window at a time.

    A pair takes one forced decoding per source word, plus one. Words are numbered as in ``System.align``. Rows and
    columns are whole words, [words_y, words_x], end-of-sentence tokens last. The column of the end-of-sentence token
    has a 1 for each target word that no source word makes more probable, else 0.
    """
    waiting: deque[_Case] = deque()
    scores = model.score_stream(_variants(pairs, waiting), alpha=False)
    for done, whole in enumerate(scores, start=1):
        case = waiting.popleft()
        drops = np.zeros((len(case.target.ids), len(case.source.ids)))
        for word in case.words:
            column = case.source.words.index(word)
            drops[:, column] = np.subtract(whole.token_log_probabilities, next(scores).token_log_probabilities)
        if on_progress is not None:
            on_progress(done)
        yield _map(case, drops)


@dataclass(frozen=True)
class _Case:
    """A pair, and the numbers of its source words, end-of-sentence token excluded."""

    source: Encoded
    target: Encoded
    words: tuple[int, ...]


def _variants(pairs: Iterable[tuple[Encoded, Encoded]], waiting: deque[_Case]) -> Iterator[tuple[Encoded, Encoded]]:
    """Yield each pair unchanged, then without its first source word, then without its second source word, and so on."""
    for read, written in pairs:
        case = _Case(read, written, tuple(dict.fromkeys(read.words[:-1])))
        waiting.append(case)
        yield read, written
        for word in case.words:
            yield without_word(read, word), written


def without_word(sentence: Encoded, word: int) -> Encoded:
    """The sentence without the tokens of word number ``word``."""
    positions = [k for k, owner in enumerate(sentence.words) if owner != word]
    return Encoded(
        ids=tuple(sentence.ids[k] for k in positions),
        tokens=tuple(sentence.tokens[k] for k in positions),
        words=tuple(sentence.words[k] for k in positions),
        unknown=(),
    )


def _map(case: _Case, drops: NDArray[np.float64]) -> Alignment:
    """Convert drops in log-probability to a map over words. The drops when a source word is left out are in the column
    of its first token. A target word's drop is the mean over its tokens. Each row is divided by its sum."""
    words = case.source.aligned(case.target, drops.astype(np.float32)).merged()
    assert words.source[-1] == END, "encoded sentences end with the end-of-sentence token"
    weights = np.maximum(words.weights, 0)
    total = weights.sum(axis=1, keepdims=True)
    weights[:, -1:] = total == 0
    weights /= np.where(total == 0, 1, total)
    return replace(words, weights=weights)
