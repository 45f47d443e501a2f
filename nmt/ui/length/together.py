"""The view "Concatenate sentences" of the place Length. The address holds the choice of checkpoints and a test set. The
stress test is background work, and its points are shown as they are computed."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmt.answers.keys import task_key
from nmt.answers.request import ProgressReporter, Task
from nmt.answers.service import Computation
from nmt.charts.curves import stress_curve
from nmt.data.line_words import word_counter
from nmt.evaluation.concatenation import MOST_CONCATENATED, short_sentences
from nmt.evaluation.test_set import TestSet, from_folder, list_folders
from nmt.files import ROOT
from nmt.released import STRESS_WORDS
from nmt.results import Languages, StressPoint
from nmt.runs.folder import RunInfo
from nmt.tables.runs import stress_table
from nmt.texts import APP, CHARTS, TOGETHER, listed
from nmt.ui.address import ask_number, choose_one, choose_view, link_to
from nmt.ui.app_shell import dark_page
from nmt.ui.checkpoints import Checkpoints, stored_stress, trained_concatenated, unequal_updates
from nmt.ui.components import offer, offer_tables, show_figure, show_table
from nmt.ui.compute import errors_shown, show_progress, start, subscribe, watch_jobs
from nmt.ui.formatting import escaped
from nmt.ui.inputs import any_checkpoint, ask_beam, ask_checkpoints, follow_pair, name_broken, say_left_out, some_chosen
from nmt.ui.resources import compute_service, fingerprint, load_translator, translation_cache

MODELS, SET, WORDS, SAMPLE = "models", "set", "words", "sample"
"""Parameters of the address: checkpoints, test set, largest numbers of words and of sentences."""
_FIRST_SET = "jointly-300"
_MOST_SENTENCES = 304


@dataclass(frozen=True, kw_only=True)
class TogetherView:
    """All choices that decide what the view shows.

    Attributes:
        runs: the checkpoints by name, in the order chosen. At least one, all of one language pair.
        test_set: name of a folder of testsets/, or "" if there is none.
        words: largest number of words of a sentence taken from the test set.
        most: largest number of sentences taken from the test set.
    """

    runs: dict[str, RunInfo]
    test_set: str
    words: int
    most: int
    beam: int

    @property
    def languages(self) -> Languages:
        """Languages of source and target."""
        return next(iter(self.runs.values())).languages


def ask_together(checkpoints: Checkpoints, languages: Languages, settings: DeltaGenerator) -> TogetherView | None:
    """Show the form. If nothing can be shown, say why and return None. ``languages``: languages of the checkpoints."""
    if not any_checkpoint(checkpoints):
        return None
    follow_pair([languages], checkpoints, MODELS)
    readable = checkpoints.of_pair(languages)
    others = say_left_out(MODELS, checkpoints.usable, readable, languages)
    at_first = checkpoints.first_choice(languages)
    with st.container(key="together-models"):
        chosen = ask_checkpoints(readable, key=MODELS, default=at_first, elsewhere=others)
    name_broken(checkpoints)
    runs = {name: readable[name] for name in chosen}
    if not some_chosen(runs):
        return None
    with settings:
        test_set = _ask_test_set(languages)
        words = ask_number(st.slider, TOGETHER.words, 4, 25, STRESS_WORDS, key=WORDS, help=TOGETHER.words_help)
        most = ask_number(
            st.slider,
            TOGETHER.sentences,
            16,
            _MOST_SENTENCES,
            _MOST_SENTENCES,
            key=SAMPLE,
            step=8,
            help=TOGETHER.sentences_help,
        )
        return TogetherView(runs=runs, test_set=test_set, words=words, most=most, beam=ask_beam())


def _ask_test_set(languages: Languages) -> str:
    names = [folder.name for folder in list_folders(ROOT / "testsets", languages.source, languages.target)]
    if not names:
        return ""
    first = _FIRST_SET if _FIRST_SET in names else names[0]
    return choose_one(
        st.selectbox, APP.test_set, {name: name for name in names}, key=SET, default=first, what=APP.a_test_set
    )


Curves = dict[str, tuple[StressPoint, ...]]
"""The points computed so far, by checkpoint."""


@st.cache_resource(max_entries=32, show_spinner=False)
def curves_so_far(key: str) -> Curves:
    """Return the points that the stress test of this key has computed so far. The task adds to them."""
    return {}


@dataclass(frozen=True, kw_only=True)
class StressTask(Task[Curves]):
    """The stress test of checkpoints, all on the same concatenated sentences.

    Attributes:
        test: the sentences before they are concatenated.
        most: largest number of sentences that are concatenated.
    """

    runs: Mapping[str, RunInfo]
    test: TestSet
    beam: int
    most: int

    @cached_property
    def key(self) -> str:
        runs = {name: (fingerprint(run), run.config.search) for name, run in self.runs.items()}
        return task_key("stress", runs, self.test.source_sha256, self.test.reference_sha256, self.beam, self.most)

    def run(self, progress: ProgressReporter) -> Curves:
        """Measure all checkpoints on one number of concatenated sentences, then on the next number."""
        curves = curves_so_far(self.key)
        curves.update(dict.fromkeys(self.runs, ()))
        points = {}
        for name, run in self.runs.items():
            model = load_translator(run, progress)

            from nmt.evaluation.evaluate import StressTest

            settings = run.config.search.changed(beam=self.beam, n_best=1)
            test = StressTest(model=model, settings=settings, reporter=progress, cache=translation_cache())
            points[name] = test.points(self.test, self.most)
        for _ in range(self.most):
            for name in self.runs:
                curves[name] = (*curves[name], next(points[name]))
        return dict(curves)


def show_curves(view: TogetherView) -> None:
    """Show how scores change as more sentences of a test set are concatenated."""
    test = _test_set(view)
    if test is None:
        return
    stored = {name: points for name, run in view.runs.items() if (points := stored_points(view, run, test)) is not None}
    missing = {name: run for name, run in view.runs.items() if name not in stored}
    task = StressTask(runs=missing, test=test, beam=view.beam, most=min(MOST_CONCATENATED, len(test)))
    subscribe("stress", [task] if missing else [])  # cancels tests that no session watches any more
    job = compute_service().job(task)  # before the next line, which finds the answer of a job that ends now
    answer = compute_service().find(task)
    link_to("pages/look.py", TOGETHER.see_it, {"models": list(view.runs)}, icon=":material/visibility:")
    st.markdown(TOGETHER.title.format(sentences=len(test), test_set=escaped(view.test_set)))
    measure = choose_view(TOGETHER.measure, TOGETHER.by_key.measures, key="measure", wrap=True)
    if answer is None and job is not None and not job.state.over:
        watch_jobs([("", job)], "stress", lambda: _draw(view, stored | curves_so_far(task.key), measure))
        return
    computed = stored | ({} if answer is None else answer)
    curves = {name: computed[name] for name in view.runs if computed.get(name)}
    if curves:
        _draw(view, curves, measure)
        _explain(view, test, curves, measure)
    if missing and answer is None:
        _offer(task, job)


@errors_shown("error")
def stored_points(view: TogetherView, run: RunInfo, test: TestSet) -> tuple[StressPoint, ...] | None:
    """Find the curve stored with a run. None unless it was measured with these sentences, weights and settings."""
    by_test_set = stored_stress(run).get(view.test_set)
    if by_test_set is None or not by_test_set.points:
        return None
    search = run.config.search.changed(beam=view.beam, n_best=1).resolved(dictionary=run.has_dictionary)
    same = (
        (by_test_set.source_sha256, by_test_set.reference_sha256) == (test.source_sha256, test.reference_sha256)
        and by_test_set.search == search
        and by_test_set.weights_sha256 == fingerprint(run).weights
    )
    return by_test_set.points if same else None


@errors_shown("error")
def _test_set(view: TogetherView) -> TestSet | None:
    """The test set. If there is none, say why and return None."""
    if not view.test_set:
        st.info(TOGETHER.no_test_set, icon=":material/folder_open:")
        return None
    whole = from_folder(ROOT / "testsets" / view.test_set, view.languages.source, view.languages.target)
    return short_sentences(whole, view.words, view.most)


def _offer(task: StressTask, job: Computation | None) -> None:
    if job is not None:
        show_progress(job.state)
    with st.container(horizontal=True, vertical_alignment="center"):
        label = escaped(TOGETHER.compute.format(names=listed([*task.runs]))) if job is None else APP.go_on
        offer(label, "play_arrow", start, [task], key="stress-start", help=TOGETHER.compute_help, wrap=True)
        st.caption(TOGETHER.not_stored, width="content")


def _draw(view: TogetherView, found: Curves, measure: str) -> None:
    curves = {name: found[name] for name in view.runs if found.get(name)}
    most = max((len(points) for points in curves.values()), default=1)
    numbers = {name: number for number, name in enumerate(view.runs)}  # they decide the colours, as on Look
    figure = stress_curve(curves, measure, most, numbers, dark=dark_page())
    alt = TOGETHER.curve_alt.format(measure=TOGETHER.by_key.measures[measure], names=", ".join(curves))
    show_figure(figure, key="stress-curve", alt=alt)


def _explain(view: TogetherView, test: TestSet, curves: Curves, measure: str) -> None:
    words = sum(map(word_counter(view.languages.source), test.sources)) / len(test)
    table = stress_table(curves, view.test_set)
    with st.container(horizontal=True):
        with st.container(key="together-seen"):
            seen = what_to_see(curves), trained_concatenated(view.runs), unequal_updates(view.runs)
            st.markdown(" ".join(filter(None, seen)))
            explained = CHARTS.by_key.stress_explained[measure]
            st.caption(TOGETHER.curve_caption.format(measure=explained, words=view.words, average=words))
        with st.popover(APP.export, icon=":material/download:", key="export-together"):
            st.markdown(TOGETHER.table)
            offer_tables([table], f"concatenated-{view.test_set}", key="stress")
    with st.expander(TOGETHER.as_table):
        show_table(table, key="stress-table", title=False)
        st.caption(TOGETHER.table_caption)


def what_to_see(curves: Curves) -> str:
    """Say in Markdown how BLEU changes from single sentences to the most concatenated ones, or "" for one point."""
    most = max(map(len, curves.values()))
    sentences = [
        TOGETHER.change.format(name=escaped(name), first=points[0].bleu, last=points[-1].bleu)
        for name, points in curves.items()
        if len(points) > 1
    ]
    return TOGETHER.from_single.format(most=most, changes=", ".join(sentences)) if sentences else ""
