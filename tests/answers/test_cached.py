"""Many sentences through a store: what the model alone would give, each sentence searched once, whatever comes
between."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import nmt
from nmt import native
from nmt.alignments.measures import coverage, entropy
from nmt.answers import keys
from nmt.answers.keys import search_key
from nmt.answers.request import Progress
from nmt.answers.searches import CachedSearch
from nmt.answers.translations import TranslationCache
from nmt.config import SearchSettings
from nmt.inference.text_search import EncodedSentence, TextSearch
from nmt.inference.translator import Translator
from nmt.results import FinishedTranslation, Translation
from nmt.runs.fingerprint import read_fingerprint
from nmt.runs.folder import read_run
from release.dictionary import DictionaryEntry, write_dictionary
from tests.inference.test_text_search import random_texts
from tests.oracles.random_run import random_run

ROOT = Path(__file__).parents[2]


@pytest.fixture(params=["search-words", "search-bpe", "encdec-words"])
def model(request: pytest.FixtureRequest, random_runs: Path) -> Translator:
    return nmt.load(random_runs / request.param)


@pytest.fixture
def search(random_runs: Path) -> Translator:
    return nmt.load(random_runs / "search-words")


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each sentence was searched from here on."""
    found = Counter[str]()
    translate = TextSearch.translate

    def counted(self: TextSearch, sentences: Sequence[EncodedSentence], *others: Any) -> list[Translation]:
        found.update(sentence.text for sentence in sentences)
        return translate(self, sentences, *others)

    monkeypatch.setattr(TextSearch, "translate", counted)
    return found


def check(found: Sequence[FinishedTranslation], expected: Sequence[Translation]) -> None:
    """Are these what the model gives? Another batch may move a log-probability by rounding."""
    assert [each.source for each in found] == [each.source for each in expected]
    assert [each.text for each in found] == [each.text for each in expected]
    assert [each.tokens for each in found] == [len(each.best.tokens) for each in expected]
    assert [each.log_probability for each in found] == pytest.approx(
        [each.log_probability for each in expected], abs=1e-4
    )
    for each, whole in zip(found, expected, strict=True):
        if whole.alignment is None:
            assert each.alignment is None
        elif each.alignment is not None:
            merged = whole.alignment.merged()
            assert each.alignment.entropy == pytest.approx(entropy(merged.weights)[:-1].mean(), abs=1e-4)
            assert each.alignment.least_coverage >= coverage(merged).min() - 1e-4


def test_the_same_as_without_a_store(model: Translator, tmp_path: Path, searched: Counter[str]) -> None:
    texts = random_texts(4, 40)
    expected = model.translate(texts, beam=3)
    searched.clear()
    through = CachedSearch(model, SearchSettings(beam=3), TranslationCache(tmp_path), batch=5)
    first = through.translate(texts)
    check(first, expected)
    check(CachedSearch(model, SearchSettings(beam=3), None, batch=5).translate(texts), expected)
    if model.has_alignment:
        assert sum(each.alignment is not None for each in first) > 20


def test_no_sentence_is_searched_twice(search: Translator, tmp_path: Path, searched: Counter[str]) -> None:
    texts = random_texts(5, 30) * 2
    given = {text for text in texts if text.strip()}
    through = CachedSearch(search, SearchSettings(beam=2), TranslationCache(tmp_path), batch=5)
    first = through.translate(texts)
    assert searched == dict.fromkeys(given, 1)
    assert through.translate(list(reversed(texts))) == first[::-1]
    through.translate([*texts, "the mat reads the sea"])
    assert searched == dict.fromkeys(given | {"the mat reads the sea"}, 1)
    again = CachedSearch(
        search, SearchSettings(beam=2), TranslationCache(tmp_path), batch=5
    )  # as another process would
    assert again.translate(texts) == first
    assert max(searched.values()) == 1


