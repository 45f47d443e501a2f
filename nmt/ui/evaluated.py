"""Saved evaluations of checkpoints and of external systems (of which only the output is known), read again only when a
file changes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from nmt.errors import InputError
from nmt.evaluation.evaluation_files import EvaluatedSystem, list_systems, read_evaluated_system
from nmt.files import changed_at
from nmt.runs.folder import EVALUATION, result_files
from nmt.ui import strings
from nmt.ui.checkpoints import Checkpoints, systems_folder


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


def evaluated(folder: Path) -> EvaluatedSystem:
    """Read the evaluations saved in a folder. Raises InputError for a broken file."""
    stamp = tuple((str(path), changed_at(path)) for path in result_files(folder, EVALUATION))
    return _evaluated(str(folder), stamp)


@st.cache_resource(max_entries=32, show_spinner=False)
def _evaluated(folder: str, stamp: tuple[tuple[str, int], ...]) -> EvaluatedSystem:
    """``stamp`` changes with the folder, so that it is read again. The record is shared: it must not be modified."""
    return read_evaluated_system(folder)
