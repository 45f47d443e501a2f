"""Changes to a translation that a reader asks for, and how the address keeps them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from nmt.ui.look.explore.decode import DecodedSentence

MOVED, CHOSEN, PREFIX = "moved", "chosen", "wprefix"
"""Parameters of the address: the weights that were moved, the token that was chosen, and how the translation begins."""
EDITOR = "weights-"
"""Prefix of the keys of the tables in which weights are changed by hand."""


@dataclass(frozen=True)
class MovedWeights:
    """A row of alpha whose weights were moved.

    Attributes:
        row: number of the target word or token.
        weights: over the source words or tokens shown.
        name: the checkpoint; "" = every one, as in addresses of former versions.
    """

    row: int
    weights: tuple[float, ...]
    name: str = ""

    @property
    def text(self) -> str:
        """Moved weights as the address has them.

        >>> MovedWeights(2, (0.0, 0.5, 0.5), "my-run").text
        '2:0,0.5,0.5:my-run'
        """
        return f"{self.row}:" + ",".join(f"{weight:g}" for weight in self.weights) + f":{self.name}"

    @classmethod
    def read(cls, text: str) -> MovedWeights | None:
        """Parse the moved weights of the address; None for anything else.

        >>> MovedWeights.read("2:0,0.5,0.5")
        MovedWeights(row=2, weights=(0.0, 0.5, 0.5), name='')
        >>> [MovedWeights.read(text) for text in ("x", "1:-1,2", "1:nan", "1:1,x:my-run")]
        [None, None, None, None]
        """
        row, _, rest = text.partition(":")
        values, _, name = rest.partition(":")
        if not (row.isascii() and row.isdecimal()) or len(row) > 4:
            return None
        try:
            weights = tuple(float(value) for value in values.split(",")[:2000])
        except ValueError:
            return None
        return cls(int(row), weights, name) if all(0 <= weight < np.inf for weight in weights) else None


@dataclass(frozen=True)
class ChosenToken:
    """A token that a checkpoint is to write in place of its own.

    Attributes:
        row: number of the token in the checkpoint's translation; the tokens before it stay.
        token: as the model writes it.
        name: the checkpoint.
    """

    row: int
    token: str
    name: str

    @property
    def text(self) -> str:
        """The choice as the address has it.

        >>> ChosenToken(2, "▁de", "my-run").text
        '2:my-run:▁de'
        """
        return f"{self.row}:{self.name}:{self.token}"

    @classmethod
    def read(cls, text: str) -> ChosenToken | None:
        """Parse the choice of the address; None for anything else.

        >>> ChosenToken.read("2:my-run::")
        ChosenToken(row=2, token=':', name='my-run')
        >>> [ChosenToken.read(text) for text in ("", "x:my-run:de", "1:my-run", "1::de", "-1:my-run:de")]
        [None, None, None, None, None]
        """
        row, _, rest = text.partition(":")
        name, _, token = rest.partition(":")
        if not (row.isascii() and row.isdecimal()) or len(row) > 4 or not name or not token:
            return None
        return cls(int(row), token, name)


@dataclass(frozen=True, kw_only=True)
class Changes:
    """Changes that the reader asks for.

    Attributes:
        source: the sentence that is read instead; "" = the same.
        prefix: how the translation begins.
        forbidden: words that it may not have.
        forced: (position from 0, word).
        weights: (row of alpha, weights over the source words or tokens shown).
        weights_of: name of the checkpoint whose weights these are; "" = those of every one.
        chosen: a token of one checkpoint in place of its own.
    """

    source: str = ""
    prefix: str = ""
    forbidden: tuple[str, ...] = ()
    forced: tuple[tuple[int, str], ...] = ()
    weights: tuple[tuple[int, tuple[float, ...]], ...] = ()
    weights_of: str = ""
    chosen: ChosenToken | None = None

    def of(self, checkpoint: DecodedSentence) -> Changes:
        """Select the changes that apply to a checkpoint: without weights and tokens of another checkpoint, and without
        weights if it has no alpha."""
        changes = self
        if self.weights_of not in ("", checkpoint.name) or checkpoint.stands_in:
            changes = replace(changes, weights=(), weights_of="")
        if self.chosen is not None and (
            self.chosen.name != checkpoint.name or self.chosen.row >= len(checkpoint.tokens)
        ):
            changes = replace(changes, chosen=None)
        return changes


def forget_experiment() -> None:
    """Forget the beginning that was typed, the token that was chosen and the weights that were moved."""
    for parameter in (MOVED, CHOSEN, PREFIX):
        st.query_params.pop(parameter, None)
    for key in [key for key in st.session_state if str(key).startswith(EDITOR) or key == PREFIX]:
        del st.session_state[key]
