"""Corpus BLEU, chrF and TER by sacreBLEU, each with the signature that says how it was made."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sacrebleu.metrics.base import Metric
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from nmt.errors import InputError
from nmt.results import Score, Scores


def score_texts(hypotheses: Sequence[str], references: Sequence[str], *, signature_extras: Mapping[str, str]) -> Scores:
    """Score detokenised translations, with sacreBLEU's default settings.

    Args:
        hypotheses: one translation a sentence; may be empty strings.
        references: one reference a sentence.
        signature_extras: what to add to sacreBLEU's signatures, e.g. {"run": "rnnsearch-50", "beam": "12"}, in
            this order. Values stand there without "|", ":" and white space, which become "_".

    Returns:
        BLEU and chrF (0 to 100), TER (0 and up), all over the whole corpus; no buckets by length.

    Raises:
        InputError: there are no sentences, or not as many hypotheses as references.
    """
    check_corpus(hypotheses, references)
    bleu, chrf, ter = (_score(metric, hypotheses, references, signature_extras) for metric in (BLEU(), CHRF(), TER()))
    return Scores(bleu, chrf, ter, len(hypotheses))


def check_corpus(hypotheses: Sequence[str], references: Sequence[str]) -> None:
    """Raise InputError unless there are as many hypotheses as references, and at least one."""
    if len(hypotheses) != len(references):
        raise InputError(f"there are {len(hypotheses)} hypotheses but {len(references)} references")
    if not hypotheses:
        raise InputError("there are no sentences to score")


def extend_signature(signature: str, extras: Mapping[str, str]) -> str:
    """Add fields to a signature in sacreBLEU's style.

    >>> extend_signature("nrefs:1|version:2.6.0", {"run": "my run", "beam": "12"})
    'nrefs:1|version:2.6.0|run:my_run|beam:12'
    """
    taken = {field.partition(":")[0] for field in signature.split("|")}
    assert not taken & extras.keys(), f"sacreBLEU's signature has {sorted(taken & extras.keys())} already"
    clean = {key: re.sub(r"[|:\s]", "_", value) for key, value in extras.items()}
    return "|".join([signature, *(f"{key}:{value}" for key, value in clean.items())])


def _score(metric: Metric, hypotheses: Sequence[str], references: Sequence[str], extras: Mapping[str, str]) -> Score:
    result = metric.corpus_score(list(hypotheses), [list(references)])
    signature = extend_signature(str(metric.get_signature()), extras)
    return Score(type(metric).__name__.replace("CHRF", "chrF"), float(result.score), signature)
