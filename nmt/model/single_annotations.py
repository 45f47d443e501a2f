"""log p(y_i | s_{i-1}, y_{i-1}, h_j) for every source word j: what the posterior of the source word is made of.

The maxout layer is linear before its maximum, so what the state and the word before add is made once for a target word,
and what an annotation adds once for a source word; each of the T_y T_x cells is a sum of two vectors and a softmax. The
softmax over all words is what costs: cells go through it in blocks that share one packed W_o.
"""

from __future__ import annotations

import torch
from torch import Tensor

from nmt.model.products import Packed, linear
from nmt.model.readout import Readout

_CELLS = {"cpu": 2**8}
"""Cells whose softmax is made at a time, by kind of device: on a CPU so few that their logits stay in its cache."""
_BLOCK = 2**12
"""The same on other devices."""


def log_probabilities_alone(
    readout: Readout, states: Tensor, before: Tensor, annotations: Tensor, target: Tensor, dtype: torch.dtype
) -> Tensor:
    """log p(y_i) had step i read the annotation h_j alone, in nats.

    Args:
        readout: the weights.
        states, before: s_{i-1} [T_y, B, n] and E y_{i-1} [T_y, B, m].
        annotations: h_j, [B, T_x, 2n].
        target: y_i, [T_y, B].
        dtype: precision of the factors of the matrix products.

    Returns: [T_y, B, T_x], no gradient.

    Paper: A.2.2
    """
    of_target = linear(states, readout.U_o, dtype) + linear(before, readout.V_o, dtype) + readout.b_t  # [T_y, B, 2l]
    of_source = linear(annotations, readout.C_o, dtype)  # [B, T_x, 2l]
    words = annotations.shape[1]
    by_W = Packed(readout.W_o, dtype)
    found = states.new_empty(*target.shape, words)
    cells = _CELLS.get(states.device.type, _BLOCK)
    pairs_of_rows = found.view(-1, words)  # row i * B + b
    rows_of_target, y = of_target.flatten(0, 1), target.flatten()
    batch = target.shape[1]
    step = max(1, cells // words)
    for first in range(0, len(y), step):
        rows = torch.arange(first, min(first + step, len(y)), device=y.device)
        of_rows = of_source[rows % batch]  # [R, T_x, 2l]
        for begin in range(0, words, cells):
            part = rows_of_target[rows].unsqueeze(1) + of_rows[:, begin : begin + cells]
            t = part.view(*part.shape[:2], -1, 2).amax(dim=-1)
            logits = by_W(t.flatten(0, 1)).add_(readout.b_o)
            chosen = y[rows].unsqueeze(1).expand(-1, part.shape[1]).reshape(-1, 1)
            at_word = logits.gather(1, chosen).squeeze(1)
            largest = logits.amax(dim=1, keepdim=True)
            log_z = logits.sub_(largest).exp_().sum(dim=1).log_().add_(largest.squeeze(1))
            pairs_of_rows[rows, begin : begin + cells] = (at_word - log_z).view(part.shape[:2])
    return found
