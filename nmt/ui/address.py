"""Choices stored in the address of a page, under names that stay the same when a label is reworded.

Streamlit's own binding writes the labels of options into the address, so that a better wording would break every link.
Here each option has a short name for the address. If a name does not exist, a notice at the top of the page says so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

import streamlit as st
from pydantic import TypeAdapter, ValidationError
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitAPIException

from nmt.texts import APP
from nmt.ui.formatting import escaped
from nmt.ui.resources import travelled

PAGE, _ARRIVED, _CHOICES = "address-page", "address-arrived", "address-choices"
"""Keys of the session's state: the page of the last run, whether this run is the first one on its page, and every
choice by its parameter."""
_PLACE, _NOTICE, _LINES, _CARRIED = "address-place", "address-notice", "address-lines", "address-carried"
"""Keys of the session's state: the place of the notice, its element or None, the lines of this run, and the lines
that ``carry_notice`` passes to the next run."""
_BELONGING = "address-belonging"
"""Key of the session's state: the last subject of ``keep_with``, and the last values of its parameters."""
_MOST_SHOWN = 60
Number = TypeVar("Number", int, None)


@dataclass(kw_only=True)
class Choice:
    """A choice that the address holds. The session remembers it while no page shows its widget.

    In each run, call ``of``, ``read`` and ``give``, show the widget, and call ``write``.

    Attributes:
        key: the parameter in the address.
        chosen: names of the chosen options.
        default: names of the default options in the last run.
        written: values of the parameter that ``write`` left in the address, or None before the first ``write``.
        older: values that ``write`` replaced. A browser that does not know this yet sends them with its next click.
    """

    key: str
    chosen: list[str]
    default: list[str]
    written: list[str] | None = None
    older: tuple[list[str], ...] = ()

    @classmethod
    def of(cls, key: str, default: list[str]) -> Choice:
        """The session's choice for the parameter ``key``. If the reader has not changed it, it follows a new default,
        unless the reader went back to an address that has the parameter."""
        choices: dict[str, Choice] = st.session_state.setdefault(_CHOICES, {})
        choice = choices.setdefault(key, cls(key=key, chosen=default, default=default))
        sent = st.session_state.get(choice.widget, choice.default)
        untouched = choice.chosen == choice.default == (sent if isinstance(sent, list) else [sent])
        meant = travelled() and key in st.query_params
        if choice.default != default and untouched and not meant:  # a click that came with this run is also a choice
            choice.choose(default)
        choice.default = default
        return choice

    @property
    def widget(self) -> str:
        """Key of the widget in the session's state."""
        return f"choice-{self.key}"

    def choose(self, names: list[str]) -> None:
        """Choose in place of the reader. Call this before the widget is shown."""
        self.chosen = names
        st.session_state.pop(self.widget, None)

    def read(self, options: Collection[str]) -> list[str]:
        """If the address has changed, choose what it names. Then forget names that are no longer options.

        Returns the values in the address that name no option. A second call before ``write`` has the same result.
        """
        values, missing = st.query_params.get_all(self.key), []
        left_out = not values and (self.written is None or bool(st.session_state.get(_ARRIVED)))
        changed = values != (self.written or []) and values not in self.older
        if changed and not left_out:  # links of the menu leave out choices of other pages
            valid = list(dict.fromkeys(value for value in values if value in options))
            self.choose(valid if valid or values == [""] else self.default)
            missing = [value for value in values if value and value not in options]
        self.chosen = [name for name in self.chosen if name in options]
        return missing

    def give(self, value: str | list[str], options: Collection[str]) -> None:
        """Give the widget its value: the options that the reader clicked or, if one of them does not exist, ``value``.

        Every run must call this. A browser builds a popover only when the reader opens it, from the messages of the
        last run. If that run gave no value, the widget in the popover would show and send an empty choice.
        """
        present = st.session_state.get(self.widget)
        named = present if isinstance(present, list) else [present]
        st.session_state[self.widget] = present if all(name in options for name in named) else value

    def write(self, chosen: list[str], *, always: bool = False) -> None:
        """Remember the choice. Write it into the address if it is not the default, or if ``always`` is true."""
        self.chosen = chosen
        values = [] if chosen == self.default and not always else chosen or [""]
        before = st.query_params.get_all(self.key)
        if before != values:
            self.older += (before, self.written or [])
            if values:
                st.query_params[self.key] = values
            else:
                del st.query_params[self.key]
        self.written = values


def open_address(page: str, *, notices: bool = True) -> None:
    """Begin a run of a page. From here on, choices can be read. Notices are shown here unless ``notices`` is false."""
    st.session_state[_ARRIVED] = st.session_state.get(PAGE) != page
    st.session_state[PAGE] = page
    every, elsewhere = st.session_state.get(_CHOICES, {}), st.session_state[_ARRIVED] or travelled()
    _believe(key for key in every if elsewhere or st.query_params.get_all(key) == every[key].written)
    if notices:
        place_notices()


