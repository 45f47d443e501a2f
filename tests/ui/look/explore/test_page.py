"""The page "Explore" over tiny checkpoints with random weights: what it draws is what the models say."""

import csv
import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pypdf import PdfReader
from streamlit.testing.v1 import AppTest

import nmt
from nmt.alignments.formats import FORMATS, read
from nmt.alignments.formats.checks import MAX_BYTES
from nmt.alignments.formats.one_sentence import NOT_ALPHA, system_of
from nmt.alignments.measures import difference_of_pairs
from nmt.alignments.policy import Policy
from nmt.answers.shipped import GALLERY
from nmt.charts.colour_scales import STAND_IN
from nmt.config import SearchSettings
from nmt.data.text import Tokenizer
from nmt.data.vocabulary import write_word_counts
from nmt.errors import InputError
from nmt.inspection.maps import leave_one_out_of, posterior
from nmt.inspection.what_if import what_if
from nmt.instrument import texts
from nmt.instrument.changes import Change
from nmt.instrument.remarks import looked_at
from nmt.notebook import changed
from nmt.released import RELEASED
from nmt.results import END, UNKNOWN, Alignment, Intervention
from nmt.results.record import ReadersChange
from nmt.texts import ALIGNMENTS, CHARTS, INSTRUMENT, LOOK, nats, say
from nmt.texts import APP as APP_TEXTS
from nmt.ui.formatting import escaped
from nmt.ui.look import files as explore_files
from nmt.ui.tasks import LeaveOneOutTask
from tests.charts.node import evaluate
from tests.charts.printed import NOT_ATTENTION
from tests.ui.drawn import JS, Send, ask, data_of, drawn, enter, field_of, pin, save, tell
from tests.ui.opened import opened as explore

CHANGED = INSTRUMENT.by_key.changed
pytestmark = pytest.mark.usefixtures("random_checkpoints")

SENTENCE = "the cat has never seen the sea ."


def systems(at: AppTest) -> list[dict[str, Any]]:
    """Those of the ribbons."""
    return list(drawn(at)["systems"])


def panels(at: AppTest) -> list[dict[str, Any]]:
    """Those of alpha, files and differences."""
    return [panel for panel in drawn(at)["panels"] if not panel["not_attention"]]


def effects(at: AppTest) -> list[dict[str, Any]]:
    """Those of maps in place of alpha, which a reader has to open."""
    return [panel for panel in drawn(at)["panels"] if panel["not_attention"]]


def offered_effects(at: AppTest) -> bool:
    data = data_of(at)
    assert data is not None
    return bool(data["effects"])


OPEN = {"effect": "true"}


def written(at: AppTest) -> list[str]:
    """The sentences that the checkpoints wrote."""
    return [system["text"] for system in systems(at)]


def section_of(at: AppTest) -> str | None:
    data = data_of(at)
    assert data is not None
    return str(data["state"]["section"])


def view_of(at: AppTest) -> dict[str, Any]:
    data = data_of(at)
    assert data is not None
    return dict(data["state"]["view"])


def weights(panel: dict[str, Any]) -> Any:
    return np.array(panel["weights"])


def test_alpha_of_the_best_translation_and_the_stand_in(random_runs: Path) -> None:
    at = explore(s=SENTENCE, models=["search-words", "encdec-words"], beam="3")
    assert not effects(at)
    assert offered_effects(at)
    at = explore(s=SENTENCE, models=["search-words", "encdec-words"], beam="3", bars="true", **OPEN)
    (search,), (encdec,) = panels(at), effects(at)
    best = nmt.load(random_runs / "search-words").translate(SENTENCE, beam=3).best
    assert best.alignment is not None
    assert written(at)[0] == best.text
    assert weights(search) == pytest.approx(best.alignment.weights, abs=1e-5)
    assert search["log_probability"] == pytest.approx(best.token_log_probabilities, abs=1e-3)
    assert search["bars"]["source"]["values"] == pytest.approx(best.alignment.weights.sum(axis=0), abs=1e-3)
    assert search["note"] == ""
    model = nmt.load(random_runs / "encdec-words")
    other = model.translate(SENTENCE, beam=3).best
    pair = model.source.encode(SENTENCE), model.target.encode_tokens(other.tokens)
    expected = next(leave_one_out_of(model, [pair]))
    assert weights(encdec) == pytest.approx(expected.weights, abs=1e-5)
    assert encdec["note"] == texts()["stand_in_note"]
    assert encdec["not_attention"] == NOT_ATTENTION
    assert (encdec["values"], encdec["letter"]) == (CHARTS.effect, "effect")
    assert encdec["letter"] == encdec["spoken_letter"]
    assert search["not_attention"] == ""


@pytest.mark.parametrize(
    ("models", "hints"),
    [
        (["encdec-words", "search-words"], ["", "HINT"]),
        (["search-words", "search-bpe"], ["HINT", ""]),
        (["encdec-words"], [""]),
    ],
)
def test_the_first_checkpoint_with_alpha_says_how_to_look(models: list[str], hints: list[str]) -> None:
    """An encoder-decoder has no ribbons: "where the model looked" would be wrong beneath it."""
    said = {"": "", "HINT": " ".join(texts()["hints"].values())}
    assert [system["hint"] for system in systems(explore(s=SENTENCE, models=models))] == [said[hint] for hint in hints]


def test_the_list_is_there_to_choose_from_with_log_probabilities(random_runs: Path) -> None:
    at = explore(s=SENTENCE, models=["search-words", "encdec-words"], beam="4", of="list", rank="2")
    translations = nmt.load(random_runs / "search-words").translate(SENTENCE, beam=4, n_best=4)
    choice = at.selectbox(key="choice-rank")
    assert choice.options == [
        LOOK.listed.format(rank=rank, nats=nats(hypothesis.log_probability), text=hypothesis.text)
        for rank, hypothesis in enumerate(translations.hypotheses, 1)
    ]
    assert choice.value == "2"
    choice.set_value("4").run()
    other = nmt.load(random_runs / "encdec-words").translate(SENTENCE, beam=4, n_best=4)
    assert written(at) == [each.hypotheses[3].text for each in (translations, other)]


def test_any_of_the_list_can_be_shown(random_runs: Path) -> None:
    at = explore(s=SENTENCE, models=["search-words"], beam="4", of="list", rank="3")
    third = nmt.load(random_runs / "search-words").translate(SENTENCE, beam=4, n_best=3).hypotheses[2]
    assert written(at) == [third.text]


@pytest.mark.parametrize("kind", ["words", "bpe"])
def test_a_typed_target_is_forced(random_runs: Path, kind: str) -> None:
    target = "la fille dort ."
    at = explore(s=SENTENCE, models=[f"search-{kind}"], of="typed", t=target)
    score = nmt.load(random_runs / f"search-{kind}").score(SENTENCE, target)
    assert score.alignment is not None
    (panel,) = panels(at)
    assert weights(panel) == pytest.approx(score.alignment.merged().weights, abs=1e-5)
    assert sum(panel["log_probability"]) == pytest.approx(score.log_probability, abs=1e-2)
    assert panel["target"] == ["la", "fille", "dort", ".", "</s>"]
    pieces = explore(s=SENTENCE, models=[f"search-{kind}"], of="typed", t=target, pieces="true", end="false")
    bare = panels(pieces)[0]
    assert len(bare["target"]) >= len(bare["log_probability"]) == len(bare["weights"])
    assert "</s>" not in bare["target"]


def test_a_typed_target_begins_with_the_translation_shown_and_is_waited_for_when_it_is_cleared(
    random_runs: Path,
) -> None:
    translations = nmt.load(random_runs / "search-words").translate(SENTENCE, beam=4, n_best=3)
    at = explore(s=SENTENCE, models=["search-words"], beam="4", of="typed")
    assert at.text_input(key="t").value == translations.text
    assert written(at) == [translations.text]
    at.text_input(key="t").set_value("").run()
    assert at.info[0].value == LOOK.target_wanted
    assert data_of(at) is None
    at.text_input(key="t").set_value("la fille").run()
    assert panels(at)[0]["target"] == ["la", "fille", "</s>"]


def test_a_typed_target_begins_with_the_one_of_the_list_that_is_shown(random_runs: Path) -> None:
    at = explore(s=SENTENCE, models=["search-words"], beam="4", of="list", rank="3")
    next(group for group in at.get("button_group") if group.key == "choice-of").set_value("typed").run()
    third = nmt.load(random_runs / "search-words").translate(SENTENCE, beam=4, n_best=4).hypotheses[2]
    assert at.text_input(key="t").value == third.text


@pytest.mark.parametrize("kind", ["list", "typed"])
def test_another_sentence_begins_with_what_the_models_write(random_runs: Path, kind: str) -> None:
    at = explore(s="the cat", models=["search-words"], beam="2", of=kind, rank="2", t="le chat")
    enter(at, SENTENCE)
    assert not at.exception, at.exception
    assert next(group for group in at.get("button_group") if group.key == "choice-of").value == "best"
    assert written(at) == [nmt.load(random_runs / "search-words").translate(SENTENCE, beam=2).text]
    assert not {"of", "t"} & {*at.query_params}


