"""Choices in the address: names that stay, names that are not there, pages that share a choice."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import nmt
from nmt.texts import APP
from nmt.ui.formatting import escaped


def _page() -> None:
    import streamlit as st

    from nmt.ui.address import choose_many, choose_one, open_address, set_choice

    open_address(st.query_params.get("page", "one"))
    options = st.session_state.get("options", {"one": "The first", "two": "The second", "three": "The third"})
    default = st.session_state.get("default")
    view = choose_one(st.segmented_control, "View", options, key="view", default=default, what="view")
    if st.session_state.get("with pills", True):
        several = choose_many(st.pills, "Several", options, key="several", default=["one", "gone"], what="thing")
        st.text(f"{view} {' '.join(several)}")
    st.button("Third", on_click=set_choice, args=("view", "three"))
    st.json(st.query_params.to_dict())


Opened = Callable[..., AppTest]


@pytest.fixture
def opened() -> Opened:
    def opened(**query: str | list[str]) -> AppTest:
        at = AppTest.from_function(_page, default_timeout=20)
        at.query_params.update(query)
        at.run()
        assert not at.exception
        return at

    return opened


def _chosen(at: AppTest) -> str:
    return at.text[0].value


def _written(at: AppTest, key: str) -> list[str]:
    values = at.query_params[key]
    return [values] if isinstance(values, str) else list(values)


def test_defaults_stay_out_of_the_address(opened: Opened) -> None:
    at = opened()
    assert _chosen(at) == "one one"
    assert not at.query_params


def test_the_address_chooses_by_name(opened: Opened) -> None:
    assert _chosen(opened(view="three", several=["two", "three"])) == "three two three"


def test_what_the_reader_chooses_is_written_into_the_address(opened: Opened) -> None:
    at = opened(view="two")
    at.button_group(key="choice-several").set_value(["two", "three"]).run()
    assert _chosen(at) == "two two three"
    at.button_group(key="choice-view").set_value("one").run()
    assert _chosen(at) == "one two three"
    assert "view" not in at.query_params
    at.button_group(key="choice-several").set_value([]).run()
    assert _written(at, "several") == [""]
    assert _chosen(at) == "one"
    assert _chosen(opened(several="")) == "one"


def test_every_run_tells_the_browser_what_is_chosen(opened: Opened) -> None:
    """A browser that builds the widget only after a later run, as in a popover, knows nothing of earlier ones."""
    at = opened(several=["two", "three"])
    at.run()
    assert at.button_group(key="choice-view").proto.set_value
    assert at.button_group(key="choice-several").proto.set_value
    assert list(at.button_group(key="choice-several").proto.raw_values) == ["The second", "The third"]


def test_back_and_forward_are_followed(opened: Opened) -> None:
    at = opened(view="two")
    at.query_params["view"] = "three"
    assert _chosen(at.run()) == "three one"
    del at.query_params["view"]
    assert _chosen(at.run()) == "one one"


def test_a_click_with_an_address_of_before_the_last_write_loses_no_choice(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser that has not yet heard of the last writes sends an older address with its next click."""
    at = opened(view="two")
    at.button_group(key="choice-view").set_value("three").run()
    at.query_params["view"] = "two"
    at.button_group(key="choice-several").set_value(["one", "two"]).run()
    assert _chosen(at) == "three one two"
    assert (_written(at, "view"), _written(at, "several")) == (["three"], ["one", "two"])
    at.query_params["view"] = "two"  # by Back, which brings what is meant
    monkeypatch.setattr("nmt.ui.address.travelled", lambda: True)
    assert _chosen(at.run()) == "two one two"


def test_a_button_can_choose(opened: Opened) -> None:
    at = opened(view="two")
    at.button[0].click().run()
    assert _chosen(at) == "three one"
    assert _written(at, "view") == ["three"]


def test_names_that_are_not_there_are_said_and_left_out(opened: Opened) -> None:
    at = opened(view="<b>nowhere</b>", several=["two", "x" * 100, "y" * 60])
    assert _chosen(at) == "one two"
    (notice,) = [caption.value for caption in at.caption]
    first, second, third = notice.split("  \n")
    assert first.endswith(APP.not_there.format(what="view", value=escaped("<b>nowhere</b>")))
    assert second == APP.not_there.format(what="thing", value="x" * 60 + "…")
    assert third == APP.not_there.format(what="thing", value="y" * 60)
    assert not opened(view="two").caption


def test_a_choice_outlives_a_visit_to_another_page(opened: Opened) -> None:
    at = opened(view="two", several="three")
    at.query_params.clear()
    at.query_params["page"] = "two"
    at.session_state["with pills"] = False
    at.run()
    at.query_params.clear()
    at.session_state["with pills"] = True
    at.run()
    assert _chosen(at) == "two three"
    assert _written(at, "several") == ["three"]


