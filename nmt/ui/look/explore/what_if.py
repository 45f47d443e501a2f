"""A reader's changes to a translation, and the translations after these changes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast, get_args

import numpy as np
import streamlit as st

from nmt.results.inspection import writer
from nmt.texts import LOOK
from nmt.ui.address import write_own
from nmt.ui.compute import answer_to
from nmt.ui.inputs import MOST_CHARACTERS
from nmt.ui.look.explore.shown import decoded, forced, shown_of
from nmt.ui.look.explore.view import CHANGES, OF_A_SENTENCE, SEEN, DecodedSentence, ExplorerView, Shown
from nmt.ui.tasks import ReadTask, WhatIfTask, chosen_settings

Kind = Literal["source", "begin", "without", "word", "weights", "token", "blocked"]
_WRITTEN = re.compile(rf"({'|'.join(get_args(Kind))}):([0-9]{{1,4}})(p?):([^:]*):(.*)", re.DOTALL)
_WEIGHT = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_MOST_CHANGES = 20


@dataclass(frozen=True, kw_only=True)
class Change:
    """One change to a sentence or its translation.

    Attributes:
        kind: kind of the change. "source": the source sentence. "begin": the beginning of the translation. "without":
            words that the translation may not have. "word": target word ``row``, from 1. "weights": alpha of target
            word ``row``, from 0. "token": target token ``row``, from 0. The search writes the tokens after it.
            "blocked": source word ``row``, from 0, gets no weight.
        text: the typed text, the token in the model's form, or the blocked source word. "" takes back an earlier change
            of this kind.
        row: number of the word or token, see ``kind``.
        name: the checkpoint whose weights or token are changed. "" for the other kinds, which concern every checkpoint.
        weights: the new weights over the source words.
        pieces: whether ``weights`` belong to a target token and count source tokens.
    """

    kind: Kind
    text: str = ""
    row: int = 0
    name: str = ""
    weights: tuple[float, ...] = ()
    pieces: bool = False

    @property
    def address(self) -> str:
        """The change as a value of the address.

        >>> Change(kind="weights", row=2, name="my-run", weights=(0.0, 0.5, 0.5)).address
        'weights:2:my-run:0,0.5,0.5'
        >>> Change(kind="weights", row=2, name="my-run", weights=(0.0, 1.0), pieces=True).address
        'weights:2p:my-run:0,1'
        >>> Change(kind="token", row=2, name="my-run", text="▁de").address, Change(kind="begin", text="Le").address
        ('token:2:my-run:▁de', 'begin:0::Le')
        """
        rest = ",".join(f"{weight:g}" for weight in self.weights) if self.kind == "weights" else self.text
        name = self.name.replace("%", "%25").replace(":", "%3A")
        return f"{self.kind}:{self.row}{'p' * self.pieces}:{name}:{rest}"

    @classmethod
    def read(cls, text: str) -> Change | None:
        """Parse a change of the address. None for any other text.

        >>> Change.read("token:2:my-run::")
        Change(kind='token', text=':', row=2, name='my-run', weights=(), pieces=False)
        >>> Change.read("weights:2:my-run:0,0.5") == Change(kind="weights", row=2, name="my-run", weights=(0.0, 0.5))
        True
        >>> wrong = ("", "token:x:a:b", "token:1::b", "weights:1:a:-1,2", "weights:1:a:0,0", "begin:1", "eat:0::x")
        >>> {Change.read(text) for text in wrong}
        {None}
        """
        if not (match := _WRITTEN.fullmatch(text)):
            return None
        kind, row, of_token, name, rest = match.groups()
        name = name.replace("%3A", ":").replace("%25", "%")
        change = cls(kind=cast(Kind, kind), row=int(row), name=name, text=rest)
        lacking = (kind in ("weights", "token") and not (name and rest)) or (kind == "blocked" and not rest)
        if lacking or (of_token and kind != "weights"):
            return None
        if kind != "weights":
            return change if len(rest) <= MOST_CHARACTERS else None
        values = rest.split(",")[:2000]
        weights = tuple(map(float, values)) if all(map(_WEIGHT.fullmatch, values)) else ()
        proper = 0 < sum(weights) < np.inf
        return replace(change, text="", weights=weights, pieces=bool(of_token)) if proper else None

    def concerns(self, shown: Shown, view: ExplorerView) -> bool:
        """Whether the change concerns a translation. Only a change of the source concerns one with a typed target."""
        if shown.decoded is not None and shown.decoded.manner:
            return False
        if view.target.typed or self.kind == "source":
            return self.kind == "source"
        if self.kind == "blocked":
            return shown.has_alpha
        return self.name == shown.title and (shown.has_alpha or self.kind == "token") if self.name else True

    def fits(self, shown: Shown) -> bool:
        """Whether the word or token that the change names exists in a translation, and new weights are as many as the
        source words or tokens. For a blocked word: whether the source has this word at this place."""
        if self.kind == "blocked":
            return shown.units(pieces=False).source[self.row : self.row + 1] == (self.text,)
        units = shown.units(pieces=self.pieces)
        rows = len(shown.written.target.tokens if self.kind == "token" else units.target)
        return not self.name or (self.row < rows and (not self.weights or len(self.weights) == len(units.source)))


def read_changes() -> list[Change]:
    """The changes of the address, in the order in which the reader made them."""
    return _read(st.query_params.get_all(CHANGES))


def unread_changes() -> list[str]:
    """Changes in the address that cannot be read."""
    return [text for text in st.query_params.get_all(CHANGES) if Change.read(text) is None]


def take_changes(asked: object) -> None:
    """Write the browser's changes into the address. Without changes, delete the parameter of the shown side."""
    changes = _read(asked if isinstance(asked, list) else [])
    seen: dict[str, list[str]] = {} if changes else {SEEN: []}
    write_own(OF_A_SENTENCE, **{CHANGES: [change.address for change in changes]}, **seen)


