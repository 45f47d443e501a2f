"""The page "Lengths" from top to bottom."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from nmt.results import LengthCurves
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.language_pair import ask_pair
from nmt.ui.length.curve.curve import find_curves, overall_in_words, show_curve
from nmt.ui.length.curve.evaluate_missing import show_missing
from nmt.ui.length.curve.evaluations import session_uploads
from nmt.ui.length.curve.export import show_export
from nmt.ui.length.curve.form import SECTION, SENTENCES, ask_lengths
from nmt.ui.length.curve.selection import Selection, select
from nmt.ui.length.curve.sentences import show_sentences
from nmt.ui.length.curve.significance import show_significance
from nmt.ui.length.curve.systems import known_systems
from nmt.ui.length.curve.tables import show_tables
from nmt.ui.length.curve.test_sets import KnownSet, known_sets
from nmt.ui.length.curve.uploads import ask_additions, ask_data_folder

_REAL, _TABLES, _TAKE = "Is it real?", "Tables", "Take away"


def show_lengths(checkpoints: Checkpoints) -> None:
    """Ask, gather, draw; below it what is done with it."""
    added = session_uploads()
    known = known_systems(checkpoints, added.evaluations())
    for problem in known.problems:
        st.warning(as_sentence(problem), icon=":material/warning:")
    spoken = ask_pair(checkpoints)
    systems = known.of_pair(spoken)
    mine = {name: test for name, test in added.sets.items() if test.languages.fit(spoken)}
    others = [name for name in known.by_name if name not in systems]
    if others:
        st.caption(f"Of other languages, and so not in this curve: {escaped(', '.join(others))}.")
    place = st.popover("Test sets and systems", icon=":material/library_add:", width="content")
    with place:
        data = ask_data_folder()
    sets = known_sets(systems.values(), spoken, data, mine)
    with place:
        ask_additions(sets, systems, spoken)
    if not systems or not sets:
        st.info(
            "There is nothing to show yet. Put a run folder into checkpoints/, or train one with "
            "`python -m nmt train`; then it can be measured here.",
            icon=":material/folder_open:",
        )
        return
    view = ask_lengths(systems, list(sets))
    if view is None:
        return
    selection = select(view, systems, sets, spoken)
    show_missing(selection, sets)
    if not selection.statistics:
        return
    curves = find_curves(selection)
    if curves is None:
        return
    show_curve(selection, curves)
    st.markdown(f"All {view.metric}: {overall_in_words(curves)}")
    _show_section(selection, curves, sets)


def _show_section(selection: Selection, curves: LengthCurves, sets: Mapping[str, KnownSet]) -> None:
    section = st.segmented_control(
        "And then", [SENTENCES, _REAL, _TABLES, _TAKE], key=SECTION, bind="query-params", label_visibility="collapsed"
    )
    if section == SENTENCES:
        show_sentences(selection, curves, sets)
    elif section == _REAL:
        show_significance(selection, curves)
    elif section == _TABLES:
        show_tables(selection)
    elif section == _TAKE:
        show_export(selection, curves)
