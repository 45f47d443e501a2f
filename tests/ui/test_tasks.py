"""Tasks of pages: real models, one compute service, one store."""

import logging
import re
import shutil
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest
import sacrebleu
import streamlit as st

import nmt
from nmt.aligners.aligner import load_aligner
from nmt.aligners.pairs import RunAligner
from nmt.answers.request import Progress, Task
from nmt.answers.searches import SharedSearch
from nmt.answers.service import Computation
from nmt.answers.shipped import SENTENCES
from nmt.answers.translations import finish
from nmt.cli import main
from nmt.config import SearchSettings
from nmt.evaluation.evaluation_files import read_evaluated_system
from nmt.evaluation.test_set import TestSet
from nmt.inference.text_search import EncodedSentence, TextSearch
from nmt.results import END, Alignment, FinishedTranslation, Translation
from nmt.results.links import POSTERIOR
from nmt.runs.fingerprint import Fingerprint
from nmt.runs.folder import RunInfo, read_run
from nmt.texts import APP
from nmt.ui import resources
from nmt.ui.learn.steps import BeamTreeTask, StepsTask
from nmt.ui.length.tasks import CountTask, EvaluateTask
from nmt.ui.length.together import StressTask
from nmt.ui.resources import compute_service
from nmt.ui.tasks import (
    AlignerTask,
    AlignTask,
    CommitteeTask,
    ExplainTask,
    ForceTask,
    LeaveOneOutTask,
    ModelTask,
    OtherMapsTask,
    TextTask,
    TranslateTask,
    WhatIfTask,
)
from release.aligner import build_aligner, write_aligner
from tests.answers.onlooker import Onlooker
from tests.inference.test_text_search import random_texts
from tests.oracles.random_run import random_run

SETTINGS = SearchSettings(beam=3)
pytestmark = pytest.mark.usefixtures("fresh_server")
Result = TypeVar("Result")
TEST = TestSet(
    name="mine",
    sources=["the girl reads .", "a cat is on a mat", "she has never seen the sea", "xylophone", "the cat"],
    references=["la fille lit .", "une chat est sur une lit", "elle a jamais vu la mer", "xylophone", "chat"],
)


def started(task: Task[Any]) -> Computation:
    return compute_service().start(task)


def in_background(task: Task[Result]) -> Result:
    """What a background job has found."""
    job = started(task)
    assert job.wait(60)
    assert job.state.problem == ""
    found = compute_service().find(task)
    assert found is not None
    return found


def computed(task: Task[Any]) -> Any:
    return compute_service().compute(task, Onlooker())


