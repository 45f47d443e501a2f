"""What the page is asked to show. All of it lives in the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import streamlit as st

from nmt.errors import InputError
from nmt.evaluation.buckets import LAST, WIDTH, Buckets
from nmt.reproduce.released import KNOWN_TEST_SETS
from nmt.results import ALL_SETS, LengthSide, TestMethod
from nmt.ui.formatting import as_sentence
from nmt.ui.inputs import ask_names
from nmt.ui.length.curve.systems import PAPER, System

SETS, SYSTEMS, METRIC, COLUMN, SIDE = "sets", "systems", "metric", "unkcol", "side"
DIVISION, OPTIONS = "by-length", "curve"
_WIDTH, _LAST, _PARTS, _FIRSTS, _WINDOW = "width", "open-from", "parts", "firsts", "window"
SECTION, BUCKET, FIRST, SECOND = "then", "bucket", "one", "other"
SENTENCES = "Sentences"
"""The section with the sentences of a range."""
TEST, SORT, ORDER, SENTENCE = "test", "sort", "order", "sentence"

Choice = TypeVar("Choice", bound=str)
Metric = Literal["BLEU", "chrF", "TER"]
_METRICS: tuple[Metric, ...] = ("BLEU", "chrF", "TER")
_COLUMNS = ("All", "No UNK")
_SIDES: tuple[LengthSide, ...] = ("source", "reference")
_BY_WIDTH, _EQUAL, _BY_HAND, _ROLLING = "By width", "Equal counts", "By hand", "Rolling"
_DIVISIONS = (_BY_WIDTH, _EQUAL, _BY_HAND, _ROLLING)
BAND, COUNTS, TRAINED, TO_60 = "95 % intervals", "Sentences", "Training length", "Up to 60 words"
_OPTIONS = (BAND, COUNTS, TRAINED, TO_60)
_AT_FIRST = (BAND, COUNTS, TRAINED)
_METHODS: dict[str, TestMethod] = {"Bootstrap": "bootstrap", "Randomisation": "randomisation"}
_MOST_AT_FIRST = 4

_KEYS = (
    SETS, SYSTEMS, METRIC, COLUMN, SIDE, DIVISION, OPTIONS, _WIDTH, _LAST, _PARTS, _FIRSTS, _WINDOW, "data",
    SECTION, BUCKET, FIRST, SECOND, TEST, SORT, ORDER, SENTENCE,
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class LengthsView:
    """What the curve depends on.

    Attributes:
        sets: names of test sets, at least one; several count as one.
        systems: names, at least one.
        metric: the score.
        no_unk: the column "No UNK" of Table 1 in place of "All".
        side: whose words are the length.
        buckets: how lengths are divided.
        options: of ``_OPTIONS``.
    """

    sets: tuple[str, ...]
    systems: tuple[str, ...]
    metric: Metric
    no_unk: bool
    side: LengthSide
    buckets: Buckets
    options: frozenset[str]

    @property
    def longest(self) -> float | None:
        """The right end of the axis."""
        return 60 if TO_60 in self.options else None

    @property
    def set_name(self) -> str:
        """Of the one test set, or of several as one."""
        return self.sets[0] if len(self.sets) == 1 else ALL_SETS


def ask_lengths(systems: Mapping[str, System], sets: Sequence[str]) -> LengthsView | None:
    """Show the form; None where nothing can be shown yet, after saying why."""
    first_set = _first_set(systems, sets)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        chosen_sets = st.multiselect(
            "Test sets",
            list(sets),
            default=[first_set],
            key=SETS,
            bind="query-params",
            width=380,
            wrap=True,
            help="The sentences of several test sets count as one set.",
        )
        st.button(
            "As in the paper",
            icon=":material/history_edu:",
            on_click=_as_in_the_paper,
            args=([name for name in PAPER if name in systems],),
            help="BLEU over source words in buckets of ten, the axis from 0 to 60, and the four models of Figure 2 as "
            "far as they are here.",
        )
    chosen = ask_names("Systems", list(systems), _first_systems(systems, first_set), SYSTEMS)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        metric = _one_of("Score", _METRICS, METRIC)
        column = _one_of(
            "Sentences",
            _COLUMNS,
            COLUMN,
            "All: every sentence. No UNK: [UNK] forbidden, and only sentences without a word that is unknown to any of "
            "the checkpoints, in source or reference.",
        )
        side = _one_of("Length in words of the", _SIDES, SIDE)
        options = st.pills(
            "With", _OPTIONS, selection_mode="multi", default=_AT_FIRST, key=OPTIONS, bind="query-params",
            width="content", wrap=True,
        )  # fmt: skip
    buckets = _ask_buckets()
    if not chosen_sets or not chosen:
        missing = "test set" if not chosen_sets else "system"
        st.info(f"Choose at least one {missing}.", icon=":material/checklist:")
        return None
    if buckets is None:
        return None
    return LengthsView(
        sets=tuple(name for name in chosen_sets if name in sets),
        systems=tuple(chosen),
        metric=metric,
        no_unk=column == _COLUMNS[1],
        side=side,
        buckets=buckets,
        options=frozenset(options) & {*_OPTIONS},
    )


def ask_method() -> TestMethod:
    """The test of whether two systems differ."""
    chosen = st.segmented_control(
        "Test",
        list(_METHODS),
        default="Bootstrap",
        required=True,
        key=TEST,
        bind="query-params",
        width="content",
        help="Paired bootstrap resampling (Koehn 2004): one-sided p, as sacreBLEU has it, 1,000 resamples. Approximate "
        "randomisation (Riezler and Maxwell 2005): two-sided p, 10,000 trials.",
    )
    return _METHODS[chosen]


def address() -> dict[str, str | list[str]]:
    """The parameters that bring this view back."""
    found: dict[str, str | list[str]] = {}
    for key in _KEYS:
        value = st.session_state.get(key)
        if isinstance(value, list | tuple):
            found[key] = [str(one) for one in value] or ""  # an empty list would be left out of the address
        elif value is not None and value != "":
            found[key] = str(value)
    return found


def _ask_buckets() -> Buckets | None:
    """How lengths are divided; None after saying what is wrong with it."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        division = _one_of(
            "Buckets",
            _DIVISIONS,
            DIVISION,
            "By width: so many lengths each. Equal counts: about as many sentences each. By hand: the first length of "
            "each. The last one is open. Rolling window: a score for every length, of the sentences around it.",
        )
        if division == _BY_WIDTH:
            return Buckets("width", (_number("Width", _WIDTH, WIDTH, 200), _number("Open from", _LAST, LAST, 1000)))
        if division == _EQUAL:
            return Buckets("equal counts", (_number("Number", _PARTS, 6, 100),))
        if division == _ROLLING:
            return Buckets("rolling", (_number("Width", _WINDOW, WIDTH, 200),))
        text = st.text_input("Begin at", "1, 11, 21, 31", key=_FIRSTS, bind="query-params", width=240, max_chars=1000)
    try:
        return Buckets("hand", _numbers(text or ""))
    except InputError as error:
        st.warning(as_sentence(str(error)), icon=":material/warning:")
        return None