def test_figure_3_has_the_sentence_the_translation_and_the_checkpoint_of_the_gallery(
    random_runs: Path, tmp_path: Path, look_in: Callable[..., None]
) -> None:
    lesson = next(lesson for lesson in GALLERY if lesson.target)
    assert lesson.sentence == "The agreement on the European Economic Area was signed in August 1992."
    assert lesson.checkpoint in RELEASED
    for name in ("a", lesson.checkpoint):
        shutil.copytree(random_runs / "search-words", tmp_path / "some" / name)
    look_in(tmp_path / "some")
    at = explore(s=SENTENCE, models=["a"])
    menu = next(button for button in at.get("menu_button") if lesson.title in button.options)
    menu.click(lesson.title).run()
    assert not at.exception, at.exception
    (panel,) = panels(at)
    assert panel["title"] == lesson.checkpoint
    assert written(at) == [at.text_input(key="t").value] == [lesson.target]
    assert field_of(at) == lesson.sentence
    score = nmt.load(random_runs / "search-words").score(lesson.sentence, lesson.target)
    (panel,) = panels(at)
    assert sum(panel["log_probability"]) == pytest.approx(score.log_probability, abs=1e-2)
    next(button for button in at.get("menu_button") if lesson.title in button.options).click(GALLERY[1].title).run()
    assert written(at) != [lesson.target]
    assert not any(field.key == "t" for field in at.text_input)


def test_a_difference_of_one_is_not_offered_and_the_reason_is_said() -> None:
    asked = {"with": ["difference"]}
    at = explore(s=SENTENCE, models=["search-words"], **asked)
    button = next(button for button in at.button if button.key == "no-difference")
    assert button.disabled
    assert button.help == LOOK.no_difference_yet
    assert LOOK.no_difference_line in [caption.value for caption in at.caption]
    assert f":material/link_off: {LOOK.no_difference_line}" in [caption.value for caption in at.caption]
    assert len(panels(at)) == 1
    at.multiselect(key="choice-models").set_value(["search-words", "search-bpe"]).run()
    assert not at.exception, at.exception
    assert [panel["is_difference"] for panel in panels(at)] == [False, False, True]
    assert not any(button.key == "no-difference" for button in at.button)
    at.multiselect(key="choice-models").set_value(["search-words"]).run()
    assert len(panels(at)) == 1
    assert not any("link_off" in caption.value for caption in at.caption)  # the reader's own choice
    at.multiselect(key="choice-models").set_value(["search-words", "search-bpe"]).run()
    assert [panel["is_difference"] for panel in panels(at)] == [False, False, True]
    at.pills(key="choice-with").set_value([]).run()
    assert [panel["is_difference"] for panel in panels(at)] == [False, False]
    at.run()  # it is not brought back
    assert [panel["is_difference"] for panel in panels(at)] == [False, False]


def test_without_end_mark_and_punctuation_rows_sum_to_one_and_it_is_said() -> None:
    at = explore(s=SENTENCE, models=["search-words"], of="typed", t="la fille dort .", end="false", punctuation="false")
    (panel,) = panels(at)
    assert panel["target"] == ["la", "fille", "dort"]
    assert "." not in panel["source"]
    assert weights(panel).sum(axis=1) == pytest.approx(1, abs=1e-4)
    assert panel["note"]


def test_the_difference_is_the_second_less_the_first_on_the_first_ones_target(random_runs: Path) -> None:
    at = explore(s=SENTENCE, models=["search-words", "search-bpe"], beam="2", bars="true", **{"with": ["difference"]})
    first, second, delta = panels(at)
    text = nmt.load(random_runs / "search-words").translate(SENTENCE, beam=2).text
    assert written(at) == [text, text]
    assert delta["is_difference"]
    if first["target"] == second["target"]:
        assert weights(delta) == pytest.approx(weights(second) - weights(first), abs=1e-5)
    else:
        assert not delta["source"]


def test_for_a_difference_the_tokens_of_the_first_are_handed_over(random_runs: Path) -> None:
    """Also [UNK], which is one token and not the three of its text; and it is said whose translation this is."""
    at = explore(
        s="the zorp reads",
        models=["search-words", "search-bpe"],
        beam="3",
        **{"with": ["difference"]},
    )
    one, other, delta = panels(at)
    first, model = nmt.load(random_runs / "search-words"), nmt.load(random_runs / "search-bpe")
    best = first.translate("the zorp reads", beam=3).best
    assert UNKNOWN in best.tokens
    assert one["target"] == other["target"] == [*best.tokens]
    assert weights(delta) == pytest.approx(weights(other) - weights(one), abs=1e-5)
    target = model.target.vocabulary.encode(best.tokens[:-1])
    (score,) = model.score_stream([(model.source.encode("the zorp reads"), target)])
    own = model.translate("the zorp reads", beam=3).best
    assert sum(other["log_probability"]) == pytest.approx(score.log_probability, abs=1e-2)
    assert other["condition"] == LOOK.forced.format(name="search-words")
    assert other["condition"] in systems(at)[1]["kind"]
    assert other["own_text"] == LOOK.own_translation.format(nats=nats(own.log_probability), text=own.text)
    assert one["condition"] == one["own_text"] == ""
    assert written(at) == [best.text, best.text]
    at = explore(s="the zorp reads", models=["search-words", "search-bpe"], beam="3")
    assert panels(at)[1]["condition"] == panels(at)[1]["own_text"] == ""
    assert written(at) == [best.text, own.text]


def test_a_model_without_alpha_has_no_part_in_a_difference(random_runs: Path) -> None:
    """It keeps its own translation, wherever it stands; with one model that has alpha there is no difference."""
    own = nmt.load(random_runs / "encdec-words").translate(SENTENCE, beam=2).text
    chosen = {"with": ["difference"]}
    at = explore(s=SENTENCE, models=["encdec-words", "search-words", "search-bpe"], beam="2", **chosen)
    assert [panel["is_difference"] for panel in panels(at)] == [False, False, True]
    assert panels(at)[2]["title"] == "search-bpe − search-words"
    assert written(at)[0] == own
    at = explore(s=SENTENCE, models=["search-words", "encdec-words"], beam="2", **chosen)
    assert next(button for button in at.button if button.key == "no-difference").disabled
    assert len(panels(at)) == 1


def test_a_checkpoint_that_writes_the_same_by_itself_is_not_called_forced(
    random_runs: Path, tmp_path: Path, look_in: Callable[..., None]
) -> None:
    for name in ("a", "b"):
        shutil.copytree(random_runs / "search-words", tmp_path / "both" / name)
    look_in(tmp_path / "both")
    at = explore(s="the zorp reads", models=["a", "b"], beam="3", **{"with": ["difference"]})
    first, second, delta = panels(at)
    assert second["condition"] == second["own_text"] == ""
    assert second["log_probability"] == first["log_probability"]
    assert not weights(delta).any()


def test_links_are_pruned_by_weight_or_mass() -> None:
    at = explore(s=SENTENCE, models=["search-words"], show="both", least="0.3")
    (panel,) = panels(at)
    alpha = weights(panel)
    assert {(i, j) for i, j, _ in panel["links_shown"]} == {(i, j) for i, j in np.argwhere(alpha >= 0.3).tolist()}
    at = explore(s=SENTENCE, models=["search-words"], show="links", by="mass", least="0.5")
    (panel,) = panels(at)
    for i, row in enumerate(weights(panel)):
        kept = [j for k, j, _ in panel["links_shown"] if k == i]
        assert row[kept].sum() >= 0.5 - 1e-4
        assert row[kept].sum() - row[kept].min() < 0.5


def explained(at: AppTest) -> dict[str, Any]:
    """What the page tells of the pin."""
    data = data_of(at)
    assert data is not None
    return dict(data["explanation"] or {})


def test_a_pinned_cell_of_the_address_is_explained() -> None:
    at = explore(s=SENTENCE, models=["search-words"], beam="2", do="explain", pin="search-words.1.2")
    assert drawn(at)["pin"] == {"panel": 0, "source": [2], "target": [1]}
    found = explained(at)
    assert found["pin"] == pin("search-words", 1, 2)
    assert found["alpha"][found["j"]] == pytest.approx(weights(panels(at)[0])[1, 2], abs=1e-3)
    energies = np.array(found["energies"])
    row = np.exp(energies - energies.max())
    assert row / row.sum() == pytest.approx(np.array(found["alpha"]), abs=1e-4)
    assert all(sum(gate["units"]) == sum(found["gates"][0]["units"]) > 0 for gate in found["gates"])
    assert not explained(explore(s=SENTENCE, models=["search-words"], do="explain", pin="gone.1.2"))


BEGIN = Change(kind="begin", text="une fille")


def test_what_if_shows_what_the_core_decodes_in_place(random_runs: Path) -> None:
    """The former line stands beneath, and the matrix can be seen before, after, and as the difference of the two."""
    asked: dict[str, Any] = {"s": SENTENCE, "models": ["search-words", "encdec-words"], "beam": "2", "do": "what-if"}
    begin = BEGIN.address
    plain, at = explore(**asked), explore(**asked, change=begin, **OPEN)
    for name, system, before in zip(("search-words", "encdec-words"), systems(at), systems(plain), strict=True):
        expected = what_if(
            nmt.load(random_runs / name), SENTENCE, Intervention(prefix="une fille"), SearchSettings(beam=2)
        )
        assert system["text"] == expected.text
        assert system["text"].startswith("une fille")
        assert system["former"] == before["target"]
        assert not before["former"]
    before, after = panels(plain)[0], panels(at)[0]
    assert panels(explore(**asked, change=begin, see="before"))[0]["weights"] == before["weights"]
    (change,) = panels(explore(**asked, change=begin, see="change"))
    signs = [mark and mark["sign"] for mark in change["marks"]["target"]]
    for words, other in ((before["target"], "+"), (after["target"], "−")):
        assert [word for word, sign in zip(change["target"], signs, strict=True) if sign != other] == words
    new = [k for k, sign in enumerate(signs) if sign == "+"]
    rows = [k for k, sign in enumerate(s for s in signs if s != "−") if sign == "+"]
    assert weights(change)[new] == pytest.approx(weights(after)[rows], abs=1e-5)
    both = [
        change.address for change in (replace(BEGIN, text="chat chat chat"), Change(kind="word", row=4, text="mer"))
    ]
    forced = explore(s=SENTENCE, models=["search-bpe"], beam="2", change=both)  # a word, also of several subwords
    assert panels(forced)[0]["target"][:4] == ["chat", "chat", "chat", "mer"]
    assert CHANGED["word"].format(number=4, text="mer") in systems(forced)[0]["changed"]
    unknown = explore(s=SENTENCE, models=["search-words"], beam="2", change="without:0::xylophone")
    assert any("xylophone" in error.value for error in unknown.error)
    assert systems(unknown)[0]["text"] == systems(plain)[0]["text"]
    assert not systems(unknown)[0]["former"]


