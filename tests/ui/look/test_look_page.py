"""The place Look with checkpoints of its own, and translators that need no torch."""

import json
import os
import shutil
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from nmt.answers.shipped import GALLERY, SENTENCES, SceneSentence
from nmt.errors import InputError
from nmt.texts import APP as APP_TEXTS
from nmt.texts import LOOK
from nmt.ui.checkpoints import find_checkpoints
from nmt.ui.formatting import as_sentence
from tests.ui.drawn import FIELD, Send, ask, data_of, drawn, enter, field_of
from tests.ui.opened import opened

APP = Path(__file__).parents[3] / "app.py"
HOSTILE = "<img src=x onerror=alert(1)> *star* _u_ $x$ :smile: `a` &apos; مرحبا 안녕"


def components(at: AppTest, key: str) -> list[dict[str, Any]]:
    """Data of the components that have this key."""
    found = [json.loads(element.proto.json) for element in at.get("bidi_component")]
    return [data for data in found if key in data]


def systems(at: AppTest) -> list[dict[str, Any]]:
    """Those of the ribbons."""
    return list(drawn(at)["systems"])


def panels(at: AppTest) -> list[dict[str, Any]]:
    return list(drawn(at)["panels"])


@pytest.fixture(autouse=True)
def search(runs: Path, translators: dict[str, Any], write_run: Any) -> dict[str, Any]:
    """One checkpoint with attention, and its translator."""
    write_run(runs / "search")
    return translators


def test_without_a_checkpoint_the_page_says_how_to_get_one(runs: Path) -> None:
    shutil.rmtree(runs / "search")
    at = opened()
    assert at.info[0].value == APP_TEXTS.no_checkpoint
    assert data_of(at, FIELD) is None


def test_an_example_of_a_checkpoint_that_is_not_here_keeps_those_that_are_chosen() -> None:
    lesson = next(lesson for lesson in GALLERY if lesson.target)
    at = opened(s="the cat", models=["search"])
    menu = next(button for button in at.get("menu_button") if lesson.title in button.options)
    menu.click(lesson.title).run()
    assert field_of(at) == lesson.sentence
    assert at.multiselect(key="choice-models").value == ["search"]
    assert not any(APP_TEXTS.not_there.partition("{")[0] in caption.value for caption in at.caption)