@pytest.fixture
def run(random_runs: Path) -> RunInfo:
    return read_run(random_runs / "search-words")


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each sentence was searched through a task from here on."""
    found = Counter[str]()
    translate = TextSearch.translate

    def counted(self: TextSearch, sentences: list[EncodedSentence], *others: Any) -> Any:
        if compute_service().priority_lock._taken:
            found.update(sentence.text for sentence in sentences)
        return translate(self, sentences, *others)

    join = SharedSearch.join

    def joined(self: SharedSearch, number: int, sentence: EncodedSentence) -> None:
        found.update([sentence.text])
        join(self, number, sentence)

    monkeypatch.setattr(TextSearch, "translate", counted)
    monkeypatch.setattr(SharedSearch, "join", joined)
    return found


def test_a_text_is_translated_as_the_model_does(run: RunInfo, caplog: pytest.LogCaptureFixture) -> None:
    texts = random_texts(3, 30)
    with caplog.at_level(logging.WARNING):
        task = TextTask(run, tuple(texts), SETTINGS)
        translated = in_background(task)
    expected = nmt.load(run.path).translate(texts, beam=3)
    assert [each.text for each in translated] == [each.text for each in expected]
    assert started(task).state.progress.done == 30
    assert not [each for each in caplog.records if each.name.startswith(("nmt.tasks", "nmt.cache"))]
    found = TextTask(run, (*texts, "not asked for"), SETTINGS).partial()
    assert set(found) == {text for text in texts if text.strip()}


def test_the_same_question_is_the_same_job(run: RunInfo, searched: Counter[str]) -> None:
    one, two = (TextTask(run, tuple(random_texts(4, 9)), SearchSettings(beam=3)) for _ in range(2))
    job = started(one)
    assert started(two) is job
    assert compute_service().job(two) is job
    assert compute_service().job(TextTask(run, ("another",), SETTINGS)) is None
    assert job.wait(60)
    assert max(searched.values()) == 1


def test_runs_that_differ_in_their_search_settings_share_no_answer(run: RunInfo) -> None:
    longer = replace(run, config=replace(run.config, search=replace(run.config.search, length_penalty=1.0)))
    trees = [BeamTreeTask(checkpoint=one, sentence="she", beam=2) for one in (run, longer)]
    tests = [StressTask(runs={"one": one}, test=TEST, beam=2, most=2) for one in (run, longer)]
    assert (trees[0].key == trees[1].key, tests[0].key == tests[1].key) == (False, False)


def test_a_sentence_of_the_page_does_not_wait_for_the_whole_file(run: RunInfo, tmp_path: Path) -> None:
    """The file is of sentences that never end by themselves; the page's sentences are translated while it is in work,
    by the same model or another, and come out right."""
    endless = read_run(random_run(tmp_path / "endless", endless=True))
    asked = [(info, text) for info in (endless, run) for text in ("the girl reads", "she", "a cat")]
    expected = [nmt.load(info.path).translate(text, beam=4).text for info, text in asked]
    long = tuple(f"{text} the cat sleeps on the mat" for text in random_texts(5, 1000))
    job = started(TextTask(endless, long, SearchSettings(beam=12)))
    while job.state.stage != "translate":
        assert not job.state.over
        time.sleep(0.005)
    for (info, text), wanted in zip(asked, expected, strict=True):
        task = TranslateTask(info, text, SearchSettings(beam=4))
        assert compute_service().compute(task, Onlooker()).text == wanted
        assert job.state.status == "running"
    assert not job.state.over
    job.cancel()
    assert job.wait(20)
    assert job.state.status == "cancelled"


def test_what_was_cancelled_goes_on_where_it_stopped(run: RunInfo, searched: Counter[str]) -> None:
    texts = tuple(text for text in dict.fromkeys(random_texts(6, 150)) if text.strip())
    task = TextTask(run, texts, SETTINGS)

    class GiveUp(BaseException):
        pass

    def give_up() -> None:
        if len(searched) > 64:
            raise GiveUp

    with pytest.raises(GiveUp):
        compute_service().compute(task, Onlooker(lambda _: give_up(), on_checkpoint=give_up))
    assert 32 <= len(task.partial()) < len(texts)
    assert compute_service().find(task) is None
    before = searched.copy()
    lost = {text for text in before if text not in task.partial()}  # of the batch that was under way
    found = computed(task)
    assert [each.source for each in found] == list(texts)
    assert searched == Counter(dict.fromkeys(texts, 1)) + Counter(dict.fromkeys(lost, 1))


def record(translation: Translation) -> tuple[Any, ...]:
    """Everything in it but the name of its run, ids and weights to the last bit."""
    weights = [each.alignment and each.alignment.weights.tobytes() for each in translation.hypotheses]
    ids = [each.encoded for each in translation.hypotheses]
    return replace(translation, writer=None).to_dict(), weights, ids, translation.encoded


@pytest.mark.parametrize("name", ["search-words", "search-bpe", "encdec-words"])
def test_a_typed_sentence_and_a_text_share_an_entry(name: str, random_runs: Path, searched: Counter[str]) -> None:
    """Nothing is decoded twice, and a new server has the search's own record from disk without loading a model."""
    run = read_run(random_runs / name)
    texts = [text for text in dict.fromkeys(random_texts(7, 12)) if text.strip()]
    tasks = [TranslateTask(run, text, SearchSettings(beam=4)) for text in texts]
    fresh = [computed(task) for task in tasks[:6]]
    finished = computed(TextTask(run, tuple(texts), SearchSettings(beam=4)))
    assert searched == dict.fromkeys(texts, 1)
    st.cache_resource.clear()  # as a server that was started again
    whole = []
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr("nmt.ui.resources.read_translator")
        for task in tasks:
            answer = compute_service().find(task)
            assert answer is not None
            whole.append(answer)
        answer = compute_service().find(TextTask(run, tuple(texts), SearchSettings(beam=4)))
        assert answer is not None
        assert answer == finished
    assert [record(each) for each in whole[:6]] == [record(each) for each in fresh]
    assert [finish(each) for each in whole] == finished
    model = nmt.load(run.path)
    for each, text in zip(whole, texts, strict=True):
        assert each.encoded == model.source.encode(text)
        assert each.best.encoded is not None
        assert model.target.vocabulary.tokens(each.best.encoded.ids) == each.best.tokens


