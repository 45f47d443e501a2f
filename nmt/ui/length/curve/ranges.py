"""Choice of the ranges into which lengths are divided."""

from __future__ import annotations

import streamlit as st

from nmt.errors import InputError
from nmt.evaluation.buckets import FITTED, LAST, WIDTH, Buckets
from nmt.ui.address import choose_one, drop_number_outside, set_choice
from nmt.ui.formatting import as_sentence
from nmt.ui.length.curve import former_values, strings

_DIVISION, _WIDTH, _LAST, _PARTS, _FIRSTS, _WINDOW = "by-length", "width", "open-from", "parts", "firsts", "window"
RANGE_KEYS = (_DIVISION, _WIDTH, _LAST, _PARTS, _FIRSTS, _WINDOW)
"""The parameters of the address."""
_OLD_WIDTHS_READ = "length-old-widths-read"

_FITTED, _BY_WIDTH, _EQUAL, _CUSTOM, _ROLLING = "fitted", "width", "equal", "custom", "rolling"


def ask_ranges() -> Buckets | None:
    """Ask how lengths are divided; None after saying what is wrong with the reader's own ranges."""
    _read_old_widths()
    division = choose_one(
        st.segmented_control,
        strings.RANGES,
        strings.DIVISIONS,
        key=_DIVISION,
        former=former_values.DIVISIONS,
        width="content",
        wrap=True,
        help=strings.RANGES_HELP,
    )
    if division == _FITTED:
        return FITTED
    if division == _BY_WIDTH:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            width = _number(strings.WORDS_IN_RANGE, _WIDTH, WIDTH, 200)
            last = _number(strings.LAST_RANGE, _LAST, LAST, 1000)
        st.caption(strings.LAST_RANGE_IS.format(first=last))
        return Buckets("width", (width, last))
    if division == _EQUAL:
        return Buckets("equal counts", (_number(strings.NUMBER_OF_RANGES, _PARTS, 6, 100),))
    if division == _ROLLING:
        return Buckets("rolling", (_number(strings.WORDS_IN_WINDOW, _WINDOW, WIDTH, 200),))
    text = st.text_input(
        strings.RANGES_BEGIN_AT, "1, 11, 21, 31", key=_FIRSTS, bind="query-params", width=240, max_chars=1000
    )
    try:
        return Buckets("hand", _numbers(text or ""))
    except InputError as error:
        st.warning(as_sentence(str(error)), icon=":material/warning:")
        return None


def take_papers_ranges() -> None:
    """Choose ranges of ten words up to 60, as the callback of a button."""
    set_choice(_DIVISION, _BY_WIDTH)
    for key, number in ((_WIDTH, WIDTH), (_LAST, LAST)):
        if key in st.session_state:  # a field that is not there has this number when it comes
            st.session_state[key] = number


def _read_old_widths() -> None:
    """Addresses once left out ranges of equal width, which were the default, and gave only their width."""
    if st.session_state.get(_OLD_WIDTHS_READ):
        return
    st.session_state[_OLD_WIDTHS_READ] = True
    if _DIVISION not in st.query_params and {_WIDTH, _LAST} & {*st.query_params}:
        st.query_params[_DIVISION] = _BY_WIDTH


def _numbers(text: str) -> tuple[int, ...]:
    """The lengths at which ranges begin.

    >>> _numbers("1, 11 21")
    (1, 11, 21)
    """
    words = text.replace(",", " ").split()
    if not words or not all(word.isascii() and word.isdecimal() and len(word) < 7 for word in words):
        raise InputError(strings.NO_SUCH_RANGES.format(text=text))
    return tuple(int(word) for word in words)


def _number(label: str, key: str, default: int, most: int) -> int:
    drop_number_outside(key, label, 1, most)
    value = st.number_input(label, 1, most, default, key=key, bind="query-params", width=150)
    return min(most, max(1, int(value)))
