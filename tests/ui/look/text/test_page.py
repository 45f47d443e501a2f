"""Whole texts on the page "Translate": real models with random weights, real jobs, no browser."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import nmt
from nmt.answers.request import Progress
from nmt.answers.service import ComputationState
from nmt.config import SearchSettings
from nmt.data.sentences import split_lines, split_text
from nmt.data.uploads import Upload, text_of
from nmt.errors import InputError
from nmt.inspection.maps import word_scores
from nmt.results import FinishedTranslation, Languages
from nmt.runs.folder import read_run
from nmt.tables.table import as_tsv
from nmt.texts import APP as APP_TEXTS
from nmt.texts import LOOK, counted, view_texts
from nmt.ui.compute import progress_text
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.look.form import offered_examples
from nmt.ui.look.text import LIMITS
from nmt.ui.resources import compute_service
from nmt.ui.tasks import DoubtTask, TextTask, chosen_settings
from tests.kept import compare_with_kept
from tests.ui.drawn import FIELD_OF_TEXT, Send, ask, data_of, draw, drawn, field_of
from tests.ui.opened import again, busy, opened, settled
from tests.ui.written_page import written

APP = Path(__file__).parents[4] / "app.py"
TEXT = "A girl\n\n- She reads. The cat sleeps.\n"
WHOLE = "text"
KEPT = Path(__file__).parent / "kept"


@pytest.fixture(autouse=True)
def checkpoints(fresh_server: None, random_runs: Path, look_in: Callable[..., None]) -> None:
    look_in(random_runs)


def texts(at: AppTest) -> list[str]:
    return [element.value for element in at.text]


def upload(at: AppTest, name: str, data: bytes) -> AppTest:
    at.file_uploader(key="file").upload(name, data, "text/plain").run()
    assert not at.exception
    return at


def downloads(at: AppTest) -> list[str]:
    return [element.proto.label for element in at.get("download_button")]


def test_a_text_comes_out_as_the_models_translate_its_sentences(random_runs: Path) -> None:
    at = settled(opened(mode=WHOLE, text=TEXT, models=["search-words", "encdec-words"], beam="3"))
    for k, name in enumerate(("search-words", "encdec-words")):
        model = nmt.load(random_runs / name)
        a, b, c = (model.translate(text, beam=3) for text in ("A girl", "She reads.", "The cat sleeps."))
        assert texts(at)[k] == f"{a.text}\n\n- {b.text} {c.text}"
        mean = sum(t.log_probability for t in (a, b, c)) / sum(len(t.best.tokens) for t in (a, b, c))
        said = [e.value for e in at.caption if e.value.startswith(LOOK.log_probability)][k].split()
        assert float(said[said.index("nats") - 1].replace("−", "-")) == pytest.approx(mean, abs=0.0051)
    assert downloads(at) == [LOOK.text, LOOK.save_tsv] * 2
    sentences, words = counted(3, LOOK.forms.sentence_count), counted(7, LOOK.forms.word_count)
    said = LOOK.read_text.format(sentences=sentences, words=words, language="English")
    assert said in [caption.value for caption in at.caption]


def test_words_that_another_model_doubts_are_marked_after_the_text_is_there(
    random_runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nmt.ui.look.text.may_doubt", lambda own: own.source.tokens[0] != "The")
    monkeypatch.setattr("nmt.results.inspection.IMPROBABLE", 0.0)
    search, encdec = (nmt.load(random_runs / name) for name in ("search-words", "encdec-words"))
    own, written = (model.translate("A girl", beam=3) for model in (search, encdec))
    assert own.encoded
    assert written.best.encoded
    at = settled(opened(mode=WHOLE, text=TEXT, models=[search.name, encdec.name], beam="3"))
    assert texts(at).count(written.text) == 1
    assert data_of(at, f"doubted-1-{encdec.name}") is None
    at = settled(at)
    assert written.text not in texts(at)
    data = data_of(at, f"doubted-1-{encdec.name}") or {}
    scores = word_scores(search, own.encoded, written.best.encoded)
    expected = scores.improbable(written.best.tokens, own.best.tokens)
    said = view_texts("instrument")
    (system,) = draw(data)["systems"]
    assert (system["text"], system["title"]) == (written.text, "")
    assert [bool(doubt) for doubt in system["doubts"]] == [p is not None for p in expected]
    (remark,) = system["remarks"]
    assert remark in said["doubted"]
    assert data_of(at, f"doubted-3-{encdec.name}") is None  # the other model is not sure of its translation
    assert [job.state.status for job in compute_service().jobs.all()] == ["finished"] * 4


def test_doubts_that_cannot_be_computed_are_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nmt.ui.look.text.may_doubt", lambda own: True)
    asked: list[object] = []

    def fail(task: DoubtTask, *others: object) -> None:
        asked.append(task)
        raise InputError("no")

    monkeypatch.setattr(DoubtTask, "ask", fail)
    at = settled(settled(opened(mode=WHOLE, text="A girl", models=["search-words", "encdec-words"])))
    again(at)
    assert len(asked) == 1


def test_a_text_in_another_language_is_named() -> None:
    french = "la fille n'a jamais vu la mer et le chat dort"
    (warning,) = opened(mode=WHOLE, text=french, models=["search-words"]).warning
    assert warning.value.startswith(APP_TEXTS.nobody_reads)
    at = upload(opened(mode=WHOLE, models=["search-words"]), "a.md", b"The zorp reads. Zorp, zorp.")
    assert not at.warning


def test_a_file_of_wmt_is_read_by_its_segments_and_other_kinds_are_refused() -> None:
    segments = b'<seg id="1">She reads.</seg>\n<seg id="2">The cat sleeps.</seg>'
    sgm = b'<srcset setid="x">\n<doc docid="d">\n%s</doc></srcset>' % segments
    at = upload(opened(mode=WHOLE, models=["search-words"]), "a.sgm", sgm)
    assert any(caption.value.startswith("2 sentences, 5 words") for caption in at.caption)
    for data, reason in (
        (b"0 ||| She reads. ||| -1\n1 ||| She. ||| -2\n", "is an n-best list"),
        (b'[{"en": "She reads."}]\n', "is JSON"),
        (b"<html><body><p>She reads.</p></body></html>", "is a web page"),
    ):
        at = upload(opened(mode=WHOLE, models=["search-words"]), "a.txt", data)
        assert any(reason in error.value.replace("\\", "") for error in at.error)


def test_each_sentence_leads_to_one_sentence(random_runs: Path) -> None:
    at = settled(opened(mode=WHOLE, text=TEXT, models=["search-words"], beam="3", unk="forbid"))
    leading = [button for button in at.button if button.label == LOOK.look_closer]
    assert len(leading) == 3
    leading[1].click().run()
    assert not at.exception
    assert field_of(at) == "She reads."
    assert at.multiselect(key="choice-models").value == ["search-words"]
    assert at.slider(key="beam").value == 3
    assert "mode" not in at.query_params
    assert at.query_params["unk"] == "forbid"
    expected = nmt.load(random_runs / "search-words").translate("She reads.", beam=3, no_unk=True).text
    assert [system["text"] for system in drawn(at)["systems"]] == [expected]


def test_an_empty_field_says_what_the_mode_does_and_an_example_fills_it() -> None:
    at = opened(mode=WHOLE, models=["search-words"])
    assert not at.info
    assert LOOK.no_text in [caption.value for caption in at.caption]
    assert not compute_service().jobs.all()
    field = data_of(at, FIELD_OF_TEXT)
    assert field is not None
    assert (field["field"], field["typed"], field["texts"]["sentence_in"]) == (6000, "", LOOK.text_in)
    with busy():
        at.get("menu_button")[0].set_value(LOOK.example_title).run()
        assert field_of(at, FIELD_OF_TEXT) == LOOK.example_text
        assert compute_service().jobs.all()
        at.get("menu_button")[0].set_value(LOOK.examples_as_text).run()
        assert {*field_of(at, FIELD_OF_TEXT).split("\n")} == {*offered_examples(Languages("en", "fr")).values()}


@pytest.mark.parametrize(("s", "text"), [("She reads.", "She reads."), (None, ""), ("나는 어제 사과를 먹었다.", "")])
def test_the_sentence_that_was_typed_on_look_is_the_text(s: str | None, text: str) -> None:
    at = opened(models=["search-words"], beam="1", **({} if s is None else {"s": s}))
    at.segmented_control(key="choice-mode").set_value("text").run()
    assert field_of(at, "look-text") == text


def test_a_text_is_typed_and_stays_while_another_page_or_one_sentence_is_seen(send: Send) -> None:
    at = opened(mode=WHOLE, models=["search-words"], beam="1")
    with busy():
        ask(send, at, "translate", FIELD_OF_TEXT, typed=TEXT.strip(), entered=True)
        assert at.query_params["text"] == TEXT.strip()
        at.button(key="cancel-text-search-words-").click().run()
        ask(send, at, "translate", FIELD_OF_TEXT, typed=TEXT.strip(), entered=True)  # the same, which begins it again
        assert not compute_service().jobs.all()[-1].state.over
        at.segmented_control(key="choice-mode").set_value("sentence").run()
        at.segmented_control(key="choice-mode").set_value("text").run()
        at.switch_page("pages/models.py").run()
        at.switch_page("pages/look.py").run()
        assert field_of(at, FIELD_OF_TEXT) == TEXT.strip()
        ask(send, at, "translate", FIELD_OF_TEXT, typed="a" * 7000, entered=True)
        assert len(at.query_params["text"]) == 6000


def test_a_file_begins_with_the_button_and_a_line_may_be_a_sentence(random_runs: Path, send: Send) -> None:
    lines = b"she reads . the cat\n\n  a girl\n"
    at = upload(opened(mode=WHOLE, models=["search-words"], beam="2", cut="lines"), "my.txt", lines)
    assert not compute_service().jobs.all()
    ask(send, at, "translate", FIELD_OF_TEXT, typed="", entered=True)
    settled(at)
    model = nmt.load(random_runs / "search-words")
    one, two = (model.translate(line, beam=2).text for line in ("she reads . the cat", "a girl"))
    assert texts(at)[0] == f"{one}\n\n  {two}"


@pytest.mark.parametrize(
    "data",
    [b"caf\xe9\n", b"", "é".encode("utf-16"), b"a" * 2_000_001],
    ids=["latin-1", "empty", "utf-16", "too large"],
)
def test_a_file_that_is_no_text_is_refused_with_a_sentence(data: bytes) -> None:
    at = upload(opened(mode=WHOLE, models=["search-words"]), "x.txt", data)
    with pytest.raises(InputError) as refused:
        text_of(Upload("x.txt", data), LIMITS)
    assert [error.value for error in at.error] == [as_sentence(str(refused.value))]
    assert not compute_service().jobs.all()


def test_a_text_in_the_address_that_is_too_long_is_cut_and_the_page_says_so() -> None:
    with busy():
        at = opened(mode=WHOLE, text="she reads. " * 600, models=["search-words"])
        assert len(field_of(at, FIELD_OF_TEXT)) == 6000
        assert [c for c in at.caption if c.value.endswith(LOOK.cut_off.format(most="6,000"))]


def test_sentences_that_are_too_long_are_named_and_left_as_they_are(random_runs: Path) -> None:
    long = "cat " * 200 + "cat."
    at = settled(opened(mode=WHOLE, text=f"She reads.\n{long}\nA girl", models=["search-words"], beam="1"))
    assert LOOK.long_sentence.format(number=2, words=201) in at.warning[0].value
    model = nmt.load(random_runs / "search-words")
    one, three = (model.translate(text, beam=1).text for text in ("She reads.", "A girl"))
    assert texts(at)[0] == f"{one}\n{long}\n{three}"
    assert [job.state.progress.total for job in compute_service().jobs.all()] == [2]


def test_stop_and_go_on(random_runs: Path) -> None:
    """A text of which some sentences are there already is stopped while it waits, and then goes on."""
    run = read_run(random_runs / "search-words")
    sentences = split_text(TEXT, "en").sentences
    assert compute_service().start(TextTask(run, sentences[:2], SearchSettings(beam=3))).wait(60)
    with busy():
        at = opened(mode=WHOLE, text=TEXT, models=["search-words"], beam="3")
        assert [bar.proto.text for bar in at.get("progress")] == [APP_TEXTS.waiting]
        assert not downloads(at)
        at.button(key="cancel-text-search-words-").click().run()
        at.run()
        assert LOOK.partly_done.format(done=2, total=3) in [caption.value for caption in at.caption]
        assert downloads(at) == [LOOK.save_tsv]
        assert [caption.value for caption in at.caption].count(LOOK.not_translated) == 1
        at.run()
        assert not at.get("progress")  # what was stopped does not begin again by itself
        at.button(key="go-search-words").click().run()
        assert at.get("progress")
    settled(at)
    assert downloads(at) == [LOOK.text, LOOK.save_tsv]


def test_other_settings_end_what_was_asked_before(random_runs: Path) -> None:
    with busy():
        at = opened(mode=WHOLE, text=TEXT, models=["search-words"], beam="3")
        at.slider(key="beam").set_value(2).run()
        run = read_run(random_runs / "search-words")
        sentences = split_text(TEXT, "en").sentences
        old, new = (compute_service().job(TextTask(run, sentences, SearchSettings(beam=beam))) for beam in (3, 2))
        assert old is not None
        assert new is not None
        assert (old.state.status, new.state.status) == ("cancelled", "waiting")
    assert new.wait(60)
    assert new.state.status == "finished"


def test_what_failed_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(run: Path) -> Any:
        raise RuntimeError("no *memory*")

    monkeypatch.setattr("nmt.ui.resources.read_translator", broken)
    at = settled(opened(mode=WHOLE, text=TEXT, models=["search-words"]))
    assert escaped("no *memory*") in at.error[0].value
    assert at.button(key="go-search-words").label == LOOK.translate


def test_a_text_is_read_in_one_language(random_runs: Path, tmp_path: Path, look_in: Callable[..., None]) -> None:
    """A checkpoint that reads another one than the first is named and left out."""
    for name in ("a", "b"):
        shutil.copytree(random_runs / "search-words", tmp_path / "both" / name)
    config = tmp_path / "both" / "b" / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text("utf-8")) | {"source_language": "ja"}), "utf-8")
    look_in(tmp_path / "both")
    at = opened(mode=WHOLE, text=TEXT, models=["a", "b"])
    said = APP_TEXTS.left_out.format(languages="English to French", names="b")
    assert any(c.value.endswith(said) for c in at.caption)
    at.multiselect(key="choice-models").set_value(["a"]).run()
    at.run()  # the address has only what is chosen
    assert not any(c.value.endswith(said) for c in at.caption)


def test_several_sentences_in_the_field_for_one_can_go_on_as_a_text() -> None:
    at = opened(mode="sentence", s="She reads. The cat sleeps.", models=["search-words"], beam="2")
    at.button(key="as-text").click().run()
    assert not at.exception
    assert at.query_params["mode"] == "text"
    assert field_of(at, FIELD_OF_TEXT) == "She reads. The cat sleeps."
    settled(at)
    assert sum(button.label == LOOK.look_closer for button in at.button) == 2


@pytest.mark.parametrize("sentence", ["She reads.", "Dr. Smith reads a book", ""])
def test_one_sentence_is_offered_no_other_mode(sentence: str) -> None:
    at = opened(mode="sentence", s=sentence, models=["search-words"], beam="1")
    assert not [button for button in at.button if button.key == "as-text"]


def test_a_long_text_has_several_sheets() -> None:
    text = "\n".join(f"cat {'girl ' * (k % 5)}{k}" for k in range(25))
    at = settled(opened(mode=WHOLE, text=text, cut="lines", models=["search-words"], beam="1", sheet="3"))
    for numbers in (range(21, 26), range(1, 11)):
        shown = [caption.value for caption in at.caption if caption.value.endswith("English")]
        assert shown == [LOOK.numbered.format(number=k, language="English") for k in numbers]
        at.query_params["sheet"] = "1"
        at.get("pagination")[0].set_value(1).run()


@pytest.mark.parametrize("name", ["search-words", "encdec-words"])
def test_unknown_words_are_treated_as_on_the_cards(random_runs: Path, name: str) -> None:
    run = read_run(random_runs / name)
    model = nmt.load(run.path)
    settings = chosen_settings(run, 3, "replace")
    assert settings == model.resolved(SearchSettings(beam=3, replace_unk="auto" if model.has_alignment else None))
    assert chosen_settings(run, 3, "forbid").no_unk
    assert chosen_settings(run, 3, "keep") == SearchSettings(beam=3)


def test_lines_are_put_together_as_they_were() -> None:
    text = "\t one. two.\r\n\n three \n \nfour"
    split = split_lines(text)
    assert split.sentences == ("one. two.", "three", "four")
    assert split.together(split.sentences) == text


def test_a_file_of_sentences_has_a_line_each_and_full_numbers() -> None:
    given = [
        FinishedTranslation(source="a\u2028b", text="c\r\nd", tokens=3, log_probability=-1 / 3),
        FinishedTranslation(source="e", text="", tokens=1, log_probability=-2.0),
    ]
    lines = as_tsv(given).split("\n")
    assert lines[3:] == [""]
    rows = [line.split("\t") for line in lines[1:3]]
    assert [row[:2] for row in rows] == [["a b", "c d"], ["e", ""]]
    assert [float(row[2]) for row in rows] == [-1 / 3, -2.0]


def test_what_is_said_of_a_job_without_a_rate() -> None:
    state = ComputationState(status="running", stage="count", progress=Progress(3, 10))
    assert progress_text(state) == "count: 3 of 10 sentences"


@pytest.mark.parametrize("name", ["whole", "waits", "stopped", "sheets", "four"])
def test_a_page_has_what_is_kept(
    name: str, random_runs: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two translated texts; one that waits; one of which a sentence is there; the last of many sentences, of which some
    are too long."""
    monkeypatch.setattr("nmt.config.multiplies_integers", lambda: False)  # else some processors compute in int8
    if name == "whole":
        at = settled(opened(mode=WHOLE, text=TEXT, models=["search-words", "encdec-words"], beam="3"))
    elif name == "four":
        models = [f"{kind}-{unit}" for kind in ("search", "encdec") for unit in ("words", "bpe")]
        at = settled(opened(mode=WHOLE, text="A girl", models=models, beam="1"))
    elif name == "sheets":
        lines = [f"cat {'cat ' * 200 if k % 2 else k}" for k in range(13)]
        at = settled(opened(mode=WHOLE, text="\n".join(lines), cut="lines", models="encdec-words", sheet="2"))
    else:
        run = read_run(random_runs / "search-words")
        if name == "stopped":
            done = TextTask(run, split_text(TEXT, "en").sentences[:1], SearchSettings(beam=3))
            assert compute_service().start(done).wait(60)
        with busy():
            at = opened(mode=WHOLE, text=TEXT, models=["search-words"], beam="3")
            if name == "stopped":
                at.button(key="cancel-text-search-words-").click().run()
                at.run()
    elements, _, _ = written(at, keys=True).partition("# address")  # which has the text once more
    compare_with_kept(KEPT / f"{name}.txt", re.sub(r"(?<=/mock/media/)\w+", "", elements), request)


