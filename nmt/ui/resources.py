"""Objects that the server keeps for all sessions, such as loaded models, the store and checksums of runs. Also results
that a page looks up once in each script run."""

from __future__ import annotations

import functools
import gc
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar, cast

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from nmt.answers.request import LOADING, ProgressReporter
from nmt.answers.service import ComputeService
from nmt.answers.shipped import ShippedAnswers
from nmt.answers.translations import TranslationCache
from nmt.answers.uploads import UploadStore
from nmt.data.vocabulary import Vocabulary, vocabulary_files, vocabulary_names
from nmt.errors import InputError, needs_torch
from nmt.files import changed_at, sha256_of
from nmt.runs.checksums import digest
from nmt.runs.fingerprint import Fingerprint, read_fingerprint
from nmt.runs.folder import RunInfo, is_hugging_face
from nmt.runs.guests import guest_fingerprint

if TYPE_CHECKING:
    from nmt.aligners.aligner import Aligner
    from nmt.data.text import Tokenizer
    from nmt.data.vocabulary import TextFit, WordCounts
    from nmt.inference.translator import Translator

_LOADED = 4
"""Number of models that stay in memory. Readers usually compare as many. The least recently used one is removed. If
all released runs are used one after another, the server stays below 900 MB."""

_LOADED_SNAPSHOTS = 32

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

_script_run = threading.local()
"""Results by function and arguments in the script run of this thread. Each script run has its own thread."""


@contextmanager
def script_run() -> Iterator[None]:
    """Run a page within the block. Functions decorated by ``once_a_run`` keep their results until the block ends."""
    _script_run.known = {}
    try:
        yield
    finally:
        del _script_run.known


def in_script_run() -> bool:
    """Tell whether this thread is within a block of ``script_run``."""
    return hasattr(_script_run, "known")


def once_a_run(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Decorate a function of hashable arguments, so that a block of ``script_run`` computes it once for equal
    arguments. Outside of a block, as in a fragment that runs again alone, each call computes it."""

    @functools.wraps(function)
    def kept(*arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        results = getattr(_script_run, "known", None)
        if results is None:
            return function(*arguments, **named)
        key = function, arguments, *named.items()
        if key not in results:
            results[key] = function(*arguments, **named)
        return cast(Result, results[key])

    return kept


@st.cache_resource(show_spinner=False)
def compute_service() -> ComputeService:
    """Return the server's compute service."""
    return ComputeService()


@st.cache_resource(show_spinner=False)
def translation_cache() -> TranslationCache:
    """Return the server's store of translations."""
    return TranslationCache()


LANGUAGE = "lang"
"""Name of the reader's language in the address and in the session's state."""


@once_a_run
def reader_language() -> str:
    """The language of this session's reader, or English outside of a session. Threads of fragments also call this."""
    return str(st.session_state.get(LANGUAGE, "en")) if get_script_run_ctx(suppress_warning=True) else "en"


@st.cache_resource(show_spinner=False)
def upload_store() -> UploadStore:
    """Return the server's store of uploads."""
    return UploadStore()


def keep_upload(data: bytes) -> str:
    """Store an upload of this session, and return its key. Raises InputError if the store refuses it."""
    return upload_store().keep(data, _session())


def find_upload(key: str) -> bytes | None:
    """Return the upload of a key, and note that this session uses it. None if the store does not have it."""
    return upload_store().find(key, _session())


def give_up_upload(key: str) -> None:
    """Note that this session no longer uses an upload."""
    is_open = st.runtime.get_instance().is_active_session if st.runtime.exists() else lambda session: True
    upload_store().give_up(key, _session(), is_open)


def travelled() -> bool:
    """Whether the reader came here by Back or Forward. The address then holds all choices."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def _session() -> str:
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


@st.cache_resource(show_spinner=False)
def shipped_answers() -> ShippedAnswers:
    """Return the answers that come with the program."""
    return ShippedAnswers.load()


def _all_files(run: RunInfo) -> str:
    """Stamp that changes with any file of the run."""
    with os.scandir(run.path) as entries:
        files = sorted(entry.name for entry in entries if not entry.is_dir(follow_symlinks=False))
    return "/".join([str(run.path), *(f"{name}={changed_at(run.path / name)}" for name in files)])


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs={RunInfo: _all_files})
def fingerprint(run: RunInfo) -> Fingerprint:
    """Read the checksums of a run's files, again only after one of them has changed."""
    return guest_fingerprint(run.path, run.languages) if run.guest else read_fingerprint(run)


def _vocabulary_files(run: RunInfo) -> str:
    """Stamp that changes with the vocabularies of the run."""
    files = [run.path / name for side in ("source", "target") for name in vocabulary_names(side)]
    return f"{run.path} {run.source_language} {run.target_language} {[changed_at(file) for file in files]}"


@st.cache_resource(max_entries=4 * _LOADED, show_spinner=False, hash_funcs={RunInfo: _vocabulary_files})
def _source_side(run: RunInfo) -> tuple[Tokenizer, Vocabulary]:
    """Tokeniser and vocabulary of the source."""
    from nmt.data.subwords import load_vocabulary
    from nmt.data.text import Tokenizer

    return Tokenizer(run.source_language), load_vocabulary(run.path, "source")


def fit_of(text: str, run: RunInfo) -> TextFit:
    """Compare a text with the source vocabulary of a run, without loading the model or torch. Other files of the run
    are not read. Raises InputError if the vocabulary is broken."""
    from nmt.data.vocabulary import text_fit

    return text_fit(text, *_source_side(run))


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs={RunInfo: _vocabulary_files})
def vocabulary_key(run: RunInfo) -> str:
    """A key that runs share only if their languages and vocabularies are equal. Guests share no key."""
    if run.guest:
        return str(run.path)  # a guest forms a committee with no other run
    files = [path.name for side in ("source", "target") for path in vocabulary_files(run.path, side)]
    digests = [digest(run.path, name) for name in files] or [str(run.weights.owner)]
    return " ".join((run.source_language, run.target_language, *digests))


