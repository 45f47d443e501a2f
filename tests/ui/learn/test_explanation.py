"""What alpha is not: the words on which alpha and leaving out differ, and the numbers beside them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import nmt
from nmt.inspection.maps import leave_one_out_of
from nmt.results import END, Alignment
from nmt.ui.learn import strings
from nmt.ui.learn.steps import disagreement, peaks
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
    for number in (f"“{alpha.target[i]}”", f"“{alpha.source[peak]}”", f"{alpha.weights[i, peak]:.0%}", f"{before:.2f}"):
        assert number in said
    differing = len(disagreement(alpha, effect))
    expected = strings.DISAGREEMENT.format(name="search", differing=differing, words=len(alpha.target) - 1)
    assert expected in [caption.value for caption in at.caption]
    (pills,) = [group for group in at.get("button_group") if len(group.proto.options) == len(alpha.target) - 1]
    mark = strings.DIFFERS.partition("{")[0]
    marked = {k for k, option in enumerate(pills.proto.options) if option.content.startswith(mark)}
    assert marked == {*disagreement(alpha, effect)}


def test_without_attention_there_is_nothing_to_question(encdec: Path) -> None:
    assert [info.value for info in opened(**ASKED).info] == [strings.NO_ATTENTION]


@pytest.mark.usefixtures("without_integers")
def test_the_page_has_what_is_kept(both: Path, request: pytest.FixtureRequest) -> None:
    compare_page_with_kept(opened(**ASKED), "learn-explanation", request)
