"""Distribution of the next word from state, word and context: the maxout layer and the softmax.

    t~_i = U_o s_{i-1} + V_o E y_{i-1} + C_o c_i
    t_i  = [max(t~_{i,2k-1}, t~_{i,2k})]_{k = 1..l}
    p(y_i | y_<i, x) = softmax(W_o t_i)

For state_order "equation", s_i takes the place of s_{i-1}. ``LinearReadout`` has t_i = s_i.

``SingleAnnotations`` replaces c_i by h_j, for every source word j. It gives log p(y_i | s_{i-1}, y_{i-1}, h_j), which
is the evidence in the posterior of the source word. The maxout layer is linear before its maximum. So the term of state
and previous word is computed once per target word, and the term of an annotation once per source word. Each of the T_y
T_x cells takes a sum of these two vectors, a maximum and a softmax over all words. The softmax takes most of the time,
so blocks of cells share one packed W_o.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from nmt.model.kernels import PackedWeight, cast, linear, multiply, pad_rows, weight_gradient

_PIECE = {"cpu": 2**21}
"""Number of probabilities processed at a time, by kind of device. On a CPU they fit the cache."""
_BLOCK = 2**26
"""Number of probabilities in memory at a time."""


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

    def top_layer(self, state: Tensor, embedded: Tensor, context: Tensor, dtype: torch.dtype) -> Tensor:
        """t_i from s_{i-1} (or s_i), E y_{i-1} and c_i. [.., n], [.., m], [.., 2n] -> [.., l]"""
        t = (
            linear(state, self.U_o, dtype)
            + linear(embedded, self.V_o, dtype)
            + linear(context, self.C_o, dtype)
            + self.b_t
        )
        return t.view(*t.shape[:-1], -1, 2).amax(dim=-1)

    def log_probabilities(self, t: Tensor) -> Tensor:
        """log p(y_i | y_<i, x) from t_i. [.., l] -> [.., K_y], nats."""
        return torch.log_softmax(linear(t, self.W_o, t.dtype) + self.b_o, dim=-1)


class LinearReadout(Readout):
    """p(y_i | y_<i, x) = softmax(W_o s_i + b_o), W_o [K_y, n]: word and context reach y_i through the state alone.

    Lecture slides on the paper show this output. The paper does not. The matrices of the maxout layer have no rows.
    """

    def __init__(self, vocabulary: int, embedding: int, hidden: int, context: int) -> None:
        super().__init__(vocabulary, embedding, hidden, context, hidden)
        for name in ("U_o", "V_o", "C_o", "b_t"):
            nothing = torch.empty(0, *getattr(self, name).shape[1:], device="cpu")  # whatever the weights' device
            delattr(self, name)
            self.register_buffer(name, nothing, persistent=False)

    def top_layer(self, state: Tensor, embedded: Tensor, context: Tensor, dtype: torch.dtype) -> Tensor:
        """t_i = s_i"""
        return state


class TokenLosses(NamedTuple):
    """Losses of N target positions. total: the sum of their losses with label smoothing, a scalar to differentiate.
    nll: -log p(y_i) of each position, without label smoothing, in nats, [N]."""

    total: Tensor
    nll: Tensor


class _CrossEntropy(torch.autograd.Function):
    """Softmax and cross-entropy over all words, with the gradient computed in the forward pass.

    The gradient of a row of logits is p - (target distribution). The gradients of a block of positions are stored, so
    that the gradient of W_o is one product per block. The softmax runs over parts of the block that fit the cache.
    """

    @staticmethod
    def forward(
        ctx: Any,
        t: Tensor,
        W_o: Tensor,
        b_o: Tensor,
        y: Tensor,
        smoothing: float,
        dtype: torch.dtype,
        learn: bool,
    ) -> tuple[Tensor, Tensor]:
        K = len(W_o)
        positions = len(t)
        nll, total = t.new_empty(positions), t.new_zeros(())
        W_low = cast(W_o, dtype)
        by_W = PackedWeight(W_o, dtype)
        d_t, d_W, d_b = torch.empty_like(t), None, torch.zeros_like(b_o)
        piece = max(1, _PIECE.get(t.device.type, _BLOCK) // K)
        block = max(piece, _BLOCK // K) if learn else piece
        for first in range(0, positions, block):
            end = min(first + block, positions)
            rows = pad_rows(t[first:end], dtype)
            count = end - first
            d = rows.new_empty(len(rows), K) if learn else None
            if d is not None:
                d[count:] = 0
            for begin in range(first, end, piece):
                of_piece = slice(begin, min(begin + piece, end))
                word = y[of_piece].unsqueeze(1)
                logits = by_W(t[of_piece]).add_(b_o)
                p = torch.softmax(logits, dim=1)
                # log Z by the most probable word, whose p is never too small to have a logarithm
                log_z = logits.amax(dim=1, keepdim=True) - p.amax(dim=1, keepdim=True).log_()
                at_word = log_z - logits.gather(1, word)
                nll[of_piece] = at_word.squeeze(1)
                total += (1 - smoothing) * at_word.sum()
                if smoothing:
                    total += smoothing * (log_z - logits.mean(dim=1, keepdim=True)).sum()
                if d is None:
                    continue
                if smoothing:
                    p -= smoothing / K
                p.scatter_add_(1, word, p.new_full((1, 1), smoothing - 1).expand_as(word))
                d_b += p.sum(dim=0)
                d[begin - first : of_piece.stop - first] = p
            if d is not None:
                d_t[first:end] = multiply(d[:count], W_low, t.dtype)
                of_block = weight_gradient(d, rows, dtype, t.dtype)
                d_W = of_block if d_W is None else d_W.add_(of_block)
        if learn:
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
        t: maxout layer, [N, l].
        y: the words, [N].
        smoothing: eps in the loss, (1 - eps) NLL + eps times the mean of -log p over the vocabulary.
        dtype: precision of the factors of the matrix products.

    Paper: eq. 4, A.2.2
    """
    total, nll = _CrossEntropy.apply(  # type: ignore[no-untyped-call]
        t, readout.W_o, readout.b_o, y, smoothing, dtype, torch.is_grad_enabled()
    )
    return TokenLosses(total, nll)


