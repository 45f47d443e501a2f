"""BLEU by sentence length.

Paper: Figure 2
"""

from __future__ import annotations

from collections.abc import Sequence

from sacrebleu.metrics.bleu import BLEU

from nmt.errors import InputError
from nmt.evaluation.bleu import check_corpus
from nmt.results import LengthBucket

WIDTH = 10
"""Lengths in one bucket, in words."""

LAST = 61
"""Fewest words of the open last bucket."""


def bleu_by_length(
    sources: Sequence[str], hypotheses: Sequence[str], references: Sequence[str]
) -> tuple[LengthBucket, ...]:
    """Corpus BLEU for the sentences of 1-10, 11-20, ..., 51-60 and 61 or more source words.

    The n-gram counts of a bucket's sentences are added up first and make one BLEU, as over a whole corpus; it
    is never a mean of sentence scores.

    Args:
        sources: the untokenised source lines; a word is what stands between white space. A line without any
            word falls into no bucket.
        hypotheses, references: one each for every source.

    Raises:
        InputError: there are no sentences, or the numbers of lines differ.
    """
    check_corpus(hypotheses, references)
    if len(sources) != len(hypotheses):
        raise InputError(f"there are {len(sources)} sources but {len(hypotheses)} hypotheses")
    lengths = [len(source.split()) for source in sources]
    buckets = []
    for first in range(1, LAST + 1, WIDTH):
        last = None if first == LAST else first + WIDTH - 1
        inside = [i for i, n in enumerate(lengths) if first <= n and (last is None or n <= last)]
        bleu = None
        if inside:
            bleu = BLEU().corpus_score([hypotheses[i] for i in inside], [[references[i] for i in inside]]).score
        buckets.append(LengthBucket(first, last, len(inside), bleu))
    return tuple(buckets)