def test_a_word_of_one_checkpoint_keeps_what_stands_before_it_and_gives_way_to_a_token_in_its_place() -> None:
    asked: dict[str, Any] = {"s": SENTENCE, "models": ["search-words", "encdec-words"], "beam": "2"}
    word = Change(kind="word", row=3, name="search-words", text="chat").address
    plain, at = systems(explore(**asked)), systems(explore(**asked, change=word))
    assert at[0]["target"][:3] == [*plain[0]["target"][:2], "chat"]
    assert at[1]["text"] == plain[1]["text"]
    token = Change(kind="token", row=2, name="search-words", text="fille").address
    assert systems(explore(**asked, change=[word, token]))[0]["target"][2] == "fille"


def moved_to(model: Any, row: int, column: int, name: str) -> str:
    """The change that gives all attention of a word to one source word."""
    columns = len(set(model.source.encode(SENTENCE).words))
    return Change(kind="weights", row=row, name=name, weights=tuple(float(j == column) for j in range(columns))).address


def test_weights_of_the_address_are_moved(random_runs: Path) -> None:
    model = nmt.load(random_runs / "search-words")
    moved = moved_to(model, 0, 3, "search-words")
    at = explore(s=SENTENCE, models=["search-words"], beam="2", change=moved)
    (after,) = panels(at)
    assert weights(after)[0] == pytest.approx([float(j == 3) for j in range(len(after["source"]))], abs=1e-6)
    assert f"“{after['source'][3]}”" in systems(at)[0]["changed"]
    (change,) = panels(explore(s=SENTENCE, models=["search-words"], beam="2", change=moved, see="change"))
    assert change["title"].endswith(texts()["after_minus_before"])


def test_weights_of_a_word_are_moved_at_its_first_subword(random_runs: Path) -> None:
    model = nmt.load(random_runs / "search-bpe")
    best = model.translate(SENTENCE, beam=2).best
    assert best.alignment is not None
    words = best.alignment.target_words
    row = next(k for k in range(1, len(set(words))) if words.index(k) > k)  # a word behind one of several subwords
    values = tuple(float(j == 3) for j in range(len(best.alignment.merged().source)))
    moved = moved_to(model, row, 3, "search-bpe")
    at = explore(s=SENTENCE, models=["search-bpe", "encdec-words"], beam="2", change=moved)
    step = words.index(row)
    changed = Intervention(prefix=best.tokens[:step], weights=((step, values),))
    expected = what_if(model, SENTENCE, changed, SearchSettings(beam=2)).best
    assert expected.tokens[:step] == best.tokens[:step]
    (shown,) = panels(at)
    assert expected.alignment is not None
    assert weights(shown) == pytest.approx(expected.alignment.merged().weights, abs=1e-5)
    assert not systems(at)[1]["former"]  # the checkpoint without alpha has no weights to move


def test_weights_moved_behind_another_word_are_taken_back_when_that_is_moved(random_runs: Path) -> None:
    """What follows a word is written anew. Within a beginning that was typed nothing is, so all of it stays moved."""
    model = nmt.load(random_runs / "search-words")
    asked: dict[str, Any] = {"s": SENTENCE, "models": ["search-words"], "beam": "2"}
    begin = Change(kind="begin", text="une fille").address
    moved = [moved_to(model, row, 3, "search-words") for row in range(3)]
    for row in (1, 0):
        (again,) = panels(explore(**asked, change=[begin, moved[row + 1], moved[row]]))
        alone = [float(j == 3) for j in range(len(again["source"]))]
        assert weights(again)[row] == pytest.approx(alone, abs=1e-6)
        stays = weights(again)[row + 1] == pytest.approx(alone, abs=1e-6)
        assert stays == (row == 0)


def test_moved_weights_are_those_of_one_checkpoint_and_other_changes_concern_all(random_runs: Path) -> None:
    both = ["search-words", "search-bpe"]
    moved = moved_to(nmt.load(random_runs / "search-words"), 0, 3, "search-words")
    asked: dict[str, Any] = {"s": SENTENCE, "models": both, "beam": "2"}
    plain = panels(explore(**asked))
    first, second = panels(explore(**asked, change=moved))
    row = pytest.approx([float(j == 3) for j in range(len(first["source"]))], abs=1e-6)
    assert weights(first)[0] == row
    assert second == plain[1]
    at = explore(**asked, change=[Change(kind="begin", text="une").address, moved])
    first, second = panels(at)
    assert weights(first)[0] == row
    assert all(system["text"].startswith("une") for system in systems(at))
    assert weights(second)[0] != pytest.approx(weights(first)[0], abs=0.1)


def test_what_is_sent_takes_the_place_of_all_changes(random_runs: Path, send: Send) -> None:
    """Also of those of checkpoints that are not shown; what is no change is left out."""
    both = ["search-words", "search-bpe"]
    first, second = (moved_to(nmt.load(random_runs / name), 0, 3, name) for name in both)
    at = explore(s=SENTENCE, models=both, beam="2", change=[first, second])
    ask(send, at, "change", changes=[second])
    assert at.query_params["change"] in (second, [second])
    assert [bool(system["former"]) for system in systems(at)] == [False, True]
    for sent in (["weights:0:x", first, 3, None], [first] * 21):
        ask(send, at, "change", changes=sent)
        assert at.query_params["change"] in (first, [first], [first] * 20)
    for sent in (None, "begin:0::la", {}):
        ask(send, at, "change", changes=sent)
        assert "change" not in at.query_params


def test_one_change_follows_another_and_the_last_one_can_be_taken_back(random_runs: Path, send: Send) -> None:
    """The second change begins at what the first one made, whose attention before it stays."""
    model = nmt.load(random_runs / "search-words")
    first, second = (moved_to(model, row, 3, "search-words") for row in (1, 3))
    asked: dict[str, Any] = {"s": SENTENCE, "models": ["search-words"], "beam": "2"}
    once = panels(explore(**asked, change=first))
    at = explore(**asked, change=[first, second])
    twice = panels(at)[0]
    assert weights(twice)[:3] == pytest.approx(weights(once[0])[:3], abs=1e-5)
    assert weights(twice)[3] == pytest.approx([float(j == 3) for j in range(len(twice["source"]))], abs=1e-6)
    ask(send, at, "change", changes=[first])
    assert panels(at) == once
    ask(send, at, "change", changes=[])
    assert panels(at) == panels(explore(**asked))
    assert "change" not in at.query_params


def dragged(at: AppTest, system: int, i: int, source: int, goal: int) -> str:
    """The change that a browser makes of a drag from one source word to another, as the address has it."""
    data = data_of(at)
    assert data is not None
    drag = {"system": data["record"]["systems"][system], "i": i, "from": source, "to": goal}
    address = "given.address.then(({ changeAddress }) => changeAddress(m.dragged(given.system, given)))"
    given = drag | {"changes": f"{JS.as_uri()}/changes.js"}
    return str(evaluate(JS / "drawing.js", f"await {address}".replace("given.address", "import(given.changes)"), given))


@pytest.mark.parametrize("pieces", [False, True])
def test_weights_are_of_a_word_or_a_token_however_the_page_shows_them(random_runs: Path, pieces: bool) -> None:
    name = "search-bpe"
    model, beam = nmt.load(random_runs / name), SearchSettings(beam=2)
    alpha = model.translate(SENTENCE, beam=2).best.alignment
    assert alpha is not None
    units = alpha if pieces else alpha.merged()
    row = 2 if pieces else 0
    weights = (1.0, *(0.0 for _ in units.source[1:]))
    change = Change(kind="weights", row=row, name=name, weights=weights, pieces=pieces)
    under = Intervention(prefix=alpha.target[:row], weights=((row, weights),))
    expected = what_if(model, SENTENCE, under, beam).text
    for shown in ("false", "true"):
        at = explore(s=SENTENCE, models=[name], beam="2", change=change.address, pieces=shown)
        assert [system["text"] for system in systems(at)] == [expected]
    told = ReadersChange(kind="weights", row=row, weights=weights, pieces=pieces)
    before = what_if(model, SENTENCE, Intervention()).best.tokens[:row]
    in_notebook = what_if(model, SENTENCE, Intervention(prefix=before, weights=((row, weights),)))
    assert changed(model, SENTENCE, [told]).text == in_notebook.text


