"""The checkpoints on this machine, the length of their trainings, and saved evaluations of checkpoints and of external
systems. An external system has outputs and no weights. Files are read again only when they change."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import streamlit as st

from nmt.aligners.combination import read_aligner
from nmt.charts.small_figure import SmallCurve, SmallFigure
from nmt.charts.style import line_style
from nmt.errors import InputError
from nmt.evaluation.evaluation_files import EvaluatedSystem, list_systems, read_evaluated_system
from nmt.evaluation.measurement_files import StoredStress, curve_points, on_one_set
from nmt.files import ROOT, cache_folder, changed_at, own_folder
from nmt.jobs.job import JOB
from nmt.released import OPENS_FIRST, RELEASED
from nmt.results import Evaluation, Languages
from nmt.runs.checksums import CHECKSUMS
from nmt.runs.folder import (
    ALIGNMENT,
    BEST,
    CARD,
    CONFIG,
    EVALUATION,
    RESUME,
    SNAPSHOTS,
    STRESS,
    TRAINING,
    BrokenRun,
    RunInfo,
    list_runs,
    own_results,
    own_results_folder,
    result_files,
    runs_folder,
    trainings_folder,
)
from nmt.runs.guests import list_guests
from nmt.runs.provenance import PROVENANCE
from nmt.tables.runs import RunReport
from nmt.texts import APP, listed
from nmt.ui.formatting import escaped, language
from nmt.ui.resources import once_a_run

ARCHITECTURES = {"rnnsearch": "RNNsearch", "rnnencdec": "RNNencdec", "transformer": "Transformer"}
"""Names of the architectures, in the order in which the app first shows them."""

_HEADERS = (CONFIG, BEST, CHECKSUMS, "source.vocabulary.json", "target.vocabulary.json")
"""Files that are read to find a run and to describe it without its weights."""
_DESCRIBES, _RESULTS = (CONFIG, BEST, PROVENANCE, CARD, CHECKSUMS), (EVALUATION, ALIGNMENT, STRESS, SNAPSHOTS)
"""Files that describe a run, and folders of its measurements."""

_ORDER = {name: number for number, name in enumerate(RELEASED)}


@dataclass(frozen=True)
class Checkpoints:
    """Run folders that were found.

    Attributes:
        usable: the usable runs by their names on pages and in addresses, released runs first.
        broken: runs that cannot be loaded, each with its reason.
        guests: models in the format of Hugging Face, by name.
    """

    usable: dict[str, RunInfo]
    broken: tuple[BrokenRun, ...]
    guests: dict[str, RunInfo] = field(default_factory=dict)

    @property
    def with_guests(self) -> Checkpoints:
        """These checkpoints, with the guests among the usable ones."""
        return replace(self, usable=self.usable | {k: v for k, v in self.guests.items() if k not in self.usable})

    def of_pair(self, pair: Languages) -> dict[str, RunInfo]:
        """The usable checkpoints of this language pair."""
        return {name: run for name, run in self.usable.items() if run.languages == pair}

    def first_choice(self, pair: Languages | None = None) -> list[str]:
        """Names of the checkpoints to compare by default, one per architecture: one of OPENS_FIRST, else the first.
        With ``pair``, choose among its checkpoints, and prefer those with weights. Leave out guests, unless all are."""
        first: dict[str, str] = {}
        runs = self.usable if pair is None else self.of_pair(pair)
        for name in sorted(runs, key=lambda name: (pair and not runs[name].has_weights, name not in OPENS_FIRST)):
            first.setdefault(runs[name].kind, name)
        chosen = [first[kind] for kind in ARCHITECTURES if kind in first]
        return [name for name in chosen if not runs[name].guest] or chosen


def folders() -> tuple[Path, ...]:
    """List the folders with runs: the released ones, those trained from the working folder, the user's, uploads."""
    users = {folder.resolve(): folder for folder in (trainings_folder().absolute(), runs_folder())}  # often the same
    return ROOT / "checkpoints", *users.values(), uploads_folder()


def uploads_folder() -> Path:
    """Return the folder of the runs that were uploaded on the page Models."""
    return cache_folder() / "uploads"


def systems_folder() -> Path:
    """Return the folder of external systems ($JOINTLY_SYSTEMS, or systems/)."""
    return Path(os.environ.get("JOINTLY_SYSTEMS") or own_folder() / "systems")


