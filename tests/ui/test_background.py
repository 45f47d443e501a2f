"""Whole texts and test sets in the background of the server: real models, one desk, one store."""

from __future__ import annotations

import logging
import shutil
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sacrebleu
import streamlit as st

import nmt
from nmt.cli import main
from nmt.config import SearchSettings
from nmt.data.sentences import split_text
from nmt.evaluation.evaluation_files import read_evaluated_system
from nmt.evaluation.test_set import TestSet
from nmt.inference.text_search import Sentence, TextSearch
from nmt.runs.folder import RunInfo, read_run
from nmt.ui import background
from nmt.ui.background import OutputEvaluation, RunEvaluation, TextTranslation
from nmt.ui.compute import compute_service
from nmt.ui.requests import TranslationRequest
from tests.inference.test_text_search import random_texts
from tests.oracles.random_run import random_run

SETTINGS = SearchSettings(beam=3)
TEST = TestSet(
    name="mine",
    sources=["the girl reads .", "a cat is on a mat", "she has never seen the sea", "xylophone", "the cat"],
    references=["la fille lit .", "une chat est sur une lit", "elle a jamais vu la mer", "xylophone", "chat"],
)


@pytest.fixture(autouse=True)
def fresh_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("nmt.cache.translations._BATCH", 4)
    st.cache_resource.clear()
    yield
    for job in background.jobs().all():
        job.cancel()
        assert job.wait(20)
    st.cache_resource.clear()


