"""Corpus BLEU, chrF and TER by sacreBLEU out of per-sentence statistics, each with the signature that says how it was
made."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from sacrebleu.metrics.base import Metric
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from nmt.errors import InputError
from nmt.results import Entry, Score, Scores, SentenceStatistics
from nmt.results.statistics import WORD_ORDER, Counts, Floats

_ONE = (("",),)
"""One reference a sentence, as a signature must know."""


def bleu(sums: Sequence[int]) -> float:
    """BLEU (0 to 100) from the sums of ``SentenceStatistics.bleu`` over the sentences, 10 counts; 0 for none."""
    lengths, matches, ngrams = sums[:2], list(sums[2 : 2 + WORD_ORDER]), list(sums[2 + WORD_ORDER :])
    return float(BLEU.compute_bleu(matches, ngrams, lengths[0], lengths[1], smooth_method="exp").score)


def bleu_of_each(sums: Counts) -> Floats:
    """The same for many sums at a time, [B, 10] -> [B], for resampling: sacreBLEU's formula in NumPy, the same to
    rounding.

    The brevity penalty times the geometric mean of the n-gram precisions; the k-th order without a match counts as half
    a match to the power of k (smoothing "exp"). 0 without any match, and where there are no n-grams of some order.
    """
    length, reference = sums[:, 0], sums[:, 1]
    matches, ngrams = sums[:, 2 : 2 + WORD_ORDER], sums[:, 2 + WORD_ORDER :]
    some = matches.any(axis=1) & ngrams.all(axis=1)
    smoothed = np.where(matches > 0, matches, 0.5 ** np.cumsum(matches == 0, axis=1))
    precisions = smoothed / np.maximum(ngrams, 1)
    penalty = np.exp(np.minimum(0, 1 - reference / np.maximum(length, 1)))
    found: Floats = np.where(some, 100 * penalty * np.exp(np.log(precisions).mean(axis=1)), 0.0)
    return found


def corpus_scores(statistics: SentenceStatistics) -> Entry:
    """BLEU, chrF and TER over all sentences, as sacreBLEU gives them for the texts with its default settings.

    Raises:
        InputError: there are no sentences.
    """
    if not len(statistics):
        raise InputError("there are no sentences to score")
    chrf, ter = (
        metric._compute_score_from_stats(table.sum(axis=0).tolist()).score
        for metric, table in ((CHRF(), statistics.chrf), (TER(), statistics.ter))
    )
    return Entry(bleu(statistics.bleu.sum(axis=0).tolist()), float(chrf), float(ter), len(statistics))


def signed_scores(statistics: SentenceStatistics, *, signature_extras: Mapping[str, str]) -> Scores:
    """The same with signatures, without buckets by length.

    Args:
        statistics: at least one sentence, else InputError.
        signature_extras: what to add to sacreBLEU's signatures, e.g. {"run": "rnnsearch-50", "beam": "12"}, in
            this order. Values stand there without "|", ":" and white space, which become "_".
    """
    entry = corpus_scores(statistics)

    def signed(name: str, value: float, metric: Metric) -> Score:
        return Score(name, value, extend_signature(str(metric.get_signature()), signature_extras))

    return Scores(
        signed("BLEU", entry.bleu, BLEU(references=_ONE)),
        signed("chrF", entry.chrf, CHRF(references=_ONE)),
        signed("TER", entry.ter, TER(references=_ONE)),
        entry.sentences,
    )


def extend_signature(signature: str, extras: Mapping[str, str]) -> str:
    """Add fields to a signature in sacreBLEU's style.

    >>> extend_signature("nrefs:1|version:2.6.0", {"run": "my run", "beam": "12"})
    'nrefs:1|version:2.6.0|run:my_run|beam:12'
    """
    taken = {field.partition(":")[0] for field in signature.split("|")}
    assert not taken & extras.keys(), f"sacreBLEU's signature has {sorted(taken & extras.keys())} already"
    clean = {key: re.sub(r"[|:\s]", "_", value) for key, value in extras.items()}
    return "|".join([signature, *(f"{key}:{value}" for key, value in clean.items())])
