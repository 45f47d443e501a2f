"""The first row of the page: which checkpoint to use for what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from nmt.errors import InputError
from nmt.evaluation.measurement_files import MeasuredErrorRate, read_error_rates, read_stress
from nmt.reproduce.test_sets import GOLD_LINKS
from nmt.results import Languages
from nmt.runs.folder import RunInfo, list_snapshots
from nmt.ui.address import link_to
from nmt.ui.checkpoints import ARCHITECTURES, Checkpoints, find_aligner, run_stamp
from nmt.ui.formatting import escaped, listed
from nmt.ui.models import strings
from nmt.ui.models.facts import facts, updates_before
from nmt.ui.models.purposes import Measured, MeasuredAligner, Purpose, purposes
from nmt.ui.models.scoreboard import SystemRow, systems_and_scores

_NARROWEST = 300


def show_guide(checkpoints: Checkpoints, pair: Languages) -> None:
    """Show a card for each checkpoint that is the best one for something."""
    runs = {
        name: run
        for name, run in checkpoints.usable.items()
        if Languages(run.source_language, run.target_language) == pair
    }
    scored = systems_and_scores(checkpoints)
    cards: dict[str, list[Purpose]] = {}
    measured = [_measured(name, run, scored.get(name)) for name, run in runs.items()]
    for purpose in purposes(measured, _measured_aligner(pair)):
        cards.setdefault(purpose.name, []).append(purpose)
    if not cards:
        st.info(strings.NO_PURPOSE, icon=":material/info:")
        return
    grid = st.grid(min(len(cards), 3), min_column_width=_NARROWEST, gap="small")
    for name, reasons in cards.items():
        with grid.cell(), st.container(border=True, gap="xsmall", key=f"use-{name}"):
            _show(name, runs[name], reasons)


def _show(name: str, run: RunInfo, uses: list[Purpose]) -> None:
    st.markdown(strings.USE_THIS.format(uses=escaped(listed([purpose.use for purpose in uses]))))
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.markdown(f"**{escaped(name)}**", width="content")
        st.badge(ARCHITECTURES[run.config.model.architecture], color="blue" if run.has_alignment else "gray")
    st.text(" ".join(purpose.evidence for purpose in uses))
    st.caption(escaped(explained(run)))
    with st.container(horizontal=True, gap="small"):
        link_translate(name)
        if "learn" in [purpose.kind for purpose in uses]:
            link_learn(name)
        else:
            link_measure(name)


def link_translate(name: str) -> None:
    """A link to the place where the checkpoint translates."""
    link_to("pages/look.py", strings.TRANSLATE_WITH_IT, {"models": [name]}, icon=":material/translate:")


def link_measure(name: str) -> None:
    """A link to the place where the checkpoint is measured."""
    link_to("pages/length.py", strings.MEASURE_IT, {"systems": [name]}, icon=":material/show_chart:")


def link_learn(name: str) -> None:
    """A link to the place where the training of the checkpoint is watched."""
    link_to("pages/learn.py", strings.WATCH_IT_LEARN, {"run": name, "view": "training"}, icon=":material/school:")


def explained(run: RunInfo) -> str:
    """Say in plain words how a run was trained, and what the parts of its name mean."""
    training, parts = run.config.training, run.name.split("-")
    try:
        corpora = facts(run).corpora
    except InputError:  # said in the tables
        corpora = []
    template = strings.TRAINED_ON_ANY if training.max_length is None else strings.TRAINED_ON
    from_corpora = strings.FROM_CORPORA.format(corpora=listed(corpora)) if corpora else ""
    in_name = _in_name(str(training.max_length), parts)
    sentences = [template.format(longest=training.max_length, in_name=in_name, corpora=from_corpora)]
    if "star" in parts:
        sentences.append(strings.TRAINED_LONGER)
    if training.guided:
        sentences.append(strings.GUIDED.format(in_name=_in_name("guided", parts)))
    if training.concatenate:
        sentences.append(strings.CONCATENATED.format(in_name=_in_name("concatenated", parts)))
    return " ".join(sentences)


def _in_name(part: str, parts: list[str]) -> str:
    return strings.IN_NAME.format(part=part) if part in parts else ""


def _measured(name: str, run: RunInfo, row: SystemRow | None) -> Measured:
    return _read(name, str(run.path), run_stamp(run.path), run, row)


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs={RunInfo: lambda run: str(run.path)})
def _read(name: str, path: str, stamp: str, _run: RunInfo, row: SystemRow | None) -> Measured:
    """Read the folder again whenever ``stamp`` changes. What cannot be read counts as not measured; the tables name
    it."""
    try:
        rates, stress = read_error_rates(_run.path), read_stress(_run.path)
    except InputError:
        rates, stress = {}, {}
    points = next((points_of_set.points for points_of_set in stress.values() if points_of_set.points), ())
    return Measured(
        name=name,
        attends=_run.has_alignment,
        trained_on=_trained_on(_run),
        updates=_run.weights.update + updates_before(_run),
        bleu=row.bleu if row is not None else {},
        error_rate=_lowest(rates),
        together=points[-1].bleu if points else None,
        most_together=points[-1].joined if points else 0,
        steps=len(list_snapshots(_run.path)),
    )


def _measured_aligner(pair: Languages) -> MeasuredAligner | None:
    """The aligner of the languages; None if there is none, or its error rates cannot be read."""
    folder = find_aligner(pair)
    if folder is None:
        return None
    try:
        return MeasuredAligner(folder.name, _lowest(read_error_rates(folder)))
    except InputError:
        return None


def _lowest(rates: Mapping[str, Sequence[MeasuredErrorRate]]) -> dict[str, float]:
    """The lowest alignment error rate by set of gold links, known sets first."""
    return {gold: min(one.aer for one in rates[gold]) for gold in sorted(rates, key=_place)}


def _place(gold: str) -> int:
    """Position of a set of gold links in the order of the known ones; others come last."""
    names = [known.name for known in GOLD_LINKS]
    return names.index(gold) if gold in names else len(names)


def _trained_on(run: RunInfo) -> str:
    """Describe which pairs were trained on, each how often, and what they became with the run's vocabularies."""
    try:
        provenance = facts(run).provenance
    except InputError:  # said in the tables
        return ""
    if provenance is None:
        return ""
    corpora = [f"{one.source_sha256} {one.target_sha256} {one.repeat} {one.kept}" for one in provenance.train]
    return " ".join([*corpora, f"{run.source_vocabulary.size} {run.target_vocabulary.size}"])