@once_a_run
def run_stamp(run: Path) -> str:
    """Stamp that changes whenever a file of the run changes, except the log, to which a training adds all the time."""
    parts = [run / name for name in _DESCRIBES]
    for place in filter(None, (run, own_results(run))):
        for folder in _RESULTS:
            parts += sorted((place / folder).glob("*.*"))
    return " ".join([str(run), *(f"{path.name}={changed_at(path)}" for path in (run, *parts))])


def folders_stamp() -> tuple[str, ...]:
    """Stamp that changes whenever a run, an external system, or a saved result of either is added, changed or removed.
    A result is written under another name and then renamed, so the time of its folder changes."""
    places = (*folders(), systems_folder(), own_results_folder())
    return tuple(_stamp_of_folders(place, (*_DESCRIBES, *_RESULTS)) for place in places)


@once_a_run
def find_checkpoints() -> Checkpoints:
    """Find the runs in the folders, and read only headers that have changed. Released runs come first, then others by
    name. If an earlier folder has a run with weights of the same name, "FOLDER/" precedes the later run's name."""
    usable: dict[str, RunInfo] = {}
    broken: list[BrokenRun] = []
    guests: dict[str, RunInfo] = {}
    for folder in folders():
        stamp = _stamp_of_folders(folder, _HEADERS)
        for guest in _guests_in(str(folder), stamp):
            if isinstance(guest, BrokenRun):
                broken.append(guest)
            else:
                guests.setdefault(guest.name, guest)
        runs = _runs_in(str(folder), stamp)
        for run in sorted(runs, key=lambda run: _ORDER.get(run.name, len(_ORDER))):
            if isinstance(run, BrokenRun):
                broken += [] if _begins(folder / run.name) else [run]
            else:
                free = run.name not in usable or not usable[run.name].has_weights
                usable[run.name if free else f"{folder.name}/{run.name}"] = run
    return Checkpoints(usable, tuple(broken), guests)


def _begins(run: Path) -> bool:
    """True for a training that has not saved weights yet."""
    return not (run / BEST).exists() and any((run / name).exists() for name in (JOB, RESUME))


def _stamp_of_folders(folder: Path, files: tuple[str, ...]) -> str:
    """Stamp that changes with the names of subfolders and with their ``files``. "" if there is no ``folder``."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if entry.is_dir())
    except OSError:
        return ""
    stamps = [*names]
    for name in names:
        for file in files:
            try:
                status = os.stat(f"{folder}/{name}/{file}")  # noqa: PTH116, a Path takes several times as long
            except OSError:
                continue
            stamps.append(f"{name}/{file}={status.st_mtime_ns},{status.st_size},{status.st_ino}")
    return " ".join(stamps)


@st.cache_resource(max_entries=8, show_spinner=False)
def _runs_in(folder: str, stamp: str) -> tuple[RunInfo | BrokenRun, ...]:
    return tuple(list_runs(folder))


@st.cache_resource(max_entries=8, show_spinner=False)
def _guests_in(folder: str, stamp: str) -> tuple[RunInfo | BrokenRun, ...]:
    return tuple(list_guests(folder))


def find_aligner(pair: Languages) -> Path | None:
    """Find the folder of the aligner of these languages that comes with the program. None if there is none."""
    folder = ROOT / "aligners" / f"{pair.source}-{pair.target}"
    with suppress(InputError):
        read_aligner(folder)
        return folder
    return None


NARROWEST = 380  # width of a card in pixels, below which the next card moves down


def show_head(name: str, run: RunInfo, dot: str = "") -> None:
    """Show the first line of a card, as the instrument names a system: name, architecture and languages. ``dot``: the
    checkpoint's dot, in HTML."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{dot}**{escaped(name)}**", width="content", unsafe_allow_html=True)
        source, target = map(language, (run.source_language, run.target_language))
        st.caption(f"{ARCHITECTURES[run.kind]} · {APP.pair.format(source=source, target=target)}", width="content")


