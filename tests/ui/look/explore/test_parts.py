"""Parts of the page Look without the page, at the bounds of what they decide."""

import math
import re
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nmt.answers.shipped import SENTENCES
from nmt.config import SearchSettings
from nmt.errors import InputError
from nmt.instrument.changes import Change, applied, read_changes
from nmt.instrument.export import Panel
from nmt.instrument.map_view import MapView
from nmt.results import Alignment, Encoded, ForcedScore, Hypothesis, Translation
from nmt.results.inspection import WordScores
from nmt.results.links import Gold, parse_links
from nmt.results.record import LEAVE_ONE_OUT, System, Tokens, map_of
from nmt.runs.folder import RunInfo
from nmt.texts import CHARTS, INSTRUMENT, LOOK, listed, nats
from nmt.ui.instrument import Pin
from nmt.ui.look import draw as draw_module
from nmt.ui.look import shown as shown_module
from nmt.ui.look.draw import about, doubts, lesson_remark
from nmt.ui.look.sections import check_inside
from nmt.ui.look.shown import follow, forced, record_of
from nmt.ui.look.view import Decoded, ExplorerView, Shown
from nmt.ui.look.what_if import concerns
from nmt.ui.tasks import DoubtTask, WhatIfTask
from tests.charts.printed import NOT_ATTENTION
from tests.ui.drawn import draw

Runs = Callable[[str, str], RunInfo]


def alignment(weights: Any, source: str = "", target: str = "") -> Alignment:
    values = np.array(weights, np.float32)
    rows, columns = values.shape
    return Alignment(
        source=tuple(source.split() or map(str, range(columns))),
        target=tuple(target.split() or map(str, range(rows))),
        weights=values,
    )


@pytest.fixture
def run(tmp_path: Path, write_run: Callable[..., RunInfo]) -> Runs:
    """A run of an architecture that writes a language."""

    def made(architecture: str, target: str = "fr") -> RunInfo:
        return write_run(tmp_path / f"{architecture}-{target}", architecture, target=target)

    return made


def decoded(run: RunInfo, text: str, each: float = -0.4, weights: Any = None, **others: Any) -> Decoded:
    """A translation of "a b" whose tokens, the end mark among them, have this log-probability on average. Without
    ``weights``, alpha is the same everywhere."""
    tokens = (*text.split(), "</s>")
    source = Encoded(ids=(0, 1, 2), tokens=("a", "b", "</s>"), words=(0, 1, 2), unknown=())
    source, numbers = others.pop("source", source), tuple(range(len(tokens)))
    values = np.full((len(tokens), 3), 1 / 3, np.float32) if weights is None else np.array(weights, np.float32)
    output = Hypothesis(
        text=text,
        tokens=tokens,
        log_probability=each * len(tokens),
        score=0.0,
        token_log_probabilities=(each,) * len(tokens),
        alignment=Alignment(source=source.tokens, target=tokens, weights=values) if run.has_alignment else None,
        encoded=Encoded(ids=numbers, tokens=tokens, words=numbers, unknown=()),
    )
    translation = Translation("a b", (output,), encoded=source)
    view = ExplorerView(sentence="a b", runs={run.name: run})
    return replace(shown_module.decoded(view, run.name, run, translation), **others)