def _read(listed: Sequence[object]) -> list[Change]:
    read = [Change.read(text) for text in listed[:_MOST_CHANGES] if isinstance(text, str)]
    return [change for change in read if change is not None]


def changed(view: ExplorerView, before: Shown, changes: Sequence[Change], lost: set[str]) -> Shown:
    """A translation after the changes. The result is ``before`` if no change concerns it, or after saying why the model
    cannot follow the changes.

    Args:
        lost: if a change does not fit, a notice is added here, the same one for all translations.
    """
    first = before.decoded
    if first is None:
        return before
    plain = WhatIfTask(
        checkpoint=first.run,
        sentence=view.sentence,
        settings=chosen_settings(first.run, view.settings.beam, view.settings.unknown),
    )
    task, before_each = plain, []
    made: list[Change] = []
    for change in _counting(changes):
        current: DecodedSentence | None = first
        if (change.name or change.kind in ("blocked", "word")) and task != plain:
            current = _decoded(task, first.name)
        if current is None:
            return before
        shown = before if current is first else shown_of(view, current, before.number)
        if not change.concerns(shown, view):
            continue
        if not change.fits(shown):
            lost.add(f":material/link_off: {LOOK.of_another_sentence}")
        else:
            task = _applied(change, task, current, view)
            made.append(change)
            before_each.append(current)
    if task == plain:
        return before
    now = _given(first, task.sentence) if view.target.typed else _decoded(task, first.name)
    if now is None:
        return before
    typed, view = view.sentence, replace(view, sentence=task.sentence)
    after = shown_of(view, now, before.number)
    said = (_sentence(edit, current, after, view, typed=typed) for edit, current in zip(made, before_each, strict=True))
    return replace(after, changes=tuple(filter(None, said)))


def _counting(changes: Sequence[Change]) -> list[Change]:
    """Leave out changes that a later new source cancels: changes of source, weights, tokens and blocked words."""
    last = max((k for k, change in enumerate(changes) if change.kind == "source"), default=-1)
    gone = ("source", "weights", "token", "blocked")
    return [change for k, change in enumerate(changes) if k >= last or change.kind not in gone]