def place_notices() -> None:
    """Show the notices of a run of a page here."""
    st.session_state[_PLACE], st.session_state[_NOTICE] = st.container(), None
    st.session_state[_LINES] = []
    for line in st.session_state.pop(_CARRIED, []):
        notify(line)


def _believe(keys: Iterable[str]) -> None:
    """Let the address choose for these parameters, even where it has a value that ``Choice.write`` has replaced."""
    for key in {*keys} & {*st.session_state.get(_CHOICES, {})}:
        st.session_state[_CHOICES][key].older = ()


def not_there(kind: str, value: str) -> None:
    """Notify the reader that the address names something that does not exist.

    Args:
        kind: kind of the thing, such as "checkpoint".
        value: value in the address, which may be any text.
    """
    notify(not_there_text(kind, value))


def not_there_text(kind: str, value: str) -> str:
    """The sentence of ``not_there``, for fragments. A fragment cannot write into the notice above itself."""
    return APP.not_there.format(what=escaped(kind), value=_shortened(value))


def drop_number_outside(key: str, title: str, least: float, most: float) -> None:
    """Remove a parameter that is not a number from ``least`` to ``most``, and notify the reader. Call this before the
    slider or the field that is bound to the parameter. The widget would drop the value silently, and a field of whole
    numbers would stop the page with an OverflowError at "inf".

    The widget reads the address as it was when the run began, so the run is restarted.
    """
    for value in st.query_params.get_all(key):
        try:
            inside = least <= float(value) <= most
        except ValueError:
            inside = False
        if not inside:
            del st.query_params[key]
            notify(APP.outside.format(value=_shortened(value), title=title, least=least, most=most))
            carry_notice()
            st.rerun()


def ask_number(
    widget: Callable[..., Any], title: str, least: int, most: int, first: Number, *, key: str, **settings: Any
) -> int | Number:
    """Ask for a whole number from ``least`` to ``most``, with the default ``first``. The number stays in the address.
    A number outside of the range is removed from the address. If the browser sends one, return the nearest end.
    If ``first`` is None, the field may be empty, and the result None.

    Args:
        widget: ``st.slider`` or ``st.number_input``.
        key: the parameter.
        settings: further arguments of the widget.
    """
    drop_number_outside(key, title, least, most)
    number = widget(title, least, most, first, key=key, bind="query-params", **settings)
    return first if number is None else min(most, max(least, int(number)))


def ask_switch(title: str, *, key: str, **settings: Any) -> bool:
    """Show a switch, which is off at first. The parameter ``key`` is in the address while the switch is on. The
    parameter is not bound to the widget, so other views of the page can remove it."""
    widget = f"switch-{key}"
    st.session_state[widget] = st.query_params.get(key) == "true"

    def write() -> None:
        write_address(**{key: "true" if st.session_state[widget] else ""})

    return st.toggle(title, key=widget, on_change=write, **settings)


def carry_notice() -> None:
    """Show the lines of this run's notice also in the next run. The caller must start the next run."""
    st.session_state[_CARRIED] = st.session_state.get(_LINES, [])


def drop_unused(key: str, title: str) -> None:
    """Remove a parameter that only another view of the page uses. If the reader has just opened the page with it,
    notify the reader. ``title``: title of the parameter's choice, in Markdown."""
    if values := st.query_params.get_all(key):
        write_address(**{key: ""})
        if st.session_state.get(_ARRIVED):
            notify(APP.not_in_view.format(value=_shortened(" ".join(values)), title=title))


def keep_with(subject: str, own: Mapping[str, str], of_browser: Collection[str] = ()) -> None:
    """Reset the parameters of a subject, such as a sentence, when the subject changes. A parameter stays if the address
    brings a new value with the new subject. If a reader comes back from another page, and the subject is the same, the
    parameters get their last values. Call this before their fields are shown.

    Args:
        subject: the subject of the parameters, as text.
        own: the parameters, each with its default.
        of_browser: parameters that the browser writes by itself. If an address brings only these, all others are reset.
    """
    before, values = st.session_state.get(_BELONGING, (subject, {}))
    if subject == before and st.session_state.get(_ARRIVED):  # links of the menu leave them out, fields restore theirs
        for name, remembered in values.items():
            if remembered and not {name} & {*st.query_params, *st.session_state, *st.session_state.get(_CHOICES, {})}:
                st.query_params[name] = remembered
    brought = {name for name, value in _values_of(own).items() if value not in ([], values.get(name))}
    if subject != before and brought <= {*of_browser} and not travelled():
        begin_with(subject, {name: first for name, first in own.items() if name not in brought})
    st.session_state[_BELONGING] = (subject, _values_of(own))


