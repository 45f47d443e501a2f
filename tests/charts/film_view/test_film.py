"""The film's JavaScript and its data."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np

from nmt.charts.film_view import FilmStep, film_data, film_view_files
from nmt.results import UpdateEvent, ValidationEvent
from tests.charts.node import ROOT, run_node

JS = ROOT / "nmt" / "charts" / "film_view" / "js"


def test_unit() -> None:
    report = run_node("--test", "--test-reporter=tap", str(Path(__file__).parent / "js" / "film_layout.test.js"))
    passed = re.search(r"^# pass (\d+)$", report, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) >= 7


def test_every_module_without_dom_has_unit_tests() -> None:
    pure = {path.stem for path in JS.glob("*.js") if "no DOM" in path.read_text("utf-8")}
    assert pure == {path.name.removesuffix(".test.js") for path in (Path(__file__).parent / "js").glob("*.test.js")}


def test_words_enter_the_page_as_text_alone() -> None:
    for path in JS.glob("*.js"):
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write", path.read_text("utf-8"))


def test_frame_and_script_fit_together() -> None:
    files = film_view_files()
    names = re.findall(r'find\("\.([\w-]+)"\)', files.js)
    assert len(names) > 5
    for name in names:
        assert re.search(rf'class="{name}"', files.html), name
    assert re.search(r"^export default ", files.js, re.MULTILINE)


def test_the_data_hold_the_steps_and_both_losses() -> None:
    weights = np.array([[0.25, 0.75], [0.5, 0.5]], dtype=np.float32)
    steps = [FilmStep(update=update, text="un", weights=weights, entropy=1.0 / update) for update in (5, 700)]
    update = UpdateEvent(
        update=50,
        epoch=0.1,
        nll_per_word=9.0,
        nll_per_sentence=90.0,
        words_per_second=1.0,
        gradient_norm=1.0,
        learning_rate=1.0,
        seconds=1.0,
    )
    validation = ValidationEvent(update=500, nll_per_word=4.0, nll_per_sentence=40.0, bleu=None, best=True, seconds=2.0)
    data = json.loads(json.dumps(film_data(steps, [update, validation], source=["a", "</s>"], start=1)))
    assert [step["update"] for step in data["steps"]] == [5, 700]
    assert data["steps"][0]["weights"] == weights.tolist()
    assert (data["training"], data["development"]) == ([[50, 9.0]], [[500, 4.0]])
    assert data["start"] == 1
    assert data["scale"]["transform"] == "square root"
