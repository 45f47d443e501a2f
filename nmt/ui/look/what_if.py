"""The translations after a reader's changes."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from nmt.instrument.changes import Change, applied, counting, read_changes
from nmt.texts import LOOK
from nmt.ui.address import write_own
from nmt.ui.compute import answer_to
from nmt.ui.look.shown import decoded, forced
from nmt.ui.look.view import CHANGES, OF_A_SENTENCE, SEEN, Decoded, ExplorerView, Shown
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
    if not isinstance(before, Decoded):
        return before
    task = plain = WhatIfTask(checkpoint=before.run, sentence=view.sentence, settings=view.settings.of(before.run))
    for change in counting(changes):
        current: Decoded | None = before
        if (change.name or change.kind in ("blocked", "word")) and task != plain:
            current = _written(view, task, before.title)
        if current is None:
            return before
        if not concerns(change, current, view):
            continue
        if not _fits(change, current):
            lost.add(f":material/link_off: {LOOK.of_another_sentence}")
            continue
        task = applied(change, task, current.written.target.tokens, current.target.words)
        if change.kind == "source":
            task = replace(task, sentence=change.text or view.sentence)
    if task == plain:
        return before
    now = replace(view, sentence=task.sentence)
    return (_given(now, before) if view.target.typed else _written(now, task, before.title)) or before


def concerns(change: Change, shown: Decoded, view: ExplorerView) -> bool:
    """Whether a change concerns a translation. Only a change of the source concerns one with a typed target."""
    if shown.manner:
        return False
    if view.target.typed or change.kind == "source":
        return change.kind == "source"
    if change.kind == "blocked":
        return shown.has_alpha
    return change.name == shown.title and (shown.has_alpha or change.kind != "weights") if change.name else True


def _fits(change: Change, shown: Decoded) -> bool:
    """Whether the word or token that a change names exists in a translation, and new weights are as many as the source
    words or tokens. For a blocked word: whether the source has this word at this place."""
    if change.kind == "blocked":
        return shown.units(pieces=False).source[change.row : change.row + 1] == (change.text,)
    units = shown.units(pieces=change.pieces)
    rows = len(shown.written.target.tokens if change.kind == "token" else units.target) + (change.kind == "word")
    return not change.name or (change.row < rows and (not change.weights or len(change.weights) == len(units.source)))


def _written(view: ExplorerView, task: WhatIfTask, name: str) -> Decoded | None:
    translation = answer_to(task, st.empty())
    return None if translation is None else decoded(view, name, task.checkpoint, translation)


def _given(view: ExplorerView, before: Decoded) -> Decoded | None:
    """Score the target of ``before`` for another sentence. If that fails, show the error and return None."""
    return forced(view, before.title, before.run, view.sentence, before.target, before.written.text)


def with_new_source(view: ExplorerView, before: Sequence[Shown], changes: Sequence[Change]) -> list[Shown]:
    """The translations before the changes, scored with the new source. Without a new source or a score, none."""
    source = next((change.text for change in reversed(changes) if change.kind == "source"), "")
    now = replace(view, sentence=source)
    scored = [_given(now, panel) for panel in before if isinstance(panel, Decoded)] if source else []
    return [panel for panel in scored if panel is not None]
