"""The page "Translate" without a browser and without torch."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from nmt.errors import InputError
from nmt.ui.examples import EXAMPLES

APP = Path(__file__).parents[4] / "app.py"
HOSTILE = "<img src=x onerror=alert(1)> *star* _u_ $x$ :smile: `a` &apos; مرحبا 안녕"


def open_app(**parameters: str | list[str]) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=20)
    at.query_params["mode"] = "sentence"
    for name, value in parameters.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def matrices(at: AppTest) -> list[dict[str, Any]]:
    return [json.loads(element.proto.json)["panels"][0] for element in at.get("bidi_component")]


def texts(at: AppTest) -> list[str]:
    return [element.value for element in at.text]


@pytest.fixture
def two(runs: Path, translators: dict[str, Any], write_run: Any) -> dict[str, Any]:
    """Two checkpoints, one of each kind, and their translators."""
    write_run(runs / "search")
    write_run(runs / "encdec", "rnnencdec")
    return translators


def test_without_a_sentence_the_page_offers_some_and_loads_nothing(two: dict[str, Any]) -> None:
    at = open_app()
    assert [button.label for button in at.button][1:] == [text.replace(".", "\\.") for text in EXAMPLES[:4]]
    assert not at.metric
    assert not two


def test_without_a_checkpoint_the_page_says_how_to_get_one(runs: Path) -> None:
    at = open_app()
    assert "no checkpoint" in at.info[0].value
    assert not at.text_area


def test_an_example_is_translated_by_the_first_checkpoint_of_each_kind(two: dict[str, Any]) -> None:
    at = open_app()
    at.button(key="example-1").click().run()
    expected = " ".join(reversed(EXAMPLES[1].split()[:-1]))
    assert at.text_area(key="s").value == EXAMPLES[1]
    assert [text for text in texts(at) if text.endswith(expected)] != []
    assert sorted(two) == ["encdec", "search"]


def test_a_card_shows_translation_numbers_and_matrix(two: dict[str, Any]) -> None:
    at = open_app(s="the cat sleeps", models=["search"])
    assert texts(at)[0] == "sleeps cat the"
    shown = {metric.label: metric.value for metric in at.metric}
    assert shown["Log-probability"] == "−4.50 nats"
    assert shown["Per word"] == "−1.12 nats"  # three words and the end mark
    assert shown["Time"].endswith(" s")
    (matrix,) = matrices(at)
    assert matrix["source"] == ["the", "cat", "sleeps", "</s>"]
    assert matrix["target"] == ["sleeps", "cat", "the", "</s>"]
    assert (matrix["source_title"], matrix["target_title"]) == ("source: English", "target: French")
    assert [sum(row) for row in matrix["weights"]] == pytest.approx([1, 1, 1, 1], abs=1e-3)


def test_rnnencdec_says_why_it_has_no_matrix(two: dict[str, Any]) -> None:
    at = open_app(s="the cat sleeps", models=["encdec"])
    assert texts(at)[0] == "sleeps cat the"
    assert "one fixed vector" in at.info[0].value
    assert matrices(at) == []


def listed(at: AppTest) -> list[list[str]]:
    """The translations in each n-best list."""
    lists = [expander for expander in at.expander if "best translations" in expander.label]
    for expander in lists:
        assert len(expander.caption) == len(expander.text)
        assert all("nats a word" in caption.value for caption in expander.caption)
    return [[text.value for text in expander.text] for expander in lists]


def test_the_address_is_the_view(two: dict[str, Any]) -> None:
    at = open_app(s="the cat sleeps", models=["encdec", "search"], beam="3", nbest="2", unk="Forbid")
    assert at.slider(key="beam").value == 3
    assert at.slider(key="nbest").value == 2
    assert at.segmented_control(key="unk").value == "Forbid"
    assert [subheader.value for subheader in at.subheader] == ["encdec", "search"]
    assert listed(at) == [["sleeps cat the", "sleeps cat the !"]] * 2


def test_no_more_translations_are_listed_than_the_beam_holds(two: dict[str, Any]) -> None:
    at = open_app(s="the cat sleeps", models=["search"], beam="2", nbest="9")
    assert [len(texts) for texts in listed(at)] == [2]


@pytest.mark.parametrize(("name", "value"), [("beam", "999"), ("models", "../../etc"), ("nbest", "x"), ("unk", "Eat")])
def test_nonsense_in_the_address_is_ignored(two: dict[str, Any], name: str, value: str) -> None:
    at = open_app(s="the cat sleeps", **{name: value})
    assert "sleeps cat the" in texts(at)
    assert at.slider(key="beam").value == 12


def test_unknown_words_are_named_once_each(two: dict[str, Any]) -> None:
    at = open_app(s="the Zorp reads Zorp", models=["search"])
    assert "Unknown to this model, read as [UNK]: Zorp" in texts(at)
    assert texts(at)[0].startswith("[UNK]")
    at.segmented_control(key="unk").set_value("Forbid").run()
    assert "[UNK]" not in texts(at)[0]


def test_a_sentence_in_other_writing_than_the_checkpoint_reads_is_named(two: dict[str, Any]) -> None:
    def warned(sentence: str) -> list[str]:
        at = open_app(s=sentence, models=["search"])
        return [caption.value for caption in at.caption if "is written in" in caption.value]

    assert warned("the cat sleeps") == []
    (caption,) = warned("猫が寝ている。")
    assert "reads English, but the sentence is written in Japanese" in caption


def test_unk_is_replaced_where_there_is_alpha(two: dict[str, Any]) -> None:
    at = open_app(s="the Zorp reads Zorp", models=["search", "encdec"], unk="Replace")
    translated = [text for text in texts(at) if text.endswith("the")]
    assert translated == ["Zorp reads Zorp the", "[UNK] reads Zorp the"]
    notes = [caption.value for caption in at.caption if "[UNK]" in caption.value]
    assert len(notes) == 2
    assert "wrote one [UNK]" in notes[0]
    assert "RNNencdec has no alignment" in notes[1]
    at.segmented_control(key="unk").set_value("Keep").run()
    assert texts(at)[0] == "[UNK] reads Zorp the"
    assert not [caption.value for caption in at.caption if "[UNK]" in caption.value]


def test_a_broken_checkpoint_is_named_and_the_others_work(two: dict[str, Any], runs: Path, write_run: Any) -> None:
    write_run(runs / "torn_one")
    (runs / "torn_one" / "model.safetensors").write_bytes(b"junk")
    at = open_app(s="the cat sleeps", models=["search"])
    (named,) = [caption.value for caption in at.caption if "cannot be used" in caption.value]
    assert "torn\\_one" in named
    assert "not a readable safetensors file" in named.replace("\\", "")
    assert texts(at)[0] == "sleeps cat the"


def test_what_the_translator_refuses_is_said_in_its_card(two: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(run: Path) -> Any:
        raise InputError(f"{run.name} lacks the weights *E*")

    monkeypatch.setattr("nmt.ui.resources.read_translator", refuse)
    at = open_app(s="the cat sleeps", models=["search", "encdec"])
    assert [error.value for error in at.error] == [
        "search lacks the weights \\*E\\*.",
        "encdec lacks the weights \\*E\\*.",
    ]


def test_text_comes_out_as_typed(two: dict[str, Any]) -> None:
    at = open_app(s=HOSTILE, models=["search"], unk="Forbid")
    assert texts(at)[0] == " ".join(reversed(HOSTILE.split()))
    assert matrices(at)[0]["source"] == [*HOSTILE.split(), "</s>"]
    shown = [element.value for kind in (at.markdown, at.caption, at.info, at.error) for element in kind]
    assert not [value for value in shown if "star" in value]
    assert not at.html[0].value.count("star")


def test_line_breaks_are_read_as_spaces(two: dict[str, Any]) -> None:
    at = open_app(s="the cat\n\n sleeps", models=["search"])
    assert texts(at)[0] == "sleeps cat the"
    assert [caption.value for caption in at.caption if caption.value.startswith("Line breaks")] != []


@pytest.mark.parametrize("sentence", ["word " * 201, "long" * 1001])
def test_a_text_that_is_too_long_is_refused_before_any_work(two: dict[str, Any], sentence: str) -> None:
    at = open_app(s=sentence)
    assert "up to 200 words" in at.warning[0].value
    assert not two


def test_beyond_the_training_length_the_card_says_so(two: dict[str, Any]) -> None:
    at = open_app(s="cat " * 51, models=["search"])
    assert [caption.value for caption in at.caption if "51 words" in caption.value and "up to 50" in caption.value]


def test_pieces_are_merged_unless_asked_for(runs: Path, translators: dict[str, Any], write_run: Any) -> None:
    write_run(runs / "pieces", kind="bpe")
    at = open_app(s="the cat sleeps")
    assert matrices(at)[0]["target"] == ["sleeps", "cat", "the", "</s>"]
    at.toggle(key="pieces").set_value(True).run()
    assert matrices(at)[0]["target"] == ["▁sleeps", "▁cat", "▁the", "</s>"]


def test_a_rerun_translates_nothing_again(two: dict[str, Any]) -> None:
    at = open_app(s="the cat sleeps", models=["search"])
    at.run()
    assert two["search"].calls == 1
    at.slider(key="beam").set_value(5).run()
    assert two["search"].calls == 2


def test_about_opens_with_sizes_curve_and_card(two: dict[str, Any], runs: Path) -> None:
    (runs / "search" / "README.md").write_text("# Licence: *research* use", "utf-8")
    at = open_app(s="the cat sleeps", models=["search"])
    assert not at.get("plotly_chart")
    at.session_state["about-search"] = True
    at.run()
    assert not at.exception
    assert [text for text in texts(at) if text.startswith("RNNsearch with embeddings of 4 units")] != []
    assert [text for text in texts(at) if "1,200 updates" in text and "2.250 nats" in text] != []
    assert at.code[0].value == "# Licence: *research* use"
    (chart,) = at.get("plotly_chart")
    assert 2.25 in json.loads(chart.proto.spec)["data"][1]["y"]


def test_the_weights_are_there_as_a_table(two: dict[str, Any]) -> None:
    at = open_app(s="the cat the", models=["search"])
    table = at.dataframe[0].value
    assert list(table.columns) == ["1 the", "2 cat", "3 the", "4 </s>"]
    assert table.to_numpy().ravel() == pytest.approx([a for row in matrices(at)[0]["weights"] for a in row], abs=1e-3)


def test_the_first_paint_waits_for_no_torch() -> None:
    import subprocess

    modules = "nmt.ui.look.sentence.cards, nmt.ui.look.sentence.form, nmt.ui.app_shell"
    code = f"import sys, {modules}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=APP.parent).returncode == 0
