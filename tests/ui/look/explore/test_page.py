"""The page "Explore" over tiny checkpoints with random weights: what it draws is what the models say."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import nmt
from nmt.alignments.difference import difference_of_sources
from nmt.alignments.formats.registry import FORMATS, read
from nmt.alignments.policy import Policy
from nmt.charts.alignment_view import view_data
from nmt.charts.colour_scales import STAND_IN
from nmt.charts.strings import EFFECT, HATCHED_ROW, NOT_ATTENTION, NOT_ATTENTION_DIFFERENCE, RING
from nmt.config import SearchSettings
from nmt.inspection.maps import leave_one_out_of, posterior
from nmt.inspection.what_if import Intervention, what_if
from nmt.reproduce.released import RELEASED
from nmt.results import UNKNOWN, Alignment
from nmt.ui import strings as shared
from nmt.ui.formatting import escaped, nats
from nmt.ui.look.explore import export, page, strings
from nmt.ui.look.explore.experiments import ChosenToken
from nmt.ui.look.explore.form import OPTIONS_AT_FIRST, ExplorerView
from nmt.ui.look.explore.gallery import GALLERY
from nmt.ui.look.explore.imported import chosen
from nmt.ui.look.explore.panels import DrawnPanel

APP = Path(__file__).parents[4] / "app.py"
SENTENCE = "the cat has never seen the sea ."


@pytest.fixture(autouse=True)
def checkpoints(random_runs: Path, look_in: Callable[..., None]) -> Any:
    look_in(random_runs)
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


def explore(**parameters: str | list[str]) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=60)
    for name, value in parameters.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception, at.exception
    return at


def views(at: AppTest) -> list[dict[str, Any]]:
    found = [json.loads(element.proto.json) for element in at.get("bidi_component")]
    return [data for data in found if "panels" in data]


def systems(at: AppTest) -> list[dict[str, Any]]:
    """Those of the ribbons."""
    found = [json.loads(element.proto.json) for element in at.get("bidi_component")]
    return next(data["systems"] for data in found if "systems" in data)


def panels(at: AppTest) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = views(at)[0]["panels"]
    return found


def written(at: AppTest) -> list[str]:
    """The sentences that the checkpoints wrote."""
    return [system["text"] for system in systems(at)]


def weights(panel: dict[str, Any]) -> Any:
    return np.array(panel["weights"])


def test_alpha_of_the_best_translation_and_the_stand_in(random_runs: Path) -> None:
    at = explore(s=SENTENCE, models=["search-words", "encdec-words"], beam="3")
    search, encdec = panels(at)
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
    assert encdec["note"] == strings.STAND_IN_NOTE
    assert encdec["not_attention"] == NOT_ATTENTION
    assert "alpha" not in encdec["values"]
    assert encdec["letter"] == encdec["spoken_letter"] == strings.EFFECT_LETTER
    assert search["not_attention"] == ""


def test_the_list_is_there_to_choose_from_with_log_probabilities(random_runs: Path) -> None:
    at = explore(s=SENTENCE, models=["search-words", "encdec-words"], beam="4", of="One of the list", rank="2")
    translations = nmt.load(random_runs / "search-words").translate(SENTENCE, beam=4, n_best=4)
    choice = at.selectbox(key="choice-rank")
    assert choice.options == [
        strings.LISTED.format(rank=rank, nats=nats(hypothesis.log_probability), text=hypothesis.text)
        for rank, hypothesis in enumerate(translations.hypotheses, 1)
    ]
    assert choice.value == "2"
    choice.set_value("4").run()
    other = nmt.load(random_runs / "encdec-words").translate(SENTENCE, beam=4, n_best=4)
    assert written(at) == [each.hypotheses[3].text for each in (translations, other)]


def test_any_of_the_list_can_be_shown(random_runs: Path) -> None:
    at = explore(s=SENTENCE, models=["search-words"], beam="4", of="One of the list", rank="3")
    third = nmt.load(random_runs / "search-words").translate(SENTENCE, beam=4, n_best=3).hypotheses[2]
    assert written(at) == [third.text]


@pytest.mark.parametrize("kind", ["words", "bpe"])
def test_a_typed_target_is_forced(random_runs: Path, kind: str) -> None:
    target = "la fille dort ."
    at = explore(s=SENTENCE, models=[f"search-{kind}"], of="Typed target", t=target)
    score = nmt.load(random_runs / f"search-{kind}").score(SENTENCE, target)
    assert score.alignment is not None
    (panel,) = panels(at)
    assert weights(panel) == pytest.approx(score.alignment.merged().weights, abs=1e-5)
    assert sum(panel["log_probability"]) == pytest.approx(score.log_probability, abs=1e-2)
    assert panel["target"] == ["la", "fille", "dort", ".", "</s>"]
    pieces = explore(
        s=SENTENCE, models=[f"search-{kind}"], of="Typed target", t=target, **{"with": ["Pieces of words"]}
    )
    bare = panels(pieces)[0]
    assert len(bare["target"]) >= len(bare["log_probability"]) == len(bare["weights"])
    assert "</s>" not in bare["target"]


def test_a_typed_target_begins_with_the_translation_shown_and_is_waited_for_when_it_is_cleared(
    random_runs: Path,
) -> None:
    translations = nmt.load(random_runs / "search-words").translate(SENTENCE, beam=4, n_best=3)
    at = explore(s=SENTENCE, models=["search-words"], beam="4", of="Typed target")
    assert at.text_input(key="t").value == translations.text
    assert written(at) == [translations.text]
    at.text_input(key="t").set_value("").run()
    assert at.info[0].value == strings.TARGET_WANTED
    assert not views(at)
    at.text_input(key="t").set_value("la fille").run()
    assert panels(at)[0]["target"] == ["la", "fille", "</s>"]


def test_a_typed_target_begins_with_the_one_of_the_list_that_is_shown(random_runs: Path) -> None:
    at = explore(s=SENTENCE, models=["search-words"], beam="4", of="One of the list", rank="3")
    next(group for group in at.get("button_group") if group.key == "choice-of").set_value("typed").run()
    third = nmt.load(random_runs / "search-words").translate(SENTENCE, beam=4, n_best=4).hypotheses[2]
    assert at.text_input(key="t").value == third.text


def test_figure_3_has_the_sentence_the_translation_and_the_checkpoint_of_the_gallery(
    random_runs: Path, tmp_path: Path, look_in: Callable[..., None]
) -> None:
    lesson = next(lesson for lesson in GALLERY if lesson.target)
    assert lesson.sentence == "The agreement on the European Economic Area was signed in August 1992."
    assert lesson.checkpoint in {run.name for run in RELEASED}
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
    assert at.text_input(key="s").value == lesson.sentence
    score = nmt.load(random_runs / "search-words").score(lesson.sentence, lesson.target)
    assert nats(score.log_probability) in systems(at)[0]["kind"]
    next(button for button in at.get("menu_button") if lesson.title in button.options).click(GALLERY[1].title).run()
    assert written(at) != [lesson.target]
    assert not any(field.key == "t" for field in at.text_input)


def test_a_difference_of_one_is_not_offered_and_the_reason_is_said() -> None:
    asked = {"with": [*OPTIONS_AT_FIRST, "difference"]}
    at = explore(s=SENTENCE, models=["search-words"], **asked)
    button = next(button for button in at.button if button.key == "no-difference")
    assert button.disabled
    assert button.help == strings.NO_DIFFERENCE_YET
    assert strings.NO_DIFFERENCE_LINE in [caption.value for caption in at.caption]
    assert len(panels(at)) == 1
    at.multiselect(key="choice-models").set_value(["search-words", "search-bpe"]).run()
    assert not at.exception, at.exception
    assert [panel["is_difference"] for panel in panels(at)] == [False, False, True]
    assert not any(button.key == "no-difference" for button in at.button)


def test_without_end_mark_and_punctuation_rows_sum_to_one_and_it_is_said() -> None:
    at = explore(s=SENTENCE, models=["search-words"], of="Typed target", t="la fille dort .", **{"with": ["Bars"]})
    (panel,) = panels(at)
    assert panel["target"] == ["la", "fille", "dort"]
    assert "." not in panel["source"]
    assert weights(panel).sum(axis=1) == pytest.approx(1, abs=1e-4)
    assert panel["note"]


def test_the_difference_is_the_second_less_the_first_on_the_first_ones_target(random_runs: Path) -> None:
    options = ["Bars", "End mark", "Punctuation", "Difference"]
    at = explore(s=SENTENCE, models=["search-words", "search-bpe"], beam="2", **{"with": options})
    first, second, delta = panels(at)
    text = nmt.load(random_runs / "search-words").translate(SENTENCE, beam=2).text
    assert written(at) == [text, text]
    assert delta["is_difference"]
    if first["target"] == second["target"]:
        assert weights(delta) == pytest.approx(weights(second) - weights(first), abs=1e-5)
    else:
        assert not delta["source"]


@pytest.mark.parametrize("second", ["search-bpe", "encdec-words", "encdec-bpe"])
def test_for_a_difference_the_tokens_of_the_first_are_handed_over(random_runs: Path, second: str) -> None:
    """Also [UNK], which is one token and not the three of its text; and it is said whose translation this is."""
    at = explore(
        s="the zorp reads", models=["search-words", second], beam="3", **{"with": [*OPTIONS_AT_FIRST, "difference"]}
    )
    one, other, delta = panels(at)
    first, model = nmt.load(random_runs / "search-words"), nmt.load(random_runs / second)
    best = first.translate("the zorp reads", beam=3).best
    assert UNKNOWN in best.tokens
    assert one["target"] == other["target"] == [*best.tokens]
    assert weights(delta) == pytest.approx(weights(other) - weights(one), abs=1e-5)
    target = model.target.vocabulary.encode(best.tokens[:-1])
    (score,) = model.score_stream([(model.source.encode("the zorp reads"), target)])
    own = model.translate("the zorp reads", beam=3).best
    assert nats(score.log_probability) in systems(at)[1]["kind"]
    assert other["condition"] == strings.FORCED.format(name="search-words")
    assert other["own_text"] == strings.OWN_TRANSLATION.format(nats=nats(own.log_probability), text=own.text)
    assert one["condition"] == one["own_text"] == ""
    assert written(at) == [best.text, best.text]
    at = explore(s="the zorp reads", models=["search-words", second], beam="3")
    assert panels(at)[1]["condition"] == panels(at)[1]["own_text"] == ""
    assert written(at) == [best.text, own.text]


def test_a_checkpoint_that_writes_the_same_by_itself_is_not_called_forced(
    random_runs: Path, tmp_path: Path, look_in: Callable[..., None]
) -> None:
    for name in ("a", "b"):
        shutil.copytree(random_runs / "search-words", tmp_path / "both" / name)
    look_in(tmp_path / "both")
    at = explore(s="the zorp reads", models=["a", "b"], beam="3", **{"with": [*OPTIONS_AT_FIRST, "difference"]})
    first, second, delta = panels(at)
    assert second["condition"] == second["own_text"] == ""
    assert second["log_probability"] == first["log_probability"]
    assert not weights(delta).any()


def test_links_are_pruned_by_weight_or_mass() -> None:
    at = explore(s=SENTENCE, models=["search-words"], show="Both", least="0.3")
    (panel,) = panels(at)
    alpha = weights(panel)
    assert {(i, j) for i, j, _ in panel["links_shown"]} == {(i, j) for i, j in np.argwhere(alpha >= 0.3).tolist()}
    at = explore(s=SENTENCE, models=["search-words"], show="Links", by="Mass", least="0.5")
    (panel,) = panels(at)
    for i, row in enumerate(weights(panel)):
        kept = [j for k, j, _ in panel["links_shown"] if k == i]
        assert row[kept].sum() >= 0.5 - 1e-4
        assert row[kept].sum() - row[kept].min() < 0.5


def test_a_pinned_cell_of_the_address_is_explained() -> None:
    at = explore(s=SENTENCE, models=["search-words"], beam="2", do="Explain a cell", pin="0.1.2")
    assert views(at)[0]["pin"] == {"panel": 0, "source": [2], "target": [1]}
    alpha = next(metric.value for metric in at.metric if metric.label == "αᵢⱼ")
    assert float(alpha) == pytest.approx(weights(panels(at)[0])[1, 2], abs=1e-3)
    (energies,) = [frame.value for frame in at.dataframe if "e" in frame.value.columns]
    row = np.exp(energies["e"] - energies["e"].max())
    assert (row / row.sum()).to_numpy() == pytest.approx(energies["alpha"].to_numpy(), abs=1e-4)
    assert explore(s=SENTENCE, models=["search-words"], do="Explain a cell", pin="7.1.2").info


def test_what_if_shows_what_the_core_decodes(random_runs: Path) -> None:
    at = explore(s=SENTENCE, models=["search-words", "encdec-words"], beam="2", do="What if", wprefix="une fille")
    after = [view["panels"][0] for view in views(at)[1:]]
    for name, panel in zip(("search-words", "encdec-words"), after, strict=True):
        expected = what_if(
            nmt.load(random_runs / name), SENTENCE, Intervention(prefix="une fille"), SearchSettings(beam=2)
        )
        assert panel["text"] == expected.text
        assert panel["text"].startswith("une fille")
    before, change = panels(at)[0], views(at)[1]["panels"][1]
    signs = [mark and mark["sign"] for mark in change["marks"]["target"]]
    for words, other in ((before["target"], "+"), (after[0]["target"], "−")):
        assert [word for word, sign in zip(change["target"], signs, strict=True) if sign != other] == words
    new = [k for k, sign in enumerate(signs) if sign == "+"]
    rows = [k for k, sign in enumerate(s for s in signs if s != "−") if sign == "+"]
    assert weights(change)[new] == pytest.approx(weights(after[0])[rows], abs=1e-5)
    forced = explore(s=SENTENCE, models=["search-words"], beam="2", do="What if", wat="2", wword="chat")
    assert views(forced)[1]["panels"][0]["target"][1] == "chat"
    unknown = explore(s=SENTENCE, models=["search-words"], beam="2", do="What if", wforbid="xylophone")
    assert any("xylophone" in error.value for error in unknown.error)
    assert len(views(unknown)) == 1


def test_weights_of_the_address_are_moved(random_runs: Path) -> None:
    model = nmt.load(random_runs / "search-words")
    columns = len(model.source.encode(SENTENCE).tokens)
    row = [0.0] * columns
    row[3] = 1.0
    at = explore(s=SENTENCE, models=["search-words"], beam="2", do="What if", moved="0:" + ",".join(map(str, row)))
    after, change = views(at)[1]["panels"]
    assert change["title"].endswith(strings.AFTER_MINUS_BEFORE)
    assert weights(after)[0] == pytest.approx(row, abs=1e-6)
    moved = "0:" + ",".join(map(str, row))
    at = explore(s=SENTENCE, models=["search-words"], beam="2", do="What if", moved=moved, pin="0.0.1")
    assert weights(views(at)[1]["panels"][0])[0] == pytest.approx(row, abs=1e-6)


def test_weights_of_a_word_are_moved_at_its_first_subword(
    random_runs: Path,
) -> None:
    model = nmt.load(random_runs / "search-bpe")
    best = model.translate(SENTENCE, beam=2).best
    assert best.alignment is not None
    words = best.alignment.target_words
    row = next(k for k in range(1, len(set(words))) if words.index(k) > k)  # a word behind one of several subwords
    values = tuple(float(j == 3) for j in range(len(best.alignment.merged().source)))
    moved = f"{row}:" + ",".join(map(str, values))
    at = explore(s=SENTENCE, models=["search-bpe", "encdec-words"], beam="2", do="what-if", moved=moved)
    step = words.index(row)
    changed = Intervention(prefix=best.tokens[:step], weights=((step, values),))
    expected = what_if(model, SENTENCE, changed, SearchSettings(beam=2)).best
    assert expected.tokens[:step] == best.tokens[:step]
    (_, shown) = views(at)  # one more view: the checkpoint without alpha has no weights to move
    assert expected.alignment is not None
    assert weights(shown["panels"][0]) == pytest.approx(expected.alignment.merged().weights, abs=1e-5)


def test_moved_weights_are_those_of_one_checkpoint(random_runs: Path) -> None:
    """Other changes concern all; the address of a former version, which names no checkpoint, too."""
    both = ["search-words", "search-bpe"]
    source = nmt.load(random_runs / "search-words").source.encode(SENTENCE)
    moved = "0:" + ",".join(str(float(j == 3)) for j in range(len(source.tokens)))
    asked: dict[str, Any] = {"s": SENTENCE, "models": both, "beam": "2", "do": "what-if"}
    (_, shown) = views(explore(**asked, moved=f"{moved}:search-words"))
    assert shown["panels"][0]["title"] == views(explore(**asked))[0]["panels"][0]["title"]
    assert len(views(explore(**asked, moved=moved))) == 3
    (_, first, second) = views(explore(**asked, moved=f"{moved}:search-words", wprefix="une"))
    assert weights(first["panels"][0])[0] == pytest.approx([float(j == 3) for j in range(len(source.tokens))], abs=1e-6)
    assert weights(second["panels"][0])[0] != pytest.approx(weights(first["panels"][0])[0], abs=0.1)


def test_what_if_goes_on_from_targets_that_were_made_common() -> None:
    models = ["search-words", "encdec-words", "encdec-bpe"]
    at = explore(s=SENTENCE, models=models, do="What if", wprefix="une", **{"with": ["Bars", "Difference"]})
    assert all(panel["text"].startswith("une") for panel in views(at)[1]["panels"] if not panel["is_difference"])


def test_the_stand_in_of_a_model_of_pieces_is_over_words(random_runs: Path) -> None:
    at = explore(s=SENTENCE, models=["encdec-bpe"], beam="2")
    (panel,) = panels(at)
    best = nmt.load(random_runs / "encdec-bpe").translate(SENTENCE, beam=2).best
    assert sum(panel["log_probability"]) == pytest.approx(best.log_probability, abs=1e-2)
    assert not any("▁" in word for word in panel["target"])


def test_gold_links_are_drawn_and_measured() -> None:
    at = explore(s=SENTENCE, models=["search-words"], of="Typed target", t="la fille dort .", do="Gold links",
                 gold="0-0 1p1 6-3")  # fmt: skip
    (panel,) = panels(at)
    assert panel["sure"] == [[0, 0], [3, 6]]
    assert panel["possible"] == [[1, 1]]
    (table,) = [frame.value for frame in at.dataframe if strings.AER_COLUMN in frame.value.columns]
    assert 0 <= table[strings.AER_COLUMN][0] <= 100
    broken = explore(s=SENTENCE, models=["search-words"], do="Gold links", gold="0-0 x")
    assert len(broken.warning) == 1
    beyond = explore(s=SENTENCE, models=["search-words"], do="Gold links", gold="0-0 99-0")
    said = strings.GOLD_BEYOND.format(source=99, target=0, sources=8, targets=len(panels(beyond)[0]["target"]) - 1,
                                      name="search-words")  # fmt: skip
    assert beyond.warning[0].value == escaped(said)


@pytest.mark.parametrize("data", [b"0-0 1p1\n", b"\xef\xbb\xbf0-0 1p1\r\n"], ids=["plain", "byte order mark"])
def test_gold_links_come_from_a_file(data: bytes) -> None:
    at = explore(s=SENTENCE, models=["search-words"], do="Gold links")
    at.file_uploader(key="gold-file").set_value(("gold.txt", data, "text/plain")).run()
    (panel,) = panels(at)
    assert (panel["sure"], panel["possible"]) == ([[0, 0]], [[1, 1]])
    assert not at.warning


def test_unknown_words_and_where_unk_looks() -> None:
    at = explore(s="the zorp reads", models=["search-words"], do="Unknown words")
    assert any("zorp" in text.value for text in at.text)
    typed = explore(s="the zorp reads", models=["search-words"], do="Unknown words", of="Typed target", t="la fille")
    assert any("zorp" in text.value for text in typed.text)


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("zorp blick frob.", shared.ALL_UNKNOWN[1].format(count=3)),
        ("zorp the blick frob!", shared.MOSTLY_UNKNOWN.format(unknown=3, words=4)),
        ("zorp", shared.ALL_UNKNOWN[0]),
        ("elle a jamais vu la mer.", shared.MOSTLY_UNKNOWN.format(unknown=5, words=6)),
        ("고양이가 바다를 봅니다.", shared.IN_OTHER_WRITING.format(writing="Korean")),
        (SENTENCE, ""),
        ("the zorp reads", ""),
    ],
)
def test_above_a_result_that_means_little_it_is_said_why(sentence: str, reason: str) -> None:
    at = explore(s=sentence, models=["search-words", "encdec-words"], beam="1")
    said = [warning.value for warning in at.warning]
    names = "search\\-words and encdec\\-words"
    means_little = shared.MEANS_LITTLE[1].format(reason=reason, names=names, language="English")
    assert said == ([means_little] if reason else [])
    assert len(panels(at)) == 2


def test_a_table_of_what_is_drawn() -> None:
    at = explore(s=SENTENCE, models=["search-words"], do="Table")
    table = at.dataframe[-1].value
    assert np.asarray(table, dtype=float) == pytest.approx(weights(panels(at)[0]), abs=1e-3)


@pytest.mark.parametrize("kind", ["PDF", "SVG", "PNG", "HTML", "CSV", "JSON", "Pharaoh", "Nematus / SoftAlignments"])
def test_every_format_can_be_taken_away(kind: str) -> None:
    at = explore(s=SENTENCE, models=["search-words"], do="Take away")
    at.selectbox(key="take-format").set_value(kind).run()
    assert not at.exception
    assert any(kind in button.label for button in at.get("download_button"))


def test_no_export_of_a_stand_in_passes_for_alpha(random_runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In figures, in the page that stands alone, and in files, which are recognised when they come back."""
    saved: list[DrawnPanel] = []
    keep = export.show_export
    monkeypatch.setattr(page, "show_export", lambda view, drawn: (saved.extend(drawn), keep(view, drawn)))
    views: list[ExplorerView] = []
    monkeypatch.setattr(page, "show_view", lambda view, drawn: views.append(view))
    options = [*OPTIONS_AT_FIRST, "difference"]
    models = ["search-words", "encdec-words"]
    at = explore(s=SENTENCE, models=models, beam="2", do="Take away", **{"with": options})
    saved = saved[-3:]  # the page may have run more than once
    for each, title in zip(saved, ("", NOT_ATTENTION, NOT_ATTENTION_DIFFERENCE), strict=True):
        svg = export.figure_of(views[-1], each).to_bytes("svg").decode()
        assert each.panel.not_attention == title
        assert ("not " in svg) == bool(title)
        assert title in svg
        assert (strings.FORCED.format(name="search-words") in svg) == (title == NOT_ATTENTION)
    assert json.loads(json.dumps(view_data([saved[1].panel])))["panels"][0]["not_attention"] == NOT_ATTENTION
    at.selectbox(key="take-panel").set_value("encdec-words").run()
    at.selectbox(key="take-format").set_value("JSON").run()
    assert not at.exception, at.exception
    text = FORMATS["json"].write([saved[1].weights], Policy(), f"encdec-words, {EFFECT}")  # type: ignore[list-item]
    assert chosen(read(text), "x.json", 1).leave_one_out
    assert not chosen(read(FORMATS["json"].write([PAIR], Policy(), "search")), "x.json", 1).leave_one_out
    monkeypatch.undo()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("of", "x"),
        ("rank", "99"),
        ("least", "7"),
        ("scale", "x"),
        ("with", "x"),
        ("pin", "a.b.c"),
        ("moved", "0:x"),
        ("do", "x"),
        ("layout", "x"),
        ("take-panel", "x"),
        ("take-format", "x"),
        ("take-share", "9"),
        ("take-base", "7"),
    ],
)
def test_nonsense_in_the_address_is_ignored(name: str, value: str) -> None:
    at = explore(
        **{"s": SENTENCE, "models": ["search-words"], "do": "Take away", "take-format": "Pharaoh", name: value}
    )
    assert len(panels(at)) == 1


