"""How it searches: the tree on the page, and the search from one of its hypotheses."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import nmt
from nmt.results import BeamTree, NextToken
from nmt.texts import LEARN
from nmt.ui.learn.steps import opening
from tests.charts.examples import beam_tree
from tests.ui.drawn import drawn
from tests.ui.learn.learn_page import SENTENCE, compare_page_with_kept, components, opened

ASKED = {"view": "beam", "s": SENTENCE, "beam": "3", "whole": "true"}


def matrix(at: AppTest) -> dict[str, Any]:
    (panel,) = drawn(at, "beam-matrix")["panels"]
    return dict(panel)


def test_the_tree_and_the_weights_of_its_result(both: Path) -> None:
    best = nmt.load(both / "search").translate(SENTENCE, beam=3).best
    at = opened(**ASKED)
    tree = components(at)[0]
    assert tree["nodes"][tree["best"]]["text"] == best.text
    assert tree["beam"] == 3
    assert matrix(at)["target"] == list(best.tokens)


@pytest.mark.parametrize("beam", [1, 3, 4])
def test_where_a_beam_of_one_would_have_gone_another_way_is_told(both: Path, beam: int) -> None:
    model = nmt.load(both / "search")
    greedy, best = (model.translate(SENTENCE, beam=width).best.tokens for width in (1, beam))
    same = next((k for k, (a, b) in enumerate(zip(greedy, best, strict=False)) if a != b), None)
    told = LEARN.same_as_greedy if greedy == best else LEARN.not_greedy.format(number=(same or 0) + 1)
    assert told in [text.value.split("\n")[-1] for text in opened(**(ASKED | {"beam": str(beam)})).text]


def test_the_view_opens_at_the_first_step_where_something_happens() -> None:
    """The result overtakes, or else a hypothesis is dropped. If nothing happens, the whole search is shown."""

    def changed(tree: BeamTree, k: int, **fields: Any) -> BeamTree:
        return replace(tree, nodes=(*tree.nodes[:k], replace(tree.nodes[k], **fields), *tree.nodes[k + 1 :]))

    tree = beam_tree()
    first, said = opening(tree)
    assert (first.nodes, first.best) == (tree.nodes[:5], 4)
    assert said == LEARN.dropped.format(number=2, words="le anticonstitutionnellement")
    overtaking = LEARN.overtakes.format(number=2, behind="le", ahead="un")
    late = changed(tree, 2, log_probability=-0.4)
    assert opening(late)[1] == overtaking + LEARN.lost
    greedy = changed(late, 0, following=(NextToken("le", -0.5, None),))  # a beam of 1 keeps "le", so it is not lost
    assert opening(greedy)[1] == overtaking
    assert opening(alone := changed(tree, 3, fate="open")) == (alone, "")


def test_it_opens_small_and_a_click_shows_the_whole_search(both: Path) -> None:
    at = opened(view="beam", s=SENTENCE)
    assert components(at)[0]["beam"] == 3
    (switch,) = [toggle for toggle in at.toggle if toggle.label == LEARN.whole]
    switch.set_value(True).run()
    assert components(at)[0]["beam"] == 12
    assert components(at)[0]["nodes"][components(at)[0]["best"]]["fate"] == "finished"


def test_each_view_asks_a_question_and_leads_to_the_next(both: Path) -> None:
    at, questions = opened(s=SENTENCE), LEARN.by_key.questions
    for before, view in pairwise(LEARN.by_key.views):
        assert f"<h1>{questions[before]}</h1>" in at.get("html")[0].proto.body
        next(link for link in at.button if link.label == LEARN.next.format(question=questions[view])).click().run()
        assert at.query_params["view"] in (view, [view])
    assert LEARN.train_one in [link.proto.label for link in at.get("page_link")]


def test_one_model_alone_is_not_chosen(encdec: Path) -> None:
    assert "choice-searched" not in [group.key for group in opened(**ASKED).button_group]


def test_without_attention_there_is_a_tree_and_no_matrix(both: Path) -> None:
    (tree,) = components(opened(**ASKED, searched="encdec"))
    assert tree["nodes"][tree["best"]]["text"] == nmt.load(both / "encdec").translate(SENTENCE, beam=3).best.text


def test_it_goes_on_from_given_words_and_forgets_them(both: Path) -> None:
    at = opened(**ASKED, **{"from": ["la", "mer"]})
    tree = components(at)[0]
    assert tree["given"] == 2
    assert tree["nodes"][tree["best"]]["text"].lower().startswith("la mer")
    assert LEARN.had_to_begin.format(words="la mer") in [text.value for text in at.text]
    (button,) = [button for button in at.button if button.label == LEARN.from_the_start]
    button.click().run()
    assert components(at)[0]["given"] == 0
    assert not at.exception


def test_a_hypothesis_is_chosen_or_begun_with(both: Path) -> None:
    at = opened(**ASKED)
    tree, best = components(at)[0], matrix(at)
    key = "beam-" + at.get("bidi_component")[1].proto.id.rpartition("-beam-")[2]
    number = next(k for k, node in enumerate(tree["nodes"]) if node.get("length") == 2)
    at.session_state[key] = {"node": number, "begin": None}
    assert len(matrix(at.run())["target"]) == 2
    for nothing in (0, len(tree["nodes"]), True, "1", -1):
        at.session_state[key] = {"node": nothing, "begin": nothing}
        assert matrix(at.run()) == best
        assert "from" not in at.query_params
    last = len(tree["nodes"]) - 1
    at.session_state[key] = {"node": last, "begin": 1}
    at.run()
    assert not at.exception
    assert at.query_params["from"] in (tree["nodes"][1]["token"], [tree["nodes"][1]["token"]])
    assert components(at)[0]["given"] == 1


def test_words_that_the_model_does_not_know_are_named(both: Path) -> None:
    at = opened(**ASKED, **{"from": ["zzz"]})
    assert any("zzz" in error.value for error in at.error)
    assert [button for button in at.button if button.label == LEARN.from_the_start]


@pytest.mark.usefixtures("without_integers")
def test_the_page_has_what_is_kept(both: Path, request: pytest.FixtureRequest) -> None:
    compare_page_with_kept(opened(**ASKED, **{"from": ["la", "mer"]}), "learn-beam", request)


def test_translations_are_drawn_beside_the_search(both: Path) -> None:
    """They are those of ``Translator.sample``, in the order drawn; until they are asked for, nothing is drawn."""
    assert not opened(**ASKED).dataframe
    at = opened(**ASKED, drawn="true", draws="4", heat="1.5", seed="7")
    model = nmt.load(both / "search")
    expected = model.sample(SENTENCE, 4, model.search_settings.changed(replace_unk=False), temperature=1.5, seed=7)
    table = at.dataframe[0].value
    assert list(table[LEARN.translation]) == [one.text or None for one in expected.hypotheses]
    assert [float(nats.replace("−", "-").removesuffix(" nats")) for nats in table[LEARN.its_log_probability]] == [
        pytest.approx(one.log_probability, abs=0.006) for one in expected.hypotheses
    ]
    best = model.translate(SENTENCE, beam=3).best.log_probability
    above = sum(one.log_probability > best for one in expected.hypotheses)
    (said,) = [caption.value for caption in at.caption if "nats" in caption.value]
    assert f"{best:.2f}".replace("-", "−") in said
    assert f"{above} of the 4" in said


def test_another_seed_draws_others_and_the_same_seed_the_same(both: Path) -> None:
    at = opened(**ASKED, drawn="true")
    first = list(at.dataframe[0].value[LEARN.translation])
    assert len(first) == 5
    (seed,) = [field for field in at.number_input if field.label == LEARN.seed]
    seed.set_value(2).run()
    other = list(at.dataframe[0].value[LEARN.translation])
    assert other != first
    (seed,) = [field for field in at.number_input if field.label == LEARN.seed]
    seed.set_value(1).run()
    assert list(at.dataframe[0].value[LEARN.translation]) == first


def test_nothing_is_drawn_where_the_search_begins_with_given_words(both: Path) -> None:
    assert not opened(**ASKED, **{"from": ["la", "mer"]}, drawn="true").dataframe
