"""The two encoders: annotations of all words, or one vector for the whole sentence."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from nmt.model.gru import Unit


class EmbeddingDropout(nn.Module):
    """Dropout of units and of whole words of embeddings, in training only; what remains is scaled up, so that the mean
    is kept. Gal and Ghahramani 2016 (A theoretically grounded application of dropout in recurrent neural networks);
    not in the paper."""

    def __init__(self, units: float, words: float) -> None:
        super().__init__()
        self.units, self.words = nn.Dropout(units), nn.Dropout(words)

    def forward(self, embedded: Tensor) -> Tensor:
        """[T, B, m] -> [T, B, m]"""
        kept: Tensor = self.units(embedded)
        return kept * self.words(kept.new_ones(*kept.shape[:2], 1)) if self.words.p else kept


class BidirectionalEncoder(nn.Module):
    """Annotations h_j = [forward h_j ; backward h_j].

    Paper: eq. 7, 3.2, A.2.1
    """

    def __init__(self, vocabulary: int, embedding: int, hidden: int, unit: type[Unit]) -> None:
        super().__init__()
        self.E = nn.Parameter(torch.empty(vocabulary, embedding))
        self.forward_unit = unit(embedding, hidden)
        self.backward_unit = unit(embedding, hidden)

    def forward(self, source: Tensor, mask: Tensor, dropout: EmbeddingDropout, dtype: torch.dtype) -> Tensor:
        """Annotations of all words. [B, T_x] ids, [B, T_x] mask -> [B, T_x, 2n]; values at padding are meaningless."""
        e = dropout(F.embedding(source.t(), self.E))  # [T_x, B, m]
        m = mask.t().unsqueeze(2).to(e.dtype)
        start = e.new_zeros(len(source), self.forward_unit.U.shape[0])
        forward = self.forward_unit.scan(e, start, m, dtype)
        backward = self.backward_unit.scan(e, start, m, dtype, reverse=True)
        return torch.cat([forward.transpose(0, 1), backward.transpose(0, 1)], dim=2)


class ForwardEncoder(nn.Module):
    """The last forward state, c = h_{T_x}, the only input of RNNencdec's decoder from the source.

    Paper: 2.1
    """

    def __init__(self, vocabulary: int, embedding: int, hidden: int, unit: type[Unit]) -> None:
        super().__init__()
        self.E = nn.Parameter(torch.empty(vocabulary, embedding))
        self.forward_unit = unit(embedding, hidden)

    def forward(self, source: Tensor, mask: Tensor, dropout: EmbeddingDropout, dtype: torch.dtype) -> Tensor:
        """The vector c of each sentence. [B, T_x] ids, [B, T_x] mask -> [B, n]."""
        return self.states(source, mask, dropout, dtype)[-1]

    def states(self, source: Tensor, mask: Tensor, dropout: EmbeddingDropout, dtype: torch.dtype) -> Tensor:
        """The forward states of all words, [T_x, B, n]; at padding the state before it. Arguments as in ``forward``."""
        e = dropout(F.embedding(source.t(), self.E))
        start = e.new_zeros(len(source), self.forward_unit.U.shape[0])
        return self.forward_unit.scan(e, start, mask.t().unsqueeze(2).to(e.dtype), dtype)
