"""Saved evaluations of checkpoints and of external systems (of which only the output is known), and how long each
checkpoint was trained: read again only when a file changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from nmt.errors import InputError
from nmt.evaluation.evaluation_files import EvaluatedSystem, list_systems, read_evaluated_system
from nmt.files import changed_at
from nmt.runs.folder import EVALUATION, RunInfo, result_files
from nmt.runs.provenance import PROVENANCE, read_provenance
from nmt.ui import strings
from nmt.ui.checkpoints import Checkpoints, systems_folder
from nmt.ui.formatting import escaped, listed


@dataclass(frozen=True)
class EvaluatedFolders:
    """Evaluations in all folders.

    Attributes:
        by_name: checkpoints, then external systems, by the names that pages use; ``name`` is that name.
        problems: what could not be read, a sentence each.
    """

    by_name: dict[str, EvaluatedSystem]
    problems: tuple[str, ...]


def evaluated_folders(checkpoints: Checkpoints) -> EvaluatedFolders:
    """Read all folders, with a notice while it takes long, as on a server that has just started."""
    folders = {name: run.path for name, run in checkpoints.usable.items()}
    for folder in list_systems(systems_folder()):
        folders[folder.name if folder.name not in folders else f"systems/{folder.name}"] = folder
    entries, problems = {}, []
    with st.spinner(strings.SCORES_ARE_READ):
        for name, folder in folders.items():
            try:
                entries[name] = replace(evaluated(folder), name=name)
            except InputError as error:
                problems.append(str(error))
    return EvaluatedFolders(entries, tuple(problems))


def _stamp(folder: Path) -> str:
    return " ".join([str(folder), *(f"{path}={changed_at(path)}" for path in result_files(folder, EVALUATION))])


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={type(Path()): _stamp})
def evaluated(folder: Path) -> EvaluatedSystem:
    """Read the evaluations saved in a folder, again whenever they change. The record is shared: it must not be
    modified. Raises InputError for a broken file."""
    return read_evaluated_system(folder)


def total_updates(run: RunInfo) -> int:
    """Updates of a checkpoint's weights in all the parts of its training, as far as they are known."""
    return run.weights.update + updates_before(run)


def unequal_updates(runs: Mapping[str, RunInfo]) -> str:
    """Say in Markdown after how many updates the weights of each checkpoint were saved; "" if all are equal."""
    updates = {name: total_updates(run) for name, run in runs.items()}
    if len(set(updates.values())) < 2:
        return ""
    each = [strings.UPDATES_OF.format(name=escaped(name), updates=number) for name, number in updates.items()]
    return strings.UNEQUAL_UPDATES.format(updates=listed(each))


@st.cache_data(
    max_entries=64,
    show_spinner=False,
    hash_funcs={RunInfo: lambda run: f"{run.path} {changed_at(run.path / PROVENANCE)}"},
)
def updates_before(run: RunInfo) -> int:
    """Updates in the parts of the training before the last one, as far as they are known."""
    try:
        provenance = read_provenance(run.path)
    except InputError:  # said where the run is described
        return 0
    return 0 if provenance is None else provenance.updates_before
