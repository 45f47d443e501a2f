"""The purposes for which each checkpoint is best. Only scores decide, never the name of a released run."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from nmt.errors import InputError
from nmt.evaluation.measurement_files import MeasuredErrorRate, read_error_rates
from nmt.released import GOLD_LINKS, NOT_POOLED
from nmt.results import ALL_SETS, Languages
from nmt.runs.folder import RunInfo
from nmt.texts import MODELS, counted, listed
from nmt.ui.address import link_to
from nmt.ui.checkpoints import ARCHITECTURES, Checkpoints, find_aligner, report, total_updates
from nmt.ui.formatting import escaped
from nmt.ui.models.facts import corpora
from nmt.ui.models.scoreboard import bleu_of_all

Kind = Literal["translate", "similar", "align", "long", "baseline", "learn"]
"""Purposes: translate anything, translate texts like a test set's, align words, translate long sentences, see what a
model without attention does, watch a training."""

LEAST_LEAD = 0.5
"""BLEU by which a checkpoint must lead on a test set to be named for texts like it. Less is hardly a difference."""

ErrorRates = Mapping[str, float]
"""The lowest alignment error rate by set of gold links, a share from 0 to 1."""


@dataclass(frozen=True, kw_only=True)
class Measured:
    """Scores and settings of a checkpoint, as far as they are known.

    Attributes:
        trained_on: text that identifies its training pairs and vocabularies, or "" if not known.
        updates: number of updates of its weights, in all parts of its training.
        bleu: BLEU over all sentences, by test set and over all test sets together.
        together: BLEU at the largest number of concatenated sentences, or None if not measured.
        most_together: the number of sentences in ``together``, 0 if not measured.
        steps: number of updates whose weights were kept.
    """

    name: str
    attends: bool
    trained_on: str
    updates: int
    bleu: Mapping[str, float]
    error_rate: ErrorRates
    together: float | None
    most_together: int
    steps: int


@dataclass(frozen=True, kw_only=True)
class Purpose:
    """A purpose, and the checkpoint that is best for it.

    Attributes:
        use: the purpose as an end of the sentence "Use this to".
        evidence: plain text with the scores that make the checkpoint the best.
    """

    kind: Kind
    use: str
    name: str
    evidence: str


def purposes(measured: Sequence[Measured], aligner: tuple[str, ErrorRates] | None) -> Iterator[Purpose]:
    """Choose the best checkpoint of one language pair for each purpose, as far as scores tell. ``aligner``: name and
    error rates of the pair's aligner. The purpose "align" names it if it is better than all checkpoints."""
    attending, others = [run for run in measured if run.attends], [run for run in measured if not run.attends]
    sets = [name for name in dict.fromkeys(name for run in measured for name in run.bleu) if name not in NOT_POOLED]
    whole, where = (sets[0], MODELS.on.format(test_set=sets[0])) if len(sets) == 1 else (ALL_SETS, MODELS.on_all)
    best = _most(attending, lambda run: run.bleu.get(whole))
    if best is not None:
        rivals = sum(whole in run.bleu for run in measured)
        of_several = MODELS.best_of.format(rivals=rivals) if rivals > 1 else ""
        yield _purpose("translate", best, bleu=best.bleu[whole], where=where, of_several=of_several)
    yield from _specialist(measured, best)
    yield from _aligner(measured, aligner)
    joined = [run for run in measured if run.together is not None]
    joining = [run for run in joined if run.most_together == max(other.most_together for other in joined)]
    longest = _most(joining, lambda run: run.together)
    if longest is not None and len(joining) > 1:
        sentences = longest.most_together
        yield _purpose("long", longest, bleu=longest.together, sentences=sentences, rivals=len(joining))
    same_data = [run for run in others if best is not None and run.trained_on and run.trained_on == best.trained_on]
    baseline = _most(same_data or others, lambda run: run.bleu.get(whole))
    if baseline is not None and best is not None:
        less = best.bleu[whole] - baseline.bleu[whole]
        data = MODELS.same_data if baseline.updates >= best.updates else MODELS.fewer_updates
        about = data.format(updates=baseline.updates, most=best.updates) if baseline in same_data else ""
        yield _purpose("baseline", baseline, less=less, where=where, data=about)
    if (learner := _most(attending, lambda run: run.steps if run.steps > 1 else None)) is not None:
        yield _purpose("learn", learner, steps=learner.steps)


