"""The tree's JavaScript and its data."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import nmt
from nmt.charts.beam_view import beam_view_data, beam_view_files
from nmt.config import SearchSettings
from nmt.inspection.beam_tree import beam_tree
from tests.charts.node import ROOT, evaluate, run_node

JS = ROOT / "nmt" / "charts" / "beam_view" / "js"


def test_unit() -> None:
    report = run_node("--test", "--test-reporter=tap", str(Path(__file__).parent / "js" / "tree_layout.test.js"))
    passed = re.search(r"^# pass (\d+)$", report, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) >= 8


def test_every_module_without_dom_has_unit_tests() -> None:
    pure = {path.stem for path in JS.glob("*.js") if "no DOM" in path.read_text("utf-8")}
    assert pure == {path.name.removesuffix(".test.js") for path in (Path(__file__).parent / "js").glob("*.test.js")}


def test_words_enter_the_page_as_text_alone() -> None:
    for path in JS.glob("*.js"):
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write", path.read_text("utf-8"))


def test_frame_and_script_fit_together() -> None:
    files = beam_view_files()
    names = re.findall(r'find\("\.([\w-]+)"\)', files.js)
    assert len(names) > 5
    for name in names:
        assert re.search(rf'class="{name}"', files.html), name
    assert re.search(r"^export default ", files.js, re.MULTILINE)


@pytest.mark.parametrize("name", ["search-words", "encdec-words"])
def test_the_data_are_those_of_the_tree(name: str, random_runs: Path) -> None:
    tree = beam_tree(nmt.load(random_runs / name), "the cat sleeps .", SearchSettings(beam=3))
    data = json.loads(json.dumps(beam_view_data(tree)))
    assert len(data["nodes"]) == len(tree.nodes)
    path = evaluate(JS / "tree_layout.js", "m.pathTo(given.nodes, given.best)", data)
    assert path == [0, *tree.path(tree.best)]
    for given, node in zip(data["nodes"], tree.nodes, strict=True):
        assert given["text"] == node.text
        assert bool(given["looked_at"]) == (node.alpha is not None)
        if node.alpha is not None:
            assert given["looked_at"][0][1] == pytest.approx(float(node.alpha.max()), abs=1e-3)
    fates = set(evaluate(JS / "tree_layout.js", "Object.keys(m.FATES)"))
    assert {node["fate"] for node in data["nodes"]} <= fates
