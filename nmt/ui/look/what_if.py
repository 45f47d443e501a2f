"""The translations after a reader's changes."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from nmt.instrument.changes import Change, applied, counting, read_changes
from nmt.texts import LOOK
from nmt.ui.address import write_own
from nmt.ui.compute import answer_to
from nmt.ui.look.shown import decoded, forced, shown_of
from nmt.ui.look.view import CHANGES, OF_A_SENTENCE, SEEN, DecodedSentence, ExplorerView, Shown
from nmt.ui.tasks import WhatIfTask


def take_changes(asked: object) -> None:
    """Write the browser's changes into the address. Without changes, delete the parameter of the shown side."""
    changes = read_changes(asked if isinstance(asked, list) else [])
    seen: dict[str, list[str]] = {} if changes else {SEEN: []}
    write_own(OF_A_SENTENCE, **{CHANGES: [change.address for change in changes]}, **seen)


def changed(view: ExplorerView, before: Shown, changes: Sequence[Change], lost: set[str]) -> Shown:
    """A translation after the changes. If no change concerns it, return ``before``. If the model cannot follow the
    changes, say why and return ``before``.

    Args:
        lost: if a change does not fit, a notice is added here, the same one for all translations.
    """
    first = before.decoded
    if first is None:
        return before
    task = plain = WhatIfTask(checkpoint=first.run, sentence=view.sentence, settings=view.settings.of(first.run))
    for change in counting(changes):
        current: DecodedSentence | None = first
        if (change.name or change.kind in ("blocked", "word")) and task != plain:
            current = _decoded(task, first.name)
        if current is None:
            return before
        shown = before if current is first else shown_of(view, current)
        if not concerns(change, shown, view):
            continue
        if not _fits(change, shown):
            lost.add(f":material/link_off: {LOOK.of_another_sentence}")
            continue
        task = applied(change, task, current.tokens, current.target.words)
        if change.kind == "source":
            task = replace(task, sentence=change.text or view.sentence)
    if task == plain:
        return before
    now = _given(first, task.sentence) if view.target.typed else _decoded(task, first.name)
    return before if now is None else shown_of(replace(view, sentence=task.sentence), now)


def concerns(change: Change, shown: Shown, view: ExplorerView) -> bool:
    """Whether a change concerns a translation. Only a change of the source concerns one with a typed target."""
    if shown.decoded is not None and shown.decoded.manner:
        return False
    if view.target.typed or change.kind == "source":
        return change.kind == "source"
    if change.kind == "blocked":
        return shown.has_alpha
    return change.name == shown.title and (shown.has_alpha or change.kind != "weights") if change.name else True


def _fits(change: Change, shown: Shown) -> bool:
    """Whether the word or token that a change names exists in a translation, and new weights are as many as the source
    words or tokens. For a blocked word: whether the source has this word at this place."""
    if change.kind == "blocked":
        return shown.units(pieces=False).source[change.row : change.row + 1] == (change.text,)
    units = shown.units(pieces=change.pieces)
    rows = len(shown.written.target.tokens if change.kind == "token" else units.target) + (change.kind == "word")
    return not change.name or (change.row < rows and (not change.weights or len(change.weights) == len(units.source)))


def _decoded(task: WhatIfTask, name: str) -> DecodedSentence | None:
    translation = answer_to(task, st.empty())
    return None if translation is None else decoded(name, task.checkpoint, translation)


def _given(before: DecodedSentence, sentence: str) -> DecodedSentence | None:
    """Score the target of ``before`` for another sentence. If that fails, show the error and return None."""
    return forced(before.name, before.run, sentence, before.target, before.text)


def given_same_target(view: ExplorerView, before: Shown, changes: Sequence[Change]) -> Shown | None:
    """The translation before the changes, scored with the new source. None without a new source or a score."""
    sources = [change.text for change in changes if change.kind == "source"]
    if before.decoded is None or not sources or not sources[-1]:
        return None
    now = _given(before.decoded, sources[-1])
    return None if now is None else shown_of(replace(view, sentence=sources[-1]), now)