def evaluated_folders(checkpoints: Checkpoints) -> tuple[dict[str, EvaluatedSystem], list[str]]:
    """Read the evaluations of all checkpoints and external systems. Show a notice if this takes long.

    First result: checkpoints, then external systems, by their names on the pages, which are also their ``name``. Second
    result: a sentence on each folder that could not be read.
    """
    folders = {name: run.path for name, run in checkpoints.usable.items()}
    for folder in list_systems(systems_folder()):
        folders[folder.name if folder.name not in folders else f"systems/{folder.name}"] = folder
    entries, problems = {}, []
    with st.spinner(APP.scores_are_read):
        for name, folder in folders.items():
            try:
                entries[name] = replace(evaluated(folder), name=name)
            except InputError as error:
                problems.append(str(error))
    return entries, problems


@once_a_run
def _stamp(folder: Path) -> str:
    files = folder / BEST, *result_files(folder, EVALUATION)
    return " ".join([str(folder), *(f"{path}={changed_at(path)}" for path in files)])


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={type(Path()): _stamp})
def evaluated(folder: Path) -> EvaluatedSystem:
    """Read the evaluations saved in a folder, again whenever they change. The record is shared: it must not be
    modified. Raises InputError for a broken file."""
    return read_evaluated_system(folder)


@st.cache_resource(
    max_entries=64,
    show_spinner=False,
    hash_funcs={RunInfo: lambda run: f"{run_stamp(run.path)} {changed_at(run.path / TRAINING)}"},
)
def report(run: RunInfo) -> RunReport:
    """Report on a run, read again whenever one of its files changes. The record is shared: it must not be modified."""
    return RunReport(run)


def total_updates(run: RunInfo) -> int:
    """Number of updates of a checkpoint's weights. Updates of earlier trainings count if they are known."""
    with suppress(InputError):  # the description of the run shows the error
        if (provenance := report(run).provenance) is not None:
            return run.weights.update + provenance.updates_before
    return run.weights.update


def unequal_updates(runs: Mapping[str, RunInfo]) -> str:
    """Say in Markdown after how many updates the weights of each checkpoint were saved, or "" if all are equal."""
    updates = {name: total_updates(run) for name, run in runs.items()}
    if len(set(updates.values())) < 2:
        return ""
    sentences = [APP.updates_of.format(name=escaped(name), updates=number) for name, number in updates.items()]
    return APP.unequal_updates.format(updates=listed(sentences))


def trained_concatenated(runs: Mapping[str, RunInfo]) -> str:
    """Say in Markdown which checkpoints were also trained on concatenated sentences, or "" if none was."""
    names = [escaped(name) for name, run in runs.items() if run.config.training.concatenate]
    return APP.trained_concatenated.format(names=listed(names)) if names else ""


def stored_stress(run: RunInfo) -> dict[str, StoredStress]:
    """The stress tests saved in the folder of a run, by test set. Raises InputError for a broken file."""
    return report(run).stress


def evaluations_of(run: RunInfo) -> dict[str, Evaluation]:
    """The evaluations of a run by test set. {} for a broken file."""
    with suppress(InputError):
        return evaluated(run.path).evaluations
    return {}


def length_figure(runs: Mapping[str, RunInfo], *, dark: bool) -> SmallFigure | None:
    """BLEU over the length of concatenated sentences, a curve for each run with results ``on_one_set``, or None."""
    stored: dict[str, dict[str, StoredStress]] = {name: {} for name in runs}
    curves, test_set = list[SmallCurve](), ""
    for name, run in runs.items():
        with suppress(InputError):
            stored[name] = stored_stress(run)
    for number, (stress, (name, run)) in enumerate(zip(on_one_set(stored.values()), runs.items(), strict=True)):
        if stress is not None:
            test_set = stress.test_set
            points = curve_points(stress, evaluations_of(run).get(test_set))
            curves.append(SmallCurve(name=name, style=line_style(number, dark=dark), points=points))
    if not curves:
        return None
    on_set = (evaluations_of(run).get(test_set) for run in runs.values())
    measured = next((evaluation.everything for evaluation in on_set if evaluation and evaluation.everything), None)
    signature = "" if measured is None else APP.figure_signature.format(signature=measured.signature)
    return SmallFigure.of(curves, test_set, signature)


def training_compared(figure: SmallFigure, runs: Mapping[str, RunInfo]) -> str:
    """Remarks in Markdown on differences in the training of the models that have a curve."""
    drawn = {curve.name: runs[curve.name] for curve in figure.curves}
    return f"{trained_concatenated(drawn)} {unequal_updates(drawn)}"
