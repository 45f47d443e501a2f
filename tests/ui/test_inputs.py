"""What the forms of several pages ask alike."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from nmt.runs.folder import RunInfo
from nmt.texts import APP, LEARN, LOOK, MODELS
from nmt.ui.inputs import too_long
from tests.ui.drawn import field_of
from tests.ui.opened import opened

NAMES = ["*bold*", "12:30", "$a$ & [b] <b>", "plain_one"]


@pytest.fixture
def odd(runs: Path, write_run: Callable[..., RunInfo], translators: dict[str, Any]) -> list[str]:
    for name in NAMES:
        write_run(runs / name)
    return NAMES


def chosen_names(at: AppTest) -> list[str]:
    return list(at.multiselect(key="choice-models").value)


@pytest.mark.parametrize("name", NAMES)
def test_a_link_names_a_checkpoint_as_it_is_called(odd: list[str], name: str) -> None:
    """Whatever its letters mean in Markdown, in which Streamlit does not read the options of such a field."""
    chosen = list(dict.fromkeys([name, "plain_one"]))
    at = opened(models=chosen)
    assert chosen_names(at) == chosen
    assert {*chosen} <= {*at.multiselect(key="choice-models").options}


def test_names_of_nothing_are_left_out(odd: list[str]) -> None:
    assert chosen_names(opened(models=["gone", "12:30"])) == ["12:30"]


@pytest.mark.parametrize(
    ("sentence", "refused"),
    [("a " * 200, False), ("a " * 201, True), ("a" * 4000, False), ("a" * 4001, True)],
    ids=["200 words", "201 words", "4,000 characters", "4,001 characters"],
)
def test_a_page_translates_so_many_words_and_characters(sentence: str, refused: bool) -> None:
    assert too_long(sentence) == refused


def test_every_view_begins_with_the_languages(runs: Path, write_run: Callable[..., RunInfo]) -> None:
    """By a menu, which is disabled where there is nothing to choose, so that nothing beside it moves."""
    for target in ("fr", "de"):
        write_run(runs / f"to-{target}", target=target)
    texts = {"look": LOOK.by_key.modes, "length": APP.by_key.length_views, "models": MODELS.by_key.sections}
    of_place = {"look": "mode", "length": "view", "learn": "view", "models": "show"}
    views = [(place, view) for place, names in (texts | {"learn": LEARN.by_key.views}).items() for view in names]
    pages = {view: opened(place, s="a " * 201, **{of_place[place]: view}) for place, view in views}
    menus = {view: [menu for menu in at.selectbox if menu.label == APP.language_field] for view, at in pages.items()}
    unused = [view for view, (menu,) in menus.items() if menu.disabled]
    assert unused == ["trainings", "cards", "train", "upload", "training"]
    for view in unused:
        assert next(button for button in pages[view].button if button.label == APP.swap).disabled


def test_checkpoints_follow_one_or_several_languages(
    runs: Path, write_run: Callable[..., RunInfo], translators: dict[str, Any]
) -> None:
    """For several languages one checkpoint each; back at one language, those of that language alone."""
    for target in ("fr", "de", "es"):
        write_run(runs / f"to-{target}", target=target)
    write_run(runs / "plain", "rnnencdec")
    write_run(runs / "unto-english", source="fr", target="en")
    at = opened(s="the cat")
    pairs = at.selectbox(key="choice-pair")
    assert pairs.options == [
        *(f"English to {name}" for name in ("French", "German", "Spanish")),
        "French to English",
        *(f"English to {names}" for names in ("French, German", "French, Spanish", "German, Spanish")),
        "English to French, German, Spanish",
    ]
    assert chosen_names(at) == ["to-fr", "plain"]
    for pair, names in (
        ("en-de+es", ["to-de", "to-es"]),
        ("en-de", ["to-de"]),
        ("en-fr+de+es", ["to-fr", "to-de", "to-es"]),
        ("en-fr", ["to-fr", "plain"]),
    ):
        at.selectbox(key="choice-pair").set_value(pair).run()
        assert not at.exception
        assert chosen_names(at) == names
        assert field_of(at) == "the cat"  # what was typed stays
