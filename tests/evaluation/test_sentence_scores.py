"""Scores of single sentences are sacreBLEU's."""

import numpy as np
import pytest
import sacrebleu

from nmt.errors import InputError
from nmt.evaluation.metrics import sentence_scores
from nmt.evaluation.sufficient_statistics import sentence_statistics
from tests.evaluation.texts import texts

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
