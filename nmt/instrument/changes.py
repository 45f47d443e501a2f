"""A reader's changes to a translation: as words of an address (js/changes.js), and as constraints on a translation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, cast, get_args

import numpy as np

from nmt.results import Intervention
from nmt.results.record import ChangeKind, ReadersChange

_WRITTEN = re.compile(rf"({'|'.join(get_args(ChangeKind))}):([0-9]{{1,4}})(p?):([^:]*):(.*)", re.DOTALL)
_WEIGHT = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_MOST_CHANGES, _MOST_CHARACTERS = 20, 4000
Constraints = TypeVar("Constraints", bound=Intervention)


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
        name: the checkpoint whose weights, token or word are changed. "" for changes that concern every checkpoint.
        weights: the new weights over the source words.
        pieces: whether ``weights`` belong to a target token and count source tokens.
    """

    kind: ChangeKind
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
        change = cls(kind=cast(ChangeKind, kind), row=int(row), name=name, text=rest)
        lacking = (kind in ("weights", "token") and not (name and rest)) or (kind == "blocked" and not rest)
        if lacking or (of_token and kind != "weights"):
            return None
        if kind != "weights":
            return change if len(rest) <= _MOST_CHARACTERS else None
        values = rest.split(",")[:2000]
        weights = tuple(map(float, values)) if all(map(_WEIGHT.fullmatch, values)) else ()
        proper = 0 < sum(weights) < np.inf
        return replace(change, text="", weights=weights, pieces=bool(of_token)) if proper else None


def read_changes(listed: Sequence[object]) -> list[Change]:
    """The changes among the first values of an address or a request, in the order in which the reader made them."""
    read = [Change.read(text) for text in listed[:_MOST_CHANGES] if isinstance(text, str)]
    return [change for change in read if change is not None]


def counting(changes: Sequence[Change]) -> list[Change]:
    """Leave out changes that a later new source cancels: changes of source, weights, tokens and blocked words."""
    last = max((k for k, change in enumerate(changes) if change.kind == "source"), default=-1)
    gone = ("source", "weights", "token", "blocked")
    return [change for k, change in enumerate(changes) if k >= last or change.kind not in gone]


def applied(
    change: Change | ReadersChange, under: Constraints, tokens: Sequence[str] = (), words: Sequence[int] = ()
) -> Constraints:
    """Add a change to the constraints on a translation. A change of one checkpoint keeps the tokens before it.

    Args:
        tokens: target tokens that the model writes under ``under``.
        words: the number of each token's word.
    """
    if change.kind == "source":
        return replace(under, prefix=under.prefix if isinstance(under.prefix, str) else "", weights=())
    if change.kind == "begin":
        return replace(under, prefix=change.text, weights=())
    if change.kind == "blocked":
        return replace(under, blocked=tuple(sorted({*under.blocked, change.row})))
    if change.kind == "without":
        return replace(under, forbidden=tuple(change.text.split()))
    if change.kind == "word":
        begin = _beginning(change.row, words)
        if isinstance(change, Change) and change.name:
            weights = tuple(entry for entry in under.weights if entry[0] < begin)
            under = replace(under, prefix=tuple(tokens[:begin]), weights=weights)
        return replace(under, forced=((begin, change.text),) if change.text else ())
    step = change.row if change.kind == "token" or change.pieces else _beginning(change.row + 1, words)
    if change.kind == "token":
        weights = tuple(entry for entry in under.weights if entry[0] <= step)
        forced = tuple(entry for entry in under.forced if entry[0] != step)
        return replace(under, prefix=(*tokens[:step], change.text), weights=weights, forced=forced)
    if isinstance(under.prefix, str) and change.row < len(under.prefix.split()):  # within the beginning that was typed
        weights = tuple(entry for entry in under.weights if entry[0] != step)
        return replace(under, weights=(*weights, (step, change.weights)))
    weights = tuple(entry for entry in under.weights if entry[0] < step)
    return replace(under, prefix=tuple(tokens[:step]), weights=(*weights, (step, change.weights)))


def _beginning(number: int, words: Sequence[int]) -> int:
    """Number of the first token of target word ``number``. Words are counted from 1, and tokens from 0. A word beyond
    the last one counts as one token."""
    row, last = max(1, number) - 1, len(set(words)) - 1
    return words.index(list(dict.fromkeys(words))[min(row, last)]) + max(0, row - last)
