"""The place Length from top to bottom: the curve over lengths, or sentences put together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmt.evaluation.comparison import has_column
from nmt.evaluation.test_set import TestSet
from nmt.results import Languages, LengthCurves
from nmt.texts import APP, LENGTH, counted, listed
from nmt.ui.address import choose_view, current_choice, write_address
from nmt.ui.app_shell import name_window
from nmt.ui.checkpoints import Checkpoints, evaluated_folders
from nmt.ui.components import offer, show_table
from nmt.ui.compute import NamedTask, start, watch_tasks
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.inputs import ask_checkpoints, ask_pairs, ask_settings, first_row, pairs_of, say_left_out
from nmt.ui.length import choose, uploads
from nmt.ui.length.additions import documents_of, session_uploads
from nmt.ui.length.choose import SYSTEMS, KnownSets, MeasuredSystem
from nmt.ui.length.curve import all_tables, find_curves, show_curve
from nmt.ui.length.select import Selection, evaluation_task, select
from nmt.ui.length.sentences import PICTURE, show_sentences
from nmt.ui.length.significance import SystemPair, ask_systems, show_significance
from nmt.ui.length.tasks import CountTask, EvaluateTask
from nmt.ui.length.together import MODELS, ask_together, show_curves

_REAL = "real"
_SET_WIDTH, _PICTURE_AND_SENTENCES = 230, (4, 3)


def show_lengths(checkpoints: Checkpoints, languages: Languages, settings: DeltaGenerator) -> None:
    """Show the curve of one pair of languages, with sentences beside it and with tests and tables below it."""
    added = session_uploads()
    folders, problems = evaluated_folders(checkpoints)
    taken = folders.keys() | checkpoints.usable.keys()
    added.follow_link(taken)
    all_systems = choose.known_systems(checkpoints, folders, added.evaluations())
    for problem in (*(run.problem for run in checkpoints.broken), *problems):
        st.warning(as_sentence(problem), icon=":material/warning:")
    row = st.container(horizontal=True, vertical_alignment="bottom", key="length-row")
    with row:
        place_of_sets, place_of_systems = st.container(width=_SET_WIDTH), st.container(key="length-systems")
    place = row.popover(LENGTH.add_your_own, icon=":material/library_add:", key=uploads.ADDITIONS, on_change="rerun")
    fields = place.container()
    with place:
        data = uploads.ask_data_folder()
    systems = choose.of_pair(all_systems, languages)
    sets = _sets_of(systems, languages, data, added.sets)
    present = uploads.Present(sets=sets, systems=systems, taken=taken, languages=languages)
    others = say_left_out(SYSTEMS, all_systems, systems, languages)
    missing = _missing_sets(checkpoints, all_systems, data, added.sets)
    if missing or not systems or not present.sets:
        with fields:
            uploads.ask_additions(present)
        if missing:
            for name in missing:
                st.warning(LENGTH.not_on_server.format(name=escaped(name[:60])), icon=":material/link_off:")
            forget = partial(write_address, **{choose.SETS: ""})  # the address has them until the button is pressed
            offer(LENGTH.another_test_set, "swap_horiz", forget, key="forget-sets")
            return
        st.info(LENGTH.nothing_to_show, icon=":material/folder_open:")
    else:
        with place_of_sets:
            chosen_sets = choose.ask_sets(systems, present.sets)
        with place_of_systems:
            at_first = choose.first_systems(systems, present.sets)
            chosen = ask_checkpoints(systems, key=SYSTEMS, default=at_first, elsewhere=others)
        with fields:
            uploads.ask_additions(replace(present, shown_sets=chosen_sets, shown_systems=chosen))
        with settings:
            imported = added.scores(chosen_sets[0]) if len(chosen_sets) == 1 else {}
            documents = {name: bool(documents_of(entries.values())) for name, entries in imported.items()}
            view = choose.ask_view(systems, chosen_sets, chosen, documents)
        uploads.say_what_was_added()
        if not chosen_sets or not chosen:
            nothing = APP.choose_checkpoint if chosen_sets else LENGTH.choose_test_set
            st.info(nothing, icon=":material/checklist:")
        elif view is None:
            st.info(LENGTH.no_ranges, icon=":material/tune:")
        else:
            _show(select(view, systems, present.sets, languages), present.sets)
        uploads.forget_what_was_added()


def _sets_of(
    systems: Mapping[str, MeasuredSystem], languages: Languages, data: str, added: Mapping[str, TestSet]
) -> KnownSets:
    fitting = {name: test for name, test in added.items() if test.languages.fit(languages)}
    return choose.known_sets(systems.values(), languages, data, fitting)


def _missing_sets(
    checkpoints: Checkpoints, known: Mapping[str, MeasuredSystem], data: str, added: Mapping[str, TestSet]
) -> list[str]:
    """Test sets that the address names and that this server has for no language pair."""
    requested = [name for name in st.query_params.get_all(choose.SETS) if name]
    known_names = set(added)
    for pair in pairs_of(checkpoints):
        if not known_names.issuperset(requested):
            known_names |= _sets_of(choose.of_pair(known, pair), pair, data, added).keys()
    return [name for name in requested if name not in known_names]


def _show(selection: Selection, sets: KnownSets) -> None:
    for fault in selection.faults:
        st.warning(as_sentence(fault), icon=":material/warning:")
    for notice in selection.notices:
        st.caption(notice)
    show_missing(selection)
    if not selection.statistics:
        return
    curves = find_curves(selection)
    if curves is None:
        return
    picture = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", key="length-below"):
        section = choose_view(LENGTH.below, LENGTH.by_key.sections, key="then")
        pair = ask_systems(selection)
    with picture:
        _show_picture(selection, curves, sets, pair)
    if section == _REAL:
        show_significance(selection, curves, pair)
    else:
        for k, table in enumerate(all_tables(selection)):
            show_table(table, key=f"table-{k}")


@st.fragment(key=PICTURE)
def _show_picture(selection: Selection, curves: LengthCurves, sets: KnownSets, pair: SystemPair) -> None:
    """Show the curve and, beside it, the sentences of the range that was clicked. A click runs only curve and sentences
    again. A choice among the sentences runs only the sentences again."""
    if not choose.asked_range():
        show_curve(selection, curves)
        return
    picture, beside = st.columns(_PICTURE_AND_SENTENCES)
    with picture:
        show_curve(selection, curves)
    with beside:
        show_sentences(selection, curves, sets, pair)


@dataclass(frozen=True, eq=False)
class _Gap:
    """A system without scores on a test set. ``work``: task that measures the scores, None if this server cannot."""

    system: MeasuredSystem
    test_set: str
    work: NamedTask | None


def show_missing(selection: Selection) -> None:
    """Name the missing scores, offer to measure them, and show the progress."""
    uncounted = session_uploads().uncounted()
    outputs = [_named(output.system, output.test, output) for output in uncounted]
    counting = {(output.system, output.test.name) for output in uncounted}
    gaps = [gap for system in selection.missing.values() for gap in _gaps(selection, system)]
    gaps = [gap for gap in gaps if (gap.system.name, gap.test_set) not in counting]
    uploaded = {(output.system, output.test.name) for output in session_uploads().outputs}
    lacking = {(gap.system.name, gap.test_set) for gap in gaps if gap.test_set not in gap.system.evaluated.evaluations}
    if uploaded & lacking:
        st.rerun()  # an output was counted during this run
    if not gaps and not outputs:
        if not selection.statistics and not selection.imported:
            known_to_none = all(system.run is None for system in selection.chosen.values())
            needs_checkpoint = selection.view.analysis.no_unk and known_to_none
            st.info(LENGTH.needs_checkpoint if needs_checkpoint else LENGTH.all_have_unknown, icon=":material/info:")
        return
    with st.container(border=True):
        _say(gaps, selection.view.analysis.no_unk)
        _offer(gaps, selection)
        if counted_now := listed([output.name for output in outputs if not output.idle]):
            st.markdown(f":material/straighten: {escaped(LENGTH.measuring.format(names=counted_now))}")
        for k, output in enumerate(output for output in outputs if output.idle):
            label = escaped(LENGTH.score_again.format(output=output.name))
            offer(label, "replay", start, [output.task], key=f"count-{k}")
        watch_tasks([*(gap.work for gap in gaps if gap.work is not None), *outputs], "missing")


def _named(system: str, test: TestSet, task: EvaluateTask | CountTask) -> NamedTask:
    return NamedTask(LENGTH.on_test_set.format(name=system, test_set=test.name), task)


def _gaps(selection: Selection, system: MeasuredSystem) -> list[_Gap]:
    gaps = []
    for name in selection.view.sets:
        evaluation = system.evaluated.evaluations.get(name)
        if evaluation is not None and has_column(evaluation, selection.view.analysis.no_unk):
            continue
        test, work = selection.tests[name], None
        if system.run is not None and test is not None:
            work = _named(system.name, test, evaluation_task(system, test, selection.view.analysis.no_unk))
        gaps.append(_Gap(system, name, work))
    return gaps


def _say(gaps: Sequence[_Gap], no_unk: bool) -> None:
    template = LENGTH.not_measured_known if no_unk else LENGTH.not_measured
    for name in dict.fromkeys(gap.test_set for gap in gaps):
        lacking = [gap for gap in gaps if gap.test_set == name]
        names = ", ".join(gap.system.name for gap in lacking)
        message = template.format(test_set=escaped(name), names=escaped(names))
        st.markdown(f":material/straighten: {message}")
        if any(gap.work is None and gap.system.run is not None for gap in lacking):
            how = choose.how_to_get(name)
            st.caption(LENGTH.sentences_not_here.format(test_set=escaped(name), how_to_get=how))
        if any(gap.system.run is None for gap in lacking):
            st.caption(LENGTH.external_system)


def _offer(gaps: Sequence[_Gap], selection: Selection) -> None:
    idle = [(gap, gap.work.task) for gap in gaps if gap.work is not None and gap.work.idle]
    if not idle:
        return
    names = listed(list(dict.fromkeys(gap.system.name for gap, _ in idle)))
    tests = list(dict.fromkeys(gap.test_set for gap, _ in idle))
    label, asked = escaped(LENGTH.measure.format(names=names, test_sets=listed(tests))), [task for _, task in idle]
    look = {"key": "measure", "type": "primary", "help": LENGTH.measure_help, "wrap": True}
    offer(label, "play_arrow", start, asked, **look)
    st.caption(counted(sum(len(task.test) for _, task in idle), LENGTH.forms.to_measure))


def show_place(checkpoints: Checkpoints) -> None:
    """Ask for the view and its language pair, and show the view."""
    view = current_choice("view", APP.by_key.length_views)
    with (row := first_row()):
        (pair,) = ask_pairs(checkpoints, SYSTEMS if view == "curve" else MODELS)
        choose_view(APP.view, APP.by_key.length_views, key="view")
    name_window(APP.by_key.length_views[view], APP.length)
    settings = ask_settings(row)
    if view == "curve":
        show_lengths(checkpoints, pair, settings)
    elif (together := ask_together(checkpoints, pair, settings)) is not None:
        show_curves(together)
