"""Domain data selection from large corpora: bilingual cross-entropy difference (Axelrod, He and Gao 2011).

Paper: 4.1

Each pair (s, t) gets the score [H_in(s) - H_out(s)] + [H_in(t) - H_out(t)], cross-entropies per word: H_in by a
language model of the domain, H_out by a model of as many pairs drawn from the corpora themselves. The pairs with the
lowest scores are kept, up to the requested number of words.

As in that work, the models are of order 4, and their vocabulary is the words that occur at least twice in the domain,
all others being the unknown word. Unlike there, they are smoothed as described in nmt.data.language_model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nmt.data.corpus import read_pairs
from nmt.data.language_model import LanguageModel, WordIds, WordIdSentences
from nmt.data.manifest import SelectionRecord
from nmt.data.tokenised import CHUNK, Inspected, PairTokenizer, cleaned_text
from nmt.data.workers import chunks, ordered_map
from nmt.errors import InputError

ORDER = 4
LEAST = 2
"""Minimum number of occurrences in the domain of a word in the models' vocabulary."""
_SEED = 2011


@dataclass(frozen=True)
class SelectionSettings:
    """Settings for the selection of training pairs.

    Attributes:
    source, target: parallel text of the domain, one sentence per line.
    words: maximum number of Moses words of the source side to keep.
    """

    source: Path
    target: Path
    words: int

    def __post_init__(self) -> None:
        if self.words < 1:
            raise InputError(f"{self.words:,} words cannot be selected; the minimum is 1")


@dataclass(frozen=True)
class Selected:
    """The corpora, each with ``selected``, and the record of the selection."""

    corpora: list[Inspected]
    record: SelectionRecord


def select(
    corpora: Sequence[Inspected],
    domain: Inspected,
    words: int,
    tokenizer: PairTokenizer,
    pool: Executor | None,
    on_pairs: Callable[[int], None] = lambda more: None,
) -> Selected:
    """Score all pairs of ``corpora`` and keep the best, up to ``words`` words of the source side.

    Pairs with a blank side, or a line too long to be a sentence, are never kept; the length of the others and the
    repetition of a corpus play no part. ``tokenizer`` has no maximum length. ``on_pairs`` is called with each increment
    of the number of pairs scored.

    The corpora are read twice, the first time for the random draw. Memory is needed for the domain (four language
    models) and for some 30 bytes per pair. The same input gives the same pairs. Raises InputError if the domain or the
    corpora have no usable pair.
    """
    assert tokenizer.max_length is None
    inside = list(_tokenised(domain, None, tokenizer, pool))
    drawn = _drawn([corpus.source.lines for corpus in corpora], domain.source.lines)
    outside = [
        part
        for corpus, lines in zip(corpora, drawn, strict=True)
        for part in _tokenised(corpus, lines, tokenizer, pool)
    ]
    for parts, what in ((inside, f"in {domain.source.path} and {domain.target.path}"), (outside, "in the corpora")):
        if not any(len(part.lines) for part in parts):
            raise InputError(f"no pair {what} to base the selection on")
    source = _Side([part.source for part in inside], [part.source for part in outside])
    target = _Side([part.target for part in inside], [part.target for part in outside])
    del inside, outside

    scores = [np.full(corpus.source.lines, np.inf, dtype=np.float32) for corpus in corpora]
    lengths = [np.zeros(corpus.source.lines, dtype=np.int32) for corpus in corpora]
    for corpus, score, length in zip(corpora, scores, lengths, strict=True):
        for part in _tokenised(corpus, None, tokenizer, pool):
            if len(part.lines):
                sentences = source.words.encode(_sentences(part.source))
                other = target.words.encode(_sentences(part.target))
                score[part.lines] = source.difference(sentences) + target.difference(other)
                length[part.lines] = sentences.lengths
            on_pairs(part.read)
    return _best(corpora, domain, words, scores, lengths)


