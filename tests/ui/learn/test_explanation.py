"""What alpha is not: the words on which alpha and leaving out differ, and the numbers beside them."""

import json
import math
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import nmt
from nmt.inspection.maps import left_out, without_word
from nmt.results import END, Alignment, Encoded
from nmt.results.inspection import LeftOut
from nmt.texts import LEARN
from nmt.ui.learn import steps as steps_module
from nmt.ui.learn.steps import _without, disagreement, peaks, telling
from tests.ui.learn.learn_page import SENTENCE, compare_page_with_kept, opened

ASKED = {"view": "explanation", "s": SENTENCE, "beam": "3"}


def bars(at: AppTest) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(at.get("plotly_chart")[0].proto.spec)["data"]
    return found


def test_the_end_of_the_sentence_is_left_out_of_the_comparison() -> None:
    words = {"source": ("a", "b", END), "target": ("x", "y", END)}
    alpha = Alignment(**words, weights=np.array([[0.2, 0.1, 0.7], [0.1, 0.8, 0.1], [0, 0, 1]]))
    answer = LeftOut(np.array([0.9, 0.5, 1]), np.array([[0.1, 0.9], [0.2, 0.4], [1, 1]]))
    assert peaks(alpha.weights[:, :-1]) == [0, 1]
    np.testing.assert_allclose(answer.falls, [[0.8, 0], [0.3, 0.1], [0, 0]], atol=1e-9)
    assert (peaks(answer.falls), disagreement(alpha, answer)) == ([0, 0], [1])


@pytest.mark.parametrize(
    ("target", "falls", "expected"),
    [
        (("x", "y", "."), [0.9, 0.2, 0.95], 1),  # alpha points elsewhere
        (("x", ".", "!"), [0.9, 0.95, 0.1], 0),  # no word of which this holds
        (("x", "y", "z"), [0.9, 0.2, 0.3], 2),
        ((".", "?", "!"), [0.1, 0.2, 0.1], 1),
    ],
)
def test_the_view_opens_at_a_word_and_not_at_punctuation(
    target: tuple[str, ...], falls: list[float], expected: int
) -> None:
    """Alpha is on the first source word, and the effect on the second one for all words but the first."""
    alpha = Alignment(source=("a", "b", END), target=(*target, END), weights=np.array([[0.9, 0.1, 0]] * 4))
    both = [[fall, 0] if i == 0 else [0, fall] for i, fall in enumerate([*falls, 0.0])]
    assert telling(alpha, LeftOut(np.ones(4), 1 - np.array(both))) == expected


@pytest.mark.parametrize("name", ["search-words", "search-bpe"])
def test_the_bars_and_the_probabilities_are_those_of_the_model(runs: Path, random_runs: Path, name: str) -> None:
    shutil.copytree(random_runs / name, runs / "search")
    model = nmt.load(runs / "search")
    best = model.translate(SENTENCE, beam=3).best
    assert best.alignment is not None
    source, target = model.source.encode(SENTENCE), model.target.encode_tokens(best.tokens)
    alpha = best.alignment.merged()
    i = len(alpha.target) - 2  # the last word
    at = opened(**ASKED, word=str(i))
    first, second = bars(at)
    np.testing.assert_allclose(first["y"], alpha.weights[i], atol=1e-4)
    sides = [source, *(without_word(source, word) for word in dict.fromkeys(source.words[:-1]))]
    last = [k for k, word in enumerate(target.words) if word == target.words[-2]]
    scores = model.score_stream([(side, target) for side in sides])
    before, *after = (math.exp(sum(score.token_log_probabilities[k] for k in last)) for score in scores)
    falls = [before - p for p in after]
    np.testing.assert_allclose(second["y"], falls, atol=1e-4)  # the fall itself, not a share
    peak = int(alpha.weights[i, :-1].argmax())
    said = " ".join(text.value for text in at.text)
    share = f"{100 * alpha.weights[i, peak]:.0f} %"
    for number in (f"“{alpha.target[i]}”", f"“{alpha.source[peak]}”", share, f"{before:.2f}"):
        assert number in said
    others = disagreement(alpha, left_out(model, source, target))
    differing = len(others)
    expected = LEARN.disagreement.format(name="search", differing=differing, words=len(alpha.target) - 1)
    assert expected in [caption.value for caption in at.caption]
    (pills,) = [group for group in at.get("button_group") if len(group.proto.options) == len(alpha.target) - 1]
    mark = LEARN.differs.partition("{")[0]
    marked = {k for k, option in enumerate(pills.proto.options) if option.content.startswith(mark)}
    assert marked == {*others}