@pytest.fixture
def run(random_runs: Path) -> RunInfo:
    return read_run(random_runs / "search-words")


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each sentence was searched in the background from here on."""
    found = Counter[str]()
    translate = TextSearch.translate

    def counted(self: TextSearch, sentences: list[Sentence], *others: Any) -> Any:
        if threading.current_thread().name == "jobs":
            found.update(sentence.text for sentence in sentences)
        return translate(self, sentences, *others)

    monkeypatch.setattr(TextSearch, "translate", counted)
    return found


def test_a_text_is_translated_as_the_model_does(run: RunInfo, caplog: pytest.LogCaptureFixture) -> None:
    texts = random_texts(3, 30)
    with caplog.at_level(logging.WARNING):
        job = TextTranslation(run, 1, tuple(texts), SETTINGS).start()
        assert job.wait(60)
    assert job.state.problem == ""
    assert job.result is not None
    expected = nmt.load(run.path).translate_all(texts, beam=3)
    assert [each.text for each in job.result] == [each.text for each in expected]
    assert job.state.progress.done == 30
    assert caplog.text == ""
    found = background.finished(run, SETTINGS, [*texts, "not asked for"])
    assert set(found) == {text for text in texts if text.strip()}


def test_a_whole_text_with_its_paragraphs(run: RunInfo) -> None:
    split = split_text("A girl\n\n- She reads. The cat sleeps.\n", run.source_language)
    job = TextTranslation(run, 1, split.sentences, SETTINGS).start()
    assert job.wait(60)
    assert job.result is not None
    model = nmt.load(run.path)
    a, b, c = (model.translate(text, beam=3).text for text in ("A girl", "She reads.", "The cat sleeps."))
    assert split.together([each.text for each in job.result]) == f"{a}\n\n- {b} {c}\n"


def test_the_same_question_is_the_same_job(run: RunInfo, searched: Counter[str]) -> None:
    one, two = (TextTranslation(run, 1, tuple(random_texts(4, 9)), SearchSettings(beam=3)) for _ in range(2))
    job = one.start()
    assert two.start() is job
    assert two.find() is job
    assert TextTranslation(run, 1, ("another",), SETTINGS).find() is None
    assert job.wait(60)
    assert max(searched.values()) == 1


def test_a_sentence_of_the_page_does_not_wait_for_the_whole_file(run: RunInfo, tmp_path: Path) -> None:
    """The file is of sentences that never end by themselves; the page's sentences are translated while it is in work,
    by the same model or another, and come out right."""
    endless = read_run(random_run(tmp_path / "endless", endless=True))
    asked = [(info, text) for info in (endless, run) for text in ("the girl reads", "she", "a cat")]
    expected = [nmt.load(info.path).translate(text, beam=4).text for info, text in asked]
    long = tuple(f"{text} the cat sleeps on the mat" for text in random_texts(5, 1000))
    job = TextTranslation(endless, 1, long, SearchSettings(beam=12)).start()
    steps: list[str] = []
    while job.state.stage != "translate":
        assert not job.state.over
        time.sleep(0.005)
    for (info, text), wanted in zip(asked, expected, strict=True):
        request = TranslationRequest(info.path, 1, text, SearchSettings(beam=4, n_best=1))
        answer = compute_service().answer(request, lambda: None, lambda done, limit: steps.append(job.state.status))
        assert answer.result.text == wanted
    assert set(steps) == {"running"}
    assert not job.state.over
    job.cancel()
    assert job.wait(20)
    assert job.state.status == "cancelled"


def test_what_was_cancelled_goes_on_where_it_stopped(
    run: RunInfo, searched: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = tuple(text for text in dict.fromkeys(random_texts(6, 40)) if text.strip())
    question = TextTranslation(run, 1, texts, SETTINGS)
    add, batches = background.translation_cache().add, []

    def cancel_after_two(key: Any, translations: Any) -> None:
        add(key, translations)
        batches.append(len(translations))
        if len(batches) == 2:
            question.start().cancel()

    monkeypatch.setattr(background.translation_cache(), "add", cancel_after_two)
    job = question.start()
    assert job.wait(60)
    assert (job.state.status, job.result, batches) == ("cancelled", None, [4, 4])
    again = question.start()
    assert again is not job
    assert again.wait(60)
    assert again.result is not None
    assert [each.source for each in again.result] == list(texts)
    assert searched == dict.fromkeys(texts, 1)


def test_an_evaluation_is_kept_and_found_by_its_sentences(run: RunInfo, searched: Counter[str]) -> None:
    question = RunEvaluation(run, 1, TEST, SETTINGS, no_unk=True)
    job = question.start()
    assert job.wait(60)
    assert job.state.problem == ""
    assert job.result is not None
    assert job.result.everything is not None
    assert job.result.no_unk is not None
    model = nmt.load(run.path)
    texts = [translation.text for translation in model.translate_all(TEST.sources, beam=3)]
    expected = sacrebleu.corpus_bleu(texts, [list(TEST.references)]).score
    assert job.result.everything.scores.bleu.value == pytest.approx(expected)
    assert job.result.no_unk.scores.sentences == 4
    assert TEST.is_of(job.result)
    searched.clear()
    st.cache_resource.clear()  # as a server that was started again
    again = question.start()
    assert again is not job
    assert again.wait(60)
    assert again.result is not None
    assert again.result.to_dict() == job.result.to_dict()
    assert not searched
    assert not list(run.path.glob("evaluation/*"))


def test_page_and_command_measure_the_same(random_runs: Path, tmp_path: Path) -> None:
    copy = read_run(shutil.copytree(random_runs / "search-words", tmp_path / "run"))
    for name, lines in (("source", TEST.sources), ("reference", TEST.references)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    files = ["--source", str(tmp_path / "source"), "--reference", str(tmp_path / "reference")]
    options = ["--beam", "3", "--name", "mine", "--table-1", "--by-length", "--fresh"]
    assert main(["evaluate", str(copy.path), *files, *options]) == 0
    job = RunEvaluation(copy, 1, TEST, SETTINGS, no_unk=True).start()
    assert job.wait(60)
    assert job.result is not None
    found = TEST.stored(read_evaluated_system(copy.path))
    assert found is not None
    assert found.to_dict() == job.result.to_dict()


def test_a_test_set_that_was_translated_as_a_text_is_not_translated_again(run: RunInfo, searched: Counter[str]) -> None:
    assert TextTranslation(run, 1, TEST.sources, SETTINGS).start().wait(60)
    assert RunEvaluation(run, 1, TEST, SETTINGS).start().wait(60)
    assert searched == dict.fromkeys(TEST.sources, 1)


def test_another_systems_output() -> None:
    job = OutputEvaluation("moses", TEST, ("la fille lit .", "b", "c", "d", "e")).start()
    assert job.wait(60)
    assert job.result is not None
    assert job.result.system == "moses"
    wrong = OutputEvaluation("moses", TEST, ("a",)).start()
    assert wrong.wait(60)
    assert wrong.state.problem == "the output of moses has 1 lines, but mine has 5 sentences"


def test_what_the_model_cannot_do_is_one_sentence(random_runs: Path) -> None:
    encdec = read_run(random_runs / "encdec-words")
    job = TextTranslation(encdec, 1, ("she",), SearchSettings(replace_unk="copy")).start()
    assert job.wait(60)
    assert (job.state.status, job.state.problem.split(":")[0]) == ("failed", "encdec-words is an RNNencdec")
