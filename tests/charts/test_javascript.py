"""The JavaScript of all views: unit tests of its modules without DOM, and no HTML from words."""

import re
from pathlib import Path

import pytest

from tests.charts.node import ROOT, check_no_markup, run_unit_tests
from tests.charts.view_data import VIEWS as SHOWN_BY_THE_INSTRUMENT

CHARTS = ROOT / "nmt" / "charts"
VIEWS = sorted(path.parent.name for path in CHARTS.glob("*/js"))
"""The folders of the views; "." has what they share."""
UNIT_TESTS = sorted(Path(__file__).parent.glob("**/js/*.test.js"))


@pytest.mark.parametrize("path", UNIT_TESTS, ids=lambda path: f"{path.parts[-3]}-{path.name}")
def test_unit(path: Path) -> None:
    run_unit_tests(path)


@pytest.mark.parametrize("view", [*VIEWS, "."])
def test_every_module_without_dom_has_unit_tests(view: str) -> None:
    pure = {path.stem for path in (CHARTS / view / "js").glob("*.js") if "no DOM" in path.read_text("utf-8")}
    tested = {path.name.removesuffix(".test.js") for path in (Path(__file__).parent / view / "js").glob("*.test.js")}
    assert pure <= tested
    assert tested <= {path.stem for path in (CHARTS / view / "js").glob("*.js")}


@pytest.mark.parametrize("view", [*VIEWS, "."])
def test_words_enter_the_page_as_text_alone(view: str) -> None:
    check_no_markup(CHARTS / view / "js")


@pytest.mark.parametrize("view", VIEWS)
def test_frame_and_scripts_fit_together(view: str) -> None:
    """Every element that a script looks for by its class is in the frame, which the instrument makes of some views."""
    frames = "".join(path.read_text("utf-8") for path in (CHARTS / view).glob("*.html"))
    scripts = "".join(path.read_text("utf-8") for path in (CHARTS / view / "js").glob("*.js"))
    names = set(re.findall(r'(?:find|lement\.querySelector)\("\.([\w-]+)"\)', scripts))
    made = ""
    if view in SHOWN_BY_THE_INSTRUMENT:
        made = (ROOT / "nmt" / "instrument" / "js" / "frame.js").read_text("utf-8")
    assert bool(frames) != bool(made)
    for name in names - {"box", "words"}:
        assert re.search(rf'class="([\w-]+ )*{name}( [\w-]+)*"', frames) or f'"{name}"' in made, name
    assert (re.search(r"^export default ", scripts, re.MULTILINE) is None) == bool(made)
