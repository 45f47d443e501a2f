"""Choice of test sets, checkpoints, settings and a range of lengths. All of it lives in the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from nmt.charts.strings import SIDES
from nmt.errors import InputError
from nmt.evaluation.buckets import FITTED, LAST, WIDTH, Buckets
from nmt.evaluation.length_curves import LengthAnalysisSettings
from nmt.reproduce.released import KNOWN_TEST_SETS
from nmt.results import ALL_SETS, LengthCurves, LengthSide, Span, TestMethod
from nmt.results.comparison import METRIC_NAMES
from nmt.ui import strings as shared
from nmt.ui.address import ask_number, choose_many, choose_one, set_choice, write_address
from nmt.ui.formatting import as_sentence
from nmt.ui.inputs import ask_checkpoints
from nmt.ui.length import strings
from nmt.ui.length.curve.known import DATA, PAPER, System

SETS, SYSTEMS, METRIC, COLUMN, SIDE, OPTIONS = "sets", "systems", "metric", "unkcol", "side", "curve"
SECTION, BUCKET, FIRST, SECOND = "then", "bucket", "one", "other"
TEST, SORT, ORDER, SENTENCE = "test", "sort", "order", "sentence"
_DIVISION, _WIDTH, _LAST, _PARTS, _FIRSTS, _WINDOW = "by-length", "width", "open-from", "parts", "firsts", "window"
_FIELDS = (_WIDTH, _LAST, _PARTS, _FIRSTS, _WINDOW, DATA, SENTENCE)
"""Parameters of fields that Streamlit itself binds to the address."""
EVERY = "all"
"""The name of all lengths in the address."""

_METRICS = {name.lower(): name for name in METRIC_NAMES}
_ALL, _KNOWN_WORDS = "all", "known"
_SIDES: dict[str, LengthSide] = {"source": "source", "reference": "reference"}
_METHODS: dict[str, TestMethod] = {"bootstrap": "bootstrap", "randomisation": "randomisation"}
_FITTED, _BY_WIDTH, _EQUAL, _ROLLING = "fitted", "width", "equal", "rolling"
BAND, COUNTS, TRAINED, _TO_60 = "intervals", "counts", "trained", "to-60"
_AT_FIRST = (BAND, COUNTS, TRAINED)
_MOST_AT_FIRST = 4


@dataclass(frozen=True, kw_only=True)
class LengthsView:
    """Everything that the curve depends on.

    Attributes:
        sets: names of test sets, at least one; several count as one.
        systems: names of checkpoints and other systems, at least one.
        analysis: score, column, side, ranges and test.
        options: keys of ``strings.OPTION_NAMES``, which change only the drawing.
    """

    sets: tuple[str, ...]
    systems: tuple[str, ...]
    analysis: LengthAnalysisSettings
    options: frozenset[str]

    @property
    def longest(self) -> float | None:
        """The right end of the axis."""
        return 60 if _TO_60 in self.options else None

    @property
    def set_name(self) -> str:
        """Name of the one test set, or of several as one."""
        return self.sets[0] if len(self.sets) == 1 else ALL_SETS


def ask_sets(systems: Mapping[str, System], sets: Sequence[str]) -> list[str]:
    """Ask for the test sets, which count as one."""
    return choose_many(
        st.multiselect,
        shared.TEST_SET,
        {name: name for name in sets},
        key=SETS,
        default=[_first_set(systems, sets)],
        what=shared.A_TEST_SET,
        placeholder=shared.TEST_SET,
        help=strings.TEST_SET_HELP,
    )


def ask_systems(systems: Mapping[str, System], sets: Sequence[str]) -> list[str]:
    """Ask for checkpoints and other systems: until the reader chooses, the models of Figure 2, else a few that were
    measured on the first set, else any few."""
    first_set = _first_set(systems, sets)
    measured = [name for name, system in systems.items() if first_set in system.evaluated.evaluations]
    available = [name for name in (PAPER if measured else ()) if name in measured] or measured or list(systems)
    return ask_checkpoints(systems, key=SYSTEMS, default=available[:_MOST_AT_FIRST])


def ask_view(systems: Mapping[str, System], chosen_sets: Sequence[str], chosen: Sequence[str]) -> LengthsView | None:
    """Ask for all other settings, the most important first and the others under "More"; None if the reader's own ranges
    are invalid, which is said there."""
    st.button(
        strings.AS_IN_PAPER,
        icon=":material/history_edu:",
        on_click=_as_in_the_paper,
        args=([name for name in PAPER if name in systems],),
        help=strings.AS_IN_PAPER_HELP,
    )
    with st.container(horizontal=True, gap="medium"):
        metric = choose_one(st.segmented_control, strings.SCORE, _METRICS, key=METRIC)
        side = choose_one(st.segmented_control, strings.SIDE, SIDES, key=SIDE)
    column = choose_one(st.segmented_control, shared.COLUMN, shared.COLUMNS, key=COLUMN, help=strings.COLUMN_HELP)
    with st.expander(strings.MORE, icon=":material/tune:"):
        buckets = _ask_ranges()
        options = choose_many(
            st.pills, strings.OPTIONS, strings.OPTION_NAMES, key=OPTIONS, default=_AT_FIRST, wrap=True
        )
        method = choose_one(st.segmented_control, strings.TEST, strings.METHODS, key=TEST, help=strings.TEST_HELP)
    if buckets is None:
        return None
    return LengthsView(
        sets=tuple(chosen_sets),
        systems=tuple(chosen),
        analysis=LengthAnalysisSettings(
            metric=_METRICS[metric],
            side=_SIDES[side],
            buckets=buckets,
            no_unk=column == _KNOWN_WORDS,
            method=_METHODS[method],
        ),
        options=frozenset(options),
    )


def address() -> dict[str, str | list[str]]:
    """Return the parameters that reproduce this view."""
    written = {key: st.query_params.get_all(key) for key in st.query_params}
    return written | {key: str(typed) for key in _FIELDS if (typed := st.session_state.get(key)) not in (None, "")}


def asked_range() -> str:
    """Return the name of the range whose sentences are to be shown, as the address has it; "" for none."""
    return st.query_params.get(BUCKET, "")


def show_range(name: str) -> None:
    """Show the sentences of a range, as a callback; "" = none."""
    st.session_state[SENTENCE] = None
    write_address(**{BUCKET: name})


def named_span(curves: LengthCurves, name: str) -> Span | None:
    """Find a range by its name."""
    return next((span for span in curves.spans if span.name == name), None)


def _first_set(systems: Mapping[str, System], sets: Sequence[str]) -> str:
    """The set until the reader chooses: the first known one with an evaluation, else the first available one."""
    measured = {name for system in systems.values() for name in system.evaluated.evaluations}
    available = [name for name in (*KNOWN_TEST_SETS, *sets) if name in measured and name in sets]
    return available[0] if available else sets[0]


def _as_in_the_paper(models: list[str]) -> None:
    set_choice(METRIC, "bleu")
    set_choice(COLUMN, _ALL)
    set_choice(SIDE, "source")
    set_choice(OPTIONS, *_AT_FIRST, _TO_60)
    set_choice(_DIVISION, _BY_WIDTH)
    for key, number in ((_WIDTH, WIDTH), (_LAST, LAST)):
        if key in st.session_state:  # a field that is not there has this number when it comes
            st.session_state[key] = number
    if models:
        set_choice(SYSTEMS, *models)


def _ask_ranges() -> Buckets | None:
    """Ask how lengths are divided; None after saying what is wrong with the reader's own ranges."""
    division = choose_one(
        st.segmented_control, strings.RANGES, strings.DIVISIONS, key=_DIVISION, wrap=True, help=strings.RANGES_HELP
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


def _numbers(text: str) -> tuple[int, ...]:
    """The lengths at which ranges begin.

    >>> _numbers("1, 11 21")
    (1, 11, 21)
    """
    words = text.replace(",", " ").split()
    if not words or not all(word.isascii() and word.isdecimal() and len(word) < 7 for word in words):
        raise InputError(strings.NO_SUCH_RANGES.format(text=text))
    return tuple(int(word) for word in words)


def _number(title: str, key: str, first: int, most: int) -> int:
    return ask_number(st.number_input, title, 1, most, first, key=key, width=150)
