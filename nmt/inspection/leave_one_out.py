"""Leave-one-out attribution: the drop in a target word's log-probability when a source word is removed.

For a given pair, drop_ij = log p(y_i | y_<i, x) - log p(y_i | y_<i, x without word j), in nats. Its positive part, each
row divided by its sum, is a map with the shape of alpha. It replaces alpha for a model without attention (RNNencdec).
For a model with attention it differs from alpha: the attribution uses y_i, while alpha_i is computed before y_i is
chosen.

The word is removed, not replaced by [UNK]: replacement would not change a word that is already unknown, and a
subword model was hardly trained on [UNK]. (Removal also gave the lower alignment error on the Hansards; docs/log.md.)

Not in the paper. Called prediction difference in Li et al. 2019 (On the word alignment from neural machine
translation), section 4.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nmt.data.vocabularies.vocabulary import Encoded
from nmt.inference.translator import Translator
from nmt.results import END, Alignment, ForcedScore


def leave_one_out(
    model: Translator,
    pairs: Iterable[tuple[str, str]],
    *,
    pretokenised: bool = False,
    on_progress: Callable[[int], None] | None = None,
) -> Iterator[Alignment]:
    """Compute the map of each pair, in order; pairs are read one window at a time.

    Costs one forced decoding per source word, plus one. Words and options as in ``Translator.align_stream``,
    but rows and columns are whole words, [words_y, words_x], end-of-sentence tokens last. The column of the
    end-of-sentence token is 0, except for a 1 in the row of each target word that no source word makes more probable.
    """
    encoded = (
        (model.source.encode_line(source, pretokenised), model.target.encode_line(target, pretokenised))
        for source, target in pairs
    )
    return leave_one_out_of(model, encoded, on_progress)


def leave_one_out_of(
    model: Translator,
    pairs: Iterable[tuple[Encoded, Encoded]],
    on_progress: Callable[[int], None] | None = None,
) -> Iterator[Alignment]:
    """``leave_one_out`` for pairs encoded by ``model.source`` and ``model.target``."""
    waiting: deque[_Case] = deque()
    scores = model.score_stream(_variants(pairs, waiting), alpha=False)
    for done, whole in enumerate(scores, start=1):
        case = waiting.popleft()
        drops = np.zeros((len(case.target.ids), len(case.source.ids)))
        for word in case.words:
            column = case.source.words.index(word)
            drops[:, column] = _values(whole) - _values(next(scores))
        if on_progress is not None:
            on_progress(done)
        yield _map(case, drops)


@dataclass(frozen=True)
class _Case:
    """A pair and the numbers of its source words (without the end-of-sentence token)."""

    source: Encoded
    target: Encoded
    words: tuple[int, ...]


def _variants(pairs: Iterable[tuple[Encoded, Encoded]], waiting: deque[_Case]) -> Iterator[tuple[Encoded, Encoded]]:
    """Each pair unchanged, then without its first source word, without its second, and so on."""
    for read, written in pairs:
        case = _Case(read, written, tuple(dict.fromkeys(read.words[:-1])))
        waiting.append(case)
        yield read, written
        for word in case.words:
            yield without_word(read, word), written


def without_word(sentence: Encoded, word: int) -> Encoded:
    """The sentence without the tokens of a word."""
    kept = [k for k, owner in enumerate(sentence.words) if owner != word]
    return Encoded(
        ids=tuple(sentence.ids[k] for k in kept),
        tokens=tuple(sentence.tokens[k] for k in kept),
        words=tuple(sentence.words[k] for k in kept),
        unknown=(),
    )


def _values(score: ForcedScore) -> NDArray[np.float64]:
    return np.array(score.token_log_probabilities)


def _map(case: _Case, drops: NDArray[np.float64]) -> Alignment:
    """Convert the drops of tokens (those of a source word are in the column of its first token) to a map over words:
    the drop of a target word is the sum over its subwords, up to a factor that the division by the sum cancels."""
    source, target = case.source, case.target
    words = Alignment(
        source=source.tokens,
        target=target.tokens,
        weights=drops.astype(np.float32),
        source_words=source.words,
        target_words=target.words,
    ).merged()
    assert words.source[-1] == END, "encoded sentences end with the end-of-sentence token"
    weights = np.maximum(words.weights, 0)
    total = weights.sum(axis=1, keepdims=True)
    weights[:, -1:] = total == 0
    weights /= np.where(total == 0, 1, total)
    return Alignment(
        source=words.source,
        target=words.target,
        weights=weights,
        source_words=words.source_words,
        target_words=words.target_words,
    )
