"""Actions on a cell: write another word there, or move the word's attention to another source word."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nmt.charts.alignment_view import Move
from nmt.results import CellExplanation
from nmt.results.alignment import END
from nmt.results.pieces import writer
from nmt.ui.address import set_choice
from nmt.ui.formatting import escaped
from nmt.ui.look.explore import strings
from nmt.ui.look.explore.decode import DecodedSentence
from nmt.ui.look.explore.experiments import CHOSEN, MOVED, ChosenToken, MovedWeights, forget_experiment
from nmt.ui.look.explore.panels import DrawnPanel

_SECTION, _WHAT_IF, _EXPORT = "do", "what-if", "export"
_MOST = 5
_LEAST_PROBABILITY = 0.005
"""Words that would be shown as 0.00 are not offered."""


def offer_words(cell: CellExplanation, explored: DecodedSentence) -> None:
    """Show buttons for the most probable other words; the rest of the translation then follows the chosen one."""
    written = writer(cell.target)
    others = [
        token
        for token in cell.next_tokens
        if token.token not in (cell.target[cell.i], END) and token.probability >= _LEAST_PROBABILITY
    ][:_MOST]
    if not others:
        return
    st.caption(strings.OTHER_WORDS)
    with st.container(horizontal=True, gap="xsmall"):
        for k, token in enumerate(others):
            st.button(
                strings.OTHER_WORD.format(word=escaped(written(token.token)), probability=f"{token.probability:.2f}"),
                key=f"word-{k}",
                on_click=_choose_token,
                args=(ChosenToken(cell.i, token.token, explored.name),),
                help=strings.OTHER_WORD_HELP,
            )


def offer_attention(row: int, column: int, words: Sequence[str], cell: CellExplanation, name: str) -> None:
    """Show a button that moves all attention of the target word to this source word.

    Args:
        row, column: numbers of the target and of the source word among all words.
        words: all source words.
        name: the checkpoint whose attention is moved.
    """
    if cell.alpha is None or cell.alpha[cell.j] == max(cell.alpha):
        return
    weights = tuple(float(k == column) for k in range(len(words)))
    st.button(
        strings.MOVE.format(word=escaped(words[column])),
        key="move-attention",
        icon=":material/my_location:",
        on_click=_move,
        args=(MovedWeights(row, weights, name),),
        help=strings.MOVE_HELP,
    )


def _choose_token(chosen: ChosenToken) -> None:
    """Let a checkpoint write this token, in place of any experiment before."""
    forget_experiment()
    st.query_params[CHOSEN] = chosen.text
    set_choice(_SECTION, _WHAT_IF)


def open_export() -> None:
    """Open the section of the rail that exports the picture."""
    set_choice(_SECTION, _EXPORT)


def take_move(dragged: object, drawn: Sequence[DrawnPanel], *, of_tokens: bool) -> None:
    """Give the weight of a cell to the source word that the reader dragged it to, and let the model go on.

    Args:
        dragged: the cell, as sent by the browser.
        of_tokens: whether the panels are of tokens, not of words.
    """
    move = Move.checked(dragged, [each.panel for each in drawn])
    explored, kept = (None, None) if move is None else (drawn[move.panel].explored, drawn[move.panel].restriction)
    if move is None or explored is None or kept is None:
        return
    weights = explored.weights if of_tokens else explored.weights.merged()
    row = kept.target[move.target]
    values = [round(float(weight), 3) for weight in weights.weights[row]]
    source, goal = kept.source[move.source], kept.source[move.goal]
    values[goal], values[source] = round(values[goal] + values[source], 3), 0.0
    _move(MovedWeights(row, tuple(values), explored.name))


def _move(moved: MovedWeights) -> None:
    """Set the weights of a target word, in place of any experiment before."""
    forget_experiment()
    st.query_params[MOVED] = moved.text
    set_choice(_SECTION, _WHAT_IF)