def _numbers(text: str) -> tuple[int, ...]:
    """The lengths at which buckets begin.

    >>> _numbers("1, 11 21")
    (1, 11, 21)
    """
    words = text.replace(",", " ").split()
    if not words or not all(word.isascii() and word.isdecimal() and len(word) < 7 for word in words):
        raise InputError(f"buckets are given by the lengths at which they begin, such as 1, 11, 21, not by {text!r}")
    return tuple(int(word) for word in words)


def _number(label: str, key: str, default: int, most: int) -> int:
    value = st.number_input(label, 1, most, default, key=key, bind="query-params", width=130)
    return min(most, max(1, int(value)))


def _one_of(label: str, choices: Sequence[Choice], key: str, help: str | None = None) -> Choice:
    return st.segmented_control(
        label, choices, default=choices[0], required=True, key=key, bind="query-params", width="content", help=help
    )


def _first_set(systems: Mapping[str, System], sets: Sequence[str]) -> str:
    """Until the reader chooses: the first known one that has been measured, else the first that is here."""
    measured = {name for system in systems.values() for name in system.evaluated.evaluations}
    there = [name for name in (*KNOWN_TEST_SETS, *sets) if name in measured and name in sets]
    return there[0] if there else sets[0]


def _first_systems(systems: Mapping[str, System], first_set: str) -> list[str]:
    """The paper's, else a few that were measured on the set, else a few."""
    measured = [name for name, system in systems.items() if first_set in system.evaluated.evaluations]
    there = [name for name in (PAPER if measured else ()) if name in measured] or measured or list(systems)
    return there[:_MOST_AT_FIRST]


def _as_in_the_paper(models: list[str]) -> None:
    preset = {METRIC: "BLEU", COLUMN: "All", SIDE: "source", DIVISION: _BY_WIDTH, OPTIONS: [*_AT_FIRST, TO_60]}
    for key, value in preset.items():
        st.session_state[key] = value
    if models:
        st.session_state[SYSTEMS] = models
    for key, number in ((_WIDTH, WIDTH), (_LAST, LAST)):
        if key in st.session_state:  # a field that is not there has this number when it comes
            st.session_state[key] = number
