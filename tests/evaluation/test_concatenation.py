"""Joined sentences, and the numbers over them, against sacreBLEU, brute force and sums by hand."""

from dataclasses import asdict

import numpy as np
import pytest
import sacrebleu

from nmt.errors import InputError
from nmt.evaluation.bootstrap import Resamples
from nmt.evaluation.concatenation import bleu_counts, concatenate, concatenate_lines, short_sentences, stress_point
from nmt.evaluation.sufficient_statistics import sentence_statistics
from nmt.evaluation.test_set import TestSet
from nmt.records import as_record
from nmt.results import AlignmentSummary, FinishedScore, FinishedTranslation, StressPoint

WORDS = "the cat sat on a mat and saw two old dogs run".split()


def random_lines(seed: int, number: int) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, rng.integers(3, 9))) + "." for _ in range(number)]


def point(k: int, hypotheses: list[str], references: list[str], apart: list[str] | None = None) -> StressPoint:
    finished = [
        FinishedTranslation(source=f"s {i}", text=text, tokens=3, log_probability=-1.0)
        for i, text in enumerate(hypotheses)
    ]
    scores = [
        FinishedScore(source=f"s {i}", target=text, tokens=3, log_probability=-2.0) for i, text in enumerate(references)
    ]
    return stress_point(k, references, finished, apart or hypotheses, scores)


def test_every_k_has_the_same_sentences_in_order() -> None:
    test = TestSet(name="mine", sources=random_lines(1, 11), references=random_lines(2, 11))
    for k in range(1, 9):
        found = concatenate(test, k)
        assert len(found) == 11 // k
        for side, whole in ((found.sources, test.sources), (found.references, test.references)):
            assert " ".join(side) == " ".join(whole[: len(found) * k])
    assert concatenate(test, 1).sources == test.sources


@pytest.mark.parametrize("k", [0, -1, 4])
def test_what_cannot_be_joined(k: int) -> None:
    with pytest.raises(InputError, match="3"):
        concatenate(TestSet(name=None, sources=["a"] * 3, references=["b"] * 3), k)


def test_short_sentences_are_the_first_ones_that_are_short() -> None:
    test = TestSet(name="mine", sources=["a b c", "a b", "", "a", "a b c d", "b"], references=list("123456"))
    assert short_sentences(test, 2).references == ("2", "4", "6")
    assert short_sentences(test, 2, 2).references == ("2", "4")
    assert short_sentences(test, None).references == ("1", "2", "4", "5", "6")
    with pytest.raises(InputError, match=r"mine .* 0 words"):
        short_sentences(test, 0)


def test_bleu_is_sacrebleus() -> None:
    hypotheses, references = random_lines(3, 12), random_lines(4, 12)
    for k in (1, 2, 3):
        some, wanted = concatenate_lines(hypotheses, k), concatenate_lines(references, k)
        apart = random_lines(5 + k, len(some))
        found = point(k, some, wanted, apart)
        assert found.bleu == pytest.approx(sacrebleu.corpus_bleu(some, [wanted]).score)
        assert found.bleu_apart == pytest.approx(sacrebleu.corpus_bleu(apart, [wanted]).score)
        lengths = sacrebleu.corpus_bleu(some, [wanted])
        assert found.length_ratio == pytest.approx(lengths.sys_len / lengths.ref_len)


def test_counts_are_those_that_evaluations_keep() -> None:
    hypotheses, references = random_lines(6, 20), random_lines(7, 20)
    kept = sentence_statistics(["x"] * 20, hypotheses, references).bleu
    assert (bleu_counts(hypotheses, references) == kept).all()


def test_the_interval_is_that_of_the_resamples_scored_one_by_one() -> None:
    hypotheses, references = random_lines(8, 12), random_lines(9, 12)
    times = Resamples.draw(12).times
    scores = []
    for b in range(times.shape[1]):
        drawn = [i for i in range(12) for _ in range(times[i, b])]
        result = sacrebleu.corpus_bleu([hypotheses[i] for i in drawn], [[references[i] for i in drawn]])
        scores.append(result.score)
    found = point(1, hypotheses, references).interval
    assert found is not None
    ordered = sorted(scores)
    assert (found.low, found.high) == (pytest.approx(ordered[25]), pytest.approx(ordered[-26]))
    assert [point(1, hypotheses[:n], references[:n]).interval is None for n in (9, 10)] == [True, False]


def test_means_by_hand() -> None:
    translations = [
        FinishedTranslation(
            source="a b c", text="x y", tokens=3, log_probability=-1.0, alignment=AlignmentSummary(0.5, 0.2, 0.8)
        ),
        FinishedTranslation(
            source="a b c d e", text="x", tokens=2, log_probability=-1.0, alignment=AlignmentSummary(0.5, 0.4, 1.2)
        ),
    ]
    scores = [
        FinishedScore(source="a b c", target="x y", tokens=3, log_probability=-6.0),
        FinishedScore(source="a b c d e", target="x y z", tokens=4, log_probability=-3.0),
    ]
    found = stress_point(2, ["x y", "x y z"], translations, ["x y", "x y z"], scores)
    assert (found.joined, found.sentences, found.source_words) == (2, 2, 4.0)
    assert found.log_probability == pytest.approx(-9 / 5)
    assert found.least_coverage == pytest.approx(0.3)
    assert found.mean_coverage == pytest.approx(1.0)
    assert found.length_ratio == pytest.approx(3 / 5)
    without = [FinishedTranslation(source="a b c", text="x y", tokens=3, log_probability=-1.0)]
    assert stress_point(1, ["x y"], without, ["x y"], scores[:1]).least_coverage is None


def test_log_probability_per_word_and_length_of_a_reference_of_one_word_and_of_none() -> None:
    assert point(1, ["a b c"], ["a"]).length_ratio == point(1, ["a b c"], [""]).length_ratio == 3
    assert point(1, ["a"], ["a"]).log_probability == -2.0
    assert point(1, ["a"], [""]).log_probability == -2.0


def test_records_survive_json() -> None:
    for one in (point(1, random_lines(1, 12), random_lines(2, 12)), point(2, ["a"], ["b"])):
        assert as_record(StressPoint, asdict(one)) == one
    assert point(2, ["a"], ["b"]).kept is None
    same = point(1, random_lines(1, 12), random_lines(2, 12))
    assert same.kept == 1
