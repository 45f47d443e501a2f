"""The menu, and former addresses."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nmt.ui import strings
from nmt.ui.address import PAGE
from nmt.ui.app_shell import FORMER

ROOT = Path(__file__).parents[2]


def test_pages_are_four_places_and_former_addresses() -> None:
    files = {path.stem for path in (ROOT / "pages").glob("*.py")}
    assert files == {"learn", "length", "look", "models"} | {*FORMER}
    assert {page for page, _ in FORMER.values()} <= {f"pages/{name}.py" for name in files - {*FORMER}}


@pytest.mark.slow
@pytest.mark.parametrize("address", [address for address in FORMER if address != "explore"])
def test_a_former_address_leads_on_with_what_it_asks_for(address: str) -> None:
    """In the app's frame; a fresh server, and the address in the browser, are in tests/browser."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    at.switch_page(f"pages/{address}.py").run()
    assert not at.exception
    page, added = FORMER[address]
    places = {"length": strings.LENGTH, "learn": strings.LEARN, "models": strings.MODELS}
    assert at.session_state[PAGE] == places[Path(page).stem]
    for name, value in added.items():
        assert at.query_params.get(name, value) in (value, [value])
