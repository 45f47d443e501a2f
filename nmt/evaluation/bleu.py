"""BLEU, chrF and TER of a test set by sacreBLEU from per-sentence statistics, each with its signature."""

from __future__ import annotations

from collections.abc import Mapping

from nmt.errors import InputError
from nmt.evaluation.metrics import extend_signature, metrics
from nmt.results import Entry, Score, Scores, SentenceStatistics


def corpus_scores(statistics: SentenceStatistics) -> Entry:
    """Compute BLEU, chrF and TER over all sentences, equal to sacreBLEU's scores of the texts with default settings
    except for the tokeniser.

    Raises:
        InputError: there are no sentences.
    """
    if not len(statistics):
        raise InputError("there are no sentences to score")

    def score(metric: str) -> float:
        corpus_metric = metrics()[metric]
        return corpus_metric.score(corpus_metric.table(statistics).sum(axis=0).tolist())

    return Entry(bleu=score("BLEU"), chrf=score("chrF"), ter=score("TER"), sentences=len(statistics))


def signed_scores(statistics: SentenceStatistics, *, signature_extras: Mapping[str, str]) -> Scores:
    """Compute the scores of ``corpus_scores`` with signatures, without buckets by length.

    Args:
        statistics: at least one sentence, else InputError.
        signature_extras: fields added to sacreBLEU's signatures, e.g. {"run": "rnnsearch-50", "beam": "12"}, in
            this order. In values, "|", ":" and white space become "_".
    """
    entry = corpus_scores(statistics)

    def signed(metric: str, value: float) -> Score:
        signature = metrics(statistics.tokeniser)[metric].signature
        return Score(metric, value, extend_signature(signature, signature_extras))

    return Scores(
        bleu=signed("BLEU", entry.bleu),
        chrf=signed("chrF", entry.chrf),
        ter=signed("TER", entry.ter),
        sentences=entry.sentences,
    )
