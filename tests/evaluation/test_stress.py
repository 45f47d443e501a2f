"""The stress test of real models with random weights, against the plain evaluation and one call after the other."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nmt
from nmt.answers.translations import TranslationCache
from nmt.config import SearchSettings
from nmt.evaluation.evaluate import Evaluator, StressTest
from nmt.evaluation.test_set import TestSet
from nmt.inference.text_search import TextSearch
from tests.answers.onlooker import Onlooker

TEST = TestSet(
    name="mine",
    sources=[
        "the girl reads .",
        "a cat is on a mat .",
        "she has never seen the sea",
        "the cat .",
        "she sleeps on the mat .",
    ],
    references=[
        "la fille lit .",
        "une chat est sur une lit .",
        "elle a jamais vu la mer",
        "chat .",
        "elle dort sur la lit .",
    ],
)


@pytest.mark.parametrize("name", ["search-words", "search-bpe", "encdec-words"])
def test_one_sentence_alone_is_the_plain_evaluation(random_runs: Path, name: str) -> None:
    model = nmt.load(random_runs / name)
    (found,) = StressTest(model=model, settings=SearchSettings(beam=3), reporter=Onlooker()).points(TEST, 1)
    settings = SearchSettings(beam=3, n_best=2)
    evaluator = Evaluator(model=model, settings=settings, reporter=Onlooker(), both_columns=False)
    assert [evaluator.column(no_unk).n_best for no_unk in (False, True)] == [1, 1]
    plain = evaluator.evaluate(TEST).evaluation
    assert plain.everything is not None
    forced = plain.pairs.reference_log_probability
    assert forced is not None
    assert found.bleu == found.bleu_apart == pytest.approx(plain.everything.bleu)
    assert found.log_probability == pytest.approx(forced.sum() / plain.pairs.reference_words.sum())
    assert found.sentences == len(TEST)


@pytest.mark.parametrize("both", [False, True])
def test_the_second_column_is_measured_only_if_it_is_asked_for(random_runs: Path, both: bool) -> None:
    model = nmt.load(random_runs / "search-words")
    known = TestSet(name="known", sources=["the girl reads"], references=["la fille lit"])
    settings = SearchSettings(beam=2)
    evaluator = Evaluator(model=model, settings=settings, reporter=Onlooker(), both_columns=both)
    found = evaluator.evaluate(known).evaluation
    assert (found.no_unk is not None) == both
    assert found.everything is not None


@pytest.mark.parametrize("name", ["search-words", "encdec-bpe"])
def test_each_k_is_what_the_model_says_of_the_joined_sentences(random_runs: Path, name: str) -> None:
    model = nmt.load(random_runs / name)
    points = list(StressTest(model=model, settings=SearchSettings(beam=2), reporter=Onlooker()).points(TEST, 3))
    assert [(point.joined, point.sentences) for point in points] == [(1, 5), (2, 2), (3, 1)]
    for k, point in enumerate(points, 1):
        starts = range(0, len(TEST) - k + 1, k)
        sources = [" ".join(TEST.sources[i : i + k]) for i in starts]
        references = [" ".join(TEST.references[i : i + k]) for i in starts]
        log_p = sum(model.score(*pair).log_probability for pair in zip(sources, references, strict=True))
        assert point.log_probability == pytest.approx(log_p / sum(len(text.split()) for text in references), rel=1e-5)
        alphas = [model.translate(source, beam=2).alignment for source in sources]
        if not model.has_alignment:
            assert point.mean_coverage is None
            continue
        means = []
        for alpha in alphas:
            assert alpha is not None
            words = alpha.merged()
            read = [
                j for j, word in enumerate(words.source) if any(letter.isalnum() for letter in word) and word != "</s>"
            ]
            means.append(words.weights.sum(axis=0)[read].mean())
        assert point.mean_coverage == pytest.approx(np.mean(means), rel=1e-4)


def test_nothing_is_decoded_twice(random_runs: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    searched = Counter[str]()
    translate = TextSearch.translate

    def counted(self: TextSearch, sentences: Any, *others: Any) -> Any:
        searched.update(sentence.text for sentence in sentences)
        return translate(self, sentences, *others)

    monkeypatch.setattr(TextSearch, "translate", counted)
    cache = TranslationCache(tmp_path)
    test = StressTest(
        model=nmt.load(random_runs / "search-words"), settings=SearchSettings(beam=2), reporter=Onlooker(), cache=cache
    )
    first = list(test.points(TEST, 3))
    assert set(searched.values()) == {1}
    assert len(searched) == 5 + 2 + 1
    assert list(test.points(TEST, 3)) == first
    assert set(searched.values()) == {1}
