"""log p(y_i | s_{i-1}, y_{i-1}, h_j) for every source word j: the evidence in the posterior of the source word.

The maxout layer is linear before its maximum, so the contribution of the state and the previous word is computed once
per target word, and that of an annotation once per source word; each of the T_y T_x cells is a sum of two vectors, a
maximum and a softmax over all words. That softmax is the cost: cells go through it in blocks that share one packed W_o.
"""

from __future__ import annotations

import torch
from torch import Tensor

from nmt.model.kernels import PackedWeight, linear
from nmt.model.readout import Readout

_CELLS = {"cpu": 2**8}
"""Number of cells whose softmax is computed at a time, by kind of device: on a CPU as many as have logits that fit
its cache."""
_BLOCK = 2**12
"""Number of cells whose softmax is computed at a time on other devices."""


class SingleAnnotations:
    """The readout under the assumption that each step read a single annotation instead of the context.

    Paper: A.2.2
    """

    def __init__(self, readout: Readout, dtype: torch.dtype) -> None:
        """Pack W_o. dtype: precision of the factors of the matrix products."""
        self._readout, self._dtype = readout, dtype
        self._by_W = PackedWeight(readout.W_o, dtype)

    def log_probabilities(
        self, states: Tensor, before: Tensor, annotations: Tensor, target: Tensor, *, cells: int | None = None
    ) -> Tensor:
        """log p(y_i) of one sentence pair had step i read the annotation h_j alone, in nats; no gradient.

        Args:
            states, before: s_{i-1} [T_y, n] and E y_{i-1} [T_y, m].
            annotations: h_j, [T_x, 2n].
            target: y_i, [T_y].
            cells: number of cells whose softmax is computed at a time; None = what suits the device.

        Returns: [T_y, T_x].
        """
        r, dtype = self._readout, self._dtype
        of_target = _halves(linear(states, r.U_o, dtype) + linear(before, r.V_o, dtype) + r.b_t)  # [T_y, 2, l]
        of_source = _halves(linear(annotations, r.C_o, dtype))  # [T_x, 2, l]
        rows, columns = len(target), len(annotations)
        most = cells or _CELLS.get(states.device.type, _BLOCK)
        wide = min(columns, most)
        high = max(1, most // wide)
        values = states.new_empty(rows, columns)
        for i in range(0, rows, high):
            for j in range(0, columns, wide):
                left, right = of_target[i : i + high, None], of_source[None, j : j + wide]
                t = torch.maximum(left[:, :, 0] + right[:, :, 0], left[:, :, 1] + right[:, :, 1])  # [high, wide, l]
                words = target[i : i + high, None].expand(t.shape[:2]).reshape(-1, 1)
                values[i : i + high, j : j + wide] = self._log_p(t.flatten(0, 1), words).view(t.shape[:2])
        return values

    def _log_p(self, t: Tensor, words: Tensor) -> Tensor:
        """log p of each row's word. [N, l], [N, 1] -> [N]"""
        logits = self._by_W(t).add_(self._readout.b_o)
        p = torch.softmax(logits, dim=1)
        # log Z by the most probable word, whose p is never too small to have a logarithm
        log_z = logits.amax(dim=1) - p.amax(dim=1).log_()
        return logits.gather(1, words).squeeze(1) - log_z


def _halves(t: Tensor) -> Tensor:
    """Separate the two values of each maxout unit. [T, 2l] -> [T, 2, l]"""
    return t.view(len(t), -1, 2).transpose(1, 2).contiguous()
