"""How it searches: the tree on the page, and the search from one of its hypotheses."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import nmt
from nmt.results import BeamTree, NextToken
from nmt.texts import LEARN
from nmt.ui.learn.steps import happening
from tests.charts.examples import beam_tree
from tests.ui.drawn import drawn
from tests.ui.learn.learn_page import SENTENCE, compare_page_with_kept, components, opened, save_steps

ASKED = {"view": "beam", "s": SENTENCE, "width": "3"}


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
    assert told in [text.value.split("\n")[-1] for text in opened(**(ASKED | {"width": str(beam)})).text]


def test_what_first_happens_in_a_search_is_told() -> None:
    """The result overtakes, or else a hypothesis is dropped. If neither happens, nothing is told."""

    def changed(tree: BeamTree, k: int, **fields: Any) -> BeamTree:
        return replace(tree, nodes=(*tree.nodes[:k], replace(tree.nodes[k], **fields), *tree.nodes[k + 1 :]))

    tree = beam_tree()
    assert happening(tree) == LEARN.dropped.format(number=2, words="le anticonstitutionnellement")
    overtaking = LEARN.overtakes.format(number=2, behind="le", ahead="un")
    late = changed(tree, 2, log_probability=-0.4)
    assert happening(late) == overtaking + LEARN.lost
    greedy = changed(late, 0, following=(NextToken("le", -0.5, None),))  # a beam of 1 keeps "le", so it is not lost
    assert happening(greedy) == overtaking
    assert happening(changed(tree, 3, fate="open")) == ""


def test_it_opens_with_a_small_search_and_draws_it_to_its_end(both: Path) -> None:
    """A link to the switch of older versions draws the same search."""
    for more in ({}, {"whole": "true", "beam": "12"}):
        tree = components(opened(view="beam", s=SENTENCE, **more))[0]
        assert tree["beam"] == 3
        assert tree["nodes"][tree["best"]]["fate"] == "finished"
        assert tree["nodes"][tree["best"]]["text"] == nmt.load(both / "search").translate(SENTENCE, beam=3).best.text


def test_an_example_that_only_this_view_opens_with_is_called_so(both: Path) -> None:
    for asked, expected in (
        ({"view": "beam"}, True),
        ({"view": "beam", "s": SENTENCE}, False),
        ({"view": "how"}, False),
    ):
        captions = [caption.value for caption in opened(**asked).caption]
        assert (LEARN.own_example in captions) == expected


def _all_pairs(names: list[str]) -> Iterator[str]:
    """A walk through names that takes each step from one name to another once. It begins at the first name."""
    left = {name: [other for other in names if other != name] for name in names}
    trail, walk = [names[0]], []
    while trail:
        if left[trail[-1]]:
            trail.append(left[trail[-1]].pop())
        else:
            walk.append(trail.pop())
    return reversed(walk)


def test_every_view_leads_to_every_other_one_with_all_its_switches_on(both: Path) -> None:
    save_steps(both / "search", [1, 2, 3])
    walk = [*_all_pairs([*LEARN.by_key.views])]
    assert len({*pairwise(walk)}) == 20
    at = opened(s=SENTENCE)
    for view in walk[1:]:
        for number in range(len(at.toggle)):
            at.toggle[number].set_value(True).run()
            assert not at.exception, at.exception
        assert all(switch.value for switch in at.toggle)
        at.segmented_control(key="choice-view").set_value(view).run()
        assert not at.exception, at.exception
        assert ("drawn" in at.query_params) <= (view == "beam")
    assert walk.count("beam") > 1


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
