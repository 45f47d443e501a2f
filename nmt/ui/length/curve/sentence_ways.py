"""Navigation among the sentences beside the curve: to another range, to one sentence, to its neighbours, and back."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nmt.results import LengthCurves
from nmt.ui.address import drop_number_outside
from nmt.ui.length.curve import strings
from nmt.ui.length.curve.curve import EVERY, show_range
from nmt.ui.length.curve.form import SENTENCE

_RANGE = "length-range"


def show_head(curves: LengthCurves, shown: str) -> None:
    """Show the name of the range, which can be changed, and a button that closes the panel."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        names = [EVERY, *(span.name for span in curves.spans)]
        st.session_state[_RANGE] = shown
        st.selectbox(
            strings.SENTENCES_BY.format(side=strings.SIDES[curves.side]),
            names,
            format_func=_range_name,
            key=_RANGE,
            on_change=lambda: show_range(st.session_state[_RANGE]),
        )
        st.button(strings.CLOSE, icon=":material/close:", on_click=show_range, args=("",), key="close-range")


def _range_name(name: str) -> str:
    return strings.ALL_LENGTHS if name == EVERY else strings.RANGE.format(range=name.replace("-", "–"))


def ask_number(most: int) -> int | None:
    """Ask for one sentence; None if the list is to be shown."""
    drop_number_outside(SENTENCE, strings.SENTENCE, 1, most)
    return st.number_input(
        strings.SENTENCE,
        1,
        most,
        None,
        key=SENTENCE,
        bind="query-params",
        width=110,
        placeholder=strings.SENTENCE_PLACEHOLDER,
        help=strings.SENTENCE_HELP,
    )


def show_ways(numbers: Sequence[int], shown: int) -> None:
    """Lead from one sentence to its neighbours in the table, and back to the table."""
    place = numbers.index(shown) if shown in numbers else None
    before = numbers[place - 1] if place else None
    after = numbers[place + 1] if place is not None and place + 1 < len(numbers) else None
    ways = {strings.LIST: ("list", None), strings.PREVIOUS: ("arrow_back", before)}
    ways |= {strings.NEXT: ("arrow_forward", after)}
    for label, (icon, number) in ways.items():
        st.button(
            "",
            icon=f":material/{icon}:",
            on_click=_take_number,
            args=(number,),
            disabled=number is None and icon != "list",
            help=label,
            key=f"to-{icon}",
        )


def _take_number(number: int | None) -> None:
    st.session_state[SENTENCE] = number
