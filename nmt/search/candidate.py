"""One finished output of a search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Candidate:
    """One output, finished by the end mark.

    Attributes:
        ids: T_y token ids, end mark last.
        log_probability: log p(y | x) in nats, end mark included: the sum of ``token_log_probabilities``.
        score: what it is ranked by: log_probability / T_y^A for length penalty A (A = 0: log_probability).
        token_log_probabilities: T_y values in nats, as the model gave them (never renormalised).
        alpha: float32 [T_y, T_x], the weights of the search's own steps, padding cut, source end mark last;
            None for a model without attention, and where none was asked for.
    """

    ids: tuple[int, ...]
    log_probability: float
    score: float
    token_log_probabilities: tuple[float, ...]
    alpha: NDArray[np.float32] | None