def _specialist(measured: Sequence[Measured], best: Measured | None) -> Iterator[Purpose]:
    """The purpose "similar": the checkpoint except ``best`` that leads by ``LEAST_LEAD`` on the most test sets."""
    leads: dict[str, dict[str, float]] = {}
    for test_set in dict.fromkeys(name for run in measured for name in run.bleu if name != ALL_SETS):
        ranked = sorted((run for run in measured if test_set in run.bleu), key=lambda run: -run.bleu[test_set])
        if len(ranked) > 1 and (best is None or ranked[0].name != best.name):
            lead = ranked[0].bleu[test_set] - ranked[1].bleu[test_set]
            if lead >= LEAST_LEAD:
                leads.setdefault(ranked[0].name, {})[test_set] = lead
    if leads:
        name = max(leads, key=lambda name: len(leads[name]))
        (winner,) = [run for run in measured if run.name == name]
        test_set = max(leads[name], key=leads[name].__getitem__)
        others = len(leads[name]) - 1
        more = counted(others, MODELS.forms.best_on_more) if others else ""
        lead, bleu = leads[name][test_set], winner.bleu[test_set]
        yield _purpose("similar", winner, more, test_set=test_set, bleu=bleu, lead=lead)


def _aligner(measured: Sequence[Measured], aligner: tuple[str, ErrorRates] | None) -> Iterator[Purpose]:
    """The purpose "align": the best checkpoint on the first set of gold links on which several were measured."""
    for gold in dict.fromkeys(gold for run in measured for gold in run.error_rate):
        rivals = [run for run in measured if gold in run.error_rate]
        if len(rivals) > 1:
            first = min(rivals, key=lambda run: run.error_rate[gold])
            more, rate = "", first.error_rate[gold]
            if aligner is not None and aligner[1].get(gold, rate) < rate:
                more = MODELS.better_aligner.format(name=aligner[0], rate=100 * aligner[1][gold])
            yield _purpose("align", first, more, rate=100 * rate, gold=gold, rivals=len(rivals))
            return


def _purpose(kind: Kind, checkpoint: Measured, more: str = "", **fields: object) -> Purpose:
    use, evidence = MODELS.by_key.uses[kind], MODELS.by_key.evidence[kind]
    said = f"{evidence.format(**fields)} {more}".strip()
    return Purpose(kind=kind, use=use.format(**fields), name=checkpoint.name, evidence=said)


def _most(measured: Sequence[Measured], value: Callable[[Measured], float | None]) -> Measured | None:
    """The first checkpoint with the highest value, or None if none has a value."""
    valued = [(measure, run) for run in measured if (measure := value(run)) is not None]
    return max(valued, key=lambda pair: pair[0])[1] if valued else None


def show_guide(checkpoints: Checkpoints, pair: Languages) -> None:
    """Show a card for each checkpoint that is best for a purpose."""
    runs = checkpoints.of_pair(pair)
    bleu = bleu_of_all(checkpoints)
    cards: dict[str, list[Purpose]] = {}
    measured = [_measured(name, run, bleu.get(name, {})) for name, run in runs.items()]
    for purpose in purposes(measured, _measured_aligner(pair)):
        cards.setdefault(purpose.name, []).append(purpose)
    if not cards:
        st.info(MODELS.no_purpose, icon=":material/info:")
        return
    grid = st.grid(min(len(cards), 3), min_column_width=300)
    for name, reasons in cards.items():
        with grid.cell(), st.container(border=True, gap="xsmall", key=f"use-{name}"):
            _show(name, runs[name], reasons)