@pytest.mark.parametrize("kind", ["words", "bpe"])
def test_the_end_of_a_ribbon_is_dragged_to_another_source_word(random_runs: Path, send: Send, kind: str) -> None:
    model = nmt.load(random_runs / f"search-{kind}")
    best = model.translate(SENTENCE, beam=2).best
    assert best.alignment is not None
    at = explore(s=SENTENCE, models=["encdec-words", f"search-{kind}"], beam="2")
    assert [system["movable"] for system in systems(at)] == [False, True]
    merged = best.alignment.merged()
    source = int(merged.weights[0, :-1].argmax())
    goal = 0 if source else 1
    values = [round(weight, 3) for weight in panels(at)[0]["weights"][0]]
    values[goal], values[source] = round(values[goal] + values[source], 3), 0.0
    ask(send, at, "change", changes=[dragged(at, 1, 0, source, goal)])
    number = r"\d(\.\d{1,3})?"
    assert re.fullmatch(rf"weights:0:search-{kind}:{number}(,{number})+", "".join(at.query_params["change"]))
    intervention = Intervention(weights=((0, tuple(values)),))
    assert systems(at)[1]["text"] == what_if(model, SENTENCE, intervention, SearchSettings(beam=2)).text
    assert systems(at)[1]["former"] == [*merged.target[:-1]]
    now = panels(at)[0]  # of a word of several pieces it may look elsewhere most, and then nothing is said
    looks = CHANGED["weights"].format(name=f"search-{kind}", word=now["target"][0], source=merged.source[goal])
    assert (systems(at)[1]["changed"] == looks) == (int(np.argmax(now["weights"][0])) == goal)
    assert not systems(at)[0]["former"]


def test_what_is_typed_changes_every_checkpoint_and_can_be_taken_back(send: Send) -> None:
    at = explore(s=SENTENCE, models=["search-words", "encdec-words"], beam="2", do="what-if")
    ask(send, at, "change", changes=["begin:0::une fille"])
    assert all(system["text"].startswith("une fille") for system in systems(at))
    assert at.query_params["change"] in ("begin:0::une fille", ["begin:0::une fille"])
    ask(send, at, "change", changes=["begin:0::une fille", "word:3::chat"])
    assert all(system["target"][2] == "chat" for system in systems(at))
    ask(send, at, "change", changes=[])
    assert systems(at) == systems(explore(s=SENTENCE, models=["search-words", "encdec-words"], beam="2"))


def test_a_section_stays_when_the_reader_comes_back_and_one_that_there_is_not_is_named(send: Send) -> None:
    at = explore(s=SENTENCE, models=["search-words"], do="nowhere")
    assert any("nowhere" in caption.value for caption in at.caption)
    assert "do" not in at.query_params
    tell(send, at, section="export")
    assert section_of(at) == "export"
    at.switch_page("pages/models.py").run()
    del at.query_params["do"]
    at.switch_page("pages/look.py").run()
    assert section_of(at) == "export"
    tell(send, at, section=None)
    assert not explained(at)


def test_what_if_goes_on_from_targets_that_were_made_common() -> None:
    models = ["search-words", "encdec-words", "search-bpe"]
    at = explore(s=SENTENCE, models=models, change="begin:0::une", **{"with": ["difference"]})
    assert all(text.startswith("une") for text in written(at))


def test_the_stand_in_of_a_model_of_pieces_is_over_words(random_runs: Path) -> None:
    at = explore(s=SENTENCE, models=["encdec-bpe"], beam="2", **OPEN)
    (panel,) = effects(at)
    assert systems(at)[0]["target"] == panel["target"][:-1]
    best = nmt.load(random_runs / "encdec-bpe").translate(SENTENCE, beam=2).best
    assert sum(panel["log_probability"]) == pytest.approx(best.log_probability, abs=1e-2)
    assert not any("▁" in word for word in panel["target"])


def test_gold_links_are_drawn_and_measured() -> None:
    at = explore(s=SENTENCE, models=["search-words"], of="typed", t="la fille dort .", do="gold",
                 gold="0-0 1p1 6-3")  # fmt: skip
    (panel,) = panels(at)
    assert panel["sure"] == [[0, 0], [3, 6]]
    assert panel["possible"] == [[1, 1]]
    assert gold_of(at) == {"text": "0-0 1p1 6-3", "base": 0, "said": ""}
    broken = explore(s=SENTENCE, models=["search-words"], do="gold", gold="0-0 x")
    assert gold_of(broken)["said"] == f"{say('errors.not_a_link', link='x')}."
    beyond = explore(s=SENTENCE, models=["search-words"], do="gold", gold="0-0 99-0")
    said = LOOK.gold_beyond.format(source=99, target=0, sources=8, targets=len(panels(beyond)[0]["target"]) - 1,
                                      name="search-words")  # fmt: skip
    assert (gold_of(beyond)["said"], panels(beyond)[0]["sure"]) == (said, [])


def gold_of(at: AppTest) -> dict[str, Any]:
    """What the instrument is told of gold links."""
    data = data_of(at)
    assert data is not None
    return dict(data["gold"])


def test_gold_links_are_typed_and_forgotten_with_the_sentence(send: Send) -> None:
    at = explore(s=SENTENCE, models=["search-words"], do="gold")
    ask(send, at, "gold", text="1-1 2p2", base=1)
    (panel,) = panels(at)
    assert (panel["sure"], panel["possible"]) == ([[0, 0]], [[1, 1]])
    assert gold_of(at) == {"text": "1-1 2p2", "base": 1, "said": ""}
    ask(send, at, "gold", text="0-0 " * 1001, base=0)
    assert gold_of(at)["said"] == LOOK.gold_too_long.format(most=4000)
    assert gold_of(at)["text"] == "1-1 2p2"
    enter(at, "the cat sleeps")
    assert "gold" not in at.query_params
    assert not panels(at)[0]["sure"]


@pytest.mark.parametrize("text", ["0-0 1p1\n", "0-0 1p1\r\n0-5\n", "0-0 1p1\n".ljust(1_000_000)])
def test_gold_links_come_from_a_file(text: str, send: Send) -> None:
    at = explore(s=SENTENCE, models=["search-words"], do="gold")
    ask(send, at, "gold", file=text, text="", base=0)
    (panel,) = panels(at)
    assert (panel["sure"], panel["possible"]) == ([[0, 0]], [[1, 1]])
    assert gold_of(at)["text"] == "0-0 1p1"


def test_gold_links_are_held_against_their_own_target_alone(random_runs: Path) -> None:
    """A checkpoint that writes something else is made to write it, which is said; one without alpha has no links."""
    at = explore(s=SENTENCE, models=["search-words", "search-bpe", "encdec-words"], do="gold", gold="0-0", **OPEN)
    first, second = panels(at)
    assert first["target"] == second["target"]
    assert first["condition"] == ""
    assert second["condition"] == LOOK.forced.format(name="search-words")
    assert first["sure"] == second["sure"] == [[0, 0]]
    assert not effects(at)[0]["sure"]


def test_words_that_the_training_texts_hardly_have(
    random_runs: Path, tmp_path: Path, look_in: Callable[..., None]
) -> None:
    plain = systems(explore(s=SENTENCE, models=["search-words"]))[0]["notes"]
    words = Tokenizer("en").tokenize(SENTENCE)
    rare = next(word for word in words if word.isalpha())
    run = shutil.copytree(random_runs / "search-words", tmp_path / "runs" / "search-words")
    write_word_counts(run, {word: 9 if word == rare else 900 for word in words})
    look_in(run.parent)
    notes = systems(explore(s=SENTENCE, models=["search-words"]))[0]["notes"]
    assert notes == [LOOK.hardly_seen.format(words=rare), *plain]


def test_what_is_true_of_all_translations_is_said_under_the_first() -> None:
    first, second = systems(explore(s="the zorp reads", models=["search-words", "encdec-words"]))
    unknown = APP_TEXTS.unknown_words.format(words="zorp")
    assert unknown in first["notes"]
    assert unknown not in second["notes"]
    alone = systems(explore(s="the zorp reads", models=["encdec-words"]))[0]["notes"]
    assert {*alone} == {unknown, *second["notes"]}


def test_unknown_words_and_where_unk_looks(random_runs: Path) -> None:
    best = nmt.load(random_runs / "search-words").translate("the zorp reads").best
    assert UNKNOWN in best.tokens
    notes = " ".join(systems(explore(s="the zorp reads", models=["search-words"]))[0]["notes"])
    assert APP_TEXTS.unknown_words.format(words="zorp") in notes
    assert best.alignment is not None
    (word, weight), *others = looked_at(best.alignment)
    assert {word} == {other for other, _ in others}
    most = max(weight, *(other for _, other in others))
    assert LOOK.looked_at.format(word=word, weight=f"{most:.2f}") in notes
    typed = explore(s="the zorp reads", models=["search-words"], of="typed", t="la fille")
    assert systems(typed)[0]["notes"] == [APP_TEXTS.unknown_words.format(words="zorp")]


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("zorp blick frob.", APP_TEXTS.forms.all_unknown[1].format(count=3)),
        ("zorp the blick frob!", APP_TEXTS.mostly_unknown.format(unknown=3, words=4)),
        ("zorp", APP_TEXTS.forms.all_unknown[0]),
        ("elle a jamais vu la mer.", APP_TEXTS.nobody_reads),
        ("고양이가 바다를 봅니다.", APP_TEXTS.in_other_language.format(language="Korean")),
        ("кошка спит.", APP_TEXTS.in_other_writing.format(writing="Cyrillic")),
        (SENTENCE, ""),
        ("the zorp reads", ""),
    ],
)
def test_above_a_result_that_means_little_it_is_said_why(sentence: str, reason: str) -> None:
    at = explore(s=sentence, models=["search-words", "encdec-words"], beam="1")
    said = [warning.value for warning in at.warning]
    names = "search\\-words and encdec\\-words"
    means_little = APP_TEXTS.forms.means_little[1].format(reason=reason, names=names, language="English")
    assert said == ([means_little] if reason else [])
    assert len(systems(at)) == 2