def test_without_attention_there_is_nothing_to_question(encdec: Path) -> None:
    assert [info.value for info in opened(**ASKED).info] == [LEARN.no_attention]


@pytest.mark.usefixtures("without_integers")
def test_the_page_has_what_is_kept(both: Path, request: pytest.FixtureRequest) -> None:
    compare_page_with_kept(opened(**ASKED), "learn-explanation", request)


@pytest.mark.parametrize(("source", "target", "compared"), [(1, 1, True), (1, 0, False), (0, 1, False), (2, 3, True)])
def test_without_a_word_on_either_side_there_is_nothing_to_compare(
    source: int, target: int, compared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there are words, the one whose two maps differ most is chosen at first."""

    def page() -> None:
        import streamlit as st

        from nmt.ui.learn.steps import show_explanation

        show_explanation(st.session_state["view"])

    sides = [
        Encoded(ids=(*range(n + 1),), tokens=(*"abc"[:n], END), words=(*range(n + 1),), unknown=())
        for n in (source, target)
    ]
    alpha = np.full((target + 1, source + 1), 0.1, np.float32)
    falls = np.tile(np.arange(target + 1.0)[:, None], source)
    answer = LeftOut(np.ones(target + 1), 1 - falls)
    steps = SimpleNamespace(steps=[SimpleNamespace(alpha=row) for row in alpha])
    answers = iter([SimpleNamespace(source=sides[0], target=sides[1], steps=steps), answer])
    shown: list[int] = []
    for task in ("StepsTask", "LeftOutTask"):
        monkeypatch.setattr(steps_module, task, lambda **_: None)
    monkeypatch.setattr(steps_module, "answer_to", lambda *_: next(answers))
    monkeypatch.setattr(steps_module, "_show_word", lambda *given: shown.append(given[-1]))
    at = AppTest.from_function(page, default_timeout=20)
    run = SimpleNamespace(has_alignment=True)
    at.session_state["view"] = SimpleNamespace(runs={"search": run}, sentence="a", beam=1)
    at.run()
    assert not at.exception, at.exception
    assert [info.value for info in at.info] == ([] if compared else [LEARN.nothing_written])
    assert shown == ([target - 1] if compared else [])


@pytest.mark.parametrize(
    ("before", "after", "template"),
    [(0.5, 0.4, LEARN.falls), (0.5, 0.6, LEARN.rises), (0.019, 0.021, LEARN.hardly_changes)],
)
def test_a_probability_falls_or_rises_without_a_word(before: float, after: float, template: str) -> None:
    expected = template.format(source="a", percent=30, before=before, after=after)
    assert _without("a", 0.3, before, after) == expected


def test_the_highest_bar_is_named_if_it_is_the_end_of_the_sentence() -> None:
    def page() -> None:
        import streamlit as st

        from nmt.ui.learn.steps import _show_word

        _show_word(*st.session_state["given"])

    told = []
    for row in ([0.25, 0.05, 0.7], [0.7, 0.05, 0.25]):
        at = AppTest.from_function(page, default_timeout=20)
        alpha = Alignment(source=("a", "b", END), target=("x", END), weights=np.array([row, [0, 0, 1]]))
        at.session_state["given"] = alpha, LeftOut(np.array([0.89, 1]), np.array([[0.86, 0.9], [1, 1]])), 0
        assert not at.run().exception
        told.append(at.text[0].value)
        assert bars(at)[1]["y"] == pytest.approx([0.03, -0.01])
    assert [LEARN.most_on_end.format(percent=70, end=END) in text for text in told] == [True, False]
