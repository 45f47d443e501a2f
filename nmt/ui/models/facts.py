"""Facts about a run for the page Models, read once as long as its files stay as they are."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nmt.errors import InputError
from nmt.results import Event
from nmt.runs.folder import TRAINING, RunInfo, list_snapshots, read_events
from nmt.runs.provenance import Provenance, read_provenance
from nmt.runs.training_summary import TrainingSummary, training_summary
from nmt.tables.data import licence
from nmt.ui.checkpoints import run_stamp


@dataclass(frozen=True, kw_only=True)
class Facts:
    """Facts about a run.

    Attributes:
    trained: the columns of Table 2.
    provenance: None if it was not recorded.
    events: of the training, in order.
    sha256: of the weights file.
    steps: updates whose weights were kept.
    """

    trained: TrainingSummary
    provenance: Provenance | None
    events: tuple[Event, ...]
    sha256: str
    steps: tuple[int, ...]

    @property
    def corpora(self) -> list[str]:
        """Names of the folders of the training corpora."""
        used = () if self.provenance is None else self.provenance.train
        return list(dict.fromkeys(corpus.source.split("/")[0] for corpus in used))

    @property
    def licences(self) -> list[str]:
        """Licences of the training corpora."""
        used = () if self.provenance is None else self.provenance.train
        return list(dict.fromkeys(licence(corpus) for corpus in used))


def facts(run: RunInfo) -> Facts:
    """Read the facts. Raises InputError if a file of the run is broken."""
    log = run.path / TRAINING
    return _facts(run, f"{run_stamp(run.path)} {log.stat().st_mtime_ns if log.is_file() else 0}")


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs={RunInfo: lambda run: str(run.path)})
def _facts(run: RunInfo, stamp: str) -> Facts:
    """Read the folder again whenever ``stamp`` changes."""
    return Facts(
        trained=training_summary(run.path),
        provenance=read_provenance(run.path),
        events=tuple(read_events(run.path)),
        sha256=run.weights.sha256(),
        steps=tuple(step.update for step in list_snapshots(run.path)),
    )


def updates_before(run: RunInfo) -> int:
    """Return the updates of the parts of the training before the last one, as far as they are known."""
    try:
        provenance = facts(run).provenance
    except InputError:  # said in the tables
        return 0
    return 0 if provenance is None else provenance.updates_before