@pytest.mark.parametrize("kind", ["words", "bpe"])
def test_one_checkpoint_on_two_sources(random_runs: Path, kind: str) -> None:
    target, other = "la fille dort .", "the old cat has never seen the sea ."
    at = explore(s=SENTENCE, models=[f"search-{kind}"], of="Typed target", t=target, do="What if", wsource=other)
    (delta,) = views(at)[1]["panels"]
    model = nmt.load(random_runs / f"search-{kind}")
    first, second = (model.score(source, target).alignment for source in (SENTENCE, other))
    assert first is not None
    assert second is not None
    expected = difference_of_sources(first.merged(), second.merged())
    assert delta["is_difference"]
    assert delta["title"].endswith(strings.NEW_SOURCE)
    assert delta["source"] == [*expected.source]
    assert weights(delta) == pytest.approx(expected.delta, abs=1e-5)
    assert [mark and mark["sign"] for mark in delta["marks"]["source"]].count("+") == 1
    searched = explore(s=SENTENCE, models=[f"encdec-{kind}"], beam="2", do="What if", wsource=other)
    assert [panel["is_difference"] for panel in views(searched)[1]["panels"]] == [False, True, True]


def add_files(at: AppTest, **files: bytes) -> AppTest:
    uploads = [(name.replace("__", "."), data, "text/plain") for name, data in files.items()]
    at.get("file_uploader")[0].set_value(uploads).run()
    assert not at.exception, at.exception
    return at