def test_who_has_not_chosen_follows_a_new_default(opened: Opened) -> None:
    at = opened()
    at.session_state["default"] = "two"
    assert _chosen(at.run()) == "two one"
    at.button_group(key="choice-view").set_value("three").run()
    at.session_state["default"] = "one"
    assert _chosen(at.run()) == "three one"


def test_back_brings_its_value_although_the_default_changes_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def page() -> None:
        import streamlit as st

        from nmt.ui.address import choose_text, open_address

        open_address("one")
        st.text(choose_text("s", st.session_state.get("first", "hello")))

    at = AppTest.from_function(page).run()
    at.session_state["first"] = at.query_params["s"] = "typed"
    at.run()
    monkeypatch.setattr("nmt.ui.address.travelled", lambda: True)
    at.session_state["first"] = "hello"  # the pair of the address before
    assert at.run().text[0].value == "typed"


def test_a_click_in_the_run_with_a_new_default_is_kept(opened: Opened) -> None:
    at = opened()
    at.session_state["default"] = "two"
    at.button_group(key="choice-view").set_value("three").run()
    assert _chosen(at) == "three one"
    assert _written(at, "view") == ["three"]


def test_an_option_that_goes_is_forgotten(opened: Opened) -> None:
    at = opened(view="three", several=["three", "two"])
    at.session_state["options"] = {"one": "The first", "two": "The second"}
    assert _chosen(at.run()) == "one two"


def test_a_name_that_is_not_there_has_the_title_of_its_widget() -> None:
    def page() -> None:
        import streamlit as st

        from nmt.ui.address import choose_one, current_choice, open_address

        open_address("one")
        options = {"one": "The first", "two": "The second"}
        st.text(current_choice("view", options))
        choose_one(st.segmented_control, r"View\-1", options, key="view")  # as widgets read it, in Markdown

    at = AppTest.from_function(page, default_timeout=20)
    at.query_params["view"] = "_nowhere_"
    at.run()
    assert at.text[0].value == "one"
    (notice,) = [caption.value for caption in at.caption]
    assert notice.endswith(APP.no_such_choice.format(value=escaped("_nowhere_"), title=r"View\-1"))
    assert "view" not in at.query_params


def test_a_number_that_is_dropped_silences_no_other_line() -> None:
    """The page begins again without the number, and by then the other names are gone from the address."""

    def page() -> None:
        import streamlit as st

        from nmt.ui.address import choose_one, drop_number_outside, open_address

        open_address("one")
        choose_one(st.segmented_control, "View", {"one": "The first"}, key="view", what="view")
        drop_number_outside("number", r"Number\-1", 1, 100)

    at = AppTest.from_function(page, default_timeout=20)
    at.query_params["view"], at.query_params["number"] = "two", "0"
    at.run()
    (notice,) = [caption.value for caption in at.caption]
    first, second = notice.split("  \n")
    assert first.endswith(APP.not_there.format(what="view", value="two"))
    assert second == APP.outside.format(value="0", title=r"Number\-1", least=1, most=100)
    assert not at.run().caption


def _number_page() -> None:
    import streamlit as st

    from nmt.ui.address import drop_number_outside, open_address

    open_address("one")
    drop_number_outside("number", "Number", 1, 100)
    st.text(str(st.number_input("Number", 1, 100, 7, key="number", bind="query-params")))


@pytest.mark.parametrize("value", ["1e999", "-inf", "Infinity", "nan", "x", "0", "101", ""])
def test_what_is_no_number_of_the_field_is_dropped_and_named(value: str) -> None:
    at = AppTest.from_function(_number_page, default_timeout=20)
    at.query_params["number"] = value
    at.run()
    assert not at.exception
    assert at.text[0].value == "7"
    assert "number" not in at.query_params
    (notice,) = [caption.value for caption in at.caption]
    assert notice.endswith(APP.outside.format(value=escaped(value), title="Number", least=1, most=100))
    assert not at.run().caption


@pytest.mark.parametrize("value", ["1", "12", "100"])
def test_other_numbers_are_left_to_the_widget(value: str) -> None:
    at = AppTest.from_function(_number_page, default_timeout=20)
    at.query_params["number"] = value
    at.run()
    assert not at.exception
    assert at.text[0].value == value
    assert not at.caption


def test_no_other_module_writes_the_address() -> None:
    """Decision 12 says who writes which store of a choice."""
    write = re.compile(r"query_params(\[[^]]+\] = |\.(pop|clear|update|from_dict)\()|del st\.query_params")
    modules = Path(nmt.__file__).parent.rglob("*.py")
    assert [path.name for path in modules if write.search(path.read_text("utf-8"))] == ["address.py"]
