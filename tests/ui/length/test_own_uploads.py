"""What readers add to Length is in the address and on the server: random steps beside a model of ten lines."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from nmt.evaluation.evaluation_files import write_system
from nmt.texts import APP, LENGTH
from nmt.ui.length.additions import ADDED, SessionUploads
from nmt.ui.resources import upload_store
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts
from tests.ui.length.lengths_page import keep, lines, opened, said
from tests.ui.length.test_test_sets import MOSES, REFERENCES, SOURCES, add_set, finish, press, text, upload
from tests.ui.opened import again

pytestmark = pytest.mark.usefixtures("server_without_systems")
Name = tuple[str, str]
SYSTEMS = {"x": MOSES, "y": MOSES[::-1]}


def add_system(at: AppTest, name: str, test_set: str) -> AppTest:
    upload(at, "add-output", f"{name}.fr", text(SYSTEMS[name]))
    at.selectbox(key="add-output-of").set_value(test_set)
    at.text_input(key="add-output-name").set_value(name)
    return press(at, LENGTH.add_system)


def address(at: AppTest) -> dict[str, Any]:
    return {key: [one] if isinstance(one := at.query_params[key], str) else [*one] for key in at.query_params}


def uploads(at: AppTest) -> SessionUploads:
    found: SessionUploads = at.session_state["length-uploads"]
    return found


def names(at: AppTest) -> list[Name]:
    return [each.name[:2] for each in uploads(at).additions.values()]


class Model:
    """What the page should have: an entry of the history for each act, and what the server keeps."""

    def __init__(self) -> None:
        self.entries: list[list[Name]] = [[]]
        self.here = 0
        self.kept: set[Name] = set()

    @property
    def shown(self) -> list[Name]:
        return self.entries[self.here]

    def act(self, shown: list[Name]) -> None:
        self.kept = (self.kept | {*shown}) - ({*self.shown} - {*shown})
        self.entries[self.here + 1 :] = [shown]
        self.here += 1

    def travel(self, steps: int) -> None:
        self.here += steps
        self.entries[self.here] = [one for one in self.shown if one in self.kept]


def go(at: AppTest, query: dict[str, list[str]]) -> AppTest:
    """As Back does: the page runs with another address."""
    at.query_params.clear()
    at.query_params.update(query)
    with patch("nmt.ui.address.travelled", lambda: True):
        return again(at)


@pytest.mark.slow
def test_random_steps_back_forward_and_reload() -> None:
    chance, model = random.Random(56), Model()
    at = opened(systems="")
    addresses = [address(at)]
    for _ in range(60):
        steps = (
            ["reload", "leave"] + ["back"] * 2 * (model.here > 0) + ["forward"] * 2 * (model.here + 1 < len(addresses))
        )
        sets = [name for system, name in model.shown if not system]
        steps += ["set"] * 3 * (len(sets) < 2) + ["system"] * 4 * bool(sets) + ["remove"] * 2 * bool(model.shown)
        step = chance.choice(steps)
        if step == "set":
            name = next(name for name in "ab" if name not in sets)
            first = "ab".index(name)
            add_set(at, text(SOURCES[first:]), text(REFERENCES[first:]), name)
            model.act([*model.shown, ("", name)])
        elif step == "system":
            name, test_set = chance.choice("xy"), next((one for one in sets if one == "a"), None)
            if test_set is None:
                continue
            before = model.shown
            add_system(at, name, test_set)
            model.act([*(one for one in before if one != (name, "a")), (name, "a")])
        elif step == "remove":
            gone = chance.choice(model.shown)
            key = next(key for key, each in uploads(at).additions.items() if each.name[:2] == gone)
            press(at, f"remove-{key}")
            model.act([one for one in model.shown if one != gone and (gone[0] or one[1] != gone[1])])
        elif step == "reload":
            at = opened(**address(at))
        elif step == "leave":
            at.switch_page("pages/models.py").run()
            at.query_params.clear()
            at.switch_page("pages/length.py").run()
        else:
            model.travel({"back": -1, "forward": 1}[step])
            go(at, addresses[model.here])
            assert (LENGTH.addition_gone in said(at)) == (len(addresses[model.here].get(ADDED, [])) > len(model.shown))
        assert not at.exception, at.exception
        assert names(at) == model.shown, step
        assert address(at).get(ADDED, []) == [*uploads(at).additions]
        chosen = {*at.multiselect(key="choice-sets").value} if at.get("multiselect") else set()
        assert chosen - {"jointly-300"} <= {name for system, name in model.shown if not system}
        addresses[model.here :] = (
            [address(at)] if len(addresses) == model.here else [address(at), *addresses[model.here + 1 :]]
        )
        del addresses[len(model.entries) :]


def test_a_reload_and_a_link_have_the_same_curve() -> None:
    at = add_set(opened(systems=""), text(SOURCES), text(REFERENCES))
    finish(add_system(at, "x", "mine"))
    before = lines(at)
    assert all(len(key) >= 32 for key in address(at)[ADDED])
    there: dict[str, Any] = address(at)
    st.cache_resource.clear()  # the server was started again
    other = opened(**there)
    assert lines(finish(other)) == before
    assert "x · mine" in said(other)


def test_a_link_that_is_opened_again_and_again_shows_the_same(tmp_path: Path) -> None:
    write_system(tmp_path / "systems" / "moses", "moses", "phrases")
    keep(tmp_path / "systems" / "moses", [evaluated("moses", "a-set", texts(range(3, 9)))])
    at = add_set(opened(), text(SOURCES), text(REFERENCES))
    for name in SYSTEMS:
        finish(add_system(at, name, "mine"))
    for _ in range(3):
        at = opened(**address(at))
        assert at.multiselect(key="choice-sets").value == ["mine"]
        assert at.multiselect(key="choice-systems").value == [*SYSTEMS]
    at.multiselect(key="choice-systems").set_value(["moses"]).run()
    assert at.multiselect(key="choice-sets").value == ["mine"]
    there = address(at) | {"systems": ["x"]}
    assert opened(**{key: there[key] for key in ("added", "systems")}).multiselect(key="choice-sets").value == ["mine"]


def test_who_has_no_link_sees_nothing_of_it() -> None:
    add_set(opened(systems=""), text(SOURCES), text(REFERENCES))
    other = opened(systems="")
    assert names(other) == []
    assert "mine" not in said(other)


def test_what_is_gone_is_one_sentence_and_the_rest_is_there() -> None:
    at = add_set(opened(systems=""), text(SOURCES), text(REFERENCES))
    (key,) = address(at)[ADDED]
    at = opened(added=[key, "f" * 40, "../../etc/passwd", "<b>"], sets="mine", systems="")
    assert names(at) == [("", "mine")]
    assert said(at).count(LENGTH.addition_gone) == 1
    assert address(at)[ADDED] == [key]


def test_a_system_of_a_link_takes_no_checkpoint_its_place(
    random_runs: Path, tmp_path: Path, look_in: Callable[..., None]
) -> None:
    at = finish(add_system(add_set(opened(systems=""), text(SOURCES), text(REFERENCES)), "x", "mine"))
    (key,) = (key for key, each in uploads(at).additions.items() if each.system)
    shutil.copytree(random_runs / "search-words", tmp_path / "runs" / "x")
    look_in(tmp_path / "runs")
    there = opened(**(address(at) | {"systems": ["x"]}))
    assert names(there) == [("", "mine")]
    assert LENGTH.addition_gone in said(there)
    assert upload_store().find(key, "") is not None
    write_system(tmp_path / "systems" / "y", "y", "phrases")
    refused = add_system(opened(**(address(there) | {"systems": ["x"]})), "y", "mine")
    assert LENGTH.name_of_checkpoint.format(name="y") in said(refused)
    assert names(refused) == [("", "mine")]


def test_the_form_says_how_long_it_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = {"days": 30, "megabytes": 500}
    assert APP.kept_on_disk.format(**fields) in said(opened(systems=""))
    st.cache_resource.clear()
    monkeypatch.setenv("JOINTLY_TRANSLATIONS", "memory")
    assert APP.kept_in_memory.format(days=30, megabytes=100) in said(opened(systems=""))


def test_removing_a_set_that_is_shown_shows_the_page_as_at_first() -> None:
    at = add_set(opened(systems=""), text(SOURCES), text(REFERENCES))
    assert at.multiselect(key="choice-sets").value == ["mine"]
    (key,) = address(at)[ADDED]
    press(at, f"remove-{key}")
    assert [button.label for button in at.button].count(APP.remove) == 0
    assert at.multiselect(key="choice-sets").value == ["jointly-300"]
    assert LENGTH.not_on_server.format(name="mine") not in said(at)