def begin_with(subject: str, own: Mapping[str, str]) -> None:
    """Reset the parameters for a new subject. Call this in the callback of a button, which can then set parameters."""
    choices: dict[str, Choice] = st.session_state.get(_CHOICES, {})
    for name, first in own.items():
        if name in choices:
            if choices[name].chosen != [first]:  # a widget that already shows this value keeps it
                choices[name].choose([first])
        elif name in st.session_state:
            st.session_state[name] = first  # the field writes the value into the address
        else:
            st.query_params.pop(name, None)
    st.session_state[_BELONGING] = (subject, _values_of(own))


def write_address(**values: str | Sequence[str]) -> None:
    """Write parameters into the address. An empty value removes a parameter."""
    _believe(values)
    for name, value in values.items():
        if value:
            st.query_params[name] = value if isinstance(value, str) else list(value)
        else:
            st.query_params.pop(name, None)


def fill(field: str, value: str | int) -> None:
    """Fill a field that is bound to the address, as the callback of a button. The page need not show the field yet."""
    if field not in st.session_state:  # a field that is not shown yet would not write the value
        st.query_params[field] = str(value)
    st.session_state[field] = value


def refill(key: str, **values: str) -> None:
    """Write parameters into the address. Replace what the reader has typed in the field ``key`` when the page runs."""
    write_address(**{name: [value] for name, value in values.items()})
    st.session_state[f"{key}-filled"] = st.session_state.get(f"{key}-filled", 0) + 1


def write_own(own: Mapping[str, str], /, **values: Sequence[str]) -> None:
    """Write ``values`` into the address, where an empty value removes a parameter. Then remember the values of all
    parameters ``own`` of the subject. At the end of a run, call this without ``values``."""
    write_address(**values)
    if _BELONGING in st.session_state:
        st.session_state[_BELONGING] = (st.session_state[_BELONGING][0], _values_of(own))


def _values_of(own: Mapping[str, str]) -> dict[str, list[str]]:
    return {name: st.query_params.get_all(name) for name in own}


def notify(message: str) -> None:
    """Add a line to the notice above the page. All lines share one notice, which takes little height."""
    lines: list[str] = st.session_state.setdefault(_LINES, [])
    if message not in lines:
        lines.append(message)
    try:
        if st.session_state.get(_NOTICE) is None:
            place: DeltaGenerator = st.session_state.get(_PLACE) or st.container()
            st.session_state[_NOTICE] = place.empty()
        st.session_state[_NOTICE].caption(":material/link_off: " + "  \n".join(lines))
    except StreamlitAPIException:  # a fragment cannot write above itself, so the whole page runs again
        st.rerun()


def _shortened(value: str) -> str:
    return escaped(value if len(value) <= _MOST_SHOWN else value[:_MOST_SHOWN] + "…")


def choose_one(
    widget: Callable[..., Any],
    title: str,
    options: Mapping[str, str],
    *,
    key: str,
    default: str | None = None,
    what: str = "",
    always: bool = False,
    **settings: Any,
) -> str:
    """Show a widget of one choice. Its value is kept in the address unless it is the default.

    Args:
        widget: such as ``st.segmented_control`` or ``st.selectbox``.
        options: label of each option by its name in the address.
        key: the parameter.
        default: name of an option, or None for the first one.
        what: kind of the options, for the notice about a name that does not exist. "" means the title.
        always: whether the address has the value even if it is the default.
        settings: further arguments of the widget.

    Returns: the name of the option.
    """
    at_first = [next(iter(options)) if default is None else default]
    if widget is not st.selectbox:
        settings.setdefault("required", True)
    return _choose(widget, title, options, key, at_first, what=what, one=True, always=always, **settings)[0]


def choose_view(title: str, options: Mapping[str, str], *, key: str, **settings: Any) -> str:
    """Show a row of buttons, one of them pressed. Only screen readers read the title. See ``choose_one``."""
    return choose_one(st.segmented_control, title, options, key=key, label_visibility="collapsed", **settings)


def choose_many(
    widget: Callable[..., Any],
    title: str,
    options: Mapping[str, str],
    *,
    key: str,
    default: Sequence[str] = (),
    what: str = "",
    elsewhere: Collection[str] = (),
    **settings: Any,
) -> list[str]:
    """Show a widget of several choices, such as ``st.multiselect`` or ``st.pills``. The rest is as in ``choose_one``.

    Names in ``default`` that are no options are left out. The address writes an empty choice as one empty value.
    ``elsewhere``: names that exist but are no options now. The notice of missing names leaves them out.
    """
    at_first = [name for name in default if name in options]
    if widget is not st.multiselect:
        settings.setdefault("selection_mode", "multi")
    return _choose(widget, title, options, key, at_first, what=what, elsewhere=elsewhere, **settings)


