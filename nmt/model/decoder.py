"""The decoder's recurrence, with attention inside it.

    z_i  = sigma(W_z E y + U_z s_{i-1} + C_z c_i)
    r_i  = sigma(W_r E y + U_r s_{i-1} + C_r c_i)
    s~_i = tanh(W E y + U [r_i * s_{i-1}] + C c_i)
    s_i  = (1 - z_i) * s_{i-1} + z_i * s~_i

with y = y_{i-1} (state_order "printed" and "equation") or y = y_i ("program").
"""

from ctypes import CDLL
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from nmt import native
from nmt.model.attention import AdditiveAttention
from nmt.model.gru import GatedUnit, Unit
from nmt.model.kernels import PackedWeight, linear, tanh_, weight_gradient


class Decoder(Unit):
    """The weights of the decoder: embeddings E, the unit's weights over E y, C for the context, and W_s for s_0.

    Paper: A.1.1, A.2.2
    """

    def __init__(self, vocabulary: int, embedding: int, hidden: int, context: int, start: int) -> None:
        """start: number of units of the vector from which s_0 is computed."""
        super().__init__(embedding, hidden)
        self.E = nn.Parameter(torch.empty(vocabulary, embedding))
        self.W_s = nn.Parameter(torch.empty(hidden, start))
        self.b_s = nn.Parameter(torch.empty(hidden))
        for gate in ("", *self.GATES):
            self.register_parameter("C" + gate, nn.Parameter(torch.empty(hidden, context)))

    def first_state(self, h: Tensor) -> Tensor:
        """s_0 = tanh(W_s h), [S, n or 2n] -> [S, n]. h: the backward state of the first word. For RNNencdec: the last
        forward state. For start "both": [forward h_{T_x}, backward h_1]. Paper: A.2.2"""
        return torch.tanh(linear(h, self.W_s, h.dtype) + self.b_s)


class GatedDecoder(Decoder, GatedUnit):
    """The paper's decoder: C, C_z, C_r [n, 2n] in addition to the weights of the gated unit."""

    C: Tensor
    C_z: Tensor
    C_r: Tensor


class Scanned(NamedTuple):
    """Inputs of the readout at every target step, from a recurrence over T_y - 1 words. states: s_0 .. s_{T_y - 1},
    [T_y, B, n]. contexts: c_1 .. c_{T_y}, [T_y, B, 2n]. For RNNencdec: T_y times the same vector, [T_y, B, n]. alpha:
    [T_y, B, T_x], None without attention."""

    states: Tensor
    contexts: Tensor
    alpha: Tensor | None


_MOST_THREADS = 2
"""If torch has at most this many threads, one thread of the native engine computes energies and gradients faster."""


def _engine(x: Tensor) -> CDLL | None:
    """The native engine, if it should compute the energies in training. None if torch must compute them or is faster.
    x: any tensor of the computation."""
    fits = x.device.type == "cpu" and x.dtype == torch.float32 and torch.get_num_threads() <= _MOST_THREADS
    return native.library() if fits else None