def load_translator(
    run: RunInfo, progress: ProgressReporter | None, checksums: Fingerprint | None = None
) -> Translator:
    """Load a run, once for all sessions and again when its files change. The first call imports torch. ``checksums``:
    the run's fingerprint, if it is known."""
    with nullcontext() if progress is None else progress.stage(LOADING, 0):
        return _load(run.path, repr(checksums or fingerprint(run)))


@st.cache_resource(max_entries=_LOADED, show_spinner=False)
def _load(run: Path, fingerprint: str) -> Translator:
    _exempt_packages_from_collection()
    return read_translator(run)


@functools.cache
@needs_torch()
def _exempt_packages_from_collection() -> None:
    """Exempt the objects of the imported packages, above all torch's, from garbage collection. Collecting them would
    hold up all readers. Only the first call has an effect."""
    import nmt.inference.translator  # noqa: F401

    gc.collect()
    gc.freeze()


@st.cache_resource(
    max_entries=2 * _LOADED,
    show_spinner=False,
    hash_funcs={RunInfo: lambda run: f"{run.path} {changed_at(run.path / 'source.word-counts')}"},
)
def word_counts(run: RunInfo) -> WordCounts | None:
    """How often each source word occurs in a run's training texts, read once. None if the file is missing or broken, or
    if the pairs are so few that nearly all words are hardly seen."""
    from nmt.data.vocabulary import FEW_PAIRS, read_word_counts
    from nmt.runs.provenance import read_provenance

    with suppress(InputError):
        origin = read_provenance(run.path)
        return read_word_counts(run.path) if origin is None or origin.pairs_per_epoch >= FEW_PAIRS else None
    return None


def load_aligner(folder: Path, progress: ProgressReporter) -> Aligner:
    """Load an aligner with its runs, once for all sessions."""
    with progress.stage(LOADING, 0):
        return _load_aligner(folder, aligner_digest(folder))


def aligner_digest(folder: Path) -> str:
    """Checksums of an aligner's files. Its settings have the checksums of the runs."""
    return " ".join(f"{file.name} {sha256_of(file)}" for file in sorted(folder.glob("*.json")))


@st.cache_resource(max_entries=1, show_spinner=False)
@needs_torch()
def _load_aligner(folder: Path, digest: str) -> Aligner:
    from nmt.aligners.aligner import load_aligner

    return load_aligner(folder)


@needs_torch()
def read_translator(run: Path, update: int | None = None) -> Translator:
    """Load a run with its best weights, or with the weights that its training saved after ``update``. From a folder of
    Hugging Face, the result has only the methods of a ``System``."""
    from nmt.inference.systems import load_hugging_face
    from nmt.inference.translator import load

    if is_hugging_face(run):
        return cast("Translator", load_hugging_face(run))
    return load(run, weights="best" if update is None else update)


@st.cache_resource(max_entries=_LOADED_SNAPSHOTS, show_spinner=False)
def load_snapshot(run: Path, update: int, stamp: int) -> Translator:
    """Load the weights that a training saved after ``update``. ``stamp`` changes with the weights."""
    return read_translator(run, update)
