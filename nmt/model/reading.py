"""The encoder as a search uses it: weights packed once, both directions in the same step.

The backward direction reads the words in reverse order, so step t is word t forwards and word T_x + 1 - t backwards;
the states of both directions are the rows of one tensor, and every elementwise operation is done once for both.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from nmt.model.encoder import BidirectionalEncoder
from nmt.model.gru import GatedUnit
from nmt.model.integer_products import IntegerWeight
from nmt.model.kernels import PackedWeight, tanh_
from nmt.model.translation import TranslationModel

Product = IntegerWeight | PackedWeight
"""x -> x W^T for a packed weight W."""

_FEW = 4
"""Number of sentences up to which one product of both directions' states with both directions' weights is faster than
two products, although half of its results are not used."""


class _Directions:
    """x_d -> x_d W_d^T for every direction d. [D, B, in] -> [D, B, out]"""

    def __init__(self, weights: Sequence[Tensor], pack: Callable[[Tensor], Product]) -> None:
        self._each = [pack(weight) for weight in weights]
        self._together = pack(torch.cat(list(weights)))

    def __call__(self, x: Tensor) -> Tensor:
        D, B, _ = x.shape
        if D > 1 and B <= _FEW:
            products = self._together(x).view(D, B, D, -1)
            return torch.stack([products[d, :, d] for d in range(D)])
        return torch.stack([times(rows) for times, rows in zip(self._each, x, strict=True)])


class Read(NamedTuple):
    """Encoder output without keys.

    start: s_0, [B, n]; memory: RNNsearch: annotations [B, T_x, 2n], RNNencdec: c, [B, 1, n].
    """

    start: Tensor
    memory: Tensor


class Reading:
    """An encoder of gated units with its current weights; later changes of the weights have no effect.

    Paper: eq. 7, 3.2, A.2.1
    """

    def __init__(self, model: TranslationModel, pack: Callable[[Tensor], Product]) -> None:
        """Pack the weights with ``pack``."""
        encoder = model.encoder
        units = [encoder.forward_unit]
        if isinstance(encoder, BidirectionalEncoder):
            units.append(encoder.backward_unit)
        self._E, self._n, self._D = encoder.E, encoder.forward_unit.U.shape[0], len(units)
        self._W = pack(torch.cat([unit.stacked("W") for unit in units]))
        self._b = torch.cat([unit.stacked("b") for unit in units])
        self._U_zr = _Directions([unit.recurrent() for unit in units], pack)
        self._U = _Directions([unit.U for unit in units], pack)
        self._attends = model.attention is not None
        self._W_s, self._b_s = pack(model.decoder.W_s), model.decoder.b_s

    @staticmethod
    def suits(model: TranslationModel) -> bool:
        """True for a model whose encoder has gated units."""
        return isinstance(model.encoder.forward_unit, GatedUnit)

    def __call__(self, source: Tensor, mask: Tensor) -> Read:
        """Read B sentences, s_0 included. source: ids [B, T_x]; mask: bool [B, T_x]. Paper: A.2.2"""
        states = self.states(source, mask)
        h = states[0, :, self._n :] if self._D == 2 else states[-1]
        memory = states.transpose(0, 1).contiguous() if self._attends else h.unsqueeze(1)
        return Read(torch.tanh(self._W_s(h, self._b_s)), memory)

    def states(self, source: Tensor, mask: Tensor) -> Tensor:
        """The states after each word. ids [B, T_x], mask [B, T_x] -> [T_x, B, D n], the forward direction first; at
        padding the state before it."""
        T, B, n, D = source.shape[1], source.shape[0], self._n, self._D
        x = self._W(F.embedding(source.t(), self._E), self._b).view(T, B, D, 3 * n)
        keep = mask.t().unsqueeze(2).to(x.dtype)  # [T, B, 1]
        padded = not bool(mask.all())
        x = torch.stack([x[:, :, d] if d == 0 else x[:, :, d].flip(0) for d in range(D)], dim=1)  # [T, D, B, 3n]
        words = torch.stack([keep, keep.flip(0)][:D], dim=1) if padded else None  # [T, D, B, 1]
        states = x.new_empty(T, D, B, n)
        h = x.new_zeros(D, B, n)
        for t in range(T):
            zr = self._U_zr(h).add_(x[t, :, :, : 2 * n]).sigmoid_()
            z, r = zr[..., :n], zr[..., n:]
            if words is not None:
                z.mul_(words[t])
            c = tanh_(self._U(r * h).add_(x[t, :, :, 2 * n :]))
            h = torch.lerp(h, c, z, out=states[t])
        return torch.cat([states[:, d] if d == 0 else states[:, d].flip(0) for d in range(D)], dim=2)