@pytest.mark.parametrize("name", ["search-bpe", "encdec-bpe"])
def test_what_a_model_wrote_is_not_tokenised_again(
    name: str, random_runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its record gives the same scores, attributions and explanations as the tokeniser and vocabulary would."""
    run = read_run(random_runs / name)
    translation = computed(TranslateTask(run, "the girl reads", SearchSettings(beam=4)))
    model = nmt.load(run.path)
    source, target = model.source.encode("the girl reads"), model.target.encode_tokens(translation.best.tokens)
    assert translation.encoded == source
    expected = next(model.score_stream([(source, target)]))
    monkeypatch.delattr(type(model.source), "encode")
    monkeypatch.delattr(type(model.source), "encode_tokens")
    pair = translation.encoded, translation.best.encoded
    assert computed(ForceTask(run, *pair)).log_probability == pytest.approx(expected.log_probability, abs=1e-5)
    assert computed(LeaveOneOutTask(run, *pair)).target == translation_words(translation)
    cell = ExplainTask(checkpoint=run, source=pair[0], target=pair[1], row=0, column=1)
    assert computed(cell).target == translation.best.tokens


def test_maps_are_over_the_words_as_they_are(
    run: RunInfo, random_runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word with its punctuation is not tokenised again, neither for the posterior nor for an aligner."""
    model, folder = nmt.load(run), tmp_path / "en-fr"
    folder.mkdir()
    write_aligner(folder, build_aligner([model], [], [("the cat", "le chat")]))
    monkeypatch.setattr("nmt.ui.tasks.load_aligner", lambda folder, _: load_aligner(folder, random_runs))
    source, target = ("the", "sea."), ("mer.", "la")
    task = OtherMapsTask(
        checkpoint=run,
        source=replace(model.source.encode("the sea ."), words=(0, 1, 1, 2)),
        target=replace(model.target.encode("mer . la"), words=(0, 0, 1, 2)),
        aligner=folder,
    )
    maps = computed(task)
    for name in (APP.posterior, "en-fr"):
        assert (maps[name].source, maps[name].target) == ((*source, END), (*target, END))
    pair = (" ".join(source), " ".join(target))
    read = load_aligner(folder, random_runs)
    for map_, cost in (
        (POSTERIOR, RunAligner(model, POSTERIOR).cost(*pair, pretokenised=True)),
        ("en-fr", read.cost(*pair, pretokenised=True)),
    ):
        for most in (cost, cost - 1):
            monkeypatch.setattr("nmt.aligners.pairs.MOST_COST", most)
            assert (map_ in task.ask(model, Onlooker())) == (most == cost)
    links = AlignerTask(folder, source, target)
    assert computed(links) == {*read.align(*pair, pretokenised=True).links} != {*read.align(*pair).links}
    alpha = computed(AlignTask(run, source, target))
    assert (alpha.source, alpha.target) == ((*source, END), (*target, END))
    as_they_are, tokenised = (
        next(load_aligner(folder, random_runs).maps([pair], pretokenised=pretokenised)).weights
        for pretokenised in (True, False)
    )
    np.testing.assert_allclose(maps["en-fr"].weights, as_they_are, atol=1e-5)
    assert np.abs(as_they_are - tokenised).max() > 0.01
    write_aligner(folder, build_aligner([model], [], [("the cat", "le chat le"), ("the sea", "la mer")]))
    rebuilt = AlignerTask(folder, source, target), replace(task)
    assert not {each.key for each in rebuilt} & {links.key, task.key}  # old answers are not those of this aligner


def translation_words(translation: Translation) -> tuple[str, ...]:
    written = translation.best.encoded
    assert written is not None
    weights = np.zeros((len(written.ids), 1), np.float32)
    return (
        Alignment(source=("x",), target=written.tokens, weights=weights, source_words=(0,), target_words=written.words)
        .merged()
        .target
    )


def test_a_list_is_searched_once_and_serves_shorter_ones(run: RunInfo, searched: Counter[str]) -> None:
    model = nmt.load(run.path)
    for n, times in ((1, 1), (4, 2), (2, 2), (6, 3), (1, 3)):
        st.cache_resource.clear()
        task = TranslateTask(run, "the girl reads", SearchSettings(beam=6, n_best=n))
        answer = compute_service().find(task)
        found = computed(task) if answer is None else answer
        assert searched["the girl reads"] == times
        expected = model.translate("the girl reads", task.settings)
        assert [each.tokens for each in found.hypotheses] == [each.tokens for each in expected.hypotheses]


def test_the_files_of_a_run_are_looked_at_once_for_a_sentence(run: RunInfo, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    fingerprint = resources.fingerprint

    def counted(info: RunInfo) -> Fingerprint:
        looked.append(info.name)
        return fingerprint(info)

    monkeypatch.setattr("nmt.ui.tasks.fingerprint", counted)
    monkeypatch.setattr("nmt.ui.resources.fingerprint", counted)
    task = TranslateTask(run, "the cat reads a sea", SETTINGS)
    assert compute_service().find(task) is None
    assert computed(task).text
    assert looked == [run.name]


def test_equal_keys_are_equal_work(run: RunInfo, tmp_path: Path) -> None:
    """Other weights, vocabularies or settings are another task; another folder with the same files is not."""
    copy = read_run(shutil.copytree(run.path, tmp_path / "copy"))

    def key(info: RunInfo, sentence: str = "she", settings: SearchSettings = SETTINGS) -> str:
        return TranslateTask(info, sentence, settings).key

    assert key(copy) == key(run)
    changed = replace(SETTINGS, n_best=2), replace(SETTINGS, beam=4), replace(SETTINGS, no_unk=True)
    keys = [key(run), key(run, "he"), *(key(run, "she", each) for each in changed)]
    for name in ("model.safetensors", "target.vocabulary.json"):
        path = copy.path / name
        path.write_bytes(path.read_bytes() + b" ")
        keys.append(key(copy))
    assert len(set(keys)) == len(keys)


def test_an_evaluation_is_kept_and_found_by_its_sentences(run: RunInfo, searched: Counter[str]) -> None:
    question = EvaluateTask(checkpoint=run, test=TEST, settings=SETTINGS, no_unk=True)
    found = in_background(question)
    assert found.everything is not None
    assert found.no_unk is not None
    model = nmt.load(run.path)
    texts = [translation.text for translation in model.translate(TEST.sources, beam=3)]
    expected = sacrebleu.corpus_bleu(texts, [list(TEST.references)]).score
    assert found.everything.bleu == pytest.approx(expected)
    assert found.no_unk.sentences == 4
    assert TEST.is_of(found)
    searched.clear()
    st.cache_resource.clear()  # as a server that was started again
    assert in_background(question).to_dict() == found.to_dict()
    assert not searched
    assert not list(run.path.glob("evaluation/*"))


def test_page_and_command_measure_the_same(random_runs: Path, tmp_path: Path) -> None:
    copy = read_run(shutil.copytree(random_runs / "search-words", tmp_path / "run"))
    for name, lines in (("source", TEST.sources), ("reference", TEST.references)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    files = ["--source", str(tmp_path / "source"), "--reference", str(tmp_path / "reference")]
    options = ["--beam", "3", "--name", "mine", "--table-1", "--fresh"]
    assert main(["evaluate", str(copy.path), *files, *options]) == 0
    measured = in_background(EvaluateTask(checkpoint=copy, test=TEST, settings=SETTINGS, no_unk=True))
    found = read_evaluated_system(copy.path).evaluation_on(TEST)
    assert found is not None
    assert found.to_dict() == measured.to_dict()


def test_a_test_set_that_was_translated_as_a_text_is_not_translated_again(run: RunInfo, searched: Counter[str]) -> None:
    assert started(TextTask(run, TEST.sources, SETTINGS)).wait(60)
    assert started(EvaluateTask(checkpoint=run, test=TEST, settings=SETTINGS, no_unk=False)).wait(60)
    assert searched == dict.fromkeys(TEST.sources, 1)


def test_another_systems_output() -> None:
    assert in_background(CountTask("moses", TEST, ("la fille lit .", "b", "c", "d", "e"))).system == "moses"
    wrong = started(CountTask("moses", TEST, ("a",)))
    assert wrong.wait(60)
    assert re.search(r"\bmoses .*\b1 lines\b.*\bmine .*\b5 sentences$", wrong.state.problem)


def test_what_the_model_cannot_do_is_one_sentence(random_runs: Path) -> None:
    encdec = read_run(random_runs / "encdec-words")
    job = started(TextTask(encdec, ("she",), SearchSettings(replace_unk="copy")))
    assert job.wait(60)
    assert (job.state.status, job.state.problem.split()[0]) == ("failed", "encdec-words")


@pytest.mark.parametrize(("kind", "unit"), [("words", "words-at-most"), ("bpe", "subwords-at-most")])
def test_the_progress_of_a_search_is_in_target_words_of_at_most_so_many(
    random_runs: Path, kind: str, unit: str
) -> None:
    run = read_run(random_runs / f"search-{kind}")
    model = nmt.load(run.path)
    asked = "the girl reads", SETTINGS
    tasks: list[ModelTask[Any]] = [
        TranslateTask(run, *asked),
        CommitteeTask(run, (run,), *asked),
        WhatIfTask(checkpoint=run, sentence=asked[0], settings=SETTINGS),
        StepsTask(checkpoint=run, sentence=asked[0], beam=3),
        TextTask(run, ("she", "", "she", "he"), SETTINGS),
    ]
    for task, total in zip(tasks, (0, 0, 0, 0, 4), strict=True):
        notes = Onlooker()
        task.ask(model, notes)
        assert notes.stages[-1] == ("translate", total)
        if isinstance(task, WhatIfTask):
            assert [progress.done for progress in notes.shown] == [*range(1, len(notes.shown) + 1)]
            assert {progress.unit for progress in notes.shown} == {unit}
        assert task.written(3, 40) == Progress(3, 40, unit=unit)


def test_the_precision_is_that_of_the_answer(run: RunInfo, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of this machine, or fp32 for the answers that come with the program."""
    released = read_run(Path(__file__).parents[2] / "checkpoints" / "rnnsearch-en-fr")
    for fast, precision in ((True, "int8"), (False, "fp32")):
        monkeypatch.setattr("nmt.config.multiplies_integers", lambda fast=fast: fast)
        assert TranslateTask(run, "she", SETTINGS).precision == precision
        shipped = TranslateTask(released, SENTENCES[0].sentence, released.config.search)
        assert shipped.stored() is not None
        assert shipped.precision == "fp32"


def test_blank_sentences_of_a_text_are_blank_translations(run: RunInfo) -> None:
    task = TextTask(run, ("she", " ", "", "she"), SETTINGS)
    fresh = computed(task)
    assert task.stored() == fresh
    assert fresh[1:3] == [FinishedTranslation(source=s, text="", tokens=0, log_probability=0.0) for s in (" ", "")]
    assert TextTask(run, ("she", "never asked"), SETTINGS).stored() is None


def test_translations_of_sentences_alone_share_a_search() -> None:
    """In a queue, in which those of others need not wait."""
    assert not TranslateTask.alone
    assert CommitteeTask.alone