@pytest.mark.parametrize("length", [1200, 1201, 20_000, 20_001])
def test_a_card_shows_the_beginning_of_a_long_text(length: int, write_run: Callable[..., Any], tmp_path: Path) -> None:
    """It scrolls from 1,200 characters on, and ends after 20,000, which is said; the file has all."""

    def page() -> None:
        import streamlit as st

        from nmt.ui.look.text import TextState, TextView, show_text

        run, text, done = (st.session_state[name] for name in ("run", "text", "done"))
        task: Any = type("Task", (), {"checkpoint": run, "sentences": ("x",)})
        view = TextView(name="text", split=text, tasks={"a": task}, from_file=False, wanted=False)
        show_text(view, TextState(name="a", task=task, translations=done, complete=True))

    at = AppTest.from_function(page)
    at.session_state["run"] = write_run(tmp_path / "a")
    at.session_state["text"] = split_lines("x\n" + "long " * 200 + "long")
    done = FinishedTranslation(source="x", text="y" * (length - 1005), tokens=1, log_probability=-0.5)
    at.session_state["done"] = {"x": done}
    at.run()
    assert not at.exception, at.exception
    (shown,) = at.text
    assert len(shown.value) == min(length, 20_000)
    (outer,) = (block for block in _blocks(at.main) if block.proto.id.endswith("-text-a"))
    assert outer.proto.height_config.pixel_height == (420 if length > 1200 else 0)
    said = LOOK.first_characters.format(shown="20,000", total=f"{length:,}")
    assert [caption.value for caption in at.caption][:-1] == ([said] if length > 20_000 else [])
    assert at.caption[-1].value.endswith("−0.50 nats · 1 sentence")


