"""BLEU, chrF and TER as functions of counts that are added up over sentences: one sum by sacreBLEU itself, many at a
time in NumPy, the same to rounding."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from nmt.errors import InputError
from nmt.evaluation.tokenisers import bleu_metric, ter_signature
from nmt.results import SentenceStatistics
from nmt.results.statistics import TOKENISER, WORD_ORDER, Counts, Floats

_CHRF, _TER = CHRF(), TER()
"""With default settings."""

_ONE = (("",),)
"""One reference a sentence, as a signature must know."""


@dataclass(frozen=True)
class CorpusMetric:
    """A score of a corpus.

    Attributes:
        name: as sacreBLEU has it.
        higher_is_better: False for TER.
        table: what is added up, [N, counts].
        score: of one sum, [counts], as sacreBLEU computes it; 0 for none.
        of_each: of many sums, [counts, ...] -> [...].
        signature: sacreBLEU's.
    """

    name: str
    higher_is_better: bool
    table: Callable[[SentenceStatistics], Counts]
    score: Callable[[Sequence[int]], float]
    of_each: Callable[[Floats], Floats]
    signature: str


def bleu(sums: Sequence[int]) -> float:
    """BLEU (0 to 100) from the sums of ``SentenceStatistics.bleu`` over the sentences, 10 counts; 0 for none."""
    lengths, matches, ngrams = sums[:2], list(sums[2 : 2 + WORD_ORDER]), list(sums[2 + WORD_ORDER :])
    return float(BLEU.compute_bleu(matches, ngrams, lengths[0], lengths[1], smooth_method="exp").score)


def chrf(sums: Sequence[int]) -> float:
    """chrF (0 to 100) from the sums of ``SentenceStatistics.chrf``, 18 counts."""
    return float(_CHRF._compute_score_from_stats(list(sums)).score)


def ter(sums: Sequence[int]) -> float:
    """TER (0 and up) from the sums of ``SentenceStatistics.ter``, 2 counts."""
    return float(_TER._compute_score_from_stats(list(sums)).score)


def bleu_of_each(sums: Floats) -> Floats:
    """The brevity penalty times the geometric mean of the n-gram precisions; the k-th order without a match counts as
    half a match to the power of k (smoothing "exp"). 0 without any match, and where there are no n-grams of some
    order."""
    length, reference = sums[0], sums[1]
    matches, ngrams = sums[2 : 2 + WORD_ORDER], sums[2 + WORD_ORDER :]
    some = matches.any(axis=0) & ngrams.all(axis=0)
    missing = matches == 0
    if missing.any():
        matches = np.where(missing, 0.5 ** np.cumsum(missing, axis=0), matches)
    precisions = np.prod(matches / np.maximum(ngrams, 1), axis=0)
    penalty = np.exp(np.minimum(0, 1 - reference / np.maximum(length, 1)))
    assert WORD_ORDER == 4, "the fourth root is taken"
    found: Floats = np.where(some, 100 * penalty * np.sqrt(np.sqrt(precisions)), 0.0)
    return found


def chrf_of_each(sums: Floats) -> Floats:
    """The F-score of precision and recall, recall counting twice as much, each averaged over those orders of which both
    sides have n-grams."""
    written, wanted, matches = (sums[k::3] for k in range(3))
    both = (written > 0) & (wanted > 0)
    orders = np.maximum(both.sum(axis=0), 1)
    precision = np.where(both, matches / np.maximum(written, 1), 0).sum(axis=0) / orders
    recall = np.where(both, matches / np.maximum(wanted, 1), 0).sum(axis=0) / orders
    factor = CHRF.BETA**2
    below = factor * precision + recall
    found: Floats = np.where(below > 0, 100 * (1 + factor) * precision * recall / np.where(below > 0, below, 1), 0.0)
    return found


def ter_of_each(sums: Floats) -> Floats:
    """Edits over words of the reference; one edit or more against no words at all is 100."""
    edits, words = sums
    found: Floats = 100 * np.where(words > 0, edits / np.maximum(words, 1), edits > 0)
    return found


def extend_signature(signature: str, extras: Mapping[str, str]) -> str:
    """Add fields to a signature in sacreBLEU's style.

    >>> extend_signature("nrefs:1|version:2.6.0", {"run": "my run", "beam": "12"})
    'nrefs:1|version:2.6.0|run:my_run|beam:12'
    """
    taken = {field.partition(":")[0] for field in signature.split("|")}
    assert not taken & extras.keys(), f"sacreBLEU's signature has {sorted(taken & extras.keys())} already"
    clean = {key: re.sub(r"[|:\s]", "_", value) for key, value in extras.items()}
    return "|".join([signature, *(f"{key}:{value}" for key, value in clean.items())])


@cache
def metrics(tokeniser: str = TOKENISER) -> Mapping[str, CorpusMetric]:
    """BLEU, chrF and TER by name; ``tokeniser`` is sacreBLEU's name of what cut the texts that were counted."""
    signatures = (
        str(bleu_metric(tokeniser).get_signature()),
        str(CHRF(references=_ONE).get_signature()),
        ter_signature(tokeniser),
    )
    found = (
        CorpusMetric("BLEU", True, lambda given: given.bleu, bleu, bleu_of_each, signatures[0]),
        CorpusMetric("chrF", True, lambda given: given.chrf, chrf, chrf_of_each, signatures[1]),
        CorpusMetric("TER", False, lambda given: given.ter, ter, ter_of_each, signatures[2]),
    )
    return {metric.name: metric for metric in found}


def corpus_metric(name: str, tokeniser: str = TOKENISER) -> CorpusMetric:
    """InputError for a name that is none of BLEU, chrF and TER."""
    known = metrics(tokeniser)
    if name not in known:
        raise InputError(f"a score is one of {', '.join(known)}, not {name!r}")
    return known[name]


METRICS = metrics()
"""With sacreBLEU's usual tokeniser."""
