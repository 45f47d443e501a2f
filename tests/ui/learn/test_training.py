"""How it learned: the film has all steps, and moving between them computes nothing."""

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import nmt
from nmt.alignments.measures import entropy
from nmt.results import Alignment, ValidationEvent, event_to_dict
from nmt.runs.folder import read_settings, snapshot_file, write_settings
from nmt.texts import APP, LEARN, TRAIN, texts_in
from nmt.ui.learn.training import FIRST_SENTENCE, sharpening
from nmt.ui.resources import read_translator
from tests.ui.drawn import drawn
from tests.ui.learn.learn_page import compare_page_with_kept, components, opened, save_steps

SENTENCE = "the girl has never seen the zorp ."
UPDATES = [5, 700, 1300]


@pytest.fixture
def run(runs: Path, random_runs: Path) -> Path:
    """A run with three steps, beside one without any."""
    shutil.copytree(random_runs / "search-words", runs / "plain")
    folder = runs / "watched"
    shutil.copytree(random_runs / "search-words", folder)
    save_steps(folder, UPDATES)
    return folder


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Updates of the steps that were loaded."""
    found: list[int] = []

    def read(run: Path, update: int) -> Any:
        found.append(update)
        return read_translator(run, update)

    monkeypatch.setattr("nmt.ui.resources.read_translator", read)
    return found


def shown(**asked: str) -> AppTest:
    return opened(**{"view": "training", "s": SENTENCE, "of": "own"} | asked)


def matrix(at: AppTest) -> dict[str, Any]:
    (panel,) = drawn(at, "learning-matrix")["panels"]
    return dict(panel)


def title(updates: int) -> str:
    return LEARN.panel.format(name="watched", updates=updates)


def test_each_step_is_in_the_film_and_none_is_computed_twice(run: Path, loaded: list[int]) -> None:
    at = shown()
    film = components(at)[0]
    assert [step["update"] for step in film["steps"]] == UPDATES
    for update, step in zip(UPDATES, film["steps"], strict=True):
        best = nmt.load(run, weights=update).translate(SENTENCE, beam=12).best
        assert step["text"] == best.text
        assert best.alignment is not None
        np.testing.assert_allclose(step["weights"], best.alignment.merged().weights, atol=1e-3)
    assert film["start"] is None  # it plays from the first step
    assert matrix(at)["title"] == title(5)
    assert LEARN.which_training.format(name="watched") in [caption.value for caption in at.caption]
    assert APP.unknown_words.format(words="zorp") in [text.value for text in at.text]
    assert at.dataframe[0].value[APP.updates].tolist() == UPDATES
    at.session_state["film-watched"] = {"step": 2}
    at.run()
    assert sorted(loaded) == UPDATES


def test_a_film_follows_the_settings_of_its_run(run: Path) -> None:
    before = components(shown())[0]["steps"]
    settings = read_settings(run)
    search = replace(settings.config.search, hard_attention=True)
    write_settings(run, replace(settings, config=replace(settings.config, search=search)))
    texts = [nmt.load(run, weights=update).translate(SENTENCE, beam=12).best.text for update in UPDATES]
    assert [step["text"] for step in components(shown())[0]["steps"]] == texts != [step["text"] for step in before]


def test_it_shows_a_sentence_without_typing(run: Path) -> None:
    film = components(shown(s=""))[0]
    assert film["source"][:-1] == FIRST_SENTENCE.replace(".", " .").split()


def test_a_reader_of_korean_sees_korean_or_why_not(run: Path) -> None:
    texts = texts_in("ko")
    pair = texts["app.pair"].format(source=texts["app.languages.en"], target=texts["app.languages.fr"])
    why = texts["learn.no_steps_of_reader"].format(pair=pair)
    assert why in [caption.value for caption in shown(s="", lang="ko").caption]
    assert not {caption.value for caption in shown().caption} & {LEARN.no_steps_of_reader.format(pair=pair), why}
    korean = run.parent / "zz-korean"  # the last by its name, and the first for this reader
    shutil.copytree(run, korean)
    write_settings(korean, replace(read_settings(korean), source_language="ko"))
    at = opened(view="training", lang="ko")
    assert at.query_params["s"] in (text := texts["train.sentences.ko"], [text])
    assert why not in [caption.value for caption in at.caption]


def test_a_step_of_the_address_is_shown_and_does_not_play(run: Path) -> None:
    at = shown(step="700")
    assert components(at)[0]["start"] == 1
    assert matrix(at)["title"] == title(700)
    at = shown(step="12")
    assert components(at)[0]["start"] is None
    assert matrix(at)["title"] == title(5)


def test_a_step_that_is_not_there_is_named(run: Path) -> None:
    at = shown(step="6")
    said = APP.not_there.format(what=LEARN.a_snapshot, value="6")
    assert any(caption.value.endswith(said) for caption in at.caption)
    assert "step" not in at.query_params


@pytest.mark.parametrize(
    ("given", "expected"), [(0, 5), (2, 1300), (3, 700), (-1, 700), ("x", 700), (2.0, 700), (None, 700)]
)
def test_the_step_that_the_browser_says_is_checked(run: Path, given: object, expected: int) -> None:
    at = shown(step="700")
    at.session_state["film-watched"] = {"step": given}
    at.run()
    assert not at.exception
    assert matrix(at)["title"] == title(expected)
    assert at.query_params["step"] in (str(expected), [str(expected)])


@pytest.mark.usefixtures("without_integers")
@pytest.mark.parametrize("of", ["own", "final", "mine"])
def test_the_page_has_what_is_kept(run: Path, of: str, request: pytest.FixtureRequest) -> None:
    compare_page_with_kept(shown(of=of, t="la fille .", beam="2"), f"learn-training-{of}", request)


def test_one_target_for_all_steps(run: Path) -> None:
    at = shown(of="final")
    last = nmt.load(run, weights=1300).translate(SENTENCE, beam=12).best
    film = components(at)[0]
    assert len({len(step["weights"]) for step in film["steps"]}) == 1
    assert last.alignment is not None
    np.testing.assert_allclose(film["steps"][-1]["weights"], last.alignment.merged().weights, atol=1e-3)
    assert matrix(at)["target"] == list(last.alignment.merged().target)
    table = at.dataframe[0].value
    assert table[LEARN.its_log_probability].tolist()[-1] == table[LEARN.same_log_probability].tolist()[-1]


def test_a_translation_of_the_readers_own(run: Path) -> None:
    at = shown(of="mine")
    last = nmt.load(run, weights=1300).translate(SENTENCE, beam=12).best
    assert last.text in [text.value for text in at.text]  # until one is typed
    at.text_input(key="t").set_value("la fille .").run()
    assert matrix(at)["target"] == ["la", "fille", ".", "</s>"]
    assert not at.exception


def test_the_losses_are_drawn(run: Path) -> None:
    event = ValidationEvent(update=700, nll_per_word=2.5, nll_per_sentence=20.0, bleu=None, best=True, seconds=60.0)
    (run / "training.jsonl").write_text(json.dumps(event_to_dict(event)) + "\n", "utf-8")
    assert components(shown())[0]["development"] == [[700, 2.5]]


def test_a_sentence_that_is_too_long_is_not_drawn(run: Path) -> None:
    at = shown(s="the cat " * 40)
    assert LEARN.too_long_for_film.format(words=80, most=60) in [warning.value for warning in at.warning]


def test_without_steps_it_says_how_to_get_them(runs: Path, random_runs: Path) -> None:
    shutil.copytree(random_runs / "search-words", runs / "plain")
    assert [info.value for info in shown().info] == [LEARN.no_steps]


def test_a_film_has_two_steps_and_alpha(run: Path, random_runs: Path) -> None:
    shutil.copytree(random_runs / "encdec-words", run.parent / "encdec")
    shutil.copytree(run / "steps", run.parent / "encdec" / "steps")
    (run / snapshot_file(UPDATES[0])).unlink()
    assert [step["update"] for step in components(shown())[0]["steps"]] == UPDATES[1:]
    (run / snapshot_file(UPDATES[1])).unlink()
    assert [info.value for info in shown().info] == [LEARN.no_steps]


@pytest.mark.parametrize(("factors", "is_even"), [([1, 1, 1], False), ([0.05, 0.1, 0.12], True)])
def test_where_nothing_sharpens_it_says_so(factors: list[float], is_even: bool, run: Path) -> None:
    """Where alpha is still even at the last step, Learn says what Train says."""
    shutil.rmtree(run / "steps")
    save_steps(run, UPDATES, factors)
    at = shown()
    film = components(at)[0]
    stays = LEARN.not_sharper.format(bits=film["steps"][0]["entropy"], most=np.log2(len(film["source"])))
    assert LEARN.untold + (TRAIN.at_first_even if is_even else stays) in [caption.value for caption in at.caption]


def learning(*rows: list[list[float]]) -> Any:
    """Alpha of the same two words at each step."""
    words = {"source": ("a", "b", "</s>"), "target": ("x", "</s>")}
    maps = [Alignment(**words, weights=np.array(weights)) for weights in rows]
    bits = [float(entropy(alpha.weights).mean()) for alpha in maps]
    steps = [SimpleNamespace(update=100 * k, entropy=value) for k, value in enumerate(bits)]
    return SimpleNamespace(source=words["source"], steps=steps, alignment=lambda number, own: maps[number])


def test_it_is_told_why_the_entropy_rises_first() -> None:
    """Only if it rises, and if the first snapshot puts the largest weight of all words on the same one."""
    at_end, even, sharp = [[0.1, 0.1, 0.8]] * 2, [[1 / 3] * 3] * 2, [[1, 0, 0], [0, 0, 1]]
    rises = LEARN.rises_first.format(bits=math.log2(3), updates=100, word="</s>")
    assert sharpening(learning(at_end, even, sharp)).endswith(rises)
    other = LEARN.rises_first.partition("{")[0]
    assert other not in sharpening(learning(even, at_end, sharp))
    assert other not in sharpening(learning([[0.8, 0.1, 0.1], [0.1, 0.1, 0.8]], even, sharp))


def test_the_pictures_show_the_same_words_at_first(run: Path) -> None:
    assert {len(step["weights"]) for step in components(shown(of=""))[0]["steps"]} == {
        len(matrix(shown(of=""))["target"])
    }


def test_a_broken_step_is_named(run: Path) -> None:
    (run / "steps" / "700.safetensors").write_bytes(b"junk")
    assert any("700" in warning.value for warning in shown().warning)
