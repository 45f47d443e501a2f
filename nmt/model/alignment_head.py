"""Alignment head: a small aligner that reads the states of a frozen model; it is not the model's attention.

e'_ij  = v'^T tanh(W' [s_{i-1} ; E y_i ; E y_{i+1}] + b' + U' h_j)
a'_ij  = exp(e'_ij) / sum_k exp(e'_ik)

over all source positions j, including that of the end-of-sentence token. Attention is computed before y_i is chosen;
the head is given y_i, the word to align (target foresight: Peter, Nix, Ney 2017, Generating alignments using target
foresight in attention-based neural machine translation), and the next word. E y_{i+1} is 0 after the last word.
s_{i-1}, h_j and E are the model's own and are not changed; the model never sees a'. Not in the paper.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from nmt.model.translation import LinkBatch, TranslationModel

_TANH_VALUES = 2**22
"""Number of values of tanh computed at a time if no gradient is needed."""


class AlignmentHead(nn.Module):
    """W_h [n_h, n + 2m], U_h [n_h, 2n], b_h, v_h [n_h]: W', U', b' and v' above.

    Initial values: W_h and U_h uniform within 1 / sqrt(inputs), b_h and v_h 0, so that a' is uniform at first.
    """

    def __init__(self, state: int, embedding: int, annotation: int, units: int) -> None:
        """Create the parameters for the sizes n, m, 2n and n_h."""
        super().__init__()
        self.W_h = nn.Parameter(torch.empty(units, state + 2 * embedding))
        self.U_h = nn.Parameter(torch.empty(units, annotation))
        self.b_h = nn.Parameter(torch.zeros(units))
        self.v_h = nn.Parameter(torch.zeros(units))

    @property
    def units(self) -> int:
        return len(self.v_h)

    def initialize(self, seed: int) -> None:
        """Set the initial values; the same seed gives the same values."""
        generator = torch.Generator().manual_seed(seed)
        with torch.no_grad():
            for matrix in (self.W_h, self.U_h):
                bound = matrix.shape[1] ** -0.5
                matrix.copy_(torch.empty(matrix.shape).uniform_(-bound, bound, generator=generator))
            self.b_h.zero_()
            self.v_h.zero_()

    def forward(
        self, states: Tensor, words: Tensor, annotations: Tensor, source_mask: Tensor, *, at_a_time: int = _TANH_VALUES
    ) -> Tensor:
        """log a', in nats; -inf where the source is padded.

        Args:
            states: s_{i-1}, [T_y, B, n].
            words: E y_i, [T_y, B, m], 0 where the target is padded.
            annotations: h_j, [B, T_x, 2n].
            source_mask: bool [B, T_x].
            at_a_time: values of tanh computed at a time where no gradient is needed.

        Returns: [T_y, B, T_x].
        """
        after = torch.cat([words[1:], torch.zeros_like(words[:1])])
        queries = torch.cat([states, words, after], dim=2) @ self.W_h.t() + self.b_h  # [T_y, B, n_h]
        keys = annotations @ self.U_h.t()  # [B, T_x, n_h]
        rows = len(queries)
        if not torch.is_grad_enabled():
            rows = max(1, at_a_time // keys.numel())
        energies = [torch.tanh(part.unsqueeze(2) + keys) @ self.v_h for part in torch.split(queries, rows)]
        return torch.cat(energies).masked_fill(~source_mask, -torch.inf).log_softmax(dim=2)


def read_by_head(
    model: TranslationModel,
    head: AlignmentHead,
    source: Tensor,
    source_mask: Tensor,
    target: Tensor,
    target_mask: Tensor,
    dtype: torch.dtype | None = None,
    *,
    at_a_time: int = _TANH_VALUES,
) -> Tensor:
    """log a' of given pairs, [T_y, B, T_x] in nats; only the head receives a gradient.

    Arguments as in ``TranslationModel.loss``. dtype: precision of the factors of the model's matrix products; None =
    that of its weights. at_a_time: as in the head.
    """
    with torch.no_grad():
        forced = model.teacher_force(source, source_mask, target, dtype or model.decoder.E.dtype)
        words = F.embedding(target.t(), model.decoder.E) * target_mask.t().unsqueeze(2)
    scores: Tensor = head(forced.states, words, forced.encoded.memory, source_mask, at_a_time=at_a_time)
    return scores


def head_of(model: TranslationModel, units: int) -> AlignmentHead:
    """A head of the right sizes for a model, not yet initialized."""
    config = model.config
    return AlignmentHead(config.hidden, config.embedding, 2 * config.hidden, units)


def head_loss(log_weights: Tensor, links: LinkBatch) -> Tensor:
    """Cross-entropy against given links, in nats: the sum over all target words i with links of -sum_j A_ij log a'_ij,
    where A_i is uniform over the source words that i is linked with. ``log_weights``: [T_y, B, T_x]."""
    return -(links.weight * log_weights[links.target, links.pair, links.source]).sum()
