"""Remarks on translations that the record lacks, and files that a reader saves."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from nmt.charts.citation import Citation
from nmt.charts.style import line_style
from nmt.errors import InputError
from nmt.instrument import About
from nmt.instrument.changes import Change
from nmt.instrument.export import FORMS, Panel, Taken, Wanted, take
from nmt.instrument.remarks import doubted
from nmt.records import as_record
from nmt.results.inspection import may_doubt
from nmt.results.record import ALPHA, GoldLinks, SentenceRecord
from nmt.runs.folder import RunInfo
from nmt.texts import LOOK
from nmt.ui.app_shell import dark_page
from nmt.ui.compute import answer_to
from nmt.ui.formatting import as_sentence
from nmt.ui.inputs import misfit
from nmt.ui.look.shown import record_of
from nmt.ui.look.view import Decoded, ExplorerView, Shown
from nmt.ui.resources import read_translator
from nmt.ui.tasks import DoubtTask, TranslateTask

_PAPER = "Figure 3"
FORMS_HERE = FORMS | {_PAPER: "paper"}
"""Files that a reader can save: ``FORMS``, and the paper's Figure 3 with translations by a run."""


def picture(
    view: ExplorerView,
    before: Sequence[Shown],
    after: Sequence[Shown],
    changes: Sequence[Change],
    gold: GoldLinks | None = None,
) -> tuple[SentenceRecord | None, dict[str, Any]]:
    """The record of the translations after the changes, and what the instrument is told beside it. ``before``: the
    translations before the changes."""
    changed = any(new is not old for new, old in zip(after, before, strict=True))
    plain = record_of(view, before)
    record = record_of(view, after, gold) if changed or gold else plain
    return record, {
        "plain": None if plain is None or record is plain else plain.to_dict(),
        "about": about(view, after, before),
        "about_before": about(view, before, before) if changed else None,
        "remarks": lesson_remark(view, before[0] if before else None),
        "change": [change.address for change in changes],
        "animate": len(view.parts) == 1 and not view.draft,
    }


def about(view: ExplorerView, shown: Sequence[Shown], before: Sequence[Shown]) -> dict[str, About]:
    """Facts that the record lacks about each translation, by the translation's name. ``before``: the translations
    before the reader's changes."""
    by_name: dict[str, About] = {}
    noted = [panel for panel in shown if isinstance(panel, Decoded)]
    notes = [panel.about["notes"] for panel in noted]
    common = set[str]().union(*notes).intersection(*notes)
    for number, (now, old) in enumerate(zip(shown, before, strict=True)):
        said: About = now.about | {"colour": line_style(number, dark=dark_page()).colour, "movable": False}
        said["notes"] = [note for note in said.get("notes", ()) if now in noted[:1] or note not in common]
        if now is old:
            said["changed"] = None
        if isinstance(now, Decoded):
            said["movable"] = now.has_alpha and not now.manner
            if now.manner:
                said["condition"] = now.manner
            said |= doubts(now, before) if now is old and not view.draft and len(view.parts) < 2 else {}
            # If the checkpoint cannot read all words, nothing is said on their order. It can read our lessons.
            unsure = view.lesson is None and misfit(view.sentence, now.run)
            said["uncertain"] = bool(now.source.unknown or unsure)
        by_name[now.title] = said
    return by_name


def lesson_remark(view: ExplorerView, first: Shown | None) -> dict[str, str]:
    """The lesson's remark, under its sentence as key. {} without remark, or if it is not true of the first
    translation."""
    lesson = view.lesson
    if lesson is None or not isinstance(first, Decoded):
        return {}
    true = not lesson.written or (first.has_alpha and lesson.written in first.written.text)
    return {view.sentence: lesson.shown_look} if true and lesson.shown_look else {}


def doubts(one: Decoded, others: Sequence[Shown]) -> About:
    """Doubt the words of a translation without alpha that a model with attention finds improbable. {} if no word is
    doubted, or if no model may judge."""
    if one.run.has_alignment or one.manner:
        return {}
    alike = (judge for judge in others if isinstance(judge, Decoded) and judge.run.languages == one.run.languages)
    able = (judge for judge in alike if judge.has_alpha and not judge.manner and may_doubt(judge.written))
    if (judge := next(able, None)) is None:
        return {}
    scores = answer_to(DoubtTask(judge.run, judge.source, one.target), st.empty(), lambda error, place: None)
    words, theirs = (panel.units(pieces=False).target for panel in (one, judge))
    return {} if scores is None else doubted(judge.title, scores.improbable(words, theirs))


def take_away(
    view: ExplorerView, sides: Mapping[str, Sequence[Shown]], asked: Any, *, changed: bool
) -> dict[str, Any] | None:
    """The requested file, or the reason for its absence, in the form that nmt/instrument/js/export.js reads. None if
    there is nothing to save.

    Args:
        sides: under the keys "before" and "after", the translations before and after the reader's changes. Under
            "same", the translations of "before" scored with the new source.
        asked: the request, as the browser sent it.
        changed: whether the reader changed anything. The file then names no command that draws the figure again.
    """
    try:
        wanted = as_record(Wanted, asked, unknown="ignore")
        shown = {panel.title: panel for panel in sides.get(wanted.seen, sides["after"])}
        runs = {name: panel.run for name, panel in shown.items() if isinstance(panel, Decoded)}
        if wanted.format == _PAPER:
            return next((_paper_figure(runs[name]).to_dict() for name in wanted.maps if name in runs), None)
        compared = sides["before"] if wanted.seen in ("change", "same") else ()
        record, former = (record_of(view, some, exact=True) for some in ([*shown.values()], compared))
        facts = [
            (run.name, LOOK.page_weights.format(update=run.weights.update, sha256=run.weights.sha256()))
            for run in runs.values()
        ]
        said_of = about(view, [*shown.values()], [*shown.values()])
        cite = partial(_citation, view, shown, changed=changed)
        taken = None if record is None else take(wanted, record, former, about=said_of, facts=facts, cite=cite)
    except InputError as error:
        return {"notes": [as_sentence(str(error))]}
    return None if taken is None else taken.to_dict()


def _paper_figure(run: RunInfo) -> Taken:
    """Make the paper's Figure 3 with translations by a run, which are computed now."""
    from nmt.figures import figure3_pdf, figure3_sentences

    model = read_translator(run.path)
    data = figure3_pdf({run.name: model.translate(figure3_sentences([model]))})
    return Taken(name=f"figure3.{run.name}.pdf", data=data)


def _citation(view: ExplorerView, shown: Mapping[str, Shown], panel: Panel, *, changed: bool) -> Citation | None:
    """The facts to cite a figure. None for a difference, weights from a file, a committee and hard attention."""
    decoded = shown.get(panel.title)
    if not isinstance(decoded, Decoded) or decoded.manner or not panel.of_one:
        return None
    run = decoded.run
    task = TranslateTask(run, view.sentence, view.settings.of(run))
    return Citation(
        checkpoint=run.name,
        weights_sha256=task.fingerprint.weights,
        update=run.weights.update,
        sentence=view.sentence,
        target=view.target.typed,
        translation=decoded.written.text,
        search=task.settings,
        own=run.config.search,
        precision=task.precision,
        values=panel.values,
        redrawable=panel.kinds == {ALPHA} and not (panel.ribbons or changed),
    )
