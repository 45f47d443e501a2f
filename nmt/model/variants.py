"""Hidden units that the paper does not use, and the recurrence of a decoder with any unit and any score.

These units are for comparison. Autograd differentiates them step by step. The paper's unit has a faster implementation
(gru.py, and decoder.py with the additive score).
"""

from collections.abc import Callable
from functools import partial

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from nmt.model.attention import Attention
from nmt.model.decoder import Decoder, GatedDecoder, Scanned
from nmt.model.gru import GatedUnit, Unit
from nmt.model.kernels import linear, tanh_


class ResetAfterUnit(Unit):
    """The gated unit of torch.nn.GRU and cuDNN: the reset gate acts after U.

        h~_i = tanh(W e_i + b + r_i * (U h_{i-1} + b_u))

    Gates and h_i are as in gru.py: z = 1 takes the candidate. In torch.nn.GRU, z = 1 keeps the state.
    """

    GATES = ("_z", "_r")

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__(inputs, hidden)
        self.b_u = nn.Parameter(torch.empty(hidden))

    def recurrent(self) -> Tensor:
        return self.stacked("U")

    def update(self, state: Tensor, x: Tensor, from_state: Tensor, times_U: Callable[[Tensor], Tensor]) -> Tensor:
        n = len(self.b_u)
        zr = (x[..., : 2 * n] + from_state[..., : 2 * n]).sigmoid_()
        z, r = zr[..., :n], zr[..., n:]
        candidate = tanh_(x[..., 2 * n : 3 * n] + r * (from_state[..., 2 * n :] + self.b_u))
        return torch.lerp(state, candidate, z)


class LSTMUnit(Unit):
    """Long short-term memory, the alternative unit of A.1.1: a memory cell q behind three gates.

        i_t = sigma(W_in e_t + U_in h_{t-1}), f_t with W_forget, U_forget, o_t with W_out, U_out
        q_t = f_t * q_{t-1} + i_t * tanh(W e_t + U h_{t-1})
        h_t = o_t * tanh(q_t)

    Hochreiter and Schmidhuber 1997, with the forget gate of Gers et al. 2000 and no peepholes, like torch.nn.LSTM. The
    state is [h, q] with q_0 = 0.

    Paper: A.1.1
    """

    GATES = ("_in", "_forget", "_out")

    def recurrent(self) -> Tensor:
        return self.stacked("U")

    def begin(self, h: Tensor) -> Tensor:
        return F.pad(h, (0, h.shape[-1]))

    def update(self, state: Tensor, x: Tensor, from_state: Tensor, times_U: Callable[[Tensor], Tensor]) -> Tensor:
        n = self.U.shape[0]
        gates = (x[..., : 3 * n] + from_state[..., : 3 * n]).sigmoid_()
        candidate = tanh_(x[..., 3 * n : 4 * n] + from_state[..., 3 * n :])
        q = torch.addcmul(gates[..., n : 2 * n] * state[..., n:], gates[..., :n], candidate)
        return torch.cat([gates[..., 2 * n :] * tanh_(q.clone()), q], dim=-1)


class ResetAfterDecoder(Decoder, ResetAfterUnit):
    """The decoder's weights with this unit."""


class LSTMDecoder(Decoder, LSTMUnit):
    """The decoder's weights with this unit."""


UNITS: dict[str, type[Unit]] = {"gated": GatedUnit, "reset_after": ResetAfterUnit, "lstm": LSTMUnit}
DECODERS: dict[str, type[Decoder]] = {"gated": GatedDecoder, "reset_after": ResetAfterDecoder, "lstm": LSTMDecoder}


def attention_loop(
    decoder: Decoder,
    attention: Attention,
    x: Tensor,
    start: Tensor,
    keys: Tensor,
    annotations: Tensor,
    mask: Tensor,
    dtype: torch.dtype,
) -> Scanned:
    """Run decoder and attention over a given target, with any unit and any score. Arguments and result are those of
    ``nmt.model.decoder.attention_scan``. All products that need no state are computed before the loop. C h_j is such a
    product, because C c_i is computed as sum_j alpha_ij (C h_j)."""
    n, recurrent = start.shape[1], decoder.recurrent()
    W_a = attention.query_matrix()
    by_state = recurrent if W_a is None else torch.cat([recurrent, W_a])
    memory = linear(annotations, decoder.stacked("C"), dtype)
    blocked = torch.zeros_like(mask, dtype=x.dtype).masked_fill_(~mask, float("-inf"))
    times_U = partial(linear, weight=decoder.U, dtype=dtype)
    state = decoder.begin(start)
    states, alpha = [], []
    place = None
    for i in range(len(x) + 1):
        s = state[:, :n]
        p = linear(s, by_state, dtype)
        from_state, query = p[:, : len(recurrent)], p[:, len(recurrent) :]
        place = attention.place(s.unsqueeze(1), place)
        query = query if place is None else place.squeeze(1)
        states.append(s)
        alpha.append((_energies(attention, s, query, keys) + blocked).softmax(dim=1))
        if i < len(x):
            context = torch.bmm(alpha[i].unsqueeze(1), memory).squeeze(1)
            state = decoder.update(state, x[i] + context, from_state, times_U)
    weights = torch.stack(alpha)
    contexts = torch.bmm(weights.transpose(0, 1), annotations).transpose(0, 1)
    return Scanned(torch.stack(states), contexts, weights)


def _energies(attention: Attention, s: Tensor, query: Tensor, keys: Tensor) -> Tensor:
    """e_ij of one step, [B, T_x]. The intermediate tensors are too large to store: backward computes them again."""
    s, query = s.unsqueeze(1), query.unsqueeze(1)
    if torch.is_grad_enabled():
        e: Tensor = checkpoint(attention.energies, s, query, keys, use_reentrant=False, preserve_rng_state=False)
    else:
        e = attention.energies(s, query, keys)
    return e.squeeze(1)
