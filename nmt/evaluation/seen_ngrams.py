"""N-grams of the references that occur in the training texts: the BLEU that they alone would give at each length.

If fewer n-grams of the references of some length occur in the training texts, a model has seen less of what it must
write, and its BLEU falls at that length for a reason other than length. The curve added to Figure 2 is the BLEU of
translations that match exactly these n-grams and are as long as the references. It is a yardstick, not a limit: a model
may also write n-grams that it has never seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from nmt.evaluation.tokenisers import bleu_metric
from nmt.results import HypothesisStatistics, PairStatistics, SentenceStatistics
from nmt.results.statistics import CHARACTER_ORDER, TOKENISER, WORD_ORDER, Counts

Ngram = tuple[str, ...]


def count_seen(references: Sequence[str], training: Iterable[str], tokeniser: str = TOKENISER) -> Counts:
    """Count the n-grams of each reference, n = 1 to 4, that occur anywhere in the training texts.

    Args:
        references: the references, N of them.
        training: target sides of the training corpora, one sentence each; read once.
        tokeniser: sacreBLEU's name of the tokeniser.

    Returns:
        [N, 4]; each occurrence in a reference counts.
    """
    cut = bleu_metric(tokeniser).tokenizer
    reference_ngrams = [list(_ngrams(cut(text.rstrip()).split())) for text in references]
    missing = {ngram for ngrams in reference_ngrams for ngram in ngrams}
    seen: set[Ngram] = set()
    for line in training:
        newly_seen = missing.intersection(_ngrams(cut(line.rstrip()).split()))
        seen |= newly_seen
        missing -= newly_seen
    counts = np.zeros((len(references), WORD_ORDER), dtype=np.int64)
    for row, ngrams in zip(counts, reference_ngrams, strict=True):
        for ngram in ngrams:
            row[len(ngram) - 1] += ngram in seen
    return counts


def seen_statistics(pairs: PairStatistics, tokeniser: str = TOKENISER) -> SentenceStatistics | None:
    """Statistics of translations as long as the references that match in exactly the n-grams seen in training. Only
    their BLEU means something. None if these were not counted."""
    if pairs.reference_seen is None:
        return None
    nothing = np.zeros(len(pairs), dtype=np.int64)
    hypotheses = HypothesisStatistics(
        words=pairs.reference_words,
        length=pairs.reference_length,
        matches=pairs.reference_seen,
        characters=nothing,
        character_matches=np.zeros((len(pairs), CHARACTER_ORDER), dtype=np.int64),
        edits=nothing,
    )
    return SentenceStatistics(replace(pairs, reference_seen=None), hypotheses, tokeniser)


def _ngrams(tokens: Sequence[str]) -> Iterator[Ngram]:
    for n in range(1, WORD_ORDER + 1):
        yield from zip(*(tokens[k:] for k in range(n)), strict=False)