def _choose(
    widget: Callable[..., Any],
    title: str,
    options: Mapping[str, str],
    key: str,
    at_first: list[str],
    *,
    what: str,
    one: bool = False,
    always: bool = False,
    elsewhere: Collection[str] = (),
    **settings: Any,
) -> list[str]:
    """Show the widget of ``choose_one`` if ``one`` is true, else that of ``choose_many``. ``at_first``: the names that
    are chosen when the page opens."""
    choice = Choice.of(key, at_first)
    for value in choice.read(options):
        if what and value not in elsewhere:
            not_there(what, value)
        elif value not in elsewhere:
            notify(APP.no_such_choice.format(value=_shortened(value), title=title))
    choice.give((choice.chosen or at_first)[0] if one else choice.chosen, options)
    chosen = widget(title, list(options), key=choice.widget, format_func=options.__getitem__, **settings)
    names = [name for name in ([chosen] if one else chosen) if name in options]
    choice.write(names or (at_first if one else []), always=always)
    return choice.chosen


def choose_text(key: str, first: str) -> str:
    """Return the text of a parameter of the address, or ``first``, which is then written there unless it is blank."""
    choice = Choice.of(key, [first])
    choice.read({*st.query_params.get_all(key), *choice.chosen, first})
    choice.write(choice.chosen[:1], always=bool(first))
    return choice.chosen[0]


def current_choice(key: str, options: Collection[str]) -> str:
    """Return the choice of a ``choose_one`` that is shown later on the page. The default is the first option."""
    choice = Choice.of(key, [next(iter(options))])
    choice.read(options)
    clicked = st.session_state.get(choice.widget)
    return str(clicked) if clicked in options else (choice.chosen or choice.default)[0]


def chosen_now(keys: Sequence[str]) -> dict[str, list[str]]:
    """The chosen names by key. A fragment compares them with the names of the run that showed it."""
    choices: dict[str, Choice] = st.session_state.get(_CHOICES, {})
    return {key: list(choices[key].chosen) for key in keys if key in choices}


def arriving() -> bool:
    """Whether the reader has just opened the page."""
    return bool(st.session_state.get(_ARRIVED))


def settle() -> None:
    """Note at the end of a fragment that its page is open. When the fragment runs again, ``arriving`` is false."""
    st.session_state[_ARRIVED] = False


def set_choice(key: str, *names: str) -> None:
    """Set a choice, as the callback of a button. This has no effect if the choice was never shown."""
    choice: Choice | None = st.session_state.get(_CHOICES, {}).get(key)
    if choice is not None:
        choice.choose(list(names))


_PARAMETER = "take"
BACK = "back"
"""The parameter with the packed parameters of the page that the reader came from."""

Query = Mapping[str, str | list[str]]
"""Parameters of the address of a page."""
_QUERY = TypeAdapter(dict[str, str | list[str]])


def link_to(page: str, label: str, query: Query, icon: str) -> None:
    """Show a link to a page of the menu with parameters."""
    st.page_link(page, label=label, icon=icon, query_params=_packed(query))


def go_to(page: str, query: Query) -> NoReturn:
    """Open a page of the menu with parameters, after the callback of a button has prepared them."""
    st.switch_page(page, query_params=_packed(query))


def _packed(query: Query) -> dict[str, str]:
    return {_PARAMETER: json.dumps(query, ensure_ascii=False)}


def link_back(page: str, label: str) -> None:
    """Show a link to the page that the reader came from, with its parameters. Show nothing if there is no such page."""
    if query := unpacked(st.query_params.get(BACK, "")):
        link_to(page, label, query, icon=":material/arrow_back:")


def consume_link() -> None:
    """Write the parameters passed by another page into the address. Call this before the page shows anything."""
    if _PARAMETER not in st.query_params:
        return
    if query := unpacked(st.query_params[_PARAMETER]):
        _believe(st.session_state.get(_CHOICES, ()))  # also those that the link leaves out
        st.query_params.from_dict(query)
    else:
        del st.query_params[_PARAMETER]
    st.rerun()


def unpacked(text: str) -> dict[str, str | list[str]]:
    """Decode the parameters packed by ``link_to``. {} for any other text.

    >>> unpacked('{"s": "a", "models": ["x", "y"]}'), unpacked('{"s": 1}'), unpacked("["), unpacked('{"take": "{}"}')
    ({'s': 'a', 'models': ['x', 'y']}, {}, {}, {})
    """
    try:
        data = _QUERY.validate_json(text, strict=True)
    except ValidationError:
        return {}
    reserved = _PARAMETER in data or any(name.startswith("embed") for name in data)  # by Streamlit
    return {} if reserved else data
