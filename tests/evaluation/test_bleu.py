"""BLEU, chrF and TER out of statistics against sacreBLEU over the texts, in Python and by its command line."""

import json
import subprocess
import sys

import numpy as np
import pytest
import sacrebleu

from nmt.errors import InputError
from nmt.evaluation.metrics import (
    corpus_metric,
    corpus_scores,
    extend_signature,
    metrics,
    sentence_scores,
    signed_scores,
)
from nmt.evaluation.sufficient_statistics import sentence_statistics
from nmt.results import SentenceStatistics
from nmt.results.statistics import Counts
from tests.evaluation.texts import texts

REFERENCES = [
    "The lamp on the desk is broken.",
    "She waters the plants every second morning, even in winter.",
    "No train leaves before noon.",
    "We painted the old gate green.",
]
HYPOTHESES = [
    "The lamp on the table is broken.",
    "She waters the plants every other morning, even in winter.",
    "",
    "We have painted the old gate green .",
]


def statistics(hypotheses: list[str], references: list[str]) -> SentenceStatistics:
    return sentence_statistics(references, hypotheses, references)


@pytest.mark.parametrize("seed", range(4))
def test_any_choice_of_sentences_equals_sacrebleu_over_these(seed):
    random = np.random.default_rng(seed)
    given = texts(random.integers(0, 30, size=40), seed, kept=0.3 + 0.2 * seed)
    found = sentence_statistics(given.sources, given.hypotheses, given.references)
    for rows in (np.arange(40), random.choice(40, size=9, replace=False), random.integers(0, 40, 60), np.array([3])):
        hypotheses, references = ([side[i] for i in rows] for side in (given.hypotheses, given.references))
        scores = corpus_scores(found.take(rows))
        assert scores.bleu == sacrebleu.corpus_bleu(hypotheses, [references]).score
        assert scores.chrf == sacrebleu.corpus_chrf(hypotheses, [references]).score
        assert scores.ter == sacrebleu.corpus_ter(hypotheses, [references]).score


def test_equals_sacrebleus_command_with_its_signatures(tmp_path):
    (tmp_path / "reference").write_text("\n".join(REFERENCES) + "\n", encoding="utf-8")
    (tmp_path / "hypothesis").write_text("\n".join(HYPOTHESES) + "\n", encoding="utf-8")
    arguments = ["reference", "-i", "hypothesis", "-m", "bleu", "chrf", "ter", "-w", "9"]
    command = [sys.executable, "-m", "sacrebleu", *arguments]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    expected = json.loads(run.stdout)
    scores = signed_scores(statistics(HYPOTHESES, REFERENCES), signature_extras={"run": "a", "beam": "12"})
    for score, other in zip(scores.each, expected, strict=True):
        assert score.value == pytest.approx(other["score"], abs=1e-8)
        assert score.signature == other["signature"] + "|run:a|beam:12"
    assert [score.metric for score in scores.each] == ["BLEU", "chrF", "TER"]
    assert scores.sentences == 4


def test_values_of_the_extras_cannot_break_the_signature():
    scores = signed_scores(statistics(HYPOTHESES, REFERENCES), signature_extras={"run": "x|beam:5 y"})
    assert scores.signature.endswith("|run:x_beam_5_y")


def test_nothing_has_no_score():
    with pytest.raises(InputError, match=r"\bsentences\b"):
        corpus_scores(statistics(HYPOTHESES, REFERENCES).take([]))


GIVEN = texts([1, 2, 3, 5, 8, 13, 21, 40], kept=0.6)


@pytest.mark.parametrize(
    ("metric", "oracle"),
    [("BLEU", sacrebleu.sentence_bleu), ("chrF", sacrebleu.sentence_chrf), ("TER", sacrebleu.sentence_ter)],
)
def test_each_sentence_is_scored_as_by_sacrebleu(metric: str, oracle: object) -> None:
    found = sentence_scores(sentence_statistics(GIVEN.sources, GIVEN.hypotheses, GIVEN.references), metric)
    pairs = zip(GIVEN.hypotheses, GIVEN.references, strict=True)
    expected = [oracle(hypothesis, [reference]).score for hypothesis, reference in pairs]  # type: ignore[operator]
    assert found == pytest.approx(np.array(expected))
    assert len(set(expected)) > 4


@pytest.mark.parametrize("text", ["lamp", "old lamp", "red old lamp"])
def test_a_perfect_sentence_of_few_words_has_all_of_bleu(text: str) -> None:
    """The order of the n-grams is that of the sentence."""
    (score,) = sentence_scores(sentence_statistics([text], [text], [text]), "BLEU")
    assert score == pytest.approx(sacrebleu.sentence_bleu(text, [text]).score) == pytest.approx(100)


def test_another_metric_is_refused() -> None:
    with pytest.raises(InputError, match="METEOR"):
        sentence_scores(sentence_statistics(["a"], ["a"], ["a"]), "METEOR")


def bleu_sums(random: np.random.Generator, number: int) -> Counts:
    length, reference = random.integers(0, 9, (2, number))
    ngrams = np.maximum(length[:, None] - np.arange(4), 0)
    return np.concatenate([length[:, None], reference[:, None], random.binomial(ngrams, 0.5), ngrams], axis=1)


def chrf_sums(random: np.random.Generator, number: int) -> Counts:
    written, wanted = (np.maximum(random.integers(0, 12, (number, 1)) - np.arange(6), 0) for _ in range(2))
    matches = random.binomial(np.minimum(written, wanted), random.choice([0, 0.6], size=(number, 1)))
    return np.stack([written, wanted, matches], axis=2).reshape(number, 18)


def ter_sums(random: np.random.Generator, number: int) -> Counts:
    return random.integers(0, 6, (number, 2))


SUMS = {"BLEU": bleu_sums, "chrF": chrf_sums, "TER": ter_sums}


@pytest.mark.parametrize("name", metrics())
def test_many_at_a_time_equal_one_by_one(name: str) -> None:
    """Missing matches, missing n-grams, empty outputs and empty references included."""
    random = np.random.default_rng(4)
    sums = SUMS[name](random, 600)
    sums[300:] *= random.integers(1, 4000, (300, 1))
    metric = metrics()[name]
    expected = [metric.score(row) for row in sums.tolist()]
    found = metric.of_each(sums.T.astype(np.float64))
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert metric.of_each(sums.T.reshape(-1, 20, 30).astype(np.float64)).tolist() == found.reshape(20, 30).tolist()
    assert 0 in expected
    assert len(set(expected)) > 10


@pytest.mark.parametrize("name", metrics())
def test_nothing_scores_0(name: str) -> None:
    metric = metrics()[name]
    nothing = np.zeros_like(SUMS[name](np.random.default_rng(1), 1))
    assert metric.score(nothing[0].tolist()) == 0
    assert metric.of_each(nothing.T.astype(np.float64)).tolist() == [0]


def test_an_unknown_score_is_named() -> None:
    with pytest.raises(InputError, match=r"BLEU, chrF, TER.*'ROUGE'"):
        corpus_metric("ROUGE")


def test_a_signature_has_each_field_once() -> None:
    with pytest.raises(AssertionError, match="tok"):
        extend_signature("nrefs:1|tok:13a", {"tok": "char"})
