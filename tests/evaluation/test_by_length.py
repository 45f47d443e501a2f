"""Buckets by length against sacreBLEU's counts, added up sentence by sentence."""

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

from nmt.evaluation.bootstrap import Resamples, interval
from nmt.evaluation.by_length import bleu_by_length, retention
from nmt.evaluation.counting import sentence_statistics
from nmt.results import SentenceStatistics
from tests.evaluation.texts import texts


def added_up(hypotheses, references):
    """Corpus BLEU from the sum of the sentences' n-gram counts."""
    metric = BLEU(effective_order=True)
    parts = [metric.sentence_score(h, [r]) for h, r in zip(hypotheses, references, strict=True)]
    correct = np.sum([part.counts for part in parts], axis=0).tolist()
    total = np.sum([part.totals for part in parts], axis=0).tolist()
    sizes = [sum(part.sys_len for part in parts), sum(part.ref_len for part in parts)]
    return BLEU.compute_bleu(correct, total, *sizes, smooth_method="exp").score


def statistics(lengths, seed=1, kept=0.8) -> SentenceStatistics:
    given = texts(lengths, seed, kept)
    return sentence_statistics(given.sources, given.hypotheses, given.references)


def test_each_bucket_has_the_corpus_bleu_of_its_sentences():
    lengths = [1, 10, 11, 20, 21, 5, 60, 61, 150, 15, 7, 45]
    given = texts(lengths)
    buckets = bleu_by_length(sentence_statistics(given.sources, given.hypotheses, given.references))
    assert [(b.first, b.last) for b in buckets] == [
        (1, 10), (11, 20), (21, 30), (31, 40), (41, 50), (51, 60), (61, None)
    ]  # fmt: skip
    assert [b.span for b in buckets[-2:]] == ["51-60", "61+"]
    for bucket in buckets:
        inside = [i for i, n in enumerate(lengths) if bucket.first <= n <= (bucket.last or 1000)]
        assert bucket.sentences == len(inside)
        assert bucket.interval is None
        if not inside:
            assert bucket.bleu is None
            continue
        expected = added_up([given.hypotheses[i] for i in inside], [given.references[i] for i in inside])
        assert bucket.bleu == pytest.approx(expected, rel=1e-12)
        assert 0 < bucket.bleu < 100
    assert sum(bucket.sentences for bucket in buckets) == len(lengths)
    assert sum(bucket.bleu is None for bucket in buckets) == 1


def test_a_source_without_words_is_in_no_bucket():
    assert sum(bucket.sentences for bucket in bleu_by_length(statistics([3, 0, 4]))) == 2


def test_intervals_hold_the_score_and_shrink_with_more_sentences():
    few, many = statistics([15] * 12 + [25] * 9), statistics([15] * 300)
    short = bleu_by_length(few, Resamples.draw(len(few), 200))
    assert short[1].interval.low < short[1].bleu < short[1].interval.high
    assert (short[2].bleu is not None, short[2].interval) == (True, None)  # nine sentences
    long = bleu_by_length(many, Resamples.draw(len(many), 200))[1].interval
    assert long.high - long.low < 0.5 * (short[1].interval.high - short[1].interval.low)


def test_retention_is_the_ratio_of_two_buckets():
    good, bad = texts([15] * 30, 1, 0.9), texts([55] * 30, 2, 0.6)
    both = SentenceStatistics.join([sentence_statistics(t.sources, t.hypotheses, t.references) for t in (good, bad)])
    resamples = Resamples.draw(60, 300)
    buckets = bleu_by_length(both, resamples)
    found = retention(both, resamples)
    assert found.value == buckets[5].bleu / buckets[1].bleu
    assert found.interval.low < found.value < found.interval.high < 1
    samples = [resamples.bleu(both.bleu, rows) for rows in (np.arange(30, 60), np.arange(30))]
    assert found.interval == interval(samples[0] / samples[1])
    assert retention(both.take(np.arange(39)), Resamples.draw(39, 50)) is None  # nine long ones
