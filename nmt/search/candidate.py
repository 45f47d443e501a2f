"""Record of a finished output of a search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Candidate:
    """A finished output.

    Attributes:
        ids: T_y token ids, end-of-sentence token last.
        log_probability: log p(y | x) in nats, end-of-sentence token included: the sum of ``token_log_probabilities``.
        score: ranking criterion: log_probability / T_y^A for length penalty A (A = 0: log_probability).
        token_log_probabilities: T_y values in nats, as the model gave them (never renormalised).
        alpha: float32 [T_y, T_x], the weights of the search's own steps, without padding, source end-of-sentence token
            last; None for a model without attention, and if alpha was not requested.
        watched: whether any hypothesis that the beam of its sentence held had a token of ``BeamSettings.watched``.
    """

    ids: tuple[int, ...]
    log_probability: float
    score: float
    token_log_probabilities: tuple[float, ...]
    alpha: NDArray[np.float32] | None
    watched: bool
