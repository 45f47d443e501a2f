"""The alignment head in plain NumPy: one pair, one cell at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.oracles.numpy_rnn import Matrix, NumpyResult, Parameters


def head_weights(p: Parameters, forced: NumpyResult, embeddings: Matrix, target_ids: Sequence[int]) -> Matrix:
    """a'_ij, [T_y, T_x]: softmax over j of v'^T tanh(W' [s_{i-1} ; E y_i ; E y_{i+1}] + b' + U' h_j), where E y_{i+1}
    is 0 behind the last word. ``p``: W_h, U_h, b_h, v_h; ``forced``: states and annotations of the pair."""
    rows = []
    for i, word in enumerate(target_ids):
        after = embeddings[target_ids[i + 1]] if i + 1 < len(target_ids) else np.zeros(embeddings.shape[1])
        query = p["W_h"] @ np.concatenate([forced.states[i], embeddings[word], after]) + p["b_h"]
        energies = np.array([p["v_h"] @ np.tanh(query + p["U_h"] @ h_j) for h_j in forced.annotations])
        exponentials = np.exp(energies - energies.max())
        rows.append(exponentials / exponentials.sum())
    return np.array(rows)
