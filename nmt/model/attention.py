"""The alignment model a: how well source position j fits the next target word.

e_ij     = v_a^T tanh(W_a s_{i-1} + U_a h_j)
alpha_ij = exp(e_ij) / sum_k exp(e_ik)
c_i      = sum_j alpha_ij h_j
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from nmt.model.products import linear


class Attended(NamedTuple):
    """alpha [S, k, T_x] and the contexts c [S, k, 2n]."""

    alpha: Tensor
    context: Tensor


class AdditiveAttention(nn.Module):
    """The weights of the alignment model, and its use for one target step.

    Paper: eq. 5-6, 3.1, A.1.2
    """

    def __init__(self, state: int, annotation: int, alignment: int) -> None:
        super().__init__()
        self.W_a = nn.Parameter(torch.empty(alignment, state))
        self.U_a = nn.Parameter(torch.empty(alignment, annotation))
        self.b_a = nn.Parameter(torch.empty(alignment))
        self.v_a = nn.Parameter(torch.empty(alignment))

    def keys(self, annotations: Tensor, dtype: torch.dtype) -> Tensor:
        """U_a h_j + b_a, once per sentence. [S, T_x, 2n] -> [S, T_x, n_a]"""
        return linear(annotations, self.U_a, dtype) + self.b_a

    def forward(self, state: Tensor, keys: Tensor, annotations: Tensor, mask: Tensor) -> Attended:
        """Attend from k states of each of S sentences.

        Args:
            state: s_{i-1}, [S, k, n].
            keys: [S, T_x, n_a].
            annotations: [S, T_x, 2n].
            mask: bool [S, T_x]; padding gets no weight.
        """
        q = linear(state, self.W_a, state.dtype)
        e = torch.tanh(keys.unsqueeze(1) + q.unsqueeze(2)) @ self.v_a  # [S, k, T_x]
        alpha = e.masked_fill(~mask.unsqueeze(1), float("-inf")).softmax(dim=-1)
        return Attended(alpha, alpha @ annotations)
