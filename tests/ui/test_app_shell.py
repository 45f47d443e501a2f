"""The menu, and former addresses."""

from pathlib import Path

from nmt.ui.app_shell import _FORMER

ROOT = Path(__file__).parents[2]


def test_former_pages_lead_to_pages_that_are_there() -> None:
    assert {page for page, _ in _FORMER.values()} <= {f"places/{path.name}" for path in (ROOT / "places").glob("*.py")}


def test_the_menu_has_four_places() -> None:
    assert sorted(path.stem for path in (ROOT / "places").glob("*.py")) == ["learn", "length", "look", "models"]