PAIR = Alignment(source=("the", "cat", "</s>"), target=("le", "chat", "</s>"), weights=np.eye(3, dtype=np.float32))


@pytest.mark.parametrize("format_", ["csv", "json", "nematus"])
def test_a_file_is_looked_at_like_alpha(format_: str) -> None:
    text = FORMATS[format_].write([PAIR], Policy(), "other")
    at = add_files(explore(), **{f"toolkit__{format_}": text.encode()})
    (panel,) = panels(at)
    assert panel["title"].startswith("toolkit")
    assert (panel["source"], panel["target"]) == ([*PAIR.source], [*PAIR.target])
    assert weights(panel) == pytest.approx(PAIR.weights, abs=1e-6)
    assert panel["bars"]["source"]["values"] == [1, 1, 1]


def test_a_file_beside_a_checkpoint_that_writes_the_same(random_runs: Path) -> None:
    at = explore(models=["search-words"], **{"with": ["Bars", "End mark", "Punctuation", "Difference"]})
    add_files(at, toolkit__json=FORMATS["json"].write([PAIR], Policy(), "").encode())
    next(button for button in at.button if button.label == strings.TAKE_PAIR).click().run()
    own, file, delta = panels(at)
    score = nmt.load(random_runs / "search-words").score("the cat", "le chat").alignment
    assert score is not None
    assert weights(own) == pytest.approx(score.weights, abs=1e-5)
    assert weights(file) == pytest.approx(PAIR.weights, abs=1e-6)
    assert weights(delta) == pytest.approx(PAIR.weights - score.weights, abs=1e-5)
    assert delta["title"] == "toolkit − search-words"
    at.text_input(key="t").set_value("la fille").run()
    next(button for button in at.button if button.label == strings.TAKE_PAIR).click().run()
    assert not at.exception, at.exception
    assert written(at) == ["le chat"]