@pytest.fixture
def scored(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """log p that every model gives the words of another one, to be filled by the test."""
    values: list[float] = []

    def answer(task: DoubtTask, place: object, refuse: object) -> WordScores:
        assert isinstance(task, DoubtTask)
        return WordScores(tuple(values))

    monkeypatch.setattr("nmt.ui.look.draw.answer_to", answer)
    return values


@pytest.mark.parametrize(
    ("theirs", "sure", "ours", "improbable", "marked"),
    [
        ("u v w", -0.4, "u o p", [-9, -9, -5.81], ["o", "p"]),
        ("u v w", -0.4, "u o p", [-9, -5.8, -1], []),
        ("u v w", -0.4, "U V o", [-9, -9, -9], ["o"]),
        ("u v w", -0.4, "l' o. . 12 [UNK]", [-9, -9, -9, -9, -9], ["o.", "12"]),
        ("u v w", -0.9, "o", [-9], []),
        ("u v w", -0.89, "o", [-9], ["o"]),
        ("u [UNK] w", -0.4, "o", [-9], []),
    ],
    ids=["improbable", "not improbable", "its own words", "no word", "not sure", "just sure", "unknown"],
)
def test_words_are_doubted_where_a_sure_model_finds_them_improbable(
    run: Runs, scored: list[float], theirs: str, sure: float, ours: str, improbable: list[float], marked: list[str]
) -> None:
    scored += improbable
    search, encdec = decoded(run("rnnsearch", "fr"), theirs, sure), decoded(run("rnnencdec", "fr"), ours)
    found = doubts(encdec, [search, encdec]).get("doubts", [])
    assert [word for word, doubt in zip(ours.split(), found, strict=False) if doubt] == marked
    assert doubts(search, [search, encdec]) == {}  # a model with attention is not judged


def test_no_word_is_doubted_by_another_language_or_a_model_without_attention(run: Runs, scored: list[float]) -> None:
    scored += [-9]
    encdec, german = decoded(run("rnnencdec", "fr"), "o"), decoded(run("rnnsearch", "de"), "u")
    other, french = decoded(run("rnnencdec", "de"), "u"), decoded(run("rnnsearch", "fr"), "u")
    assert doubts(encdec, [encdec, german, other]) == {}
    assert doubts(encdec, [encdec, german, french]) == {"judge": french.title, "doubts": [math.exp(-9)]}


@pytest.mark.parametrize("number", [1, 2])
def test_no_word_of_several_sentences_as_one_is_doubted(
    run: Runs, scored: list[float], number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    scored += [-9]
    shown = [decoded(run("rnnencdec", "fr"), "o"), decoded(run("rnnsearch", "fr"), "u")]
    monkeypatch.setattr(draw_module, "dark_page", lambda: False)
    monkeypatch.setattr(draw_module, "misfit", lambda *_: "")
    view = ExplorerView(sentence="a b", parts=("a", "b")[:number], runs={one.title: one.run for one in shown})
    assert ("doubts" in about(view, shown, shown)[shown[0].title]) == (number == 1)


def test_a_typed_target_has_the_tokens_and_words_that_the_model_read(
    run: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrote = decoded(run("rnnencdec", "fr"), "▁la ▁fi lle")
    read = replace(wrote.target, words=(0, 1, 1, 2))
    score = ForcedScore(tokens=read.tokens, log_probability=-1.0, token_log_probabilities=(0.0,) * 4)
    score = replace(score, source=wrote.source, target=read)
    monkeypatch.setattr(shown_module, "answer_to", lambda *_: score)
    view = ExplorerView(sentence="a b", runs={})
    typed = forced(view, "a", wrote.run, "a b", "la fille", "la fille")
    assert typed is not None
    assert typed.written.target == Tokens(tokens=read.tokens, words=read.words)


def test_a_pin_of_one_target_word_alone_is_the_cell_with_its_largest_weight() -> None:
    weights = alignment([[0.1, 0.9], [0.8, 0.2]])
    pins = [Pin(name="a", target=target, source=source) for target, source in
            [((0,), ()), ((0,), (0,)), ((), (0,)), ((0, 1), ()), ((0,), (0, 1)), ((2,), ()), ((0,), (2,))]]  # fmt: skip
    assert [pin.cell(weights) for pin in pins] == [(0, 1), (0, 0), None, None, None, None, None]
    assert Pin(name="a", target=(0,)).cell(alignment(np.zeros((1, 0)))) is None


@pytest.mark.parametrize(("links", "outside"), [("1-0", ""), ("0-2", ""), ("2-0 3-0", "2-0"), ("0-3", "0-3")])
def test_gold_links_may_name_the_words_before_the_end_mark(links: str, outside: str) -> None:
    gold = Gold.of(parse_links(links))
    for words in (alignment(np.ones((4, 3)), "x y </s>", "u v w </s>"), alignment(np.ones((3, 2)), "x y", "u v w")):
        with pytest.raises(InputError, match=f"{outside} .* a[.]") if outside else nullcontext():
            check_inside("a", words, gold)


@pytest.mark.parametrize(
    ("kind", "stands_in", "title"),
    [("weights", False, ""), ("links", False, INSTRUMENT.by_key.letters["links"]), ("weights", True, "")],
)
def test_a_figure_names_its_values_where_they_are_not_alpha(kind: str, stands_in: bool, title: str) -> None:
    usual, of_kind = (panel(of_file(alignment([[0.5]]), file_kind, stands_in)) for file_kind in ("weights", kind))
    svg, other = (each.figure().to_bytes("svg").decode() for each in (of_kind, usual))
    assert (of_kind.values == usual.values) == (title == "")
    assert f"a:{of_kind.values}".replace(" ", "") in written(svg)
    assert (title in written(other)) == (title == "")
    assert (NOT_ATTENTION in svg) == stands_in
    assert of_kind.values == INSTRUMENT.by_key.maps["leave-one-out" if stands_in else kind]


def written(svg: str) -> str:
    """The texts of a figure, whose lines are short, without spaces."""
    return "".join("".join(re.findall(r">([^<]*)<", svg)).split())


def panel(*shown: Shown) -> Panel:
    """What can be taken away of a map, or of the difference of two."""
    record = record_of(ExplorerView(sentence="", runs={}), shown)
    assert record is not None
    return Panel(title="a", record=record, view=MapView())


def of_file(one: Alignment, kind: str, stands_in: bool = False) -> Shown:
    """The weights of a file as they are shown."""
    source, target = (Tokens(tokens=side, words=tuple(range(len(side)))) for side in (one.source, one.target))
    maps = map_of(LEAVE_ONE_OUT if stands_in else kind, one)
    return Shown.of_file(System(name="a", text="", source=source, target=target, maps=maps), {"kind": ""})


def test_changes_of_an_address_are_at_most_twenty_and_of_bounded_size() -> None:
    assert Change.read(f"begin:9999::{4000 * 'x'}") is not None
    assert Change.read("weights:1:a:0,0.5") is not None
    wrong = (
        "begin:00000::x",
        f"begin:0::{4001 * 'x'}",
        "weights:1:a:x",
        "weights:1::0,1",
        "weights:1:a:",
        "token:1:a:",
    )
    assert {Change.read(text) for text in wrong} == {None}

    def page() -> None:
        import streamlit as st

        from nmt.ui.look.what_if import take_changes

        take_changes([f"begin:0::{k}" for k in range(21)])
        st.text(len(st.query_params.get_all("change")))
        take_changes([])
        st.text(len(st.query_params.get_all("change")))

    at = AppTest.from_function(page)
    at.run()
    assert not at.exception, at.exception
    said = [text.value for text in at.text]
    assert said == ["20", "0"]
    assert len(read_changes([f"begin:0::{k}" for k in range(21)])) == 20


def test_a_change_concerns_what_it_is_of(run: Runs) -> None:
    search, encdec = (decoded(run(architecture, "fr"), "u") for architecture in ("rnnsearch", "rnnencdec"))
    committee = replace(search, manner="together")
    views: Any = {typed: SimpleNamespace(target=SimpleNamespace(typed=typed)) for typed in ("", "u")}
    concerned = {
        ("source", ""): "search encdec typed",
        ("begin", ""): "search encdec",
        ("weights", "rnnsearch-fr"): "search",
        ("weights", "rnnencdec-fr"): "",
        ("token", "rnnencdec-fr"): "encdec",
        ("token", "rnnsearch-fr"): "search",
    }
    for (kind, name), expected in concerned.items():
        change: Any = Change(kind=kind, text="u", name=name)  # type: ignore[arg-type]
        found = {
            "search": concerns(change, search, views[""]),
            "encdec": concerns(change, encdec, views[""]),
            "typed": concerns(change, search, views["u"]),
            "committee": concerns(change, committee, views[""]),
        }
        assert " ".join(name for name, is_concerned in found.items() if is_concerned) == expected


def test_each_unknown_word_may_look_elsewhere(run: Runs) -> None:
    weights = [[0.1, 0.3, 0.6], [1, 0, 0], [0.3, 0.2, 0.5], [0, 0, 1]]
    written = decoded(run("rnnsearch", "fr"), "[UNK] x [UNK]", weights=weights)
    places = listed([LOOK.looked_at.format(word=word, weight="0.30") for word in "ba"])
    assert written.about["notes"] == [LOOK.looked.format(places=places, text="b x a")]


@pytest.mark.parametrize(("stands_in", "title"), [(False, "Δα"), (True, "Δ")])
def test_a_figure_names_a_difference(stands_in: bool, title: str) -> None:
    two = (of_file(alignment([row]), "alpha", stands_in) for row in ([0.5, 0.5], [0.25, 0.75]))
    svg = panel(*two).figure().to_bytes("svg").decode()
    assert re.findall(r">(Δα?)", svg) == [title]
    assert (INSTRUMENT.no_difference_of_attention in svg) == stands_in
    values = INSTRUMENT.difference_with.format(values=CHARTS.effect) if stands_in else INSTRUMENT.difference_values
    assert f"a:{values}".replace(" ", "") in written(svg)


def test_weights_that_are_moved_again_take_the_place_of_the_first(run: Runs) -> None:
    before = decoded(run("rnnsearch", "fr"), "u v w")
    weights = tuple((step, (1.0, 0.0)) for step in range(3))
    task = WhatIfTask(
        checkpoint=before.run, sentence="a b", settings=SearchSettings(), prefix=("u", "v"), weights=weights
    )
    change = Change(kind="weights", row=1, name=before.title, weights=(0.0, 1.0))
    moved = applied(change, task, before.target.tokens, before.target.words)
    assert (moved.prefix, moved.weights) == (("u",), (weights[0], (1, (0.0, 1.0))))


@pytest.mark.parametrize("lacking", ["translation", "target", "score", ""])
def test_a_translation_is_followed_if_all_of_it_can_be_computed(
    run: Runs, lacking: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, own = decoded(run("rnnsearch", "fr"), "u v"), decoded(run("rnnencdec", "fr"), "o")
    best: Any = SimpleNamespace(encoded=own.target, text="o", log_probability=-0.8)
    answers = {
        "translation": SimpleNamespace(best=best, encoded=own.source),
        "target": first.target,
        "score": own,
    } | {lacking: None}
    monkeypatch.setattr(shown_module, "translated", lambda *_: answers["translation"])
    monkeypatch.setattr(shown_module, "answer_to", lambda *_: answers["target"])
    monkeypatch.setattr(shown_module, "forced", lambda *asked: (asked[-1] == "u v" and answers["score"]) or None)
    found = follow(ExplorerView(sentence="a b", runs={}), own.title, own.run, first)
    assert (found is None) == bool(lacking)
    own_text = LOOK.own_translation.format(nats=nats(-0.8), text="o")
    said = {"condition": LOOK.forced.format(name=first.title), "own_text": own_text}
    assert found is None or found.about == own.about | said


@pytest.mark.parametrize(
    ("written", "architecture", "told"),
    [("", "rnnencdec", True), ("u v", "rnnsearch", True), ("v u", "rnnsearch", False), ("u v", "rnnencdec", False)],
)
def test_the_remark_of_a_lesson_is_told_where_it_is_true_of_the_first(
    run: Runs, written: str, architecture: str, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson = SimpleNamespace(sentence="a b", languages=("en", "fr"), written=written, shown_look="look at u")
    monkeypatch.setattr("nmt.ui.look.view.SENTENCES", [lesson])
    first = decoded(run(architecture, "fr"), "u v w")
    view = ExplorerView(sentence="a b", runs={first.title: first.run})
    assert lesson_remark(view, first) == ({"a b": "look at u"} if told else {})
    assert lesson_remark(view, None) == {}
    assert lesson_remark(replace(view, sentence="a sentence of no lesson"), first) == {}


@pytest.mark.parametrize(
    ("unknown", "sentence", "strange", "told"),
    [
        ("", "a sentence of no lesson", "", True),
        ("zorp", "a sentence of no lesson", "", False),
        ("", "a sentence of no lesson", "in another language", False),
        ("", SENTENCES[0].sentence, "in another language", True),
        ("zorp", SENTENCES[0].sentence, "", False),
    ],
)
def test_where_ribbons_cross_is_told_of_a_sentence_that_the_checkpoint_can_read(
    run: Runs, unknown: str, sentence: str, strange: str, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours it can, and nobody asks whether it looks strange."""
    tokens, weights = ("white", "house", "</s>"), [[0.1, 0.9, 0], [0.9, 0.1, 0], [0, 0, 1]]
    source = Encoded(ids=(0, 1, 2), tokens=tokens, words=(0, 1, 2), unknown=(*unknown.split(),))
    of_house = decoded(run("rnnsearch", "fr"), "maison blanche", weights=weights, source=source)
    monkeypatch.setattr(draw_module, "misfit", lambda *_: strange)
    monkeypatch.setattr(draw_module, "dark_page", lambda: False)
    view = ExplorerView(sentence=sentence, runs={of_house.title: of_house.run})
    assert (view.lesson is None) == (sentence != SENTENCES[0].sentence)
    record = record_of(view, [of_house])
    assert record is not None
    data = {"record": record.to_dict(), "about": about(view, [of_house], [of_house])}
    (system,) = draw(data)["systems"]
    assert system["crossing"] == ({"source": [0, 1], "target": [0, 1]} if told else None)
