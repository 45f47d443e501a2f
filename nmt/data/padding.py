"""Sentences of ids as one array."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nmt.data.vocabularies.vocabulary import END_ID


@dataclass(frozen=True, eq=False)
class Padded:
    """S sentences. ids: int64 [S, T], END_ID where padded; mask: bool [S, T], True where there is a token."""

    ids: NDArray[np.int64]
    mask: NDArray[np.bool_]


def padded(sentences: Sequence[NDArray[np.integer]]) -> Padded:
    """Pad sentences of ids to the longest with END_ID."""
    lengths = np.array([len(sentence) for sentence in sentences])
    ids = np.full((len(sentences), int(lengths.max())), END_ID, dtype=np.int64)
    mask = np.arange(ids.shape[1]) < lengths[:, None]
    ids[mask] = np.concatenate(sentences)
    return Padded(ids, mask)