def _blocks(block: Any) -> Iterator[Any]:
    for child in getattr(block, "children", {}).values():
        if getattr(child, "children", None) is not None and child.proto is not None:
            yield child
        yield from _blocks(child)


@pytest.mark.parametrize(("length", "offered"), [(6000, True), (6001, False)])
def test_a_text_that_the_address_cannot_hold_is_not_offered_to_go_on(length: int, offered: bool) -> None:
    at = opened(mode="sentence", s="x" * length, models=["search-words"])
    assert [button.key for button in at.button if button.key in ("as-text", "one-by-one")] == ["as-text"] * offered


@pytest.mark.parametrize(("number", "strange"), [(49, True), (50, False)])
def test_the_language_of_a_text_is_that_of_its_first_fifty_sentences(number: int, strange: bool) -> None:
    korean = "고양이가 바다를 봅니다 " * 30
    with busy():
        at = opened(mode=WHOLE, text="\n".join(["cat"] * number + [korean]), cut="lines", models=["search-words"])
    assert len(at.warning) == strange


def test_all_of_five_long_sentences_are_named() -> None:
    with busy():
        at = opened(mode=WHOLE, text="\n".join(["a", *["cat " * 201] * 5]), cut="lines", models=["search-words"])
        names = ", ".join(LOOK.long_sentence.format(number=number, words=201) for number in range(2, 7))
        said = LOOK.left_as_they_are.format(numbers=names, most_words=200, most_characters="4,000")
        assert [warning.value for warning in at.warning] == [said]


def test_of_a_text_and_a_file_the_file_is_translated() -> None:
    with busy():
        at = opened(mode=WHOLE, text=TEXT, models=["search-words"])
        assert LOOK.file_first not in [caption.value for caption in at.caption]
        upload(at, "my.txt", b"she reads .")
        assert LOOK.file_first in [caption.value for caption in at.caption]
        assert [place.proto.popover.label for place in at.get("popover")][-1] == r"my\.txt"  # in place of "Open a file"
        at = upload(opened(mode=WHOLE, models=["search-words"]), "my.txt", b"she reads .")
        assert LOOK.file_first not in [caption.value for caption in at.caption]