def _show(name: str, run: RunInfo, uses: list[Purpose]) -> None:
    st.markdown(MODELS.use_this.format(uses=escaped(listed([purpose.use for purpose in uses]))))
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.markdown(f"**{escaped(name)}**", width="content")
        st.badge(ARCHITECTURES[run.config.model.architecture], color="blue" if run.has_alignment else "gray")
    st.text(" ".join(purpose.evidence for purpose in uses))
    st.caption(escaped(explained(run)))
    with st.container(horizontal=True):
        learns = "learn" in [purpose.kind for purpose in uses]
        link_places(name, measure=not learns, learn=learns)


def link_places(name: str, *, measure: bool = True, learn: bool = False, sentence: str = "") -> None:
    """Show links to the places where the checkpoint translates, where it is measured, and where its training is
    watched. ``sentence``: the sentence that it translates, and that is followed in its training."""
    more = {"s": sentence} if sentence else {}
    link_to("pages/look.py", MODELS.translate_with_it, {"models": [name], **more}, icon=":material/visibility:")
    if measure:
        link_to("pages/length.py", MODELS.measure_it, {"systems": [name]}, icon=":material/show_chart:")
    if learn:
        link_to("pages/learn.py", MODELS.watch_it_learn, {"run": name, "view": "training", **more}, ":material/school:")


def explained(run: RunInfo) -> str:
    """Say in plain words how a run was trained, and what the parts of its name mean."""
    training, parts = run.config.training, run.name.split("-")
    names: list[str] = []
    with suppress(InputError):  # the tables show the error
        names = corpora(report(run))
    template = MODELS.trained_on_any if training.max_length is None else MODELS.trained_on
    from_corpora = MODELS.from_corpora.format(corpora=listed(names)) if names else ""
    in_name = _in_name(str(training.max_length), parts)
    sentences = [template.format(longest=training.max_length, in_name=in_name, corpora=from_corpora)]
    if "star" in parts:
        sentences.append(MODELS.trained_longer)
    if training.guided:
        sentences.append(MODELS.guided.format(in_name=_in_name("guided", parts)))
    if training.concatenate:
        sentences.append(MODELS.concatenated.format(in_name=_in_name("concatenated", parts)))
    return " ".join(sentences)


def _in_name(part: str, parts: list[str]) -> str:
    return MODELS.in_name.format(part=part) if part in parts else ""


def _measured(name: str, run: RunInfo, bleu: Mapping[str, float]) -> Measured:
    """Scores and settings of a checkpoint. Scores in unreadable files count as not measured."""
    try:
        rates, stress = report(run).error_rates, report(run).stress
    except InputError:
        rates, stress = {}, {}
    points = next((points_of_set.points for points_of_set in stress.values() if points_of_set.points), ())
    return Measured(
        name=name,
        attends=run.has_alignment,
        trained_on=_trained_on(run),
        updates=total_updates(run),
        bleu=bleu,
        error_rate=_lowest(rates),
        together=points[-1].bleu if points else None,
        most_together=points[-1].joined if points else 0,
        steps=len(report(run).steps),
    )


def _measured_aligner(pair: Languages) -> tuple[str, ErrorRates] | None:
    """Name and error rates of the aligner of the languages. None without an aligner or readable error rates."""
    with suppress(InputError):
        if (folder := find_aligner(pair)) is not None:
            return folder.name, _lowest(read_error_rates(folder))
    return None


def _lowest(rates: Mapping[str, Sequence[MeasuredErrorRate]]) -> dict[str, float]:
    """The lowest alignment error rate by set of gold links, known sets first, in their order."""
    order = {links.name: place for place, links in enumerate(GOLD_LINKS)}
    known_first = sorted(rates, key=lambda gold: order.get(gold, len(order)))
    return {gold: min(rate.aer for rate in rates[gold]) for gold in known_first}


def _trained_on(run: RunInfo) -> str:
    """Text that identifies training corpora, their repetitions and pairs, and sizes of vocabularies. "" if unknown."""
    with suppress(InputError):  # the tables show the error
        if (provenance := report(run).provenance) is not None:
            parts = [f"{c.source_sha256} {c.target_sha256} {c.repeat} {c.kept}" for c in provenance.train]
            return " ".join([*parts, f"{run.source_vocabulary.size} {run.target_vocabulary.size}"])
    return ""