def test_links_of_a_file_get_their_words() -> None:
    at = add_files(explore(), gold__pharaoh=b"1-1 2p3\n2-1\n")
    (panel,) = panels(at)
    assert panel["source"] == ["1", "2", "3"]
    assert weights(panel)[1, 1] == 1
    assert weights(panel)[3, 2] == 0.5
    at.text_input(key="import-source").set_value("a b").run()
    assert len(at.warning) == 1
    assert not views(at) or panels(at)[0]["source"] != ["a", "b"]
    at.text_input(key="import-source").set_value("a b c").run()
    assert panels(at)[0]["source"] == ["a", "b", "c"]


def test_a_broken_file_is_named_and_the_other_is_shown() -> None:
    good = FORMATS["csv"].write([PAIR], Policy(), "").encode()
    at = add_files(explore(), good__csv=good, bad__json=b"{", latin__csv=b"\xe9t\xe9,1", empty__nematus=b"")
    assert [panel["title"] for panel in panels(at)] == ["good"]
    said = " ".join(warning.value for warning in at.warning)
    assert all(name in said for name in (r"bad\.json", r"latin\.csv", r"empty\.nematus"))
    at.number_input(key="import-sentence").set_value(9).run()
    said = strings.NO_SENTENCE.format(number=9, count=1)
    assert any(escaped(said) in warning.value for warning in at.warning)