_CELLS = {"cpu": 2**8}
"""Number of cells whose softmax is computed at a time, by kind of device. Their logits fit the cache of a CPU."""
_CELLS_AT_ONCE = 2**12
"""Number of cells whose softmax is computed at a time on other devices."""


Cells = Callable[[slice, slice], Tensor]
"""Function from ranges of i and j to t_i, computed as if step i had read h_j alone: [rows, columns, l]."""


class SingleAnnotations:
    """The readout if each step had read a single annotation in place of the context.

    Paper: A.2.2
    """

    def __init__(self, readout: Readout, dtype: torch.dtype) -> None:
        """Pack W_o. dtype: precision of the factors of the matrix products."""
        self._readout, self._dtype = readout, dtype
        self._by_W = PackedWeight(readout.W_o, dtype)

    def cells(self, states: Tensor, before: Tensor, annotations: Tensor) -> Cells:
        """t_i of every cell for state_order "printed" or "program": h_j reaches y_i through the maxout layer alone.
        states, before, annotations: s_{i-1} [T_y, n], E y_{i-1} [T_y, m] and h_j [T_x, 2n]."""
        r, dtype = self._readout, self._dtype
        of_target = _halves(linear(states, r.U_o, dtype) + linear(before, r.V_o, dtype) + r.b_t)  # [T_y, 2, l]
        of_source = _halves(linear(annotations, r.C_o, dtype))  # [T_x, 2, l]

        def layer(i: slice, j: slice) -> Tensor:
            left, right = of_target[i, None], of_source[None, j]
            return torch.maximum(left[:, :, 0] + right[:, :, 0], left[:, :, 1] + right[:, :, 1])

        return layer

    def log_probabilities(self, layer: Cells, target: Tensor, columns: int) -> Tensor:
        """log p(y_i) of one sentence pair in nats, without gradient, as if step i had read the annotation h_j alone,
        [T_y, T_x]. layer: t_i of every cell. target: y_i, [T_y]. columns: T_x."""
        rows = len(target)
        most = _CELLS.get(target.device.type, _CELLS_AT_ONCE)
        wide = min(columns, most)
        high = max(1, most // wide)
        values = self._readout.b_o.new_empty(rows, columns)
        for i in range(0, rows, high):
            for j in range(0, columns, wide):
                t = layer(slice(i, i + high), slice(j, j + wide))
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
