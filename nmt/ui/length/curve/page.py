"""The view "BLEU against length" of the place Length, from top to bottom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmt.evaluation.test_set import TestSet
from nmt.results import Languages, LengthCurves
from nmt.ui.address import choose_one
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.language_pair import pairs_of
from nmt.ui.length.curve import strings
from nmt.ui.length.curve.choose import SECTION, SETS, ask_sets, ask_systems, ask_view, asked_range
from nmt.ui.length.curve.compare import SystemPair, ask_pair, find_curves, show_significance, show_tables
from nmt.ui.length.curve.draw import show_curve
from nmt.ui.length.curve.known import KnownSet, KnownSystems, System, known_sets, known_systems
from nmt.ui.length.curve.missing import show_missing
from nmt.ui.length.curve.select import Selection, select
from nmt.ui.length.curve.sentences import PICTURE, show_sentences
from nmt.ui.length.curve.uploads import (
    ADDITIONS,
    Present,
    ask_additions,
    ask_data_folder,
    say_what_was_added,
    session_uploads,
)

_REAL = "real"
_SET_WIDTH, _PICTURE_AND_SENTENCES = 230, (4, 3)


@dataclass(frozen=True, kw_only=True)
class _Row:
    """The places in the row above the picture, in its order; the last two are in one popover."""

    test_set: DeltaGenerator
    systems: DeltaGenerator
    settings: DeltaGenerator
    additions: DeltaGenerator
    corpora: DeltaGenerator


def show_lengths(checkpoints: Checkpoints, languages: Languages) -> None:
    """Show the curve of one pair of languages, with sentences beside it and with tests and tables below it."""
    added = session_uploads()
    known = known_systems(checkpoints, added.evaluations())
    for problem in known.problems:
        st.warning(as_sentence(problem), icon=":material/warning:")
    row = _row()
    systems = known.of_pair(languages)
    with row.corpora:
        data = ask_data_folder()
    sets = _sets_of(systems, languages, data, added.sets)
    present = Present(sets=sets, systems=systems, languages=languages)
    missing = _missing_sets(checkpoints, known, data, added.sets)
    if missing:
        with row.additions:
            ask_additions(present)
        _say_missing(missing)
        return
    _show_pair(present, row)
    others = [name for name in known.by_name if name not in systems]
    if others:
        st.caption(strings.OTHER_LANGUAGES.format(names=escaped(", ".join(others))))


def _show_pair(present: Present, row: _Row) -> None:
    """Ask for sets, systems and settings, and show the results of one pair of languages."""
    systems, sets = present.systems, present.sets
    if not systems or not sets:
        with row.additions:
            ask_additions(present)
        st.info(strings.NOTHING_TO_SHOW, icon=":material/folder_open:")
        return
    with row.test_set:
        chosen_sets = ask_sets(systems, list(sets))
    with row.systems:
        chosen = ask_systems(systems, list(sets))
    with row.additions:
        ask_additions(replace(present, shown_sets=chosen_sets, shown_systems=chosen))
    with row.settings:
        view = ask_view(systems, chosen_sets, chosen)
    say_what_was_added()
    if not chosen_sets or not chosen:
        nothing = strings.CHOOSE_CHECKPOINT if chosen_sets else strings.CHOOSE_TEST_SET
        st.info(nothing, icon=":material/checklist:")
    elif view is None:
        st.info(strings.NO_RANGES, icon=":material/tune:")
    else:
        _show(select(view, systems, sets, present.languages), sets)


def _row() -> _Row:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="length-row"):
        places = st.container(width=_SET_WIDTH), st.container(key="length-systems")
        settings = st.popover(strings.SETTINGS, icon=":material/tune:", key="length-settings")
        own = st.popover(strings.ADD_YOUR_OWN, icon=":material/library_add:", key=ADDITIONS, on_change="rerun")
    test_set, systems = places
    return _Row(
        test_set=test_set,
        systems=systems,
        settings=settings,
        additions=own.container(),
        corpora=own.container(),
    )


def _sets_of(
    systems: Mapping[str, System], languages: Languages, data: str, added: Mapping[str, TestSet]
) -> dict[str, KnownSet]:
    fitting = {name: test for name, test in added.items() if test.languages.fit(languages)}
    return known_sets(systems.values(), languages, data, fitting)


def _missing_sets(checkpoints: Checkpoints, known: KnownSystems, data: str, added: Mapping[str, TestSet]) -> list[str]:
    """Test sets that the address names and this server does not have, in any of its languages."""
    requested = [name for name in st.query_params.get_all(SETS) if name]
    known_names = set(added)
    for pair in pairs_of(checkpoints):
        if not known_names.issuperset(requested):
            known_names |= _sets_of(known.of_pair(pair), pair, data, added).keys()
    return [name for name in requested if name not in known_names]


def _say_missing(names: list[str]) -> None:
    """Say which sets are missing; the address stays as it is, and nothing else is shown."""
    for name in names:
        st.warning(strings.NOT_ON_SERVER.format(name=escaped(name[:60])), icon=":material/link_off:")
    st.button(strings.ANOTHER_TEST_SET, icon=":material/swap_horiz:", on_click=_forget_sets, key="forget-sets")


def _forget_sets() -> None:
    del st.query_params[SETS]


def _show(selection: Selection, sets: Mapping[str, KnownSet]) -> None:
    show_missing(selection, sets)
    if not selection.statistics:
        return
    curves = find_curves(selection)
    if curves is None:
        return
    picture = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", key="length-below"):
        section = choose_one(
            st.segmented_control,
            strings.BELOW,
            strings.SECTIONS,
            key=SECTION,
            label_visibility="collapsed",
            width="content",
        )
        pair = ask_pair(selection)
    with picture:
        _show_picture(selection, curves, sets, pair)
    if section == _REAL:
        show_significance(selection, curves, pair)
    else:
        show_tables(selection)


@st.fragment(key=PICTURE)
def _show_picture(selection: Selection, curves: LengthCurves, sets: Mapping[str, KnownSet], pair: SystemPair) -> None:
    """Show the curve and, beside it, the sentences of the range that was clicked. A click runs these two again and
    nothing else; whatever is done with the sentences runs only them."""
    if not asked_range():
        show_curve(selection, curves)
        return
    picture, beside = st.columns(_PICTURE_AND_SENTENCES)
    with picture:
        show_curve(selection, curves)
    with beside:
        show_sentences(selection, curves, sets, pair)