def test_a_table_of_what_is_drawn(send: Send) -> None:
    at = explore(s=SENTENCE, models=["search-words"], do="export")
    taken = save(send, at, "Table", "search-words")
    (panel,) = panels(at)
    head, *rows = csv.reader(taken.data.decode().splitlines())
    assert taken.name == "the-cat-has-never-seen-the-sea.search-words.csv"
    assert head == ["target", *(f"{j} {word}" for j, word in enumerate(panel["source"], 1))]
    assert [row[0] for row in rows] == [f"{i} {word}" for i, word in enumerate(panel["target"], 1)]
    assert np.array([row[1:] for row in rows], float) == pytest.approx(weights(panel), abs=1e-5)


@pytest.mark.parametrize("options", [["bars"], ["end"], ["pieces", "punctuation"], ["end", "transposed"]])
def test_what_is_taken_away_is_as_the_options_say(options: list[str], send: Send) -> None:
    """A file holds pieces or words, with or without end and punctuation; a figure has the source words where the page
    has them."""
    names = ("bars", "end", "punctuation", "pieces", "transposed")
    switches = {name: str(name in options).lower() for name in names}
    at = explore(s=SENTENCE, models=["search-bpe"], do="export", **switches)
    policy = Policy(
        subwords="pieces" if "pieces" in options else "words",
        end_mark="kept" if "end" in options else "removed",
        punctuation="kept" if "punctuation" in options else "removed",
    )
    (panel,), view = panels(at), view_of(at)
    taken = save(send, at, "CSV", "search-bpe", view=view)
    assert taken.notes == [f"{policy.of_weights}."]
    (back,) = read(taken.data, taken.name).alignments
    assert (back.source, back.target) == (tuple(panel["source"]), tuple(panel["target"]))
    if "pieces" not in options:
        svg = save(send, at, "SVG", "search-bpe", view=view).data.decode()
        above = set(re.findall(r"rotate\(-90[^>]*>([^<]+)<", svg))
        assert bool(above & {*SENTENCE.split()}) == ("transposed" not in options)


def test_a_committee_writes_what_its_members_rank_highest_together(random_runs: Path, send: Send) -> None:
    asked = {"s": SENTENCE, "models": ["search-words", "encdec-words"], "beam": "2"}
    at = explore(**asked, **{"with": ["committee"]})
    first, second = (nmt.load(random_runs / name) for name in asked["models"])
    expected = first.with_committee([second]).translate(SENTENCE, beam=2)
    together = systems(at)[2]
    assert together["title"] == "search-words + encdec-words"
    assert together["text"] == expected.text
    assert expected.alignment is not None
    assert weights(panels(at)[1]) == pytest.approx(expected.alignment.merged().weights, abs=1e-5)
    assert LOOK.committee + LOOK.alpha_of.format(name="search-words") in together["kind"]
    assert not together["movable"]
    tell(send, at, pin=pin(together["title"], 1))
    assert at.query_params["pin"] in ([f"{together['title']}.1."], f"{together['title']}.1.")
    assert explained(at)["notice"] == "not_alone"
    ask(send, at, "change", changes=[f"weights:0:{together['title']}:1,0,0,0,0,0,0,0,0", "begin:0::une"])
    assert systems(at)[2]["text"] == expected.text
    assert not systems(at)[2]["former"]


@pytest.mark.parametrize("models", [["search-words"], ["search-words", "search-bpe"]], ids=len)
def test_a_committee_is_offered_to_checkpoints_of_the_same_vocabularies_alone(models: list[str]) -> None:
    at = explore(s=SENTENCE, models=models, beam="2", **{"with": ["committee"]})
    assert LOOK.by_key.option_choices["committee"] not in at.pills(key="choice-with").options
    assert len(systems(at)) == len(models)


def test_hard_attention_stands_beside_soft_attention(random_runs: Path, send: Send) -> None:
    asked = {"s": SENTENCE, "models": ["search-words", "encdec-words"], "beam": "2"}
    at = explore(**asked, **{"with": ["hard"]})
    model = nmt.load(random_runs / "search-words")
    expected = model.translate(SENTENCE, replace(model.config.search, beam=2, hard_attention=True))
    hard = systems(at)[2]
    assert (hard["title"], hard["text"]) == ("search-words (argmax)", expected.text)
    assert LOOK.hard in hard["kind"]
    assert expected.alignment is not None
    assert weights(panels(at)[1]) == pytest.approx(expected.alignment.merged().weights, abs=1e-5)
    assert {*expected.alignment.weights.flatten().tolist()} == {0.0, 1.0}
    assert not hard["movable"]
    tell(send, at, pin=pin(hard["title"], 1))
    assert explained(at)["notice"] == "not_alone"


def test_hard_attention_is_not_offered_to_a_model_without_alpha() -> None:
    at = explore(s=SENTENCE, models="encdec-words", beam="2", **{"with": ["hard"]})
    assert LOOK.by_key.option_choices["hard"] not in at.pills(key="choice-with").options
    assert len(systems(at)) == 1


@pytest.mark.parametrize("kind", ["PDF", "SVG", "PNG"])
def test_everything_is_one_file(kind: str, send: Send) -> None:
    at = explore(s=SENTENCE, models=["search-words", "encdec-words"], beam="2", do="export", **OPEN)
    taken = save(send, at, kind, "search-words", "encdec-words", ribbons=["search-words"])
    if kind == "PDF":
        assert taken.name.endswith(".search-words.ribbons.encdec-words.pdf")
        pdf = PdfReader(io.BytesIO(taken.data))
        assert len(pdf.pages) == 3
        assert pdf.metadata is not None
        assert "run:" in pdf.metadata["/Subject"]
        return
    archive, ending = zipfile.ZipFile(io.BytesIO(taken.data)), kind.lower()
    names = ["search-words.ribbons", "search-words", "encdec-words"]
    assert archive.namelist() == [*(f"{name}.{ending}" for name in names), "search-words.csv", "encdec-words.csv"]
    begin = {"SVG": b"<?xml", "PNG": b"\x89PNG"}[kind]
    assert all(archive.read(f"{name}.{ending}").startswith(begin) for name in names)
    assert b"run:" in archive.read(f"search-words.{ending}")
    assert archive.read("search-words.csv").decode().startswith("target,1 the")


def test_the_papers_figure_is_made_when_it_is_asked_for(send: Send, monkeypatch: pytest.MonkeyPatch) -> None:
    at = explore(s=SENTENCE, models=["search-words"], beam="2", do="export")
    refused = save(send, at, "Figure 3", "search-words")
    assert ("fewer than three sentences" in " ".join(refused.notes), refused.data) == (True, b"")
    monkeypatch.setattr("nmt.figures.figure3_sentences", lambda models: [SENTENCE, "a cat"])
    taken = save(send, at, "Figure 3", "search-words")
    assert taken.name == "figure3.search-words.pdf"
    assert "a cat" in " ".join(PdfReader(io.BytesIO(taken.data)).pages[0].extract_text().split())


def test_no_export_of_a_stand_in_passes_for_alpha(send: Send) -> None:
    """In figures, in the page that stands alone, and in files, which are recognised when they come back."""
    names = ["search-words", "encdec-words"]
    asked: dict[str, Any] = {"s": SENTENCE, "models": names, "beam": "2", "do": "export", **OPEN}
    at = explore(**asked, change="begin:0::une", see="change")
    first, second = (save(send, at, "SVG", name).data.decode() for name in names)
    assert "not " not in first
    assert INSTRUMENT.no_difference_of_attention in second
    at = explore(**asked)
    first, second = (save(send, at, "SVG", name).data.decode() for name in names)
    assert "not " not in first
    assert NOT_ATTENTION in second
    assert b'"kind":"leave-one-out"' in save(send, at, "HTML", *names).data
    files = [system_of(read(save(send, at, "JSON", name).data), "x.json", 1) for name in names]
    assert [file.maps[0].kind for file in files] == ["weights", "leave-one-out"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("of", "x"),
        ("rank", "99"),
        ("least", "7"),
        ("scale", "x"),
        ("with", "x"),
        ("with", "bars"),
        ("pin", "a.b.c"),
        ("change", "weights:0:x"),
        ("see", "x"),
        ("do", "x"),
        ("layout", "x"),
    ],
)
def test_nonsense_in_the_address_is_ignored(name: str, value: str) -> None:
    at = explore(**{"s": SENTENCE, "models": ["search-words"], name: value})
    assert len(panels(at)) == 1


@pytest.mark.parametrize("kind", ["words", "bpe"])
def test_one_checkpoint_on_two_sources(random_runs: Path, kind: str) -> None:
    target, other = "la fille dort .", "the old cat has never seen the sea ."
    source = Change(kind="source", text=other).address
    at = explore(s=SENTENCE, models=[f"search-{kind}"], of="typed", t=target, change=source, see="same")
    (delta,) = panels(at)
    model = nmt.load(random_runs / f"search-{kind}")
    first, second = (model.score(source, target).alignment for source in (SENTENCE, other))
    assert first is not None
    assert second is not None
    expected = difference_of_pairs(first.merged(), second.merged())
    assert delta["is_difference"]
    assert delta["title"].endswith(texts()["new_source"])
    assert delta["source"] == [*expected.source]
    assert weights(delta) == pytest.approx(expected.delta, abs=1e-5)
    assert [mark and mark["sign"] for mark in delta["marks"]["source"]].count("+") == 1
    searched = explore(s=SENTENCE, models=[f"search-{kind}"], beam="2", change=source)
    assert systems(searched)[0]["source"] == other.split()


