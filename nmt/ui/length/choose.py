"""The choices on Length, and their form: systems, test sets, settings and a range of lengths. Systems are checkpoints
and external systems. Test sets were evaluated, are on this machine, or were uploaded. The address holds all choices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import cast

import streamlit as st

from nmt.data.corpora.get import command_for
from nmt.errors import InputError
from nmt.evaluation.buckets import FITTED, LAST, WIDTH, Buckets
from nmt.evaluation.evaluation_files import EvaluatedSystem
from nmt.evaluation.length_curves import LengthAnalysisSettings
from nmt.evaluation.metrics import metrics
from nmt.evaluation.test_set import CorpusTestSet, TestSet, find_in_corpora, from_corpus, from_folder, list_folders
from nmt.files import ROOT, cache_folder, changed_at
from nmt.released import KNOWN_TEST_SETS
from nmt.results import ALL_SETS, UNKNOWN_LANGUAGES, Evaluation, Languages, LengthCurves, LengthSide, Span, TestMethod
from nmt.results.scores import Unit
from nmt.runs.folder import RunInfo
from nmt.texts import APP, CHARTS, LENGTH, for_reader
from nmt.ui.address import Choice, ask_number, choose_many, choose_one, set_choice, write_address
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.components import offer
from nmt.ui.compute import errors_shown
from nmt.ui.formatting import escaped

DATA = "data"
"""The parameter of the address that names the folder of corpora."""

PAPER = ("rnnsearch-50", "rnnencdec-50", "rnnsearch-30", "rnnencdec-30")
"""The models of Figure 2, in pairs. RNNencdec-50 has the second colour, like RNNencdec on Look."""
_PAPER_SET = "newstest2014"


@dataclass(frozen=True, eq=False, kw_only=True)
class MeasuredSystem:
    """A checkpoint or an external system, with its evaluations.

    Attributes:
        name: name of the system on the page and in the address.
        evaluated: the evaluations of the system. ``evaluated.name`` is ``name``.
        run: the checkpoint, or None for an external system.
        uploaded: whether the reader uploaded the system's output in this session.
    """

    name: str
    evaluated: EvaluatedSystem
    run: RunInfo | None
    uploaded: bool = False

    @property
    def attends(self) -> bool:
        """Whether the system is a checkpoint with attention."""
        return self.run is not None and self.run.has_alignment

    def beside(self, evaluations: Mapping[str, Evaluation]) -> MeasuredSystem:
        """The system with more evaluations. They replace evaluations of the system on the same test sets."""
        merged = self.evaluated.evaluations | dict(evaluations)
        known_pairs = (evaluation.languages for evaluation in evaluations.values() if evaluation.languages.known)
        languages = self.evaluated.languages if self.evaluated.languages.known else next(known_pairs, UNKNOWN_LANGUAGES)
        return replace(self, evaluated=replace(self.evaluated, evaluations=merged, languages=languages))


def known_systems(
    checkpoints: Checkpoints,
    folders: Mapping[str, EvaluatedSystem],
    outputs: Mapping[str, Mapping[str, Evaluation]],
) -> dict[str, MeasuredSystem]:
    """Checkpoints, external systems, and systems of uploads, by name. ``folders``: checkpoints and external systems
    with their evaluations. ``outputs``: evaluations of uploads, by system and test set. No name is in both."""
    runs = checkpoints.usable
    systems = {name: MeasuredSystem(name=name, evaluated=e, run=runs.get(name)) for name, e in folders.items()}
    for name, evaluations in outputs.items():
        empty = EvaluatedSystem(name=name, path=Path(name), about="", evaluations={})
        systems[name] = MeasuredSystem(name=name, evaluated=empty, run=None, uploaded=True).beside(evaluations)
    return systems


def of_pair(systems: Mapping[str, MeasuredSystem], pair: Languages) -> dict[str, MeasuredSystem]:
    """Select the systems of these languages, and the systems of unknown languages."""
    return {name: system for name, system in systems.items() if system.evaluated.languages.fit(pair)}


Sentences = Path | CorpusTestSet | TestSet | None
"""Where the sentences of a test set are: in a folder of this repository, in files of a corpus, or in an upload. None if
only the statistics are here."""
KnownSets = Mapping[str, Sentences]
"""By name, the test sets that the reader can choose, each with the place of its sentences."""


def how_to_get(test_set: str) -> str:
    """Say where to get the sentences of a test set, in Markdown."""
    corpus = KNOWN_TEST_SETS[test_set].corpus if test_set in KNOWN_TEST_SETS else ""
    return LENGTH.get_corpus.format(command=command_for(corpus)) if corpus else LENGTH.add_files


def known_sets(
    systems: Iterable[MeasuredSystem], languages: Languages, data: str, added: Mapping[str, TestSet]
) -> KnownSets:
    """Return the test sets to choose from: known sets from elsewhere, then the sets of this repository, then others."""
    measured = {name for system in systems for name in system.evaluated.evaluations}
    shipped = {path.name: path for path in list_folders(ROOT / "testsets", languages.source, languages.target)}
    folders = str(cache_folder() / "corpora"), data.strip()  # corpora fetched by trainings, and the reader's own
    corpora = {place.name: place for folder in folders for place in _corpora(folder, languages)}
    sentences: dict[str, Sentences] = {**corpora, **shipped, **added}
    names = [name for name, test in KNOWN_TEST_SETS.items() if not test.own and name in measured | corpora.keys()]
    names += sorted(shipped, key=lambda name: (name not in KNOWN_TEST_SETS, name))
    names += sorted((measured | corpora.keys() | added.keys()) - {*names})
    return {name: sentences.get(name) for name in names}


def _corpora(data: str, languages: Languages) -> list[CorpusTestSet]:
    """The test sets in a folder of corpora. [] without a folder, or after a warning that it cannot be read."""
    try:
        names = {test_set.stem: test_set.name for test_set in KNOWN_TEST_SETS.values() if test_set.in_table_1}
        return find_in_corpora(Path(data).expanduser(), languages.source, languages.target, names) if data else []
    except (OSError, RuntimeError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        text = for_reader(reason or APP.not_known).removesuffix(".")
        st.warning(LENGTH.corpora_unreadable.format(reason=escaped(text)), icon=":material/warning:")
        return []


def read_set(place: Sentences, languages: Languages) -> TestSet | None:
    """Read a test set. None if its sentences are not here. Raises InputError for files that are not a test set."""
    if place is None or isinstance(place, TestSet):
        return place
    if isinstance(place, CorpusTestSet):
        files = [place.source, place.reference]
    else:
        files = [place / f"sentences.{language}" for language in (languages.source, languages.target)]
    with st.spinner(LENGTH.reading_test_set):
        return _read(place, languages, tuple(map(changed_at, files)))


@st.cache_data(max_entries=16, show_spinner=False)
def _read(place: Path | CorpusTestSet, languages: Languages, stamps: tuple[int, ...]) -> TestSet:
    """Read the files of a test set, and again whenever ``stamps`` change."""
    if isinstance(place, CorpusTestSet):
        return from_corpus(place)
    return from_folder(place, languages.source, languages.target)


SETS, SYSTEMS, METRIC, COLUMN, SIDE, OPTIONS = "sets", "systems", "metric", "unkcol", "side", "curve"
BUCKET, UNIT = "bucket", "unit"
TEST, SENTENCE = "test", "sentence"
_DIVISION, _WIDTH, _LAST, _PARTS, _FIRSTS, _WINDOW = "by-length", "width", "open-from", "parts", "firsts", "window"
_FIELDS = (_WIDTH, _LAST, _PARTS, _FIRSTS, _WINDOW, DATA, SENTENCE)
"""Parameters of fields that Streamlit binds to the address."""

_METRICS = {name.lower(): name for name in metrics()}
_ALL, _KNOWN_WORDS = "all", "known"
_FITTED, _BY_WIDTH, _EQUAL, _ROLLING = "fitted", "width", "equal", "rolling"
BAND, COUNTS, TRAINED, _TO_60 = "intervals", "counts", "trained", "to-60"
_AT_FIRST = (BAND, COUNTS, TRAINED)
_MOST_AT_FIRST = 4


@dataclass(frozen=True, kw_only=True)
class LengthsView:
    """Everything that the curve depends on.

    Attributes:
        sets: names of test sets, at least one. Several count as one set.
        systems: names of checkpoints and other systems, at least one.
        analysis: score, column, side, ranges and test.
        options: keys of ``length.option_names``, which change only the drawing.
        unit: the texts that have a length and a score: sentences or documents.
    """

    sets: tuple[str, ...]
    systems: tuple[str, ...]
    analysis: LengthAnalysisSettings
    options: frozenset[str]
    unit: Unit = "sentences"

    @property
    def longest(self) -> float | None:
        """Right end of the axis of lengths. None if the axis ends at the longest sentences."""
        return 60 if _TO_60 in self.options else None

    @property
    def set_name(self) -> str:
        """Name of the test set, or the name for several sets as one."""
        return self.sets[0] if len(self.sets) == 1 else ALL_SETS


def ask_sets(systems: Mapping[str, MeasuredSystem], sets: KnownSets) -> list[str]:
    """Ask for test sets, which count as one set. If a link names only systems, take a set on which all of them were
    measured, else one on which some were."""
    came = st.query_params.get_all(SYSTEMS)
    linked = {name: systems[name] for name in came if name in systems}
    new = came != Choice.of(SYSTEMS, first_systems(systems, sets)).written
    if linked and new and not st.query_params.get_all(SETS):
        of_all = {name for name in sets if all(name in system.evaluated.evaluations for system in linked.values())}
        write_address(**{SETS: _first_set(linked, {name: sets[name] for name in of_all or sets})})
    return choose_many(
        st.multiselect,
        APP.test_set,
        {name: name for name in sets},
        key=SETS,
        default=[_first_set(systems, sets)],
        what=APP.a_test_set,
        placeholder=APP.test_set,
        label_visibility="collapsed",
    )


def ask_view(
    systems: Mapping[str, MeasuredSystem],
    chosen_sets: Sequence[str],
    chosen: Sequence[str],
    imported: Mapping[str, bool] = MappingProxyType({}),
) -> LengthsView | None:
    """Ask for the settings of the curve, the less important ones under "More". Return None if the
    typed ranges are invalid. ``imported``: metrics of added scores -> whether these scores name documents."""
    names = _METRICS | {name.lower(): name for name in imported}
    models = [systems[name] for name in PAPER if name in systems]
    offer(LENGTH.as_in_paper, "history_edu", _as_in_the_paper, models, help=LENGTH.as_in_paper_help)
    metric = choose_one(st.segmented_control, APP.score, names, key=METRIC, wrap=True)
    side = choose_one(st.segmented_control, LENGTH.side, CHARTS.by_key.sides, key=SIDE)
    units, unit = LENGTH.by_key.units, "sentences"
    if imported.get(names[metric]):
        unit = choose_one(st.segmented_control, LENGTH.unit, units, key=UNIT)
    columns, about = APP.by_key.columns, LENGTH.column_help
    column = choose_one(st.segmented_control, APP.column, columns, key=COLUMN, help=about, wrap=True)
    with st.expander(LENGTH.more, icon=":material/tune:"):
        buckets = _ask_ranges()
        options = choose_many(
            st.pills, LENGTH.options, LENGTH.by_key.option_names, key=OPTIONS, default=_AT_FIRST, wrap=True
        )
        method = choose_one(st.segmented_control, LENGTH.test, LENGTH.by_key.methods, key=TEST, help=LENGTH.test_help)
    if buckets is None:
        return None
    return LengthsView(
        sets=tuple(chosen_sets),
        systems=tuple(chosen),
        analysis=LengthAnalysisSettings(
            metric=names[metric],
            side=cast(LengthSide, side),
            buckets=buckets,
            no_unk=column == _KNOWN_WORDS,
            method=cast(TestMethod, method),
        ),
        options=frozenset(options),
        unit=cast(Unit, unit),
    )


def address() -> dict[str, str | list[str]]:
    """Return the parameters that reproduce this view."""
    written = {key: st.query_params.get_all(key) for key in st.query_params}
    return written | {key: str(typed) for key in _FIELDS if (typed := st.session_state.get(key)) not in (None, "")}


def asked_range() -> str:
    """Return the name in the address of the range whose sentences are shown, or ""."""
    return st.query_params.get(BUCKET, "")


def show_range(name: str) -> None:
    """Show the sentences of a range, as a callback. "" hides them."""
    st.session_state[SENTENCE] = None
    write_address(**{BUCKET: name})


def named_span(curves: LengthCurves, name: str) -> Span | None:
    """Find a range by name. None if there is no such range."""
    return next((span for span in curves.spans if span.name == name), None)


def first_systems(systems: Mapping[str, MeasuredSystem], sets: KnownSets) -> list[str]:
    """Names of the systems shown by default, at most ``_MOST_AT_FIRST``: the models of Figure 2 measured on the default
    test set, else all systems measured on it, else all systems."""
    first_set = _first_set(systems, sets)
    measured = [name for name, system in systems.items() if first_set in system.evaluated.evaluations]
    available = [name for name in (PAPER if measured else ()) if name in measured] or measured or list(systems)
    return available[:_MOST_AT_FIRST]


def _first_set(systems: Mapping[str, MeasuredSystem], sets: KnownSets) -> str:
    """The default test set: the first with an evaluation, else the first with sentences here, else the first."""
    measured = {name for system in systems.values() for name in system.evaluated.evaluations}
    available = [name for name in (*KNOWN_TEST_SETS, *sets) if name in measured and name in sets]
    return next(iter((*available, *(name for name, sentences in sets.items() if sentences is not None), *sets)))


def _as_in_the_paper(models: Sequence[MeasuredSystem]) -> None:
    set_choice(METRIC, "bleu")
    set_choice(COLUMN, _ALL)
    set_choice(SIDE, "source")
    set_choice(OPTIONS, *_AT_FIRST, _TO_60)
    set_choice(_DIVISION, _BY_WIDTH)
    for key, number in ((_WIDTH, WIDTH), (_LAST, LAST)):
        if key in st.session_state:  # a field that is not shown yet has this default
            st.session_state[key] = number
    if models:
        set_choice(SYSTEMS, *(model.name for model in models))
    if any(_PAPER_SET in model.evaluated.evaluations for model in models):
        set_choice(SETS, _PAPER_SET)


@errors_shown()
def _ask_ranges() -> Buckets | None:
    """Ask how lengths are divided into ranges. If the typed ranges are invalid, say so and return None."""
    divisions, about = LENGTH.by_key.divisions, LENGTH.ranges_help
    division = choose_one(st.segmented_control, LENGTH.ranges, divisions, key=_DIVISION, wrap=True, help=about)
    if division == _FITTED:
        return FITTED
    if division == _BY_WIDTH:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            width = _number(LENGTH.words_in_range, _WIDTH, WIDTH, 200)
            last = _number(LENGTH.last_range, _LAST, LAST, 1000)
        st.caption(LENGTH.last_range_is.format(first=last))
        return Buckets("width", (width, last))
    if division == _EQUAL:
        return Buckets("equal counts", (_number(LENGTH.number_of_ranges, _PARTS, 6, 100),))
    if division == _ROLLING:
        return Buckets("rolling", (_number(LENGTH.words_in_window, _WINDOW, WIDTH, 200),))
    text = st.text_input(
        LENGTH.ranges_begin_at, "1, 11, 21, 31", key=_FIRSTS, bind="query-params", width=240, max_chars=1000
    )
    return Buckets("hand", _numbers(text or ""))


def _numbers(text: str) -> tuple[int, ...]:
    """Parse the lengths at which ranges begin.

    >>> _numbers("1, 11 21")
    (1, 11, 21)
    """
    words = text.replace(",", " ").split()
    if not words or not all(word.isascii() and word.isdecimal() and len(word) < 7 for word in words):
        raise InputError(LENGTH.no_such_ranges.format(text=text))
    return tuple(int(word) for word in words)


def _number(title: str, key: str, first: int, most: int) -> int:
    return ask_number(st.number_input, title, 1, most, first, key=key, width=150)
