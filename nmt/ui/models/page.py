"""The place Models from top to bottom, and the run folders that readers upload."""

import re
from collections.abc import Callable, Collection, Sequence

import streamlit as st

from nmt.errors import InputError, needs_torch
from nmt.evaluation.measurement_files import check_run_evaluations
from nmt.evaluation.score_files import AddedScores
from nmt.runs.archive import LIMITS, remove_run, unpack_run
from nmt.texts import APP, MODELS
from nmt.ui.address import choose_view, current_choice
from nmt.ui.app_shell import name_window
from nmt.ui.checkpoints import Checkpoints, find_checkpoints, folders_stamp, uploads_folder
from nmt.ui.compute import poll, refusal_kept, show_refused
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.inputs import any_checkpoint, ask_pairs, first_row, name_broken, name_pair
from nmt.ui.models.card import show_cards
from nmt.ui.models.facts import show_runs
from nmt.ui.models.guide import link_places, show_guide
from nmt.ui.models.scoreboard import show_scoreboard

_FILE, _DONE, _ADDED, _REFUSED = "upload-file", "upload-done", "upload-added", "upload-refused"


def show_uploads(checkpoints: Checkpoints) -> None:
    """Ask for an upload, and list the uploaded runs."""
    with st.form("upload", clear_on_submit=True):
        st.file_uploader(
            MODELS.run_folder,
            ["zip"],
            key=_FILE,
            max_upload_size=LIMITS.packed // 1_000_000,
            help=MODELS.run_folder_help,
        )
        st.markdown(f":material/group: {MODELS.shared}")
        taken = {name: run.path for name, run in checkpoints.usable.items()}
        taken |= {run.name: run.path for run in checkpoints.broken}
        others = [name for name, path in taken.items() if path.parent != uploads_folder()]
        st.form_submit_button(MODELS.add, icon=":material/upload:", on_click=_add, args=(others,))
    st.caption(MODELS.limits.format(packed=LIMITS.packed / 1e6, unpacked=LIMITS.unpacked / 1e6))
    _say_what_was_done(checkpoints)
    _list_uploads(checkpoints)


@refusal_kept(_REFUSED)
def _add(taken: Collection[str]) -> None:
    """Unpack an uploaded run. If a run in another folder has its name, rename the uploaded run, and say so."""
    if (file := st.session_state.get(_FILE)) is None:
        raise InputError(MODELS.choose_file)
    with needs_torch():
        from nmt.inference.checkpoint import check_run_weights
    checks = check_run_weights, check_run_evaluations
    run = unpack_run(file, file.name, uploads_folder(), checks, taken=taken)
    former = next((name for name in taken if re.fullmatch(rf"{re.escape(name)}-\d+", run.name)), "")
    done = MODELS.added_under if former else MODELS.added
    st.session_state[_DONE] = done.format(name=run.name, former=former)
    st.session_state[_ADDED] = run.name


@refusal_kept(_REFUSED)
def _remove(name: str) -> None:
    remove_run(name, uploads_folder())  # refused if somebody else has removed the run
    st.session_state[_DONE] = MODELS.removed.format(name=name)
    st.session_state.pop(_ADDED, None)


def _say_what_was_done(checkpoints: Checkpoints) -> None:
    if done := st.session_state.pop(_DONE, ""):
        st.success(as_sentence(done), icon=":material/check:")
    added = st.session_state.get(_ADDED)
    names = [name for name, run in checkpoints.usable.items() if run.path == uploads_folder() / str(added)]
    for name in names:
        with st.container(horizontal=True):
            link_places(name)
    show_refused(_REFUSED)


def _list_uploads(checkpoints: Checkpoints) -> None:
    folder = uploads_folder()
    paths = [run.path for run in checkpoints.usable.values()] + [run.path for run in checkpoints.broken]
    names = sorted(path.name for path in paths if path.parent == folder)
    for name in names:
        with st.container(horizontal=True, vertical_alignment="center", border=True):
            st.text(name)
            with st.popover(APP.delete, icon=":material/delete:", key=f"remove-{name}"):
                st.markdown(MODELS.confirm.format(name=escaped(name)))
                st.button(APP.delete, key=f"delete-{name}", on_click=_remove, args=(name,))


_USE, _SCORES, _TABLES, _TRAIN, _UPLOAD = "use", "scores", "trainings", "train", "upload"
_EVERY = 5
"""Seconds between two checks of the folders."""


def section_question() -> str:
    """The question that the chosen section answers."""
    return MODELS.by_key.questions[current_choice("show", MODELS.by_key.sections)]


def show_registry(show_train: Callable[[Checkpoints], None], added: Sequence[AddedScores]) -> None:
    """Show the chosen section of the place Models. The page runs again when a folder of runs or systems changes.

    Args:
        show_train: shows the section that trains.
    """
    stamp = folders_stamp()
    checkpoints = find_checkpoints()
    poll(lambda: None, lambda: folders_stamp() != stamp, _EVERY)  # runs the page again once the folders have changed
    section = current_choice("show", MODELS.by_key.sections)
    with first_row():
        if section in (_USE, _SCORES):
            (pair,) = ask_pairs(checkpoints)
        else:
            name_pair(APP.all_languages)
        choose_view(MODELS.show, MODELS.by_key.sections, key="show", wrap=True)
    name_window(MODELS.by_key.sections[section], APP.models)
    name_broken(checkpoints)
    if section == _SCORES:
        show_scoreboard(checkpoints, pair, added)
    elif section == _UPLOAD:
        show_uploads(checkpoints)
    elif section == _TRAIN:
        show_train(checkpoints)
    elif not any_checkpoint(Checkpoints(checkpoints.usable, ())):
        return
    elif section == _USE:
        show_guide(checkpoints, pair)
    elif section == _TABLES:
        show_runs(checkpoints)
    else:
        show_cards(checkpoints)
