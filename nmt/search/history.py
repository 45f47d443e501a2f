"""What a search has written so far, kept by back-pointers instead of copied hypotheses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nmt.search.candidate import Candidate


@dataclass(frozen=True, eq=False)
class Layer:
    """The rows that lived after one step, in the order the next step numbers them.

    Attributes:
        tokens: the token each row ends with, int64 [rows].
        token_log_probabilities: its log-probability in nats, float64 [rows].
        parents: number of the row it continues, among the rows before the step, int64 [rows].
        alpha: alpha of the step, float32 [rows before the step, T_x]; None without attention.
    """

    tokens: NDArray[np.int64]
    token_log_probabilities: NDArray[np.float64]
    parents: NDArray[np.int64]
    alpha: NDArray[np.float32] | None


@dataclass(frozen=True)
class Ending:
    """An end mark that a hypothesis took.

    Attributes:
        step: index of the step that wrote it: the output has step + 1 tokens.
        row: number of the row it continues, among the rows before the step.
        token_log_probability: of the end mark, in nats.
        log_probability: of the whole output, in nats.
        score: what it is ranked by.
    """

    step: int
    row: int
    token_log_probability: float
    log_probability: float
    score: float


def alpha_rows(alpha: Tensor | None) -> NDArray[np.float32] | None:
    """alpha [S, k, T_x] of a step as an array [S * k, T_x]."""
    if alpha is None:
        return None
    rows: NDArray[np.float32] = alpha.detach().flatten(0, 1).to("cpu", torch.float32).numpy()
    return rows


def trace(layers: list[Layer], ending: Ending, end: int, columns: NDArray[np.bool_]) -> Candidate:
    """The output that ``ending`` finishes, read backwards.

    Args:
        layers: one for each step up to that of the ending.
        ending: where it ended.
        end: id of the end mark.
        columns: the sentence's tokens among the columns of alpha, [T_x].
    """
    ids, values = [end], [ending.token_log_probability]
    alpha, row = layers[ending.step].alpha, ending.row
    weights = [] if alpha is None else [alpha[row]]
    for layer in reversed(layers[: ending.step]):
        ids.append(int(layer.tokens[row]))
        values.append(float(layer.token_log_probabilities[row]))
        row = int(layer.parents[row])
        if layer.alpha is not None:
            weights.append(layer.alpha[row])
    return Candidate(
        tuple(reversed(ids)),
        ending.log_probability,
        ending.score,
        tuple(reversed(values)),
        np.stack(weights[::-1])[:, columns] if weights else None,
    )