def test_a_difference_can_be_taken_away_as_a_figure_alone() -> None:
    options = ["Bars", "End mark", "Punctuation", "Difference"]
    models = ["search-words", "search-bpe"]
    at = explore(s=SENTENCE, models=models, of="Typed target", t="la fille dort .", do="Take away", **{"with": options})
    at.selectbox(key="take-panel").set_value("search-bpe − search-words").run()
    assert not at.exception, at.exception
    assert at.selectbox(key="take-format").options == ["PDF", "SVG", "PNG", "HTML"]
    assert any(button.proto.label == strings.SAVE_AS.format(format="PDF") for button in at.get("download_button"))


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
    said = strings.OTHER_TARGET_LANGUAGE.format(language="French", names="b")
    assert not any(caption.value.endswith(said) for caption in at.caption)
    at = explore(s=SENTENCE, models=["a", "b"], of="Typed target", t="le chat")
    assert len(panels(at)) == 1
    assert any(caption.value.endswith(said) for caption in at.caption)


def test_maps_of_a_word_are_those_of_the_core(random_runs: Path) -> None:
    at = explore(s=SENTENCE, models=["search-words"], beam="2", do="maps", pin="0.1.")
    (shown,) = [data["panels"][0] for data in views(at) if data["panels"][0]["values"] == strings.MAPS_VALUES]
    model = nmt.load(random_runs / "search-words")
    best = model.translate(SENTENCE, beam=2)
    assert best.alignment is not None
    assert best.encoded is not None
    assert best.best.encoded is not None
    own = best.alignment.merged()
    words = own.source[:-1]
    assert shown["source"] == list(words)
    assert shown["target"][:3] == [strings.ALPHA, shared.POSTERIOR, shared.LEAVE_ONE_OUT]
    pair = (" ".join(words), " ".join(own.target[:-1]))
    expected = [
        own.weights[1],
        next(posterior(model, [pair], pretokenised=True)).merged().weights[1],
        next(iter(leave_one_out_of(model, [(best.encoded, best.best.encoded)]))).weights[1],
    ]
    for found, row in zip(shown["weights"], expected, strict=False):
        kept = np.maximum(row[: len(words)], 0)
        assert found == pytest.approx(kept / kept.sum(), abs=1e-4)
    ringed = {(i, j) for i, j in shown["rings"]}
    places = [int(np.argmax(row)) for row in shown["weights"]]
    assert ringed == {(k, place) for k, place in enumerate(places) if place != places[0]}
    assert shown["sure"] == []
    explained = [strings.MAPS_RING.format(map=strings.ALPHA)] * bool(ringed)
    assert shown["signs"]["matrix"] == [*(RING.format(meaning=each) for each in explained), HATCHED_ROW]
    scales = shown["row_scales"]
    assert [scale["symbol"] for scale in scales] == shown["target"]
    assert len({json.dumps(scale["stops"]) for scale in scales}) == len(scales)
    assert scales[2]["stops"] == STAND_IN.to_dict()["stops"]
    assert shown["hatched_rows"] == [2]


