"""Choices stored in the address of a page, under names that stay the same when a label is reworded.

Streamlit's own binding writes the labels of options into the address, so that a better wording would break every link.
Here each option has a short name for the address, and former values can still be read. If an address names something
that does not exist, a notice at the top of the page says so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmt.ui import strings
from nmt.ui.formatting import escaped

PAGE, _ARRIVED, _CHOICES = "address-page", "address-arrived", "address-choices"
"""Keys of the session's state: the page of the last run, whether this run is the first one on its page, and every
choice by its parameter."""
_PLACE, _NOTICE, _LINES, _CARRIED = "address-place", "address-notice", "address-lines", "address-carried"
"""Keys of the session's state: where the notice stands, its element once there is one, its lines in this run, and those
of a run that was restarted."""
_MOST_SHOWN = 60


@dataclass(kw_only=True)
class _Choice:
    """State of a choice between two runs, also while its widget is on no page.

    Attributes:
        chosen: names of options.
        default: the default when they were chosen.
        written: values of the parameter when it was last read or written; None = never.
    """

    chosen: list[str]
    default: list[str]
    written: list[str] | None = None


@dataclass(frozen=True)
class _Wording:
    """Words for the notice about a name that does not exist: title of the widget, in Markdown as widgets read it; kind
    of the options ("" = none)."""

    title: str
    what: str


def open_address(page: str) -> None:
    """Begin a run of a page; to be called at the place of the notice."""
    st.session_state[_ARRIVED] = st.session_state.get(PAGE) != page
    st.session_state[PAGE] = page
    st.session_state[_PLACE], st.session_state[_NOTICE] = st.container(), None
    st.session_state[_LINES] = []
    for line in st.session_state.pop(_CARRIED, []):
        _notify(line)


def not_there(kind: str, value: str) -> None:
    """Notify the reader that the address names something that does not exist.

    Args:
        kind: such as "checkpoint".
        value: from the address, so any text at all.
    """
    _notify(strings.NOT_THERE.format(what=escaped(kind), value=_shortened(value)))


def drop_number_outside(key: str, title: str, least: float, most: float) -> None:
    """Remove a parameter that is not a number from ``least`` to ``most``, and notify the reader. To be called before
    the slider or the field that is bound to it: they would drop it silently, and a field of whole numbers would stop
    the page with an OverflowError at "inf".

    The field reads the address as it was when the run began, so the run is restarted.
    """
    for value in st.query_params.get_all(key):
        if not _between(value, least, most):
            del st.query_params[key]
            _notify(strings.OUTSIDE.format(value=_shortened(value), title=title, least=least, most=most))
            carry_notice()
            st.rerun()


def carry_notice() -> None:
    """Show the lines of this run's notice in the next run too, which begins at once."""
    st.session_state[_CARRIED] = st.session_state.get(_LINES, [])


def drop_unused(key: str, title: str) -> None:
    """Remove a parameter that only another view of the page has, and notify the reader of a link with it. ``title``, in
    Markdown, is that of what the parameter would choose."""
    values = st.query_params.get_all(key)
    if values:
        del st.query_params[key]
        if st.session_state.get(_ARRIVED):
            _notify(strings.NOT_IN_VIEW.format(value=_shortened(" ".join(values)), title=title))


def _between(value: str, least: float, most: float) -> bool:
    try:
        return least <= float(value) <= most
    except ValueError:
        return False


def _notify(message: str) -> None:
    """Add a line to the one notice above the page, which takes little of its height however much is wrong."""
    lines: list[str] = st.session_state.setdefault(_LINES, [])
    if message not in lines:
        lines.append(message)
    if st.session_state.get(_NOTICE) is None:
        place: DeltaGenerator = st.session_state.get(_PLACE) or st.container()
        st.session_state[_NOTICE] = place.empty()
    st.session_state[_NOTICE].caption(":material/link_off: " + "  \n".join(lines))


def _shortened(value: str) -> str:
    return escaped(value if len(value) <= _MOST_SHOWN else value[:_MOST_SHOWN] + "…")


def choose_one(
    widget: Callable[..., Any],
    title: str,
    options: Mapping[str, str],
    *,
    key: str,
    default: str | None = None,
    former: Mapping[str, str] | None = None,
    what: str = "",
    **settings: Any,
) -> str:
    """Show a widget of one choice; its value is kept in the address unless it is the default.

    Args:
        widget: such as ``st.segmented_control`` or ``st.selectbox``.
        options: label of each option by its name in the address.
        key: the parameter.
        default: name of an option; None = the first one.
        former: names of options by values that were once written into addresses.
        what: kind of the options, for the notice about a name that does not exist; "" = the title.
        settings: further arguments of the widget.

    Returns: the name of the option.
    """
    at_first = [next(iter(options)) if default is None else default]
    choice = _read(key, options, at_first, former or {}, _Wording(title, what))
    _set_widget(key, (choice.chosen or at_first)[0], options)
    if widget is not st.selectbox:
        settings.setdefault("required", True)
    chosen = widget(title, list(options), key=_widget(key), format_func=options.__getitem__, **settings)
    _write(key, choice, [chosen if chosen in options else at_first[0]])
    return choice.chosen[0]


