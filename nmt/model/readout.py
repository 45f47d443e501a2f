"""From state, word and context to the next word: the maxout layer and the softmax.

t~_i = U_o s_{i-1} + V_o E y_{i-1} + C_o c_i
t_i  = [max(t~_{i,2k-1}, t~_{i,2k})]_{k = 1..l}
p(y_i | y_<i, x) = softmax(W_o t_i)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from nmt.model.products import linear, lower, multiply

_CHUNK = {"cpu": 2**21}
"""Probabilities that are in memory at a time, by kind of device: on a CPU what stays in its cache."""
_CHUNK_ELSEWHERE = 2**26


class Readout(nn.Module):
    """The weights of the deep output with a single maxout layer.

    Paper: A.2.2
    """

    def __init__(self, vocabulary: int, embedding: int, hidden: int, context: int, maxout: int) -> None:
        super().__init__()
        self.U_o = nn.Parameter(torch.empty(2 * maxout, hidden))
        self.V_o = nn.Parameter(torch.empty(2 * maxout, embedding))
        self.C_o = nn.Parameter(torch.empty(2 * maxout, context))
        self.b_t = nn.Parameter(torch.empty(2 * maxout))
        self.W_o = nn.Parameter(torch.empty(vocabulary, maxout))
        self.b_o = nn.Parameter(torch.empty(vocabulary))

    def maxout(self, state: Tensor, embedded: Tensor, context: Tensor, dtype: torch.dtype) -> Tensor:
        """t_i from s_{i-1}, E y_{i-1} and c_i. [.., n], [.., m], [.., 2n] -> [.., l]"""
        t = (
            linear(state, self.U_o, dtype)
            + linear(embedded, self.V_o, dtype)
            + linear(context, self.C_o, dtype)
            + self.b_t
        )
        return t.view(*t.shape[:-1], -1, 2).amax(dim=-1)

    def log_probabilities(self, t: Tensor) -> Tensor:
        """[.., l] -> [.., K_y], nats."""
        return torch.log_softmax(linear(t, self.W_o, t.dtype) + self.b_o, dim=-1)


class TokenLosses(NamedTuple):
    """total: scalar to differentiate, the sum over all positions with label smoothing; nll: [N], plain, in nats."""

    total: Tensor
    nll: Tensor


class _CrossEntropy(torch.autograd.Function):
    """Softmax and cross-entropy in chunks, the gradient made in place in the forward pass."""

    @staticmethod
    def forward(
        ctx: Any, t: Tensor, W_o: Tensor, b_o: Tensor, y: Tensor, smoothing: float, dtype: torch.dtype, learn: bool
    ) -> tuple[Tensor, Tensor]:
        nll, total = t.new_empty(len(t)), t.new_zeros(())
        W_t, W_low = lower(W_o.t(), dtype), lower(W_o, dtype)
        d_t = torch.empty_like(t) if learn else None
        d_W, d_b = (torch.zeros_like(W_o), torch.zeros_like(b_o)) if learn else (None, None)
        size = max(1, _CHUNK.get(t.device.type, _CHUNK_ELSEWHERE) // len(W_o))
        for begin in range(0, len(t), size):
            part = slice(begin, begin + size)
            rows, word = lower(t[part], dtype), y[part].unsqueeze(1)
            logits = multiply(rows, W_t, t.dtype).add_(b_o)
            largest = logits.amax(dim=1, keepdim=True)
            at_word = logits.gather(1, word)
            mean = logits.mean(dim=1, keepdim=True) if smoothing else largest
            p = logits.sub_(largest).exp_()
            z = p.sum(dim=1, keepdim=True)
            log_z = z.log().add_(largest)
            at_word = log_z - at_word
            nll[part] = at_word.squeeze(1)
            total += (1 - smoothing) * at_word.sum()
            if smoothing:
                total += smoothing * (log_z - mean).sum()
            if d_t is None or d_W is None or d_b is None:
                continue
            d = p.div_(z)  # becomes p - target distribution
            if smoothing:
                d -= smoothing / d.shape[1]
            d.scatter_add_(1, word, d.new_full((1, 1), smoothing - 1).expand_as(word))
            d_b += d.sum(dim=0)
            d_low = lower(d, dtype)
            d_t[part] = multiply(d_low, W_low, t.dtype)
            d_W += multiply(lower(d_low.t(), dtype), rows, t.dtype)
        if d_t is not None:
            ctx.save_for_backward(d_t, d_W, d_b)
        ctx.mark_non_differentiable(nll)
        return total, nll

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        d_t, d_W, d_b = ctx.saved_tensors
        g = gradients[0]
        return d_t * g, d_W * g, d_b * g, None, None, None, None


def cross_entropy(readout: Readout, t: Tensor, y: Tensor, smoothing: float, dtype: torch.dtype) -> TokenLosses:
    """-log p(y_i) for N target positions.

    Args:
        readout: the weights.
        t: maxout layer, [N, l].
        y: the words, [N].
        smoothing: eps; the loss is (1 - eps) NLL + eps times the mean of -log p over the vocabulary.
        dtype: precision of the factors of the matrix products.

    Paper: eq. 4, A.2.2
    """
    total, nll = _CrossEntropy.apply(  # type: ignore[no-untyped-call]
        t, readout.W_o, readout.b_o, y, smoothing, dtype, torch.is_grad_enabled()
    )
    return TokenLosses(total, nll)
