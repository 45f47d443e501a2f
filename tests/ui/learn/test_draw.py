"""Draw it first: clicks make links, the address keeps them, and the errors are those of the evaluation."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import nmt
from nmt.alignments.links import Extraction
from nmt.evaluation.alignment_error_rate import alignment_error_rate
from nmt.results import Languages
from nmt.results.links import Gold, format_links
from nmt.texts import APP, LEARN, texts_in
from nmt.ui.learn.draw import Exercise, exercises, links_from, verdict
from tests.ui.drawn import Send, draw, drawn, pin, tell
from tests.ui.opened import opened as page

pytestmark = pytest.mark.usefixtures("random_checkpoints")

ROOT = Path(__file__).parents[3]
PAIRS = {code: Languages(*code.split("-")) for code in ("en-fr", "en-de", "ko-en", "en-ko")}
FRENCH = exercises(PAIRS["en-fr"])
FIRST = FRENCH[0]


def _page() -> None:
    from nmt.ui.address import open_address
    from nmt.ui.checkpoints import find_checkpoints
    from nmt.ui.inputs import ask_pairs
    from nmt.ui.learn.draw import show_draw, with_gold
    from nmt.ui.learn.form import readers_first

    open_address("Learn")
    offered = with_gold(find_checkpoints())
    show_draw(offered, *ask_pairs(readers_first(offered)))


def opened(**query: str) -> AppTest:
    at = AppTest.from_function(_page, default_timeout=60)
    at.query_params.update(query)
    at.run()
    assert not at.exception
    return at


def panels(at: AppTest) -> list[dict[str, Any]]:
    (view,) = at.get("bidi_component")
    return list(draw(json.loads(view.proto.json))["panels"])


@pytest.mark.parametrize(("pair", "folder", "least"), [
    ("en-fr", "jointly-150", 40), ("en-de", "jointly-100-de", 10), ("ko-en", "jointly-100-ko", 40),
    ("en-ko", "jointly-100-ko", 40),
])  # fmt: skip
def test_the_exercises_are_short_and_have_links(pair: str, folder: str, least: int) -> None:
    found = exercises(PAIRS[pair])
    assert len(found) >= least
    assert all(one.gold.sure <= one.gold.possible for one in found)
    assert max(max(len(one.source), len(one.target)) for one in found) <= 14
    home = ROOT / "testsets" / folder
    pairs = [(home / f"tokens.{code}").read_text("utf-8").split("\n") for code in pair.split("-")]
    for one in found:
        assert [" ".join(side) for side in (one.source, one.target)] == [side[one.number - 1] for side in pairs]
        assert all(j < len(one.source) and i < len(one.target) for j, i in one.gold.possible)


def test_korean_words_are_linked_with_their_english_ones() -> None:
    """The gold file has English first."""
    one = exercises(PAIRS["ko-en"])[0]
    sure = {(one.source[j], one.target[i]) for j, i in one.gold.sure}
    assert {("사과를", "apple"), ("먹었다", "ate"), ("어제", "yesterday")} <= sure


@pytest.mark.slow
def test_alpha_is_covered_until_it_is_uncovered(random_runs: Path) -> None:
    at = opened(mine="0-0 1-1")
    (own,) = panels(at)
    assert own["title"] == LEARN.you
    assert [(j, i) for i, row in enumerate(own["weights"]) for j, a in enumerate(row) if a] == [(0, 0), (1, 1)]
    assert not at.dataframe
    pair = " ".join(FIRST.source), " ".join(FIRST.target)
    next(button for button in at.button if button.label == LEARN.uncover).click().run()
    assert not at.exception
    own, alpha = panels(at)
    assert alpha["source"][: len(FIRST.source)] == list(FIRST.source)
    assert {(j, i) for i, j in alpha["sure"]} == FIRST.gold.sure
    linked = nmt.load_aligner(ROOT / "aligners" / "en-fr").align(*pair, pretokenised=True)
    found = nmt.load(random_runs / "search-bpe").align(*pair, pretokenised=True)
    links = links_from("0-0 1-1", FIRST), Extraction("argmax").links(found), frozenset(linked.links)
    names = LEARN.you, r"search\-bpe", APP.aligner.format(name=r"en\-fr")
    errors = [alignment_error_rate([one], [FIRST.gold]) for one in links]
    told = [LEARN.rate.format(name=name, percent=100 * one.aer) for name, one in zip(names, errors, strict=True)]
    assert any(markdown.value.startswith(LEARN.score.format(rates=", ".join(told))) for markdown in at.markdown)
    table = at.dataframe[0].value
    assert list(table[LEARN.who]) == [name.replace("\\", "") for name in names]
    assert list(table[APP.links]) == [one.links for one in errors]
    expected = [(100 * one.precision, 100 * one.recall, 100 * one.aer) for one in errors]
    assert table[[APP.precision, APP.recall, APP.aer]].to_numpy() == pytest.approx(np.array(expected))


def test_a_click_makes_a_link_and_another_one_removes_it(send: Send) -> None:
    at = opened()
    key = f"draw-en-fr-{FIRST.number}.0"
    tell(send, at, key, pin=pin(LEARN.you, 1, 2))
    assert links_from(at.query_params["mine"], FIRST) == {(2, 1)}
    tell(send, at, key, pin=None)
    assert "mine" not in at.query_params


@pytest.mark.parametrize("query", [{"exercise": "9999"}, {"exercise": "x"}, {"mine": "<b>"}, {"mine": "99-99"}])
def test_nonsense_in_the_address_is_ignored(query: dict[str, str]) -> None:
    (own,) = panels(opened(**query))
    assert own["source"] == list(FIRST.source)
    assert not any(any(row) for row in own["weights"])


def test_another_pair_begins_covered_and_empty() -> None:
    at = opened(mine="0-0", uncovered="1")
    next(button for button in at.button if button.label == LEARN.another_pair).click().run()
    (own,) = panels(at)
    assert own["source"] == list(FRENCH[1].source)
    assert not any(any(row) for row in own["weights"])


def test_whoever_begins_again_has_no_links_and_no_pin(send: Send) -> None:
    at = opened()
    tell(send, at, f"draw-en-fr-{FIRST.number}.0", pin=pin(LEARN.you, 1, 2))
    assert any(any(row) for row in panels(at)[0]["weights"])
    next(button for button in at.button if button.label == LEARN.begin_again).click().run()
    assert not any(any(row) for row in panels(at)[0]["weights"])
    assert "mine" not in at.query_params
    tell(send, at, f"draw-en-fr-{FIRST.number}.1", pin=pin(LEARN.you, 1, 2))
    assert links_from(at.query_params["mine"], FIRST) == {(2, 1)}


def test_the_last_pair_is_followed_by_the_first() -> None:
    at = opened(exercise=str(FRENCH[-1].number))
    assert LEARN.task.format(number=len(FRENCH), count=len(FRENCH)) in [each.value for each in at.caption]
    next(button for button in at.button if button.label == LEARN.another_pair).click().run()
    assert panels(at)[0]["source"] == list(FIRST.source)


def test_a_pin_of_another_pair_is_forgotten(send: Send) -> None:
    at = opened()
    tell(send, at, f"draw-en-fr-{FIRST.number}.0", pin=pin(LEARN.you, 1, 2))
    next(button for button in at.button if button.label == LEARN.another_pair).click().run()
    tell(send, at, f"draw-en-fr-{FRENCH[1].number}.1", pin=None)
    assert "mine" not in at.query_params


def test_what_is_uncovered_can_be_covered() -> None:
    at = opened(uncovered="1")
    next(button for button in at.button if button.label == LEARN.cover).click().run()
    assert len(panels(at)) == 1
    assert "uncovered" not in at.query_params


def test_readers_link_words_of_their_language_and_other_languages_begin_anew(
    look_in: Callable[..., None], send: Send
) -> None:
    look_in(ROOT / "checkpoints")
    at = page("learn", view="draw", lang="ko")
    korean = exercises(PAIRS["ko-en"])[0]
    key = f"draw-ko-en-{korean.number}.0"
    assert drawn(at, key)["panels"][0]["source"] == list(korean.source)
    assert at.query_params["pair"] in ("ko-en", ["ko-en"])  # an English reader of this link sees the same
    tell(send, at, key, pin=pin(texts_in("ko")["learn.you"], 1, 2))
    assert links_from(at.query_params["mine"], korean) == {(2, 1)}
    at.selectbox(key="choice-pair").set_value("en-fr").run()
    assert not at.exception
    assert "mine" not in at.query_params
    (own,) = drawn(at, f"draw-en-fr-{FIRST.number}.1")["panels"]
    assert own["source"] == list(FIRST.source)


def test_without_the_pairs_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nmt.ui.learn.draw._FOLDER", ROOT / "nothing")
    exercises.cache_clear()
    assert [each.value for each in opened().info] == [LEARN.no_pairs.format(folder="testsets/jointly-150")]
    exercises.cache_clear()


def test_links_survive_the_address() -> None:
    links = frozenset({(1, 0), (0, 2)})
    assert links_from(format_links(sorted(links)), FIRST) == links


@pytest.mark.parametrize(
    ("links", "named"),
    [
        ({(0, 0), (1, 1)}, None),
        ({(0, 0), (1, 1), (2, 2)}, None),
        ({(0, 0), (2, 1)}, "y → b, y → c"),
        (set(), "x → a, y → b"),
        ({(0, 1), (0, 2), (1, 2), (2, 0), (1, 1)}, "x → a, x → c, y → a, …"),
    ],
)
def test_the_verdict_names_the_links_that_differ(links: set[tuple[int, int]], named: str | None) -> None:
    gold = Gold(sure=frozenset({(0, 0), (1, 1)}), possible=frozenset({(2, 2)}))
    pair = {"languages": Languages("en", "fr"), "number": 1, "source": ("a", "b", "c"), "target": ("x", "y", "z")}
    said = verdict(Exercise(**pair, gold=gold), "search", frozenset(links))
    same = LEARN.verdict_same.format(name="search")
    assert said == (same if named is None else LEARN.verdict.format(name="search", links=named))