class _AttentionScan(torch.autograd.Function):
    """The recurrence over the target with attention, with a backward pass written by hand.

    tanh(W_a s + U_a h) of every step, [T_y, B, T_x, n_a], is by far the largest intermediate. It is not stored: the
    backward pass computes it again.

    ``attention_loop`` (nmt.model.variants) does this too, but leaves the gradient to autograd. Its update takes 1.23
    times the CPU time of the scan, and 1.57 times the memory, weights excluded. Measured on rnnsearch_50_modern: 64
    sentence pairs of 30 words, one thread, fp32. At the paper's sizes, with 32 pairs, the ratios are 1.13 and 1.46.
    """

    @staticmethod
    def forward(
        ctx: Any,
        x: Tensor,
        start: Tensor,
        keys: Tensor,
        annotations: Tensor,
        blocked: Tensor,
        W_a: Tensor,
        v_a: Tensor,
        U_zr: Tensor,
        U: Tensor,
        C: Tensor,
        dtype: torch.dtype,
    ) -> tuple[Tensor, Tensor, Tensor]:
        T, (B, n), n_a = x.shape[0] + 1, start.shape, W_a.shape[0]
        T_x = keys.shape[1]
        by_state = PackedWeight(torch.cat([2 * W_a, U_zr.t()]), dtype)  # [n] -> [n_a + 2n]
        keys_2, v_2, blocked = 2 * keys.contiguous(), 2 * v_a, blocked.contiguous()
        engine, padded_v = _engine(x), F.pad(v_2, (0, 64))  # the engine reads whole vectors
        g = torch.empty_like(keys)
        by_U, by_C = PackedWeight(U.t(), dtype), PackedWeight(C, dtype)
        states = x.new_empty(T, B, n)
        contexts = x.new_empty(T, B, annotations.shape[-1])
        alpha = x.new_empty(T, B, T_x)
        queries = x.new_empty(T, B, n_a)
        gates = x.new_empty(T - 1, B, 2 * n)
        candidates = x.new_empty(T - 1, B, n)
        states[0] = start
        for i in range(T):
            s = states[i]
            p = by_state(s)
            queries[i] = p[:, :n_a]
            if engine is None:
                torch.add(keys_2, p[:, None, :n_a], out=g).sigmoid_()
                torch.softmax(g @ v_2 + blocked, dim=-1, out=alpha[i])
            else:
                arrays = (queries[i], keys_2, padded_v, blocked, alpha[i])
                engine.attend(B, T_x, n_a, *(array.data_ptr() for array in arrays))
            torch.bmm(alpha[i].unsqueeze(1), annotations, out=contexts[i].unsqueeze(1))
            if i == T - 1:
                break
            a = by_C(contexts[i]).add_(x[i])
            zr = torch.add(a[:, : 2 * n], p[:, n_a:], out=gates[i]).sigmoid_()
            z, r = zr[:, :n], zr[:, n:]
            rs = by_U(r * s)
            c = tanh_(torch.add(a[:, 2 * n :], rs, out=candidates[i]))
            torch.lerp(s, c, z, out=states[i + 1])
        ctx.save_for_backward(
            states, contexts, alpha, queries, gates, candidates, keys_2, annotations, W_a, v_a, U_zr, U, C
        )
        ctx.dtype = dtype
        return states, contexts, alpha

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        states, contexts, alpha, queries, gates, candidates, keys_2, annotations = ctx.saved_tensors[:8]
        W_a, v_a, U_zr, U, C = ctx.saved_tensors[8:]
        d_states, d_contexts, d_alpha = gradients
        dtype, full = ctx.dtype, states.dtype
        T, B, n = states.shape
        n_a, T_x = W_a.shape[0], keys_2.shape[1]
        engine, d_query = _engine(states), torch.empty_like(queries[0])
        back_to_state = PackedWeight(torch.cat([W_a.t(), U_zr], dim=1), dtype)  # [n_a + 2n] -> [n]
        back_by_U, back_by_C = PackedWeight(U, dtype), PackedWeight(C.t(), dtype)
        d_from = states.new_zeros(T, B, n_a + 2 * n)  # gradients of W_a s and of the gates' sums
        d_candidates = torch.empty_like(candidates)
        d_context = torch.empty_like(contexts)
        g, slope = torch.empty_like(keys_2), torch.empty_like(keys_2)
        d_keys = torch.zeros_like(keys_2)
        d_v = torch.zeros_like(v_a)
        v_4 = 4 * v_a
        d_s = torch.zeros_like(states[0])  # gradient of s_i, the state made in step i
        for i in reversed(range(T)):
            s = states[i]
            if i < T - 1:
                c, z, r = candidates[i], gates[i, :, :n], gates[i, :, n:]
                torch.mul(d_s, z, out=d_candidates[i])
                d_a_c = torch.ops.aten.tanh_backward(d_candidates[i], c)
                d_candidates[i] = d_a_c
                d_rs = back_by_U(d_a_c)
                d_from[i, :, n_a : n_a + n] = torch.ops.aten.sigmoid_backward(d_s * (c - s), z)
                d_from[i, :, n_a + n :] = torch.ops.aten.sigmoid_backward(d_rs * s, r)
                d_g = torch.cat([d_from[i, :, n_a:], d_a_c], dim=1)
                torch.add(d_contexts[i], back_by_C(d_g), out=d_context[i])
                d_s = torch.addcmul(d_s, d_s, z, value=-1).addcmul_(d_rs, r).add_(d_states[i])
            else:
                d_context[i] = d_contexts[i]
                d_s = d_states[i].clone()
            d_a = torch.bmm(d_context[i].unsqueeze(1), annotations.transpose(1, 2)).squeeze(1).add_(d_alpha[i])
            d_e = torch._softmax_backward_data(d_a, alpha[i], -1, full)
            if engine is None:
                torch.add(keys_2, queries[i].unsqueeze(1), out=g).sigmoid_()
                torch.addcmul(g, g, g, value=-1, out=slope)  # g (1 - g)
                d_v.addmv_(g.view(-1, n_a).t(), d_e.view(-1))
                d_keys.addcmul_(d_e.unsqueeze(2), slope)
                d_query = torch.bmm(d_e.unsqueeze(1), slope).squeeze(1)
            else:
                arrays = (queries[i], keys_2, d_e, d_keys, d_query, d_v)
                engine.attend_gradient(B, T_x, n_a, *(array.data_ptr() for array in arrays))
            torch.mul(d_query, v_4, out=d_from[i, :, :n_a])
            d_s += back_to_state(d_from[i])
        d_annotations = torch.bmm(alpha.permute(1, 2, 0), d_context.transpose(0, 1))
        last = T - 1
        d_x = torch.cat([d_from[:last, :, n_a:], d_candidates], dim=2)
        d_weights = weight_gradient(states.flatten(0, 1), d_from.flatten(0, 1), dtype, full)  # [n, n_a + 2n]
        d_U = weight_gradient((gates[..., n:] * states[:last]).flatten(0, 1), d_candidates.flatten(0, 1), dtype, full)
        d_C = weight_gradient(d_x.flatten(0, 1), contexts[:last].flatten(0, 1), dtype, full)
        return (
            d_x,
            d_s,
            d_keys.mul_(v_4),
            d_annotations,
            None,
            d_weights[:, :n_a].t(),
            2 * d_v,
            d_weights[:, n_a:],
            d_U,
            d_C,
            None,
        )


def attention_scan(
    decoder: GatedDecoder,
    attention: AdditiveAttention,
    x: Tensor,
    start: Tensor,
    keys: Tensor,
    annotations: Tensor,
    mask: Tensor,
    dtype: torch.dtype,
) -> Scanned:
    """Run decoder and attention over a given target.

    Args:
        x: contribution of the words to the gated unit's sums, [T_y - 1, B, 3n]. Entry i contributes to s_{i+1}.
        start: s_0, [B, n].
        keys: U_a h_j + b_a, [B, T_x, n_a].
        annotations: [B, T_x, 2n].
        mask: bool [B, T_x].
        dtype: precision of the factors of the matrix products.

    Paper: eq. 4-6, A.1.2, A.2.2
    """
    blocked = torch.zeros_like(mask, dtype=x.dtype).masked_fill_(~mask, float("-inf"))
    states, contexts, alpha = _AttentionScan.apply(  # type: ignore[no-untyped-call]
        x,
        start,
        keys,
        annotations,
        blocked,
        attention.query_matrix(),
        attention.v_a,
        decoder.recurrent().t(),
        decoder.U.t(),
        decoder.stacked("C"),
        dtype,
    )
    return Scanned(states, contexts, alpha)
