"""Objects that the server keeps for all sessions: loaded models, the store, checksums of runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from nmt.cache.database import TranslationCache
from nmt.runs.fingerprint import Fingerprint, read_fingerprint
from nmt.runs.folder import RunInfo
from nmt.scenes.scene import StoredResults
from nmt.tasks.progress import LOADING, ProgressReporter
from nmt.tasks.service import ComputeService

if TYPE_CHECKING:
    from nmt.aligners.aligner import Aligner
    from nmt.inference.translator import Translator

_LOADED = 6
_LOADED_SNAPSHOTS = 32


@st.cache_resource(show_spinner=False)
def compute_service() -> ComputeService:
    """Return the server's compute service."""
    return ComputeService()


@st.cache_resource(show_spinner=False)
def translation_cache() -> TranslationCache:
    """Return the server's store of translations."""
    return TranslationCache()


@st.cache_resource(show_spinner=False)
def stored_results() -> StoredResults:
    """Return the results that are part of the program."""
    return StoredResults.shipped()


def fingerprint(run: RunInfo) -> Fingerprint:
    """Read the checksums of a run's files, again only after one of them has changed."""
    files = sorted(path for path in run.path.iterdir() if path.is_file())
    return _fingerprint(str(run.path), tuple((path.name, path.stat().st_mtime_ns) for path in files), run)


@st.cache_data(max_entries=64, show_spinner=False)
def _fingerprint(path: str, stamps: tuple[tuple[str, int], ...], _run: RunInfo) -> Fingerprint:
    return read_fingerprint(_run)


def load_translator(run: RunInfo, progress: ProgressReporter) -> Translator:
    """Load a run, once for all sessions and again when its files change. The first call imports torch."""
    with progress.stage(LOADING, 0):
        return _load(run.path, repr(fingerprint(run)))


@st.cache_resource(max_entries=_LOADED, show_spinner=False)
def _load(run: Path, fingerprint: str) -> Translator:
    return read_translator(run)


def load_aligner(folder: Path, progress: ProgressReporter) -> Aligner:
    """Load an aligner with its runs, once for all sessions."""
    with progress.stage(LOADING, 0):
        return _load_aligner(folder, (folder / "aligner.json").stat().st_mtime_ns)


@st.cache_resource(max_entries=1, show_spinner=False)
def _load_aligner(folder: Path, stamp: int) -> Aligner:
    from nmt.aligners.loading import load_aligner

    return load_aligner(folder)


def read_translator(run: Path) -> Translator:
    """Load a run from its folder."""
    from nmt.inference.loading import load

    return load(run)


@st.cache_resource(max_entries=_LOADED_SNAPSHOTS, show_spinner=False)
def load_snapshot(run: Path, update: int, stamp: int) -> Translator:
    """Load the weights that a training saved after ``update``; ``stamp`` is another one when they change."""
    return read_snapshot(run, update)


def read_snapshot(run: Path, update: int) -> Translator:
    """Load a snapshot from its run folder."""
    from nmt.inference.loading import load

    return load(run, weights=update)