class _Side:
    """The models of the domain and of the rest for one language, over the words of the domain."""

    def __init__(self, inside: Sequence[str], outside: Sequence[str]) -> None:
        counts: Counter[str] = Counter()
        for text in inside:
            counts.update(text.split())
        self.words = WordIds.of_frequent(counts, LEAST)
        self._inside, self._outside = (
            LanguageModel(self.words.encode(chain.from_iterable(map(_sentences, texts))), self.words, ORDER)
            for texts in (inside, outside)
        )

    def difference(self, text: WordIdSentences) -> NDArray[np.float64]:
        """H_in - H_out of each sentence, nats per word."""
        return self._inside.cross_entropies(text) - self._outside.cross_entropies(text)


@dataclass(frozen=True, eq=False, kw_only=True)
class _Part:
    """Some pairs of a corpus, tokenised: words joined by spaces, one sentence per line.

    Attributes:
        lines: line index of each pair, from 0, without unusable pairs.
        read: number of pairs read.
    """

    lines: NDArray[np.int64]
    source: str
    target: str
    read: int


def _tokenised(
    corpus: Inspected, wanted: NDArray[np.bool_] | None, tokenizer: PairTokenizer, pool: Executor | None
) -> Iterator[_Part]:
    """Tokenise all pairs of a corpus, or those selected by the mask ``wanted``, [lines]."""
    usable: list[list[int]] = []
    read: list[int] = []

    def batches() -> Iterator[list[tuple[str, str]]]:
        pairs = enumerate(read_pairs(corpus.corpus.source, corpus.corpus.target))
        for chunk in chunks(pairs, CHUNK):
            texts, numbers = [], []
            for number, pair in chunk:
                if wanted is None or wanted[number]:
                    sides = [cleaned_text(line, Counter()) for line in (pair.source, pair.target)]
                    if sides[0] and sides[1]:
                        texts.append((sides[0], sides[1]))
                        numbers.append(number)
            usable.append(numbers)
            read.append(len(chunk))
            yield texts

    for number, chunk in enumerate(ordered_map(tokenizer, batches(), pool)):
        lines = np.array(usable[number], dtype=np.int64)[chunk.kept]
        usable[number] = []
        yield _Part(lines=lines, source=chunk.source, target=chunk.target, read=read[number])


def _sentences(text: str) -> Iterable[list[str]]:
    return (line.split(" ") for line in text.split("\n")[:-1])


def _drawn(lines: Sequence[int], number: int) -> list[NDArray[np.bool_]]:
    """Draw ``number`` pairs at random from corpora with these numbers of ``lines``; return a mask for each corpus."""
    mask = np.zeros(sum(lines), dtype=bool)
    random = np.random.default_rng(_SEED)
    mask[random.choice(len(mask), min(number, len(mask)), replace=False, shuffle=False)] = True
    return np.split(mask, np.cumsum(lines)[:-1])


def _best(
    corpora: Sequence[Inspected],
    domain: Inspected,
    words: int,
    scores: Sequence[NDArray[np.float32]],
    lengths: Sequence[NDArray[np.int32]],
) -> Selected:
    """Select the pairs with the lowest scores; ties go to the first."""
    score, length = np.concatenate(scores), np.concatenate(lengths)
    order = np.argsort(score, kind="stable")[: np.isfinite(score).sum()]
    total = np.cumsum(length[order], dtype=np.int64)
    kept = int(np.searchsorted(total, words, side="right"))
    selected = np.zeros(len(score), dtype=bool)
    selected[order[:kept]] = True
    masks = np.split(selected, np.cumsum([len(scores_of_part) for scores_of_part in scores])[:-1])
    threshold = float(score[order[kept - 1]]) if 0 < kept < len(order) else None
    record = SelectionRecord(
        source=domain.source,
        target=domain.target,
        order=ORDER,
        words_asked=words,
        words=int(total[kept - 1]) if kept else 0,
        pairs=kept,
        threshold=threshold,
    )
    return Selected([replace(one, selected=mask) for one, mask in zip(corpora, masks, strict=True)], record)