def choose_many(
    widget: Callable[..., Any],
    title: str,
    options: Mapping[str, str],
    *,
    key: str,
    default: Sequence[str] = (),
    former: Mapping[str, str] | None = None,
    what: str = "",
    elsewhere: Collection[str] = (),
    **settings: Any,
) -> list[str]:
    """Show a widget of several choices, such as ``st.multiselect`` or ``st.pills``; otherwise as ``choose_one``.

    Names in the default that are not options are left out. An empty choice is one empty value in the address.
    ``elsewhere``: names that exist but are not options now; the reader learns of them in another way.
    """
    at_first = [name for name in default if name in options]
    choice = _read(key, options, at_first, former or {}, _Wording(title, what), elsewhere)
    _set_widget(key, choice.chosen, options)
    if widget is not st.multiselect:
        settings.setdefault("selection_mode", "multi")
    chosen = widget(title, list(options), key=_widget(key), format_func=options.__getitem__, **settings)
    _write(key, choice, [name for name in chosen if name in options])
    return choice.chosen


def current_choice(key: str, options: Mapping[str, str], former: Mapping[str, str] | None = None) -> str:
    """Return the choice of a ``choose_one`` that is shown later on the page; the default is the first option."""
    at_first = [next(iter(options))]
    choice = _read(key, options, at_first, former or {}, None)
    clicked = st.session_state.get(_widget(key))
    return str(clicked) if clicked in options else (choice.chosen or at_first)[0]


def set_choice(key: str, *names: str) -> None:
    """Set a choice, as the callback of a button; no effect if the choice was never shown."""
    choice = _choices().get(key)
    if choice is not None:
        choice.chosen = list(names)
        st.session_state.pop(_widget(key), None)


def _choices() -> dict[str, _Choice]:
    choices: dict[str, _Choice] = st.session_state.setdefault(_CHOICES, {})
    return choices


def _widget(key: str) -> str:
    return f"choice-{key}"


def _read(
    key: str,
    options: Mapping[str, str],
    default: list[str],
    former: Mapping[str, str],
    wording: _Wording | None,
    elsewhere: Collection[str] = (),
) -> _Choice:
    """Determine the choice: that of the address if it has changed, else the previous one. If ``wording`` is None, names
    that do not exist are left to a later call."""
    choice = _choices().setdefault(key, _Choice(chosen=default, default=default))
    if choice.default != default:
        if choice.chosen == choice.default:  # whoever has not chosen follows the default
            choice.chosen = default
            st.session_state.pop(_widget(key), None)
        choice.default = default
    values = st.query_params.get_all(key)
    left_out = not values and (choice.written is None or bool(st.session_state.get(_ARRIVED)))
    if values != (choice.written or []) and not left_out:  # the menu leaves out what was chosen on another page
        names = [former.get(value, value) for value in values]
        choice.chosen = list(dict.fromkeys(name for name in names if name in options))
        if values != [""] and not choice.chosen:
            choice.chosen = default
        st.session_state.pop(_widget(key), None)
        for value, name in zip(values, names, strict=True):
            if wording is not None and value and name not in options and name not in elsewhere:
                _name_missing(wording, value)
    choice.chosen = [name for name in choice.chosen if name in options]
    return choice


def _name_missing(wording: _Wording, value: str) -> None:
    if wording.what:
        not_there(wording.what, value)
    else:
        _notify(strings.NO_SUCH_CHOICE.format(value=_shortened(value), title=wording.title))


def _set_widget(key: str, value: str | list[str], options: Mapping[str, str]) -> None:
    """Give the widget its value: what the reader clicked, or ``value`` if it has none, or one that is no longer an
    option.

    It is given in every run. The browser builds what is in a closed popover only when the reader opens it, from the
    last run alone, and without a value in that run it would show, and send, that nothing is chosen.
    """
    present = st.session_state.get(_widget(key))
    named = present if isinstance(present, list) else [present]
    st.session_state[_widget(key)] = present if all(name in options for name in named) else value


def _write(key: str, choice: _Choice, chosen: list[str]) -> None:
    """Remember the choice, and write it into the address."""
    choice.chosen = chosen
    values = [] if chosen == choice.default else chosen or [""]
    if st.query_params.get_all(key) != values:
        if values:
            st.query_params[key] = values
        else:
            del st.query_params[key]
    choice.written = values
