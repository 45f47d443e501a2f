"""The two encoders: annotations of every word, or one vector for the whole sentence."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from nmt.model.gru import GatedUnit, gated_scan


class BidirectionalEncoder(nn.Module):
    """Annotations h_j = [forward h_j ; backward h_j].

    Paper: eq. 7, 3.2, A.2.1
    """

    def __init__(self, vocabulary: int, embedding: int, hidden: int) -> None:
        super().__init__()
        self.E = nn.Parameter(torch.empty(vocabulary, embedding))
        self.forward_unit = GatedUnit(embedding, hidden)
        self.backward_unit = GatedUnit(embedding, hidden)

    def forward(self, source: Tensor, mask: Tensor, dropout: nn.Dropout, dtype: torch.dtype) -> Tensor:
        """Annotations of all words. [B, T_x] ids, [B, T_x] mask -> [B, T_x, 2n]; zero where padded."""
        e = dropout(F.embedding(source.t(), self.E))  # [T_x, B, m]
        units = (self.forward_unit, self.backward_unit)
        n = self.forward_unit.U.shape[0]
        x = torch.stack(
            [self.forward_unit.project(e, dtype), self.backward_unit.project(e, dtype).flip(0)], dim=1
        )  # [T_x, 2, B, 3n]
        m = mask.t().to(e.dtype)
        both = torch.stack([m, m.flip(0)], dim=1).unsqueeze(-1)
        start = x.new_zeros(2, source.shape[0], n)
        U_zr = torch.stack([unit.gates() for unit in units])
        U = torch.stack([unit.U.t() for unit in units])
        states = gated_scan(x, start, U_zr, U, both, dtype)  # [T_x, 2, B, n]
        h = torch.cat([states[:, 0], states[:, 1].flip(0)], dim=-1)
        return (h * m.unsqueeze(-1)).transpose(0, 1).contiguous()


class ForwardEncoder(nn.Module):
    """The last forward state, c = h_{T_x}, all that RNNencdec's decoder sees.

    Paper: 2.1
    """

    def __init__(self, vocabulary: int, embedding: int, hidden: int) -> None:
        super().__init__()
        self.E = nn.Parameter(torch.empty(vocabulary, embedding))
        self.forward_unit = GatedUnit(embedding, hidden)

    def forward(self, source: Tensor, mask: Tensor, dropout: nn.Dropout, dtype: torch.dtype) -> Tensor:
        """[B, T_x] ids, [B, T_x] mask -> [B, n]."""
        unit = self.forward_unit
        e = dropout(F.embedding(source.t(), self.E))
        x = unit.project(e, dtype).unsqueeze(1)  # [T_x, 1, B, 3n]
        start = x.new_zeros(1, source.shape[0], unit.U.shape[0])
        m = mask.t().to(e.dtype)[:, None, :, None]
        states = gated_scan(x, start, unit.gates().unsqueeze(0), unit.U.t().unsqueeze(0), m, dtype)
        return states[-1, 0]