def test_each_setting_has_its_own_translations(random_runs: Path, tmp_path: Path, searched: Counter[str]) -> None:
    run = random_run(tmp_path / "run")
    texts = ["xylophone never sleeps", "the xylophone zebra", "she reads xylophone zebra", "the mat"]

    def settings() -> list[SearchSettings]:
        return [
            SearchSettings(beam=20),
            SearchSettings(beam=1),
            SearchSettings(beam=20, no_unk=True),
            SearchSettings(beam=20, length_penalty=1.0),
            SearchSettings(beam=20, replace_unk="copy"),
            SearchSettings(beam=20, replace_unk="dictionary"),
        ]

    cache = TranslationCache(tmp_path)
    for word in ("un", "deux"):
        write_dictionary(
            run / "dictionary.tsv",
            [
                DictionaryEntry(source="xylophone", target=word, count=1, share=1.0),
                DictionaryEntry(source="zebra", target=word, count=1, share=1.0),
            ],
        )
        model = nmt.load(run)
        for s in settings():
            check(
                CachedSearch(model, s, cache, batch=5).translate(texts),
                model.translate(
                    texts,
                    beam=s.beam,
                    no_unk=s.no_unk,
                    length_penalty=s.length_penalty,
                    replace_unk=s.replace_unk or False,
                ),
            )
    searched.clear()
    for s in settings():
        CachedSearch(nmt.load(run), s, cache, batch=5).translate(texts)
        CachedSearch(nmt.load(run, precision="bf16"), SearchSettings(beam=20), cache, batch=5).translate(texts)
    assert searched == dict.fromkeys(texts, 1)  # bf16, the first time


def test_without_unk_only_sentences_whose_beam_held_it_are_searched_again(
    random_runs: Path, tmp_path: Path, searched: Counter[str]
) -> None:
    model, cache = nmt.load(random_runs / "search-words"), TranslationCache(tmp_path)
    texts = ["the xylophone zebra", "she reads xylophone zebra", "the mat", "a dog sleeps on the mat"]
    counts = []
    for beam in (1, 2, 3):
        free = SearchSettings(beam=beam)
        held = {each.source for each in model.translate(texts, free) if each.unk_in_beam}
        CachedSearch(model, free, cache).translate(texts)
        searched.clear()
        again = CachedSearch(model, replace(free, no_unk=True), cache).translate(texts)
        assert set(searched) == held
        check(again, model.translate(texts, replace(free, no_unk=True)))
        counts.append(len(held))
    assert 0 < sum(counts) < len(counts) * len(texts)


def test_the_key_is_that_of_the_files(search: Translator, random_runs: Path) -> None:
    fingerprint = read_fingerprint(read_run(random_runs / "search-words"))
    settings = SearchSettings(beam=7)
    assert CachedSearch(search, settings, None, batch=5).key == search_key(settings, fingerprint)
    others = {read_fingerprint(read_run(path)) for path in random_runs.iterdir()}
    assert (
        len({other.weights for other in others}) == len({other.text_pipeline for other in others}) == len(others) == 4
    )


def test_progress(search: Translator, tmp_path: Path) -> None:
    texts = ["she", "the cat sleeps", "", "she", "a girl reads", "she", "never seen", "the sea", "the mat"]
    told: list[Progress] = []
    through = CachedSearch(search, SearchSettings(beam=2), TranslationCache(tmp_path), batch=5)
    through.translate(texts, told.append)
    assert told == [
        Progress(1, 9, words_done=0, words_left=13),
        Progress(6, 9, words_done=12, words_left=1),  # all but "she", the shortest
        Progress(9, 9, words_done=13, words_left=0),
    ]
    told.clear()
    through.translate([*texts, "the girl"], told.append)
    assert told == [Progress(9, 10, words_done=0, words_left=2), Progress(10, 10, words_done=2, words_left=0)]


class Cancelled(Exception):  # noqa: N818
    pass


