"""Spelling of subwords for readers: the first piece of a word as it is, a piece that continues a word after a dot."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from nmt.results.alignment import END, PIECE_MARK, Alignment
from nmt.results.inspection import TranslationSteps

CONTINUATION_MARK = "·"
"""Mark before a piece that continues a word."""


def readable_piece(piece: str) -> str:
    """Write one subword for readers.

    >>> [readable_piece(piece) for piece in ("▁Econ", "omic", "▁", "</s>")]
    ['Econ', '·omic', '▁', '</s>']
    """
    if piece in ("", PIECE_MARK, END):
        return piece
    return piece.removeprefix(PIECE_MARK) if piece.startswith(PIECE_MARK) else CONTINUATION_MARK + piece


def writer(tokens: Iterable[str]) -> Callable[[str], str]:
    """Return a function that spells tokens of this side: subwords as above, whole words as they are. A side of subwords
    has the mark of a beginning word somewhere among ``tokens``."""
    return readable_piece if any(token.startswith(PIECE_MARK) for token in tokens) else str


def readable_alignment(alignment: Alignment) -> Alignment:
    """Write the tokens of an alignment for readers."""
    source, target = writer(alignment.source), writer(alignment.target)
    return replace(alignment, source=tuple(map(source, alignment.source)), target=tuple(map(target, alignment.target)))


def readable_steps(steps: TranslationSteps) -> TranslationSteps:
    """Steps of a translation whose tokens are written for readers."""
    source, target = writer(steps.source), writer(steps.target)
    return replace(
        steps,
        source=tuple(map(source, steps.source)),
        target=tuple(map(target, steps.target)),
        steps=tuple(
            replace(step, next_tokens=tuple(replace(each, token=target(each.token)) for each in step.next_tokens))
            for step in steps.steps
        ),
    )
