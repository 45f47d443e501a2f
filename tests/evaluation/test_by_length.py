"""Buckets by length against sacreBLEU's counts, added up sentence by sentence."""

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

from nmt.errors import InputError
from nmt.evaluation.by_length import bleu_by_length

WORDS = ["red", "green", "blue", "round", "flat", "old", "new", "lamp", "desk", "gate"]


def corpus(lengths, seed=1):
    """Sources of the given lengths, hypotheses and references that share most of their words."""
    random = np.random.default_rng(seed)
    sources = ["  ".join(random.choice(WORDS, size=n)) for n in lengths]
    references = [" ".join(random.choice(WORDS, size=n + 2)) + "." for n in lengths]
    hypotheses = [
        " ".join(word if random.random() < 0.8 else "wrong" for word in reference.split()) for reference in references
    ]
    return sources, hypotheses, references


def added_up(hypotheses, references):
    """Corpus BLEU from the sum of the sentences' n-gram counts."""
    metric = BLEU(effective_order=True)
    parts = [metric.sentence_score(h, [r]) for h, r in zip(hypotheses, references, strict=True)]
    correct = np.sum([part.counts for part in parts], axis=0).tolist()
    total = np.sum([part.totals for part in parts], axis=0).tolist()
    sizes = [sum(part.sys_len for part in parts), sum(part.ref_len for part in parts)]
    return BLEU.compute_bleu(correct, total, *sizes, smooth_method="exp").score


def test_each_bucket_has_the_corpus_bleu_of_its_sentences():
    lengths = [1, 10, 11, 20, 21, 5, 60, 61, 150, 15, 7, 45]
    sources, hypotheses, references = corpus(lengths)
    buckets = bleu_by_length(sources, hypotheses, references)
    assert [(b.first, b.last) for b in buckets] == [
        (1, 10), (11, 20), (21, 30), (31, 40), (41, 50), (51, 60), (61, None)
    ]  # fmt: skip
    for bucket in buckets:
        inside = [i for i, n in enumerate(lengths) if bucket.first <= n <= (bucket.last or 1000)]
        assert bucket.sentences == len(inside)
        if not inside:
            assert bucket.bleu is None
            continue
        expected = added_up([hypotheses[i] for i in inside], [references[i] for i in inside])
        assert bucket.bleu == pytest.approx(expected, rel=1e-12)
        assert 0 < bucket.bleu < 100
    assert sum(bucket.sentences for bucket in buckets) == len(lengths)
    assert sum(bucket.bleu is None for bucket in buckets) == 1


def test_a_source_without_words_is_in_no_bucket():
    sources, hypotheses, references = corpus([3, 4])
    buckets = bleu_by_length([*sources, "  "], [*hypotheses, "lamp"], [*references, "desk"])
    assert buckets == bleu_by_length(sources, hypotheses, references)


def test_lines_that_do_not_match_are_input_errors():
    with pytest.raises(InputError, match="2 sources"):
        bleu_by_length(["a", "b"], ["a"], ["a"])
    with pytest.raises(InputError, match="references"):
        bleu_by_length(["a"], ["a"], ["a", "b"])
    with pytest.raises(InputError, match="no sentences"):
        bleu_by_length([], [], [])