def test_the_papers_sentences_are_examples_where_its_test_set_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it, the menu says how to get it."""
    title = LOOK.by_key.quoted["table_3_1"]
    for present in ({}, {"table_3_1": ("the cat sleeps", "le chat dort")}):
        monkeypatch.setattr("nmt.ui.look.form.quoted_sentences", lambda present=present: present)
        at = opened(s="the cat", models=["search"])
        menu = next(button for button in at.get("menu_button") if SENTENCES[0].shown_title in button.options)
        assert (title in menu.options) == bool(present)
        assert menu.proto.help == ("" if present else LOOK.quoted_elsewhere)
    menu.click(title).run()
    assert field_of(at) == "the cat sleeps"


def test_an_empty_field_offers_examples_and_loads_nothing(search: dict[str, Any]) -> None:
    at = opened(s="   ")
    offered = [button for button in at.button if str(button.key).startswith("example-")]
    assert len(offered) == 4
    assert not search
    offered[1].click().run()
    assert not at.exception
    assert field_of(at).strip()
    assert len(systems(at)) == 1


def test_a_sentence_looks_into_the_folder_of_each_checkpoint_once(
    runs: Path, write_run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(runs / "plain", "rnnencdec")
    opened(s="a cat", models=["search", "plain"])  # what depends on the files alone is known from here on
    scanned, scandir = Counter[str](), os.scandir

    def counted(folder: str | Path | int) -> Any:
        scanned.update([] if isinstance(folder, int) else [Path(folder).name])
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", counted)
    opened(s="the cat sleeps", models=["search", "plain"])
    assert [scanned["search"], scanned["plain"]] == [1, 1]


def test_the_picture_has_words_ribbons_and_numbers() -> None:
    at = opened(s="the cat sleeps", models=["search"])
    (system,) = systems(at)
    assert system["text"] == "sleeps cat the"
    assert system["source"] == ["the", "cat", "sleeps"]
    assert system["target"] == ["sleeps", "cat", "the"]
    assert system["kind"] == "RNNsearch"
    assert system["log_probability"] == pytest.approx([-4.5 / 4] * 3, abs=1e-3)
    assert system["source_title"] == APP_TEXTS.source_in.format(language="English")
    assert system["target_title"] == APP_TEXTS.target_in.format(language="French")
    (panel,) = panels(at)
    assert panel["source"] == ["the", "cat", "sleeps", "</s>"]
    assert [sum(row) for row in panel["weights"][:3]] == pytest.approx([1, 1, 1], abs=1e-3)
    for ribbons, row in zip(system["weights"], panel["weights"], strict=False):
        assert ribbons == pytest.approx(row[:3], abs=1e-3), "the end mark has the rest"


def test_checkpoints_examples_and_sentence_follow_the_languages(runs: Path, write_run: Any) -> None:
    write_run(runs / "to-german", target="de")
    at = opened()
    sentences = {sentence.languages: sentence for sentence in reversed(SENTENCES)}
    assert [system["title"] for system in systems(at)] == ["search"]
    at.selectbox(key="choice-pair").set_value("en-de").run()
    assert [system["title"] for system in systems(at)] == ["to-german"]
    assert systems(at)[0]["source"] == sentences["en", "de"].sentence.split()
    at.multiselect(key="choice-models").set_value(["search", "to-german"]).run()
    at.selectbox(key="choice-pair").set_value("en-fr").run()
    assert [system["title"] for system in systems(at)] == ["search", "to-german"]  # one of them writes French


def test_an_address_that_names_checkpoints_alone_opens_with_their_languages(runs: Path, write_run: Any) -> None:
    write_run(runs / "to-german", target="de")
    write_run(runs / "unto-english", source="de", target="en")
    for models, pair in ((["unto-english"], "de-en"), (["to-german"], "en-de"), (["to-german", "search"], "en-fr")):
        at = opened(models=models)
        assert at.selectbox(key="choice-pair").value == pair
        assert at.multiselect(key="choice-models").value == models
    at = opened(models=["to-german"])
    at.selectbox(key="choice-pair").set_value("en-fr").run()
    at.run()  # with the address as it is now
    assert at.selectbox(key="choice-pair").value == "en-fr"
    assert at.multiselect(key="choice-models").value == ["search"]
    write_run(runs / "plain", "rnnencdec", target="de")
    at = opened("learn", s="a " * 201, rnnencdec="plain")
    assert [at.selectbox(key=f"choice-{key}").value for key in ("pair", "rnnencdec")] == ["en-de", "plain"]
    at.switch_page("pages/length.py").query_params.clear()
    at.query_params["systems"] = "search"
    assert at.run().selectbox(key="choice-pair").value == "en-fr"  # although the reader was at the other pair


def test_languages_without_examples_of_their_own_have_those_of_the_source_language_or_none(
    runs: Path, write_run: Any
) -> None:
    write_run(runs / "to-spanish", target="es")
    write_run(runs / "unto-english", source="es", target="en")
    at = opened(pair="en-es")
    first = next(sentence.sentence for sentence in SENTENCES if sentence.languages[0] == "en")
    assert field_of(at) == first
    assert [system["title"] for system in systems(at)] == ["to-spanish"]
    at = opened(pair="es-en")
    assert field_of(at) == ""


@pytest.mark.parametrize(("name", "value"), [("beam", "999"), ("do", "x"), ("of", "best of"), ("unk", "Eat")])
def test_nonsense_in_the_address_is_ignored(name: str, value: str) -> None:
    at = opened(s="the cat sleeps", models=["search"], **{name: value})
    assert systems(at)[0]["text"] == "sleeps cat the"
    assert at.slider(key="beam").value == 12


def test_a_checkpoint_that_is_not_here_is_named() -> None:
    at = opened(s="the cat sleeps", models=["../../etc", "search"])
    assert [system["title"] for system in systems(at)] == ["search"]
    said = APP_TEXTS.not_there.format(what=APP_TEXTS.a_checkpoint, value="\\.\\./\\.\\./etc")
    assert any(caption.value.endswith(said) for caption in at.caption)


def test_a_cell_that_is_not_here_is_named() -> None:
    at = opened(s="the cat sleeps", models=["search"], pin="99.99.99")
    said = APP_TEXTS.not_there.format(what=LOOK.cell_or_word, value="99\\.99\\.99")
    assert any(caption.value.endswith(said) for caption in at.caption)
    assert drawn(at)["pin"] is None
    at = opened(s="the cat sleeps", models=["search"], pin="search.1.1", do="gold")
    assert not any(APP_TEXTS.not_there.partition("{")[0] in caption.value for caption in at.caption)


def test_unknown_words_are_named_once_each() -> None:
    at = opened(s="the Zorp reads Zorp", models=["search"])
    assert APP_TEXTS.unknown_words.format(words="Zorp") in systems(at)[0]["notes"]
    assert "[UNK]" in systems(at)[0]["text"]
    at.segmented_control(key="choice-unk").set_value("forbid").run()
    assert "[UNK]" not in systems(at)[0]["text"]
    at.segmented_control(key="choice-unk").set_value("replace").run()
    assert LOOK.replaced.format(text=systems(at)[0]["text"]) in systems(at)[0]["notes"]


def test_a_remark_on_a_sentence_is_shown_only_where_it_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    """The translator here writes the words in reverse order."""
    written = {"the cat sleeps": "cat the", "the girl reads": "girl reads", "a cat": ""}
    lessons = [
        SceneSentence(name="", title="", sentence=sentence, look=f"see {sentence}", written=words)
        for sentence, words in written.items()
    ]
    monkeypatch.setattr("nmt.ui.look.view.SENTENCES", lessons)

    def shows_remark(lesson: SceneSentence) -> bool:
        (system,) = systems(opened(s=lesson.sentence, models=["search"]))
        return lesson.look in system["remarks"]

    assert [shows_remark(lesson) for lesson in lessons] == [True, False, True]


def test_a_sentence_in_other_writing_than_the_checkpoint_reads_is_named() -> None:
    assert not opened(s="the cat sleeps", models=["search"]).warning
    (warning,) = opened(s="猫が寝ている。", models=["search"]).warning
    assert warning.value.startswith(APP_TEXTS.in_other_language.format(language="Japanese"))


def test_a_sentence_goes_to_the_checkpoint_that_reads_its_language(
    search: dict[str, Any], runs: Path, write_run: Any, send: Send
) -> None:
    """It is translated as it is only if it came with a link, or the reader says so."""
    german = "die katze hat das meer nie gesehen"
    (warning,) = opened(s=german, models=["search"]).warning
    assert warning.value.startswith(APP_TEXTS.nobody_reads)
    write_run(runs / "from-german", source="de", target="en")
    at = opened(s="the cat has never seen the sea", models=["search"])
    assert not at.warning
    search.clear()
    ask(send, at, "translate", FIELD, typed=german, again=False)
    (warning,) = at.warning
    assert warning.value.startswith(APP_TEXTS.in_other_language.format(language="German"))
    assert (search, systems(at)) == ({}, [])
    offered = at.button(key="translate-as-de-en")
    assert offered.proto.shortcut.lower() == "enter"
    ask(send, at, "translate", FIELD, typed=german, again=True)  # nobody pressed Enter once more
    assert not systems(at)
    ask(send, at, "translate", FIELD, typed=german, again=False)
    assert not at.exception
    assert [system["title"] for system in systems(at)] == ["from-german"]
    assert at.multiselect(key="choice-models").value == ["from-german"]
    assert field_of(at) == german
    enter(at, "the dog has never seen the sea")
    assert not systems(at)
    at.button(key="anyway").click().run()
    assert len(at.warning) == 1
    assert systems(at)


def test_a_sentence_of_ones_own_under_another_pair_is_named_and_not_drawn(
    search: dict[str, Any], runs: Path, write_run: Any
) -> None:
    write_run(runs / "from-german", source="de", target="en")
    at = opened()
    own = "the dog has never seen the sea"
    enter(at, own)
    search.clear()
    at.selectbox(key="choice-pair").set_value("de-en").run()
    assert not at.exception
    assert field_of(at) == own
    (warning,) = at.warning
    assert warning.value.startswith(APP_TEXTS.in_other_language.format(language="English"))
    assert (search, systems(at)) == ({}, [])
    at.button(key="translate-as-en-fr").click().run()
    assert at.selectbox(key="choice-pair").value == "en-fr"
    assert (field_of(at), [system["title"] for system in systems(at)]) == (own, ["search"])


def test_a_sentence_that_is_translated_anyway_takes_others_behind_it(runs: Path, write_run: Any) -> None:
    write_run(runs / "from-german", source="de", target="en")
    at = opened(s="the cat has never seen the sea", models=["search"], own=["das Meer ist weit weg von hier"])
    enter(at, "die katze hat das meer nie gesehen")
    at.button(key="anyway").click().run()
    assert systems(at)
    at.query_params["own"] = ["das meer ist weit weg von hier"]
    at.query_params["k"] = "2"
    at.run()
    assert not at.exception
    assert systems(at)[0]["source"][:2] == ["die", "katze"]


def test_the_languages_are_swapped_where_a_checkpoint_goes_back(runs: Path, write_run: Any) -> None:
    write_run(runs / "to-german", target="de")
    at = opened()
    assert at.button(key="swap").disabled
    write_run(runs / "unto-english", source="fr", target="en")
    at = opened()
    at.button(key="swap").click().run()
    assert not at.exception
    assert "fr-en" in at.query_params["pair"]
    assert at.multiselect(key="choice-models").value == ["unto-english"]
    at.button(key="swap").click().run()
    assert at.selectbox(key="choice-pair").value == "en-fr"
    at.selectbox(key="choice-pair").set_value("en-de").run()
    assert at.button(key="swap").disabled


def test_who_reads_korean_begins_with_korean_and_may_leave_it(runs: Path, write_run: Any) -> None:
    write_run(runs / "unto-english", source="ko", target="en")
    assert opened().selectbox(key="choice-pair").value == "en-fr"
    at = opened(lang="ko")
    assert at.selectbox(key="choice-pair").value == "ko-en"
    assert "ko-en" in at.query_params["pair"]  # a link that is passed on says so
    assert field_of(at) == next(each.sentence for each in SENTENCES if each.languages == ("ko", "en"))
    at.selectbox(key="choice-pair").set_value("en-fr").run()
    at.run()
    assert at.selectbox(key="choice-pair").value == "en-fr"
    assert "en-fr" in at.query_params["pair"]  # so it stays when the page is loaded again
    for asked in ({"s": "the cat"}, {"models": ["search"]}, {"pair": "en-fr"}, {"do": "what-if"}):
        assert opened(lang="ko", **asked).selectbox(key="choice-pair").value == "en-fr"


@pytest.mark.parametrize("kind", ["best", "list", "typed"])
def test_a_strange_sentence_is_named_before_anything_is_computed(
    kind: str, search: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nmt.ui.look.shown.answer_to", lambda *_: st.stop())
    (warning,) = opened(s="猫が寝ている。", models=["search"], of=kind).warning
    assert warning.value.startswith(APP_TEXTS.in_other_language.format(language="Japanese"))
    assert not search


def test_two_target_languages_are_named(runs: Path, write_run: Any) -> None:
    write_run(runs / "to-german", target="de")
    at = opened(s="the cat sleeps", models=["search", "to-german"])
    assert [system["kind"].partition(" · ")[0] for system in systems(at)] == ["French", "German"]
    assert [panel["kind"].partition(" · ")[0] for panel in panels(at)] == ["French", "German"]
    assert LOOK.writes.format(name="to-german", language="German") in at.multiselect(key="choice-models").options
    (system,) = systems(opened(s="the cat sleeps", models=["to-german"]))
    assert not system["kind"].startswith("German")


def test_a_broken_checkpoint_is_named_and_the_others_work(runs: Path, write_run: Any) -> None:
    write_run(runs / "torn_one")
    (runs / "torn_one" / "model.safetensors").write_bytes(b"junk")
    at = opened(s="the cat sleeps", models=["search"])
    problem = find_checkpoints().broken[0].problem
    said = as_sentence(APP_TEXTS.broken.format(name="torn_one", problem=problem))
    assert said in [warning.value for warning in at.warning]  # as on the other pages
    assert systems(at)[0]["text"] == "sleeps cat the"


def test_what_the_translator_refuses_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(run: Path) -> Any:
        raise InputError(f"{run.name} lacks the weights *E*")

    monkeypatch.setattr("nmt.ui.resources.read_translator", refuse)
    at = opened(s="the cat sleeps", models=["search"])
    assert [error.value for error in at.error] == ["search lacks the weights \\*E\\*."]


def test_text_comes_out_as_typed() -> None:
    at = opened(s=HOSTILE, models=["search"], unk="forbid")
    assert systems(at)[0]["text"] == " ".join(reversed(HOSTILE.split()))
    assert panels(at)[0]["source"] == [*HOSTILE.split(), "</s>"]
    shown = [element.value for kind in (at.markdown, at.caption, at.info, at.error) for element in kind]
    assert not [value for value in shown if "star" in value]
    assert not at.html[0].value.count("star")


@pytest.mark.parametrize("sentence", ["word " * 201, "long" * 1001])
def test_a_text_that_is_too_long_is_refused_before_any_work(search: dict[str, Any], sentence: str) -> None:
    at = opened(s=sentence, models=["search"])
    assert len(at.warning) == 1
    assert not search


def test_beyond_the_training_length_it_is_said() -> None:
    for words, said in ((50, False), (51, True)):
        (system,) = systems(opened(s="cat " * words, models=["search"]))
        assert (LOOK.longer_than_trained.format(words=words, most=50) in system["notes"]) == said


def test_a_rerun_translates_nothing_again(search: dict[str, Any]) -> None:
    at = opened(s="the cat sleeps", models=["search"])
    at.run()
    assert search["search"].calls == 1
    at.slider(key="beam").set_value(5).run()
    assert search["search"].calls == 2


def test_the_figure_says_what_it_cannot_show(runs: Path, write_run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    write_run(runs / "to-german", target="de")
    scored = {"news": SimpleNamespace(test_set="news", retention=[1], source_sha256="a", reference_sha256="b")}
    monkeypatch.setattr("nmt.ui.checkpoints.stored_stress", lambda run: {} if run.target_language == "de" else scored)
    monkeypatch.setattr("nmt.ui.checkpoints.curve_points", lambda *_: [(12.0, 30.0), (24.0, 25.0), (48.0, 20.0)])

    def said(words: int, *models: str) -> str:
        (figure,) = components(opened(s="the " * words, models=list(models), do="length"), "curves")
        return str(figure["here"]["text"])

    begins, ends = LOOK.curve_begins.format(words=12), LOOK.curve_ends.format(words=48)
    without = LOOK.forms.without_curve[0].format(names="to-german", test_set="news")
    for words, expected in ((3, [begins]), (12, []), (30, []), (48, []), (49, [ends])):
        assert [line for line in (begins, ends, without) if line in said(words, "search")] == expected
    assert [line for line in (begins, ends, without) if line in said(20, "search", "to-german")] == [without]
