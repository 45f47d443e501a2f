"""The program that holds a page that translates against Python finds a difference where there is one."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.translating_page import compare, passes
from nmt.page import collect
from tests.page.released import released_run

pytestmark = pytest.mark.browser

SENTENCES = ["the cat sleeps on the mat .", "a girl reads"]


def test_equal_and_unequal_translations_are_counted(tmp_path: Path, chromium: Any) -> None:
    run = str(released_run(tmp_path / "run", target_language="ja"))
    payload = collect([run], beam=2)
    result = compare(chromium, run, payload, SENTENCES)
    assert (result["sentences"], result["equal"], result["shown_otherwise"]) == (2, 2, [])
    assert passes(result)

    payload.data["detokenisers"]["ja"]["letter"] = "."  # a space between any two words
    result = compare(chromium, run, payload, SENTENCES)
    assert (result["equal"], len(result["differing"])) == (0, 2)
    assert not passes(result)
