"""The encoder, in both directions or forwards only."""

from typing import NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from nmt.model.gru import Unit


class EmbeddingDropout(nn.Module):
    """Dropout of embeddings in training: of single units and of whole words. The remaining units are scaled up so that
    the mean stays the same. Not in the paper, but in Gal and Ghahramani 2016 (A theoretically grounded application of
    dropout in recurrent neural networks)."""

    def __init__(self, units: float, words: float) -> None:
        super().__init__()
        self.units, self.words = nn.Dropout(units), nn.Dropout(words)

    def forward(self, embedded: Tensor) -> Tensor:
        """[T, B, m] -> [T, B, m]"""
        remaining: Tensor = self.units(embedded)
        return remaining * self.words(remaining.new_ones(*remaining.shape[:2], 1)) if self.words.p else remaining


class Annotated(NamedTuple):
    """The encodings of B sentences. annotations: h_j of all words in D directions, [B, T_x, D n], meaningless at
    padding. last: the state after the last word that was read, [B, n]. s_0 is computed from it."""

    annotations: Tensor
    last: Tensor


class Encoder(nn.Module):
    """Annotations h_j = [forward h_j, backward h_j], with the backward state of the first word as ``last``. In one
    direction h_j = forward h_j, and ``last``, h_{T_x}, is RNNencdec's c.

    Paper: eq. 7, 2.1, 3.2, A.2.1
    """

    def __init__(self, vocabulary: int, embedding: int, hidden: int, unit: type[Unit], *, both: bool) -> None:
        """both: whether to read in both directions."""
        super().__init__()
        self.E = nn.Parameter(torch.empty(vocabulary, embedding))
        self.forward_unit = unit(embedding, hidden)
        self.backward_unit = unit(embedding, hidden) if both else None

    def units(self) -> list[Unit]:
        """The unit of each direction, forwards first."""
        return [unit for unit in (self.forward_unit, self.backward_unit) if unit is not None]

    def forward(self, source: Tensor, mask: Tensor, dropout: EmbeddingDropout, dtype: torch.dtype) -> Annotated:
        """Read sentences. [B, T_x] ids, [B, T_x] mask"""
        e = dropout(F.embedding(source.t(), self.E))  # [T_x, B, m]
        m = mask.t().unsqueeze(2).to(e.dtype)
        start = e.new_zeros(len(source), self.forward_unit.U.shape[0])
        forward = self.forward_unit.scan(e, start, m, dtype)  # padding keeps the state
        if self.backward_unit is None:
            return Annotated(forward.transpose(0, 1), forward[-1])
        backward = self.backward_unit.scan(e, start, m, dtype, reverse=True)
        h = torch.cat([forward.transpose(0, 1), backward.transpose(0, 1)], dim=2)
        return Annotated(h, h[:, 0, start.shape[1] :])
