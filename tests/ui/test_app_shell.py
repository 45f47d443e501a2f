"""The menu, and former addresses."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nmt.ui.app_shell import _FORMER

ROOT = Path(__file__).parents[2]


def test_pages_are_four_places_and_former_addresses() -> None:
    files = {path.stem for path in (ROOT / "pages").glob("*.py")}
    assert files == {"learn", "length", "look", "models"} | {*_FORMER}
    assert {page for page, _ in _FORMER.values()} <= {f"pages/{name}.py" for name in files - {*_FORMER}}


@pytest.mark.parametrize("address", [address for address in _FORMER if address != "explore"])
def test_a_former_address_leads_on_with_what_it_asks_for(address: str) -> None:
    """In the app's frame; a fresh server, and the address in the browser, are in tests/browser."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    at.switch_page(f"pages/{address}.py").run()
    assert not at.exception
    page, added = _FORMER[address]
    question = {"length": "What is lost", "learn": "How does attention", "models": "Which checkpoint"}
    assert at.title[0].value.startswith(question[Path(page).stem])
    for name, value in added.items():
        assert at.query_params.get(name, value) in (value, [value])