def add_files(at: AppTest, **files: bytes) -> AppTest:
    uploads = [(name.replace("__", "."), data, "text/plain") for name, data in files.items()]
    at.get("file_uploader")[0].set_value(uploads).run()
    assert not at.exception, at.exception
    return at


PAIR = Alignment(source=("the", "cat", "</s>"), target=("le", "chat", "</s>"), weights=np.eye(3, dtype=np.float32))


@pytest.mark.parametrize("format_", ["csv", "json", "nematus"])
def test_a_file_is_looked_at_like_alpha(format_: str) -> None:
    text = FORMATS[format_].write([PAIR], Policy(), "other")
    at = add_files(explore(bars="true"), **{f"toolkit__{format_}": text.encode()})
    (panel,) = panels(at)
    assert panel["title"].startswith("toolkit")
    assert (panel["source"], panel["target"]) == ([*PAIR.source], [*PAIR.target])
    assert weights(panel) == pytest.approx(PAIR.weights, abs=1e-6)
    assert panel["bars"]["source"]["values"] == [1, 1, 1]


def test_a_file_beside_a_checkpoint_that_writes_the_same(random_runs: Path) -> None:
    at = explore(models=["search-words"], bars="true", **{"with": ["difference"]})
    add_files(at, toolkit__json=FORMATS["json"].write([PAIR], Policy(), "").encode())
    next(button for button in at.button if button.label == LOOK.take_pair).click().run()
    own, file, delta = panels(at)
    score = nmt.load(random_runs / "search-words").score("the cat", "le chat").alignment
    assert score is not None
    assert weights(own) == pytest.approx(score.weights, abs=1e-5)
    assert weights(file) == pytest.approx(PAIR.weights, abs=1e-6)
    assert weights(delta) == pytest.approx(PAIR.weights - score.weights, abs=1e-5)
    assert delta["title"] == "toolkit − search-words"
    at.text_input(key="t").set_value("la fille").run()
    next(button for button in at.button if button.label == LOOK.take_pair).click().run()
    assert not at.exception, at.exception
    assert written(at)[0] == "le chat"


def test_links_of_a_file_get_their_words() -> None:
    at = add_files(explore(), gold__pharaoh=b"1-1 2p3\n2-1\n")
    (panel,) = panels(at)
    assert panel["source"] == ["1", "2", "3"]
    assert weights(panel)[1, 1] == 1
    assert weights(panel)[3, 2] == 0.5
    at.text_input(key="import-source").set_value("a b").run()
    assert len(at.warning) == 1
    assert not panels(at) or panels(at)[0]["source"] != ["a", "b"]
    at.text_input(key="import-source").set_value("a b c").run()
    assert panels(at)[0]["source"] == ["a", "b", "c"]
    assert LOOK.take_pair not in [button.label for button in at.button]
    at.text_input(key="import-target").set_value("v w x y").run()
    assert panels(at)[0]["target"] == ["v", "w", "x", "y"]
    assert LOOK.take_pair in [button.label for button in at.button]


def test_a_number_or_order_of_links_that_there_is_not_is_named() -> None:
    values = {"import-base": "7", "import-direction": "sideways"}
    at = add_files(explore(**values), gold__pharaoh=b"1-1 2-1\n")
    said = " ".join(caption.value for caption in at.caption)
    for (key, value), title in zip(values.items(), (LOOK.links_count_from, LOOK.order), strict=True):
        assert APP_TEXTS.no_such_choice.format(value=value, title=title) in said
        assert key not in at.query_params
    assert panels(at)[0]["source"] == ["1", "2", "3"]  # counted from 0


def test_a_broken_file_is_named_and_the_other_is_shown() -> None:
    good = FORMATS["csv"].write([PAIR], Policy(), "").encode()
    at = add_files(explore(), good__csv=good, bad__json=b"{", latin__csv=b"\xe9t\xe9,1", empty__nematus=b"")
    assert [panel["title"] for panel in panels(at)] == ["good"]
    said = " ".join(warning.value for warning in at.warning)
    assert all(name in said for name in (r"bad\.json", r"latin\.csv", r"empty\.nematus"))
    at.number_input(key="import-sentence").set_value(9).run()
    said = ALIGNMENTS.no_sentence.format(number=9, count=1)
    assert any(escaped(said) in warning.value for warning in at.warning)


