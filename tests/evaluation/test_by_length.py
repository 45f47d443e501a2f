"""BLEU of the paper's ranges, and retention, against sacreBLEU."""

import numpy as np
import pytest
import sacrebleu

from nmt.evaluation.bootstrap import Resamples, interval
from nmt.evaluation.buckets import by_width
from nmt.evaluation.length_curves import LONG, SHORT, length_curves, retention
from nmt.evaluation.sufficient_statistics import sentence_statistics
from nmt.results import CurvePoint, SentenceStatistics
from nmt.results.statistics import Floats
from tests.evaluation.texts import Texts, texts


def statistics(given: Texts) -> SentenceStatistics:
    return sentence_statistics(given.sources, given.hypotheses, given.references)


def by_length(of: SentenceStatistics) -> tuple[CurvePoint, ...]:
    return length_curves({"": of}, by_width()).curves[0].points


def test_each_bucket_has_the_corpus_bleu_of_its_sentences() -> None:
    lengths = [1, 10, 11, 20, 21, 5, 60, 61, 150, 15, 7, 45, 0]
    given = texts(lengths)
    buckets = by_length(statistics(given))
    assert [(b.span.first, b.span.last) for b in buckets] == [
        (1, 10), (11, 20), (21, 30), (31, 40), (41, 50), (51, 60), (61, None)
    ]  # fmt: skip
    assert [b.span.name for b in buckets[-2:]] == ["51-60", "61+"]
    for bucket in buckets:
        inside = [i for i, n in enumerate(lengths) if bucket.span.first <= n <= (bucket.span.last or 1000)]
        assert (bucket.sentences, bucket.interval) == (len(inside), None)
        references = [given.references[i] for i in inside]
        score = sacrebleu.corpus_bleu([given.hypotheses[i] for i in inside], [references]).score if inside else None
        assert bucket.value == score
    assert sum(bucket.sentences for bucket in buckets) == len(lengths) - 1


def sampled(system: SentenceStatistics, resamples: Resamples, rows: range) -> Floats:
    """A resample at a time, by sacreBLEU's own formula."""
    scores = []
    for times in resamples.times.T:
        sums = (system.bleu[rows] * times[rows][:, None]).sum(axis=0).tolist()
        scores.append(sacrebleu.BLEU.compute_bleu(sums[2:6], sums[6:], *sums[:2], smooth_method="exp").score)
    return np.array(scores)


def test_retention_is_the_ratio_of_two_buckets() -> None:
    good, bad = texts([15] * 30, 1, 0.9), texts([55] * 30, 2, 0.6)
    both = SentenceStatistics.join([statistics(given) for given in (good, bad)])
    resamples = Resamples.draw(60, 300)
    buckets = by_length(both)
    found = retention({"a": both}, resamples)["a"]
    assert found is not None
    assert (LONG.name, SHORT.name) == (buckets[5].span.name, buckets[1].span.name)
    assert buckets[5].value is not None
    assert buckets[1].value is not None
    assert found.value == buckets[5].value / buckets[1].value
    expected = interval(sampled(both, resamples, range(30, 60)) / sampled(both, resamples, range(30)))
    assert found.interval is not None
    assert expected is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((expected.low, expected.high))
    assert found.interval.low < found.value < found.interval.high < 1
    few = both.take(np.arange(39))  # nine long ones
    assert retention({"a": few}, Resamples.draw(39, 50)) == {"a": None}
    assert retention({"a": both.take(np.arange(40))}, Resamples.draw(40, 50))["a"] is not None