@pytest.mark.parametrize("where", ["progress", "step"])
def test_cancelled_and_gone_on_with(where: str, search: Translator, tmp_path: Path, searched: Counter[str]) -> None:
    texts = [text for text in dict.fromkeys(random_texts(6, 40)) if text.strip()]
    through = CachedSearch(search, SearchSettings(beam=2), TranslationCache(tmp_path), batch=5)

    def cancel_progress(progress: Progress) -> None:
        if where == "progress" and progress.done == 10:
            raise Cancelled

    def cancel_step() -> None:
        if where == "step" and len(searched) > 10:
            raise Cancelled

    with pytest.raises(Cancelled):
        through.translate(texts, cancel_progress, cancel_step)
    before = searched.copy()
    assert len(before) in (10, 15)
    found = through.translate(texts)
    assert sorted((searched - before).values()) == [1] * (len(texts) - 10)
    check(found, search.translate(texts, beam=2))


SCRIPT = """
import sys, json, nmt
from pathlib import Path
from nmt.answers.translations import TranslationCache
from nmt.answers.searches import CachedSearch
from nmt.config import SearchSettings
run, folder, texts, stop = sys.argv[1], Path(sys.argv[2]), json.loads(sys.argv[3]), int(sys.argv[4])
def show(progress):
    print(progress.done, progress.words_done, flush=True)
    if progress.done >= stop:
        sys.stdin.read()  # here it is killed
found = CachedSearch(nmt.load(run), SearchSettings(beam=2), TranslationCache(folder), batch=5).translate(texts, show)
print(json.dumps([each.text for each in found]))
"""


@pytest.mark.slow
def test_killed_and_gone_on_with(search: Translator, random_runs: Path, tmp_path: Path) -> None:
    texts = [text for text in dict.fromkeys(random_texts(8, 30)) if text.strip()]
    command = [sys.executable, "-c", SCRIPT, str(random_runs / "search-words"), str(tmp_path), json.dumps(texts)]
    with subprocess.Popen([*command, "10"], stdin=-1, stdout=-1, cwd=ROOT, text=True) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(3)]
        assert [line.split()[0] for line in lines] == ["0", "5", "10"]
        os.kill(process.pid, signal.SIGKILL)
    result = subprocess.run([*command, "99999"], cwd=ROOT, text=True, capture_output=True, check=True)
    first, *_, last = result.stdout.splitlines()
    assert first == "10 0"
    assert json.loads(last) == [t.text for t in search.translate(texts, beam=2)]
    done = sum(len(text.split()) for text in texts)
    assert int(result.stdout.splitlines()[-2].split()[1]) == done - int(lines[2].split()[1])


@pytest.mark.slow
def test_threads_may_share_a_model(search: Translator, tmp_path: Path) -> None:
    """Several searches, forced decodings and tokenisations in one model at a time give what they give alone."""
    parts = [random_texts(seed, 12) for seed in range(6)]
    expected = [search.translate(part, beam=4) for part in parts]
    scores = [search.score(part, part) for part in parts]
    fresh = nmt.load(random_run(tmp_path / "fresh"))  # the same: the first search of all comes from several threads
    barrier = threading.Barrier(len(parts))
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            barrier.wait(20)
            for _ in range(3):
                check(
                    CachedSearch(fresh, SearchSettings(beam=4), None, batch=5).translate(parts[number]),
                    expected[number],
                )
                scored = fresh.score(parts[number], parts[number])
                assert [s.log_probability for s in scored] == pytest.approx(
                    [s.log_probability for s in scores[number]], abs=1e-4
                )
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(parts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_the_engine_is_in_the_keys_of_what_it_can_compute(random_runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In fp32 and int8 on a processor, where there is one."""
    fingerprint = read_fingerprint(read_run(random_runs / "search-words"))
    for name, seen in (("native 123", [True, True, False, False]), ("torch", [False] * 4)):
        keys._engine.cache_clear()
        monkeypatch.setattr(native, "name", lambda name=name: name)
        found = [
            search_key(SearchSettings(beam=5), fingerprint, *where).kernel
            for where in (("fp32", "cpu"), ("int8", "cpu"), ("bf16", "cpu"), ("fp32", "cuda"))
        ]
        assert [kernel.endswith(" native 123") for kernel in found] == seen
        assert not any(" torch torch" in kernel or kernel.endswith(" torch") for kernel in found)
    keys._engine.cache_clear()