def test_a_file_is_read_once_and_not_at_every_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is refused, too; another file of the same name is another file."""
    reads: list[str] = []
    read = explore_files.read
    monkeypatch.setattr(
        explore_files, "read", lambda data, name, *rest: (reads.append(name), read(data, name, *rest))[1]
    )
    good = FORMATS["csv"].write([PAIR], Policy(), "").encode()
    at = add_files(explore(), good__csv=good, bad__json=b"{")
    for number in (2, 1):
        at.number_input(key="import-sentence").set_value(number).run()
    assert (sorted(reads), len(at.warning)) == (["bad.json", "good.csv"], 1)
    add_files(at, good__csv=good.replace(b"chat", b"chien"))
    assert panels(at)[0]["target"] == ["le", "chien", "</s>"]


def test_a_field_says_the_limit_of_its_reader() -> None:
    at = explore(s=SENTENCE, models=["search-words"])
    limits = {str(each.key).rstrip("0123456789-"): each.proto.max_upload_size_mb for each in at.file_uploader}
    assert limits == {"import-files": MAX_BYTES // 1_000_000}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", LOOK.gold_no_links),
        ("\n0-0\n", LOOK.gold_no_links),
        ("0-0\n".ljust(1_000_001), LOOK.gold_too_long.format(most=1_000_000)),
    ],
)
def test_a_file_without_gold_links_is_named(text: str, said: str, send: Send) -> None:
    at = explore(s=SENTENCE, models=["search-words"], do="gold", gold="0-0")
    ask(send, at, "gold", file=text, text="", base=0)
    assert gold_of(at) == {"text": "0-0", "base": 0, "said": said}
    assert panels(at)[0]["sure"] == [[0, 0]]  # what was there stays


def test_a_difference_can_be_taken_away(send: Send) -> None:
    names = ["search-words", "search-bpe"]
    at = explore(s=SENTENCE, models=names, of="typed", t="la fille dort .", do="export", **{"with": ["difference"]})
    delta = panels(at)[-1]
    assert delta["is_difference"]
    taken = save(send, at, "Table", "difference", compared=names)
    _, *rows = csv.reader(taken.data.decode().splitlines())
    assert np.array([row[1:] for row in rows], float) == pytest.approx(weights(delta), abs=1e-5)
    svg = save(send, at, "SVG", "difference", compared=names).data.decode()
    assert "search-bpe − search-words" in svg
    assert not save(send, at, "SVG", "difference").data  # of nothing
    assert not save(send, at, "CSV", "difference", compared=names).data


@pytest.mark.parametrize(
    "wanted", [{"share": 7}, {"base": 7}, {"rule": "x"}, {"view": {"map": "x" * 81}}, {"maps": "x"}, {"maps": ["x"]}]
)
def test_nonsense_that_is_asked_for_is_no_file(wanted: dict[str, Any], send: Send) -> None:
    at = explore(s=SENTENCE, models=["search-words"], do="export")
    assert not save(send, at, "CSV", "search-words", **wanted).data
    assert not save(send, at, "x", "search-words").data
    assert save(send, at, "CSV", "search-words").data


def test_one_target_is_written_by_checkpoints_of_one_language(
    random_runs: Path, tmp_path: Path, look_in: Callable[..., None]
) -> None:
    """Side by side any languages; but no German model is made to write French."""
    for name in ("a", "b"):
        shutil.copytree(random_runs / "search-words", tmp_path / "both" / name)
    config = tmp_path / "both" / "b" / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text("utf-8")) | {"target_language": "de"}), "utf-8")
    look_in(tmp_path / "both")
    at = explore(s=SENTENCE, models=["a", "b"])
    assert len(panels(at)) == 2
    said = LOOK.other_target_language.format(language="French", names="b")
    assert not any(caption.value.endswith(said) for caption in at.caption)
    at = explore(s=SENTENCE, models=["a", "b"], of="typed", t="le chat")
    assert len(panels(at)) == 1
    assert any(caption.value.endswith(said) for caption in at.caption)


def test_a_map_that_would_take_too_long_is_left_out_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nmt.aligners.pairs.MOST_COST", 10)
    at = explore(s=SENTENCE, models=["search-words"], beam="2", do="explain", pin="search-words.1.", maps="true")
    maps = explained(at)["maps"]
    assert maps["names"] == [LOOK.alpha, APP_TEXTS.leave_one_out]
    assert maps["lacking"]


def test_maps_of_a_word_are_those_of_the_core(random_runs: Path, send: Send) -> None:
    at = explore(s=SENTENCE, models=["search-words"], beam="2", do="explain", pin="search-words.1.")
    assert explained(at)["maps"] is None
    tell(send, at, maps=True)
    maps = explained(at)["maps"]
    model = nmt.load(random_runs / "search-words")
    best = model.translate(SENTENCE, beam=2)
    assert best.alignment is not None
    assert best.encoded is not None
    assert best.best.encoded is not None
    own = best.alignment.merged()
    words = own.source[:-1]
    assert maps["words"] == list(words)
    assert maps["word"] == own.target[1]
    assert maps["names"][:3] == [LOOK.alpha, APP_TEXTS.posterior, APP_TEXTS.leave_one_out]
    pair = (" ".join(words), " ".join(own.target[:-1]))
    expected = [
        own.weights[1],
        next(posterior(model, [pair], pretokenised=True)).merged().weights[1],
        next(iter(leave_one_out_of(model, [(best.encoded, best.best.encoded)]))).weights[1],
    ]
    for found, row in zip(maps["rows"], expected, strict=False):
        kept = np.maximum(row[: len(words)], 0)
        assert found == pytest.approx(kept / kept.sum(), abs=1e-4)
    scales = maps["scales"]
    assert [scale["symbol"] for scale in scales] == maps["names"]
    assert len({json.dumps(scale["stops"]) for scale in scales}) == len(scales)
    assert scales[2]["stops"] == STAND_IN.to_dict()["stops"]
    assert maps["hatched"] == [2]


def status(at: AppTest) -> list[str]:
    """The sentence that explains a cell."""
    return [said for said in [explained(at).get("said")] if said]


def test_a_word_of_the_picture_is_pinned_and_explained(random_runs: Path, send: Send) -> None:
    at = explore(s=SENTENCE, models=["search-words"], beam="2")
    tell(send, at, pin=pin("search-words", 1))
    best = nmt.load(random_runs / "search-words").translate(SENTENCE, beam=2).best
    assert best.alignment is not None
    assert drawn(at)["pin"] == {"panel": 0, "source": [], "target": [1]}
    (said,) = status(at)
    j = int(best.alignment.weights[1].argmax())
    assert f"gave {100 * best.alignment.weights[1, j]:.0f} % of its attention to" in said
    assert len(explained(at)["next"]) > 3
    tell(send, at, pin=None)
    assert drawn(at)["pin"] is None
    assert not status(at)


def test_a_word_without_alpha_is_explained_by_what_it_depended_on(send: Send) -> None:
    at = explore(s=SENTENCE, models=["search-words", "encdec-words"], beam="2")
    tell(send, at, pin=pin("encdec-words", 1))
    assert at.query_params["pin"] in ("encdec-words.1.", ["encdec-words.1."])
    assert len(status(at)) == 1
    assert not effects(at)
    assert drawn(at)["pin"] is None


def test_the_sentence_on_a_cell_agrees_with_the_read_out(random_runs: Path) -> None:
    """Of a word of several subwords, whole words, the weight of the matrix, and the probability of the whole word."""
    model = nmt.load(random_runs / "search-bpe")
    best = model.translate(SENTENCE, beam=2).best
    assert best.alignment is not None
    words = best.alignment.target_words
    row = next(k for k in set(words[:-1]) if words.count(k) > 1)
    column = next(k for k in set(best.alignment.source_words[:-1]) if best.alignment.source_words.count(k) > 1)
    at = explore(s=SENTENCE, models=["search-bpe"], beam="2", do="explain", pin=f"search-bpe.{row}.{column}")
    merged, (panel,) = best.alignment.merged(), panels(at)
    percent = f"{100 * panel['weights'][row][column]:.0f} %"
    share = f"“{merged.target[row]}” gave {percent} of its attention to “{merged.source[column]}”"
    (said,) = status(at)
    assert share in said
    assert f"without “{merged.source[column]}”" in said
    logs = [best.token_log_probabilities[k] for k, word in enumerate(words) if word == row]
    assert f"{np.exp(sum(logs)):.2f}" in said


def test_a_word_of_a_typed_beginning_looks_where_it_was_dragged_last(random_runs: Path) -> None:
    plain = explore(s=SENTENCE, models=["search-words"], beam="2")
    length = len(weights(panels(plain)[0])[0])
    rows = [",".join("1" if j == goal else "0" for j in range(length)) for goal in (1, 3)]
    changes = ["begin:0::la mer", *(f"weights:0:search-words:{row}" for row in rows)]
    at = explore(s=SENTENCE, models=["search-words"], beam="2", change=changes)
    (panel,) = panels(at)
    assert int(np.argmax(panel["weights"][0])) == 3
    assert systems(at)[0]["former"]
    assert systems(at)[0]["former_text"] == systems(plain)[0]["text"]  # as people write it


def test_a_pin_stays_with_its_checkpoint_when_their_order_changes(random_runs: Path) -> None:
    for models in (["search-words", "search-bpe"], ["search-bpe", "search-words"]):
        at = explore(s=SENTENCE, models=models, beam="2", do="explain", pin="search-bpe.1.2")
        assert drawn(at)["pin"] == {"panel": models.index("search-bpe"), "source": [2], "target": [1]}
        assert at.query_params["pin"] in ("search-bpe.1.2", ["search-bpe.1.2"])
    at = explore(s=SENTENCE, models=["search-words"], beam="2", pin="search-bpe.1.2")
    assert any(LOOK.cell_or_word in caption.value for caption in at.caption)
    assert drawn(at)["pin"] is None
    assert not explained(at)
    at = explore(s=SENTENCE, models=["search-words", "search-bpe"], beam="2", pin="search-bpe.1.2")
    at.multiselect(key="choice-models").set_value(["search-words"]).run()
    assert drawn(at)["pin"] is None
    assert not any(LOOK.cell_or_word in caption.value for caption in at.caption)  # no link named it


def test_what_is_said_of_changes_is_true_of_what_is_written_after_all_of_them(send: Send) -> None:
    """A drag, then one of an earlier word, which writes what follows anew; and another beginning."""
    at = explore(s=SENTENCE, models=["search-words"], beam="2")
    for i in (3, 1, 0):
        row = panels(at)[0]["weights"][i]
        goal = (int(np.argmax(row)) + 2) % len(row)
        before = data_of(at)
        assert before is not None
        ask(send, at, "change", changes=[*before["change"], dragged(at, 0, i, int(np.argmax(row)), goal)])
        (system,), (panel,) = systems(at), panels(at)
        assert system["changed"]
        for said in system["changed"].removesuffix(".").split(". "):
            looks = [
                CHANGED["weights"].format(name="search-words", word=word, source=panel["source"][int(np.argmax(row))])
                for word, row in zip(panel["target"], panel["weights"], strict=True)
            ]
            assert f"{said}." in looks
    at = explore(s=SENTENCE, models=["search-words"], beam="2", change=["begin:0::la girl", "begin:0::le"])
    (system,) = systems(at)
    assert CHANGED["begin"].format(text="le") in system["changed"]
    assert CHANGED["begin"].format(text="la girl") not in system["changed"]


def test_a_click_on_a_cell_is_explained(send: Send) -> None:
    at = explore(s=SENTENCE, models=["search-words"], beam="2")
    assert not status(at)
    tell(send, at, pin=pin("search-words", 1, 1))
    assert status(at)
    tell(send, at, pin=None)
    assert not status(at)
    assert "pin" not in at.query_params


def test_attention_is_moved_to_the_word_of_the_pinned_cell(random_runs: Path, send: Send) -> None:
    model = nmt.load(random_runs / "search-words")
    best = model.translate(SENTENCE, beam=2).best
    assert best.alignment is not None
    alpha, i = best.alignment.weights, 1
    goal = int(alpha[i].argmin())
    at = explore(
        s=SENTENCE, models=["search-words", "search-bpe"], beam="2", do="explain", pin=f"search-words.{i}.{goal}"
    )
    row = tuple(float(j == goal) for j in range(alpha.shape[1]))
    assert (explained(at)["place"]["row"], explained(at)["weights"]) == (i, [*row])
    ask(send, at, "change", changes=[Change(kind="weights", row=i, name="search-words", weights=row).address])
    changed = Intervention(prefix=best.tokens[:i], weights=((i, row),))
    expected = what_if(model, SENTENCE, changed, SearchSettings(beam=2)).best
    assert expected.alignment is not None
    assert weights(panels(at)[0]) == pytest.approx(expected.alignment.merged().weights, abs=1e-5)


@pytest.mark.parametrize("name", ["search-words", "search-bpe"])
def test_another_word_keeps_the_tokens_before_it(random_runs: Path, name: str, send: Send) -> None:
    """The tokens are handed over, never made again from text, and the other checkpoints write what they wrote."""
    model = nmt.load(random_runs / name)
    best = model.translate(SENTENCE, beam=2).best
    at = explore(s=SENTENCE, models=[name, "encdec-words"], beam="2", do="explain", pin=f"{name}.2.0", pieces="true")
    found = explained(at)
    other = next(each["token"] for each in found["next"] if each["token"] not in (found["token"], END))
    ask(send, at, "change", changes=[Change(kind="token", row=found["i"], name=name, text=other).address])
    chosen = Change.read("".join(at.query_params["change"]))
    assert chosen is not None
    assert (chosen.kind, chosen.row, chosen.name) == ("token", 2, name)
    assert chosen.text != best.tokens[2]
    expected = what_if(model, SENTENCE, Intervention(prefix=(*best.tokens[:2], chosen.text)), SearchSettings(beam=2))
    assert expected.best.tokens[:3] == (*best.tokens[:2], chosen.text)
    assert expected.alignment is not None
    assert weights(panels(at)[0]) == pytest.approx(expected.alignment.weights, abs=1e-5)
    assert not systems(at)[1]["former"]  # the other checkpoint has no change
    ask(send, at, "change", changes=[])
    assert "change" not in at.query_params
    assert written(at)[0] == best.text


def test_a_difference_that_was_taken_away_stays_away() -> None:
    asked = {"with": ["difference"]}
    at = explore(s=SENTENCE, models=["search-words", "search-bpe"], beam="2", **asked)
    assert len(panels(at)) == 3
    at.pills(key="choice-with").set_value([]).run()
    assert len(panels(at)) == 2
    at = explore(s=SENTENCE, models=["search-words"], beam="2", **asked)
    at.pills(key="choice-with").set_value(["hard"]).run()
    assert at.query_params["with"] in ("hard", ["hard"])
    at.multiselect(key="choice-models").set_value(["search-words", "search-bpe"]).run()
    assert [panel["is_difference"] for panel in panels(at)][-2:] == [False, True]
    assert at.pills(key="choice-with").value == ["hard", "difference"]
    at = explore(s=SENTENCE, models=["search-words"], beam="2")
    at.multiselect(key="choice-models").set_value(["search-words", "search-bpe"]).run()
    assert [panel["is_difference"] for panel in panels(at)] == [False, False]  # nobody asked for one


@pytest.mark.parametrize("value", ["1.5", "-0.1", "x", "nan", "1e-1"])
def test_links_are_those_of_a_weight_from_0_to_1(value: str) -> None:
    at = explore(s=SENTENCE, models=["search-words"], show="links", least=value)
    (panel,) = panels(at)
    assert {(i, j) for i, j, _ in panel["links_shown"]} == {*map(tuple, np.argwhere(weights(panel) >= 0.2).tolist())}


@pytest.mark.parametrize(
    "told",
    [
        pin("search-words", 99),
        pin("search-words", 1, 99),
        pin("gone", 1),
        pin("search-words", -1),
        {"name": "search-words", "target": ["1"], "source": []},
        {"name": "search-words", "target": 1},
        {"name": 0, "target": [1], "source": []},
        "search-words.1.",
        7,
    ],
)
def test_a_word_that_there_is_not_is_not_explained(told: Any, send: Send) -> None:
    """Whatever a browser tells."""
    at = explore(s=SENTENCE, models=["search-words"], beam="2")
    data = data_of(at)
    assert data is not None
    send(at, "instrument", "told", data["state"] | {"sentence": SENTENCE, "pin": told})
    assert not explained(at)
    assert not status(at)
    assert drawn(at)["pin"] is None


@pytest.mark.parametrize("change", [[], ["begin:0::la"]])
def test_while_there_are_changes_the_pin_of_a_checkpoint_may_come_again(change: list[str]) -> None:
    at = explore(s=SENTENCE, models=["search-words"], beam="2", pin="search-words.1.", change=change)
    for models in ([], ["search-bpe"]):
        at.multiselect(key="choice-models").set_value(models).run()
    assert (data_of(at) or {})["gone"] == (None if change else "search-words.1.")


def test_a_word_that_the_matrix_does_not_show_is_explained_by_its_number_among_all() -> None:
    asked: dict[str, Any] = {"s": SENTENCE, "models": ["search-words"], "of": "typed", "t": "la . fille"}
    at = explore(**asked, pin="search-words.2.", punctuation="false")
    assert panels(at)[0]["target"] == ["la", "fille", "</s>"]
    assert drawn(at)["pin"] == {"panel": 0, "source": [], "target": [1]}
    (said,) = status(at)
    assert "fille" in said
    at = explore(**asked, pin="search-words.1.", punctuation="false")
    assert drawn(at)["pin"] is None
    assert len(status(at)) == 1


@pytest.mark.parametrize("number", [8, 9])
def test_of_many_files_the_first_eight_are_shown(number: int) -> None:
    at = add_files(explore(s=" "), **{f"links{k}__pharaoh": b"0-0\n" for k in range(number)})
    assert [panel["title"] for panel in panels(at)] == [f"links{k}" for k in range(8)]
    said = [LOOK.first_files.format(most=8)]
    assert [warning.value for warning in at.warning] == (said if number > 8 else [])


def test_a_translation_of_the_list_is_followed_by_the_best_of_the_others(
    random_runs: Path, tmp_path: Path, look_in: Callable[..., None]
) -> None:
    """Of two checkpoints that write the same, the second is forced only to what is not its own best translation."""
    for name in ("a", "b"):
        shutil.copytree(random_runs / "search-words", tmp_path / "both" / name)
    look_in(tmp_path / "both")
    translations = nmt.load(random_runs / "search-words").translate(SENTENCE, beam=3, n_best=3)
    for rank, forced in (("1", False), ("2", True)):
        at = explore(s=SENTENCE, models=["a", "b"], beam="3", of="list", rank=rank,
                     **{"with": ["difference"]})  # fmt: skip
        assert written(at) == [translations.hypotheses[int(rank) - 1].text] * 2
        best = translations.best
        own = LOOK.own_translation.format(nats=nats(best.log_probability), text=best.text) if forced else ""
        assert panels(at)[1]["own_text"] == own


def test_a_checkpoint_of_another_language_has_no_part_in_gold_links(
    random_runs: Path, tmp_path: Path, look_in: Callable[..., None]
) -> None:
    for name in ("a", "b"):
        shutil.copytree(random_runs / f"search-{'words' if name == 'a' else 'bpe'}", tmp_path / "both" / name)
    config = tmp_path / "both" / "b" / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text("utf-8")) | {"target_language": "de"}), "utf-8")
    look_in(tmp_path / "both")
    at = explore(s=SENTENCE, models=["a", "b"], beam="2", do="gold", gold="0-0")
    first, second = panels(at)
    assert (first["sure"], second["sure"], second["condition"]) == ([[0, 0]], [], "")


def test_a_file_of_effects_is_shown_and_called_no_attention() -> None:
    text = FORMATS["json"].write([PAIR], Policy(), f"encdec-words, {NOT_ALPHA}")
    (panel,) = effects(add_files(explore(s=" "), mine__json=text.encode()))
    assert (panel["not_attention"], panel["values"]) == (NOT_ATTENTION, CHARTS.effect)
    assert weights(panel) == pytest.approx(PAIR.weights, abs=1e-6)


@pytest.mark.parametrize("failing", ["fille", "une"])
def test_an_effect_that_cannot_be_computed_is_said(failing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is that before a change or that after it: nothing is drawn of the other one."""
    ask = LeaveOneOutTask.ask

    def refuse(self: LeaveOneOutTask, *others: Any) -> Alignment:
        assert not isinstance(self.target, str)
        if self.target.tokens[0] == failing:
            raise InputError("it fails")
        return ask(self, *others)

    monkeypatch.setattr(LeaveOneOutTask, "ask", refuse)
    at = explore(s=SENTENCE, models=["encdec-words"], beam="2", change="begin:0::une", see="change", **OPEN)
    assert [error.value for error in at.error] == ["it fails."]
    assert not effects(at)