def test_maps_wait_for_a_word() -> None:
    at = explore(s=SENTENCE, models=["search-words"], do="maps")
    assert at.info[0].value == strings.MAPS_PIN


def test_a_word_of_the_picture_is_pinned_and_explained(random_runs: Path) -> None:
    at = explore(s=SENTENCE, models=["search-words"], beam="2")
    at.session_state["ribbons"] = {"word": {"system": 0, "i": 1}}
    at.run()
    assert not at.exception
    best = nmt.load(random_runs / "search-words").translate(SENTENCE, beam=2).best
    assert best.alignment is not None
    assert views(at)[0]["pin"] == {"panel": 0, "source": [], "target": [1]}
    (said,) = [element.value for element in at.html if 'role="status"' in element.value]
    j = int(best.alignment.weights[1].argmax())
    assert f"gave {best.alignment.weights[1, j]:.0%} of its attention to" in said
    assert len([button for button in at.button if str(button.key).startswith("word-")]) >= 3
    at.session_state["ribbons"] = {"word": {"system": 9, "i": 1}}
    assert not at.run().exception


def test_a_click_on_a_cell_opens_its_explanation() -> None:
    at = explore(s=SENTENCE, models=["search-words"], beam="2")
    assert not [element for element in at.html if 'role="status"' in element.value]
    at.session_state["explorer-view"] = {"pin": {"panel": 0, "source": [1], "target": [1]}}
    at.run()
    assert not at.exception
    assert [element for element in at.html if 'role="status"' in element.value]


