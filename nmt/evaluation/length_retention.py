"""Effect of length alone: the same sentences translated one by one, and concatenated to a given length.

If long sentences of a test set differ in kind from short ones, as in laws, length is confounded with difficulty.
Here the words stay the same and only the length changes: BLEU of the concatenated texts divided by BLEU of their
sentences one by one is the share that a system retains.

Paper: 5.2.2
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nmt.data.line_words import UNSPACED, word_counter
from nmt.errors import InputError
from nmt.evaluation.bootstrap import FEWEST, Resamples, ratio
from nmt.evaluation.concatenation import bleu_counts
from nmt.evaluation.metrics import bleu, bleu_of_each
from nmt.evaluation.test_set import TestSet
from nmt.evaluation.tokenisers import bleu_tokeniser
from nmt.results import Languages, RetentionPoint, Span
from nmt.results.statistics import Counts, Floats

CONCATENATED = "-concatenated"
"""End of the name of a concatenated test set."""
CONCATENATED_SPANS = tuple(Span(first, first + 9) for first in range(21, 80, 10))
"""Lengths of the texts of a concatenated test set, in source words."""
_SINGLE = 20
"""Largest number of source words of the sentences that a concatenated test set contains unchanged."""
_SEED = 1


@dataclass(frozen=True)
class ConcatenatedTexts:
    """Sentences of a test set, concatenated to a range of lengths.

    Attributes:
        span: the range, in source words.
        groups: for each text the indices of its sentences, in order.
    """

    span: Span
    groups: tuple[tuple[int, ...], ...]

    def of(self, lines: Sequence[str], language: str = "") -> list[str]:
        """The texts out of one line per sentence, with a space between lines if the language has spaces."""
        return _concatenated(self.groups, lines, language)


def concatenated_texts(test: TestSet, span: Span) -> ConcatenatedTexts:
    """Concatenate the sentences of a test set to texts whose number of source words is within ``span``.

    The sentences are shuffled once, always in the same way. Each text takes the next sentence that fits, until it is
    long enough; each sentence is in at most one text. Sentences from which no text of this length can be completed are
    left out.

    Raises InputError for a span without an end, or if no text of this length can be built from the sentences.
    """
    if span.last is None:
        raise InputError("a range of lengths for concatenation needs an end, as in 21-30")
    count = word_counter(test.languages.source)
    lengths = [count(source) for source in test.sources]
    order = np.random.default_rng(_SEED).permutation(len(lengths))
    waiting = [int(i) for i in order if 0 < lengths[i] <= span.last]
    groups: list[tuple[int, ...]] = []
    while waiting:
        group, words = [], 0
        for i in waiting:
            if words + lengths[i] <= span.last:
                group.append(i)
                words += lengths[i]
            if words >= span.first:
                break
        complete = words >= span.first
        if complete:
            groups.append(tuple(group))
        taken = set(group if complete else group[:1])  # a sentence that begins no text is left out
        waiting = [i for i in waiting if i not in taken]
    if not groups:
        raise InputError(f"{test.name or 'the test set'} has too few sentences for a text of {span.name} words")
    return ConcatenatedTexts(span, tuple(groups))


def concatenated_set(test: TestSet) -> TestSet:
    """Make the concatenated version of a test set, on which BLEU against length (Figure 2) depends on nothing else: its
    sentences of 1 to 20 words as they are, then all of them concatenated to 21-30, 31-40, … and 71-80 source words.
    It is called NAME-concatenated.

    Raises InputError if the sentences make no text of one of these lengths.
    """
    count = word_counter(test.languages.source)
    single = tuple((i,) for i, source in enumerate(test.sources) if 1 <= count(source) <= _SINGLE)
    longer = (concatenated_texts(test, span).groups for span in CONCATENATED_SPANS)
    groups = (*single, *(group for groups in longer for group in groups))
    return TestSet(
        name=None if test.name is None else f"{test.name}{CONCATENATED}",
        sources=_concatenated(groups, test.sources, test.languages.source),
        references=_concatenated(groups, test.references, test.languages.target),
        licence=test.licence,
        origin=test.origin,
        languages=test.languages,
    )


def _concatenated(groups: Sequence[Sequence[int]], lines: Sequence[str], language: str) -> list[str]:
    space = "" if language in UNSPACED else " "
    return [space.join(lines[i] for i in group) for group in groups]


def retention_point(
    texts: ConcatenatedTexts, test: TestSet, together: Sequence[str], one_by_one: Sequence[str], languages: Languages
) -> RetentionPoint:
    """Compare the two ways of translating the same sentences.

    Args:
        texts: from ``concatenated_texts``.
        test: the sentences.
        together: translation of each concatenated text.
        one_by_one: translation of each sentence of the test set.
        languages: of the test set; they determine the counting of words and BLEU's tokeniser.
    """
    references = texts.of(test.references, languages.target)
    tokeniser = bleu_tokeniser(languages.target)
    long = bleu_counts(together, references, tokeniser)
    short = bleu_counts(texts.of(one_by_one, languages.target), references, tokeniser)
    bleu_together, apart = bleu(long.sum(axis=0).tolist()), bleu(short.sum(axis=0).tolist())
    kept = None
    if len(long) >= FEWEST:
        resamples = Resamples.draw(len(long))
        kept = ratio(bleu_together, apart, _resampled(long, resamples), _resampled(short, resamples))
    count = word_counter(languages.source)
    words = sum(count(test.sources[i]) for group in texts.groups for i in group)
    return RetentionPoint(
        span=texts.span,
        texts=len(texts.groups),
        sentences=sum(map(len, texts.groups)),
        source_words=words / len(texts.groups),
        bleu=bleu_together,
        bleu_apart=apart,
        kept=bleu_together / apart if apart else None,
        interval=None if kept is None else kept.interval,
    )


def _resampled(counts: Counts, resamples: Resamples) -> Floats:
    """BLEU of each resample, [B]."""
    return bleu_of_each((counts.T @ resamples.times.astype(np.int64)).astype(np.float64))