def test_a_word_is_pinned_in_a_checkpoint_whose_name_has_dots(
    random_runs: Path, tmp_path: Path, look_in: Callable[..., None]
) -> None:
    shutil.copytree(random_runs / "search-words", tmp_path / "some" / "v1.2.3")
    look_in(tmp_path / "some")
    at = explore(s=SENTENCE, beam="2", pin="v1.2.3.1.2")
    assert drawn(at)["pin"] == {"panel": 0, "source": [2], "target": [1]}
    assert len(status(at)) == 1


def test_without_an_aligner_of_the_languages_no_map_is_called_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nmt.ui.look.sections.find_aligner", lambda _: None)
    at = explore(s=SENTENCE, models=["search-words"], beam="2", do="explain", pin="search-words.1.", maps="true")
    assert explained(at)["maps"]["names"] == [LOOK.alpha, APP_TEXTS.posterior, APP_TEXTS.leave_one_out]
    assert not explained(at)["maps"]["lacking"]


def test_of_a_moved_word_that_is_not_written_any_more_nothing_is_said() -> None:
    source = Change(kind="source", text="the cat").address
    length = len(panels(explore(s=SENTENCE, models=["search-words"], beam="2", change=source))[0]["target"])
    for row in (length - 1, length, length + 1):
        weights_ = Change(kind="weights", row=row, name="search-words", weights=(1.0, *[0.0] * 8)).address
        at = explore(s=SENTENCE, models=["search-words"], beam="2", change=[weights_, source])
        assert ("looks at" in systems(at)[0]["changed"]) == (row < length and weights(panels(at)[0])[row].argmax() == 0)
        assert CHANGED["source"].format(text="the cat") in systems(at)[0]["changed"]


@pytest.mark.parametrize(
    ("model", "kind", "begin", "has", "lacks"),
    [
        ("search-words", "PDF", b"%PDF", b"", CHARTS.effect),
        ("search-words", "SVG", b"<?xml", b"run:", CHARTS.effect),
        ("search-words", "HTML", b"<!doctype html>", b'"transposed":true', '"kind":"leave-one-out"'),
        ("search-words", "JSON", b"{", b'"search-words"', NOT_ALPHA),
        ("encdec-words", "JSON", b"{", NOT_ALPHA.encode(), "\u0000"),
    ],
)
def test_what_one_panel_is_saved_as(model: str, kind: str, begin: bytes, has: bytes, lacks: str, send: Send) -> None:
    at = explore(s=SENTENCE, models=[model], beam="2", do="export", effect="true", transposed="true")
    data = save(send, at, kind, model).data
    assert data.startswith(begin)
    assert has in data
    assert lacks.encode() not in data
    if kind == "PDF":
        pdf = PdfReader(io.BytesIO(data))
        assert len(pdf.pages) == 1
        assert pdf.metadata is not None
        assert "run:" in pdf.metadata["/Subject"]