def _applied(change: Change, task: WhatIfTask, current: DecodedSentence, view: ExplorerView) -> WhatIfTask:
    """The task with one more change. New weights or a new token keep the tokens of ``current`` before them."""
    if change.kind == "source":
        prefix = task.prefix if isinstance(task.prefix, str) else ""
        return replace(task, sentence=change.text or view.sentence, prefix=prefix, weights=())
    if change.kind == "begin":
        return replace(task, prefix=change.text, weights=())
    if change.kind == "blocked":
        return replace(task, blocked=tuple(sorted({*task.blocked, change.row})))
    if change.kind == "without":
        return replace(task, forbidden=tuple(change.text.split()))
    if change.kind == "word":
        return replace(task, forced=((_beginning(change.row, current), change.text),) if change.text else ())
    step = _step(change, current)
    if change.kind == "token":
        weights = tuple(entry for entry in task.weights if entry[0] <= step)
        return replace(task, prefix=(*current.tokens[:step], change.text), weights=weights)
    if isinstance(task.prefix, str) and change.row < len(task.prefix.split()):  # within the beginning that was typed
        weights = tuple(entry for entry in task.weights if entry[0] != step)
        return replace(task, weights=(*weights, (step, change.weights)))
    weights = tuple(entry for entry in task.weights if entry[0] < step)
    return replace(task, prefix=current.tokens[:step], weights=(*weights, (step, change.weights)))


def _step(change: Change, current: DecodedSentence) -> int:
    """Number of the target token at which a change begins: the first of a word. ``row`` if the word is missing."""
    if change.kind == "token" or change.pieces:
        return change.row
    words = current.token_words
    numbers = list(dict.fromkeys(words))
    return words.index(numbers[change.row]) if change.row < len(numbers) else change.row


def _beginning(number: int, current: DecodedSentence) -> int:
    """Number of the first token of target word ``number``. Words are counted from 1, and tokens from 0. A word beyond
    the last one counts as one token."""
    words, row = current.token_words, max(1, number) - 1
    last = len(set(words)) - 1
    return words.index(list(dict.fromkeys(words))[min(row, last)]) + max(0, row - last)


def _sentence(change: Change, before: DecodedSentence, after: Shown, view: ExplorerView, *, typed: str = "") -> str:
    """Say what a change did. "" if the change was taken back, or if a later change has undone it.

    Args:
        before: the translation before this change.
        view: the view with the source sentence after all changes.
        typed: the sentence without changes.
    """
    now, text = after.decoded, change.text
    if now is None or not (change.name or text):
        return ""  # the change was taken back
    words, row = now.text.split(), change.row
    if change.kind == "weights":
        alpha = after.units(pieces=change.pieces)
        goal = int(np.argmax(change.weights))
        if row >= len(alpha.target) or goal != int(np.argmax(alpha.weights[row])):
            return ""
        return LOOK.looks.format(name=now.name, word=alpha.target[row], source=alpha.source[goal])
    if change.kind == "token":
        if row >= len(before.tokens) or now.tokens[: row + 1] != (*before.tokens[:row], text):
            return ""
        written = writer(before.tokens)
        return LOOK.chosen.format(name=now.name, word=written(text), own=written(before.tokens[row]))
    if change.kind == "blocked":
        return LOOK.left_out.format(word=text)
    return {
        "source": (LOOK.reordered if _reordered(text, typed) else LOOK.source_changed).format(text=text)
        * (text == view.sentence),
        "begin": LOOK.begin_changed.format(text=text) * "".join(words).startswith("".join(text.split())),
        "without": LOOK.without_changed.format(text=text) * {*text.split()}.isdisjoint(words),
        "word": LOOK.word_changed.format(number=row, text=text)
        * (after.units(pieces=False).target[row - 1 : row] == (text,)),
    }[change.kind]


def _reordered(one: str, other: str) -> bool:
    """Whether two sentences differ, but have the same letters."""
    return one != other and sorted("".join(one.split())) == sorted("".join(other.split()))


def _decoded(task: WhatIfTask, name: str) -> DecodedSentence | None:
    translation = answer_to(task, st.empty())
    return None if translation is None else decoded(name, task.checkpoint, translation)


def _given(before: DecodedSentence, sentence: str) -> DecodedSentence | None:
    """Score the target of ``before`` as the translation of another sentence. None after showing an error."""
    read = answer_to(ReadTask(before.run, sentence), st.empty())
    return None if read is None else forced(before.name, before.run, read, before.target, before.text)


def given_same_target(view: ExplorerView, before: Shown, changes: Sequence[Change]) -> Shown | None:
    """The translation before the changes, scored with the new source. None without a new source or a score."""
    sources = [change.text for change in changes if change.kind == "source"]
    if before.decoded is None or not sources or not sources[-1]:
        return None
    now = _given(before.decoded, sources[-1])
    return None if now is None else shown_of(replace(view, sentence=sources[-1]), now, before.number)
