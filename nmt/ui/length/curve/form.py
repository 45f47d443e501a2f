"""Choice of test sets, checkpoints and settings of the curve. All of it lives in the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from nmt.evaluation.buckets import Buckets
from nmt.reproduce.test_sets import KNOWN_TEST_SETS
from nmt.results import ALL_SETS, LengthSide, TestMethod
from nmt.results.comparison import METRIC_NAMES
from nmt.ui.address import choose_many, choose_one, set_choice
from nmt.ui.formatting import label
from nmt.ui.length.curve import former_values, strings
from nmt.ui.length.curve.ranges import RANGE_KEYS, ask_ranges, take_papers_ranges
from nmt.ui.length.curve.systems import PAPER, System

SETS, SYSTEMS, METRIC, COLUMN, SIDE, OPTIONS = "sets", "systems", "metric", "unkcol", "side", "curve"
SECTION, BUCKET, FIRST, SECOND = "then", "bucket", "one", "other"
TEST, SORT, ORDER, SENTENCE = "test", "sort", "order", "sentence"
_KEYS = (
    "view", SETS, SYSTEMS, METRIC, COLUMN, SIDE, OPTIONS, *RANGE_KEYS, "data", "pair", SECTION, BUCKET, FIRST, SECOND,
    TEST, SORT, ORDER, SENTENCE,
)  # fmt: skip

_METRICS = {name.lower(): name for name in METRIC_NAMES}
_ALL, KNOWN_WORDS = "all", "known"
_SIDES: dict[str, LengthSide] = {"source": "source", "reference": "reference"}
BAND, COUNTS, TRAINED, TO_60 = "intervals", "counts", "trained", "to-60"
_AT_FIRST = (BAND, COUNTS, TRAINED)
_METHODS: dict[str, TestMethod] = {"bootstrap": "bootstrap", "randomisation": "randomisation"}
_MOST_AT_FIRST = 4


@dataclass(frozen=True, kw_only=True)
class LengthsView:
    """Everything that the curve depends on.

    Attributes:
        sets: names of test sets, at least one; several count as one.
        systems: names of checkpoints and other systems, at least one.
        metric: the score.
        no_unk: the column "No UNK" of Table 1 in place of "All".
        side: whose words are the length.
        buckets: how lengths are divided.
        options: keys of ``strings.OPTION_NAMES``.
    """

    sets: tuple[str, ...]
    systems: tuple[str, ...]
    metric: str
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
        """Name of the one test set, or of several as one."""
        return self.sets[0] if len(self.sets) == 1 else ALL_SETS


@dataclass(frozen=True, kw_only=True)
class CurveSettings:
    """Choices under "Settings"; the attributes are those of ``LengthsView``. ``buckets`` is None if the reader's own
    ranges are invalid."""

    metric: str
    no_unk: bool
    side: LengthSide
    buckets: Buckets | None
    options: frozenset[str]


def ask_sets(systems: Mapping[str, System], sets: Sequence[str]) -> list[str]:
    """Ask for the test sets, which count as one."""
    return choose_many(
        st.multiselect,
        strings.TEST_SET,
        {name: name for name in sets},
        key=SETS,
        default=[_first_set(systems, sets)],
        what=strings.A_TEST_SET,
        width="stretch",
        placeholder=strings.TEST_SET,
        help=strings.TEST_SET_HELP,
    )


def ask_systems(systems: Mapping[str, System], sets: Sequence[str]) -> list[str]:
    """Ask for checkpoints and other systems."""
    return choose_many(
        st.multiselect,
        strings.CHECKPOINTS,
        {name: name for name in systems},
        key=SYSTEMS,
        default=_first_systems(systems, _first_set(systems, sets)),
        former={label(name): name for name in systems},
        what=strings.A_CHECKPOINT,
        width="stretch",
        placeholder=strings.CHECKPOINTS,
    )


def ask_settings(systems: Mapping[str, System]) -> CurveSettings:
    """Ask for all other settings, the most important first."""
    st.button(
        strings.AS_IN_PAPER,
        icon=":material/history_edu:",
        on_click=_as_in_the_paper,
        args=([name for name in PAPER if name in systems],),
        help=strings.AS_IN_PAPER_HELP,
    )
    with st.container(horizontal=True, gap="medium"):
        metric = choose_one(
            st.segmented_control, strings.SCORE, _METRICS, key=METRIC, former=former_values.METRICS, width="content"
        )
        side = choose_one(st.segmented_control, strings.SIDE, strings.SIDES, key=SIDE, width="content")
    column = choose_one(
        st.segmented_control,
        strings.COLUMN,
        strings.COLUMNS,
        key=COLUMN,
        former=former_values.COLUMNS,
        width="content",
        help=strings.COLUMN_HELP,
    )
    options = choose_many(
        st.pills,
        strings.OPTIONS,
        strings.OPTION_NAMES,
        key=OPTIONS,
        default=_AT_FIRST,
        former=former_values.OPTIONS,
        width="content",
        wrap=True,
    )
    return CurveSettings(
        metric=_METRICS[metric],
        no_unk=column == KNOWN_WORDS,
        side=_SIDES[side],
        buckets=ask_ranges(),
        options=frozenset(options),
    )


def ask_method() -> TestMethod:
    """Ask for the test of whether two systems differ."""
    chosen = choose_one(
        st.segmented_control,
        strings.TEST,
        strings.METHODS,
        key=TEST,
        former=former_values.METHODS,
        width="content",
        help=strings.TEST_HELP,
    )
    return _METHODS[chosen]


def address() -> dict[str, str | list[str]]:
    """Return the parameters that reproduce this view."""
    parameters: dict[str, str | list[str]] = {}
    for key in _KEYS:
        values, typed = st.query_params.get_all(key), st.session_state.get(key)
        if typed is not None and typed != "" and not isinstance(typed, list):  # of fields that Streamlit binds itself
            parameters[key] = str(typed)
        elif values:
            parameters[key] = values if key in (SETS, SYSTEMS) and values != [""] else values[0]
    return parameters


def _first_set(systems: Mapping[str, System], sets: Sequence[str]) -> str:
    """The set until the reader chooses: the first known one with an evaluation, else the first available one."""
    measured = {name for system in systems.values() for name in system.evaluated.evaluations}
    available = [name for name in (*KNOWN_TEST_SETS, *sets) if name in measured and name in sets]
    return available[0] if available else sets[0]


def _first_systems(systems: Mapping[str, System], first_set: str) -> list[str]:
    """The systems until the reader chooses: the models of Figure 2, else a few that were measured on the set, else any
    few."""
    measured = [name for name, system in systems.items() if first_set in system.evaluated.evaluations]
    available = [name for name in (PAPER if measured else ()) if name in measured] or measured or list(systems)
    return available[:_MOST_AT_FIRST]


def _as_in_the_paper(models: list[str]) -> None:
    set_choice(METRIC, "bleu")
    set_choice(COLUMN, _ALL)
    set_choice(SIDE, "source")
    set_choice(OPTIONS, *_AT_FIRST, TO_60)
    take_papers_ranges()
    if models:
        set_choice(SYSTEMS, *models)
