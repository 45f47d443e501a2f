"""Classification of tokens: end-of-sentence token and punctuation."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nmt.results import END
from nmt.results.alignment import PIECE_MARK

_SILENT = ("Cf", "Mn", "Me")
"""Unicode categories of joiners and combining marks, which are ignored."""


def is_punctuation(token: str) -> bool:
    """True if all characters of the token are in Unicode's categories P (punctuation) or S (symbol), such as ``,``
    ``«`` ``$`` ``=`` or an emoji. SentencePiece's word-start mark is ignored, and so are joiners and combining marks
    (Cf, Mn, Me), which emoji may contain; a token that consists of these alone is not punctuation.

    >>> [token for token in ("▁,", "...", "$x$", "&apos;", "€", "</s>", "▁", "l'") if is_punctuation(token)]
    ['▁,', '...', '€']
    """
    categories = [unicodedata.category(character) for character in token.replace(PIECE_MARK, "")]
    visible = [category for category in categories if category not in _SILENT]
    return bool(visible) and all(category[0] in "PS" for category in visible)


def end_mask(tokens: Sequence[str]) -> NDArray[np.bool_]:
    """True for the end-of-sentence token, which is the last token or missing, [len(tokens)]."""
    mask = np.zeros(len(tokens), dtype=np.bool_)
    if tokens and tokens[-1] == END:
        mask[-1] = True
    return mask


def punctuation_mask(tokens: Sequence[str]) -> NDArray[np.bool_]:
    """True for punctuation, [len(tokens)]."""
    return np.array([is_punctuation(token) for token in tokens], dtype=np.bool_)