def test_attention_is_moved_to_the_word_of_the_pinned_cell(random_runs: Path) -> None:
    model = nmt.load(random_runs / "search-words")
    best = model.translate(SENTENCE, beam=2).best
    assert best.alignment is not None
    alpha, i = best.alignment.weights, 1
    goal = int(alpha[i].argmin())
    at = explore(s=SENTENCE, models=["search-words", "search-bpe"], beam="2", do="explain", pin=f"0.{i}.{goal}")
    at.button(key="move-attention").click().run()
    assert not at.exception
    row = tuple(float(j == goal) for j in range(alpha.shape[1]))
    changed = Intervention(prefix=best.tokens[:i], weights=((i, row),))
    expected = what_if(model, SENTENCE, changed, SearchSettings(beam=2)).best
    (_, shown) = views(at)  # that of the other checkpoint is not moved
    assert expected.alignment is not None
    assert weights(shown["panels"][0]) == pytest.approx(expected.alignment.merged().weights, abs=1e-5)


@pytest.mark.parametrize("name", ["search-words", "search-bpe"])
def test_another_word_keeps_the_tokens_before_it(random_runs: Path, name: str) -> None:
    """The tokens are handed over, never made again from text, and the other checkpoints write what they wrote."""
    model = nmt.load(random_runs / name)
    best = model.translate(SENTENCE, beam=2).best
    at = explore(s=SENTENCE, models=[name, "encdec-words"], beam="2", do="explain", pin="0.2.0",
                 **{"with": ["pieces", *OPTIONS_AT_FIRST]})  # fmt: skip
    at.button(key="word-0").click().run()
    assert not at.exception
    chosen = ChosenToken.read("".join(at.query_params["chosen"]))
    assert chosen is not None
    assert (chosen.row, chosen.name) == (2, name)
    assert chosen.token != best.tokens[2]
    expected = what_if(model, SENTENCE, Intervention(prefix=(*best.tokens[:2], chosen.token)), SearchSettings(beam=2))
    assert expected.best.tokens[:3] == (*best.tokens[:2], chosen.token)
    (_, shown) = views(at)  # one more view: the other checkpoint has no change
    assert expected.alignment is not None
    assert weights(shown["panels"][0]) == pytest.approx(expected.alignment.weights, abs=1e-5)
    at.button(key="take-back").click().run()
    assert "chosen" not in at.query_params
    assert len(views(at)) == 1
