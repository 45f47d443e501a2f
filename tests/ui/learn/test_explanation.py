"""What alpha is not: the words on which alpha and leaving out differ, and the numbers beside them."""

import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import nmt
from nmt.inspection.maps import leave_one_out_of
from nmt.results import END, Alignment, Encoded
from nmt.texts import LEARN
from nmt.ui.learn import steps as steps_module
from nmt.ui.learn.steps import _without, disagreement, peaks
from tests.ui.learn.learn_page import SENTENCE, compare_page_with_kept, opened

ASKED = {"view": "explanation", "s": SENTENCE, "beam": "3"}


def bars(at: AppTest) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(at.get("plotly_chart")[0].proto.spec)["data"]
    return found


def test_peaks_leave_the_end_out() -> None:
    words = {"source": ("a", "b", END), "target": ("x", "y", END)}
    alpha = Alignment(**words, weights=np.array([[0.2, 0.1, 0.7], [0.1, 0.8, 0.1], [0, 0, 1]]))
    effect = Alignment(**words, weights=np.array([[0.9, 0.1, 0], [0.6, 0.4, 0], [0, 0, 1]]))
    assert (peaks(alpha), peaks(effect), disagreement(alpha, effect)) == ([0, 1], [0, 0], [1])


@pytest.mark.parametrize("name", ["search-words", "search-bpe"])
def test_the_bars_and_the_probabilities_are_those_of_the_model(runs: Path, random_runs: Path, name: str) -> None:
    shutil.copytree(random_runs / name, runs / "search")
    model = nmt.load(runs / "search")
    best = model.translate(SENTENCE, beam=3).best
    assert best.alignment is not None
    source, target = model.source.encode(SENTENCE), model.target.encode_tokens(best.tokens)
    (effect,) = leave_one_out_of(model, [(source, target)])
    alpha = best.alignment.merged()
    i = len(alpha.target) - 2  # the last word
    at = opened(**ASKED, word=str(i))
    first, second = bars(at)
    np.testing.assert_allclose(first["y"], alpha.weights[i], atol=1e-4)
    np.testing.assert_allclose(second["y"], effect.weights[i], atol=1e-4)
    peak = int(alpha.weights[i, :-1].argmax())
    before = np.exp(best.token_log_probabilities[target.words.index(alpha.target_words[i])])
    said = " ".join(text.value for text in at.text)
    share = f"{100 * alpha.weights[i, peak]:.0f} %"
    for number in (f"“{alpha.target[i]}”", f"“{alpha.source[peak]}”", share, f"{before:.2f}"):
        assert number in said
    differing = len(disagreement(alpha, effect))
    expected = LEARN.disagreement.format(name="search", differing=differing, words=len(alpha.target) - 1)
    assert expected in [caption.value for caption in at.caption]
    (pills,) = [group for group in at.get("button_group") if len(group.proto.options) == len(alpha.target) - 1]
    mark = LEARN.differs.partition("{")[0]
    marked = {k for k, option in enumerate(pills.proto.options) if option.content.startswith(mark)}
    assert marked == {*disagreement(alpha, effect)}


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
    effect = sides[0].aligned(sides[1], alpha + np.arange(target + 1)[:, None])
    steps = SimpleNamespace(steps=[SimpleNamespace(alpha=row) for row in alpha])
    answers = iter([SimpleNamespace(source=sides[0], target=sides[1], steps=steps), effect])
    shown: list[int] = []
    monkeypatch.setattr(steps_module, "StepsTask", lambda **_: None)
    monkeypatch.setattr(steps_module, "LeaveOneOutTask", lambda *_: None)
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
    told = SimpleNamespace(token="x", probability=before, probability_without=after)
    other = SimpleNamespace(token="y", probability=after, probability_without=before)
    cell: Any = SimpleNamespace(target=("w", "x"), i=1, next_tokens=[other, told])
    assert _without(cell, "a", 0.3) == template.format(source="a", percent=30, before=before, after=after)
