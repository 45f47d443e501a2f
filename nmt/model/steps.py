"""The decoder one target word at a time, as a search uses it; everything possible is computed before the first step.

With E_y for E y_{i-1} and s for s_{i-1}, a step needs the sums

    gates, candidate:  [W_z; W_r; W] E_y + [U_z; U_r; .] s + [C_z; C_r; C] c_i      (A.1.1, A.2.2)
    maxout layer:      V_o E_y + U_o s + C_o c_i                                    (A.2.2)

(for the gated unit; other units have similar sums)

and since c_i = sum_j alpha_ij h_j, the last term is sum_j alpha_ij (C h_j): C h_j is computed once per source word, not
once per target word and hypothesis. The contributions of the words form a table with one row per target word, unless it
would be too large. All products with s are concatenated into one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from nmt.model.attention import AdditiveAttention
from nmt.model.kernels import PackedWeight
from nmt.model.translation import TranslationModel
from nmt.search.stepwise import AlphaOverride, Step
from nmt.search.topk import CHUNK

_TABLE_BYTES = 2**28
"""Largest size of the table of the target words' contributions."""
_CELLS = 2**20
"""Number of values sigma(2 (W_a s + U_a h_j)) in memory at a time: as many as fit the cache, for any sentence
length."""


@dataclass(frozen=True, kw_only=True)
class DecoderState:
    """State of a search over S sentences with k hypotheses each.

    Attributes:
        s: decoder state, [S, k, n] (LSTM: with its memory cell, [S, k, 2n]): s_{i-1}. Program order: the state
            before its update with the previous word, if any, which the next step receives.
        memory: contribution of each annotation to gates, candidate and maxout layer, C h_j, [S, T_x, 3n + 2l];
            RNNencdec: contribution of c, [S, 1, 3n + 2l].
        keys: 2 (U_a h_j + b_a), [S, T_x, n_a], or the keys of other scores, [S, T_x, n]; RNNencdec: None.
        blocked: 0 for a token, -inf for padding, [S, T_x].
        context: program order: contribution of the last context, [S, k, 3n + 2l]; None before the first step.
        gates: program order: U_z s, U_r s, [S, k, 2n] (other units: [S, k, R]); None before the first step.
    """

    s: Tensor
    memory: Tensor
    keys: Tensor | None
    blocked: Tensor
    context: Tensor | None = None
    gates: Tensor | None = None


class _Words:
    """W E y + b: contribution of a word to gates, candidate and maxout layer, as a table if that is small enough."""

    def __init__(self, E: Tensor, W: Tensor, b: Tensor, precision: torch.dtype) -> None:
        """Compute the table, or pack W. E: [rows, m], W: [3n + 2l, m], b: [3n + 2l]."""
        self._full, self._E, self._W, self._b = E.dtype, E, PackedWeight(W, precision), b
        self._table = None
        if len(E) * len(W) * precision.itemsize <= _TABLE_BYTES:
            self._table = (self._W(E) + b).to(precision)
            del self._E, self._W, self._b

    def __call__(self, rows: Tensor) -> Tensor:
        """The contributions of words. [S, k] row numbers of E -> [S, k, 3n + 2l]"""
        if self._table is not None:
            return F.embedding(rows, self._table).to(self._full)
        return self._W(F.embedding(rows, self._E)) + self._b


class DecodingSteps:
    """A ``Stepwise`` view of a model with its current weights; later changes of the weights have no effect.

    Log-probabilities have a multiple of 64 columns, with -inf beyond the vocabulary, as the search for the best
    continuations requires.

    Paper: 3.1, A.2.2
    """

    def __init__(self, model: TranslationModel, precision: torch.dtype | None = None) -> None:
        """Pack the weights. ``precision``: of the factors of the matrix products; None = that of the weights, in which
        states and sums are in any case."""
        precision = precision or model.decoder.E.dtype
        with torch.no_grad():
            self._model, self._low = model, precision
            decoder, readout, attention = model.decoder, model.readout, model.attention
            recurrent, C = decoder.recurrent(), decoder.stacked("C")
            self._n, self._l = decoder.U.shape[0], readout.U_o.shape[0] // 2
            self._sums, self._recurrent = len(C), len(recurrent)  # gated unit: 3n, 2n
            self._full = decoder.E.dtype
            from_state = [recurrent, readout.U_o]
            if isinstance(attention, AdditiveAttention):
                from_state.append(2 * attention.query_matrix())  # tanh(u) = 2 sigma(2u) - 1, see nmt/model/decoder.py
                self._v_2 = 2 * attention.v_a
            self._from_state = PackedWeight(torch.cat(from_state), precision)
            self._update, self._U = decoder.update, PackedWeight(decoder.U, precision)
            self._C = PackedWeight(torch.cat([C, readout.C_o]), precision)
            missing = -len(readout.W_o) % CHUNK
            self._W_o = PackedWeight(F.pad(readout.W_o, (0, 0, 0, missing)), precision)
            self._b_o = F.pad(readout.b_o, (0, missing), value=-torch.inf)
            E = F.pad(decoder.E, (0, 0, 1, 0))  # E y_0 = 0 comes first
            W, b = torch.cat([decoder.stacked("W"), readout.V_o]), torch.cat([decoder.stacked("b"), readout.b_t])
            self._words = _Words(E, W, b, precision)

    def start(self, source: Tensor, mask: Tensor) -> DecoderState:
        """Read S sentences. source: ids [S, T_x], mask: bool [S, T_x]; the state has one row per sentence."""
        reading = self._model.read(source, mask, self._low)
        keys = reading.keys
        if keys is not None and isinstance(self._model.attention, AdditiveAttention):
            keys = 2 * keys
        blocked = torch.zeros_like(mask, dtype=self._full).masked_fill_(~mask, -torch.inf)
        s = self._model.decoder.begin(reading.start).unsqueeze(1)
        return DecoderState(s=s, memory=self._C(reading.memory), keys=keys, blocked=blocked)

    def step(self, state: DecoderState, previous: Tensor, override: AlphaOverride | None = None) -> Step[DecoderState]:
        """Distributions over the next word.

        Args:
            state: state of the search.
            previous: ids [S, k], -1 for y_0.
            override: maps alpha to the weights that give c_i; not called without attention.
        """
        sums, recurrent, t_2 = self._sums, self._recurrent, 2 * self._l
        y, s = self._words(previous + 1), state.s
        if state.context is not None and state.gates is not None:
            s = self._update(s, y + state.context, state.gates, self._U)
        p = self._from_state(s[..., : self._n])  # U_z s, U_r s, U_o s, 2 W_a s
        alpha, context = self._attend(state, s[..., : self._n], p[..., recurrent + t_2 :], override)
        x = y + context
        pairs = x[..., sums:] + p[..., recurrent : recurrent + t_2]
        t = pairs.view(*previous.shape, self._l, 2).amax(dim=3)
        log_probabilities = torch.log_softmax(self._W_o(t).add_(self._b_o), dim=2)
        gates = p[..., :recurrent]
        if self._model.config.state_order == "program":
            after = replace(state, s=s, context=context.expand_as(x), gates=gates)
        else:
            after = replace(state, s=self._update(s, x, gates, self._U))
        return Step(log_probabilities, alpha, after)

    def select(self, state: DecoderState, rows: Tensor) -> DecoderState:
        """Continue with the given hypotheses: rows [S', k'] of old row numbers s * k + j, one old sentence per line.
        Tensors that belong to sentences are copied only when sentences have left the search."""
        sentences = rows[:, 0] // state.s.shape[1]
        changed = {
            name: value.flatten(0, 1)[rows]
            for name, value in (("s", state.s), ("context", state.context), ("gates", state.gates))
            if value is not None
        }
        if len(rows) != len(state.memory) or not torch.equal(sentences, torch.arange(len(rows), device=rows.device)):
            keys = None if state.keys is None else state.keys[sentences]
            changed |= {"memory": state.memory[sentences], "blocked": state.blocked[sentences]}
            state = replace(state, keys=keys)
        return replace(state, **changed)

    def _attend(
        self, state: DecoderState, s: Tensor, query: Tensor, override: AlphaOverride | None
    ) -> tuple[Tensor | None, Tensor]:
        """alpha after any override, [S, k, T_x], and the contribution of c_i, [S, k, 3n + 2l] ([S, 1, 3n + 2l] without
        attention). s: [S, k, n]; query: 2 W_a s_{i-1}, [S, k, n_a]. Paper: eq. 5-6, A.1.2"""
        attention = self._model.attention
        if attention is None or state.keys is None:
            return None, state.memory
        if isinstance(attention, AdditiveAttention):
            e = self._additive_energies(query, state.keys)
        else:
            e = attention.energies(s, query, state.keys)
        alpha = torch.softmax(e.add_(state.blocked.unsqueeze(1)), dim=2)
        if override is not None:
            alpha = override(alpha)
        return alpha, torch.bmm(alpha, state.memory)

    def _additive_energies(self, query: Tensor, keys: Tensor) -> Tensor:
        """e_ij, computed in parts that fit the cache. [S, k, n_a], [S, T_x, n_a] -> [S, k, T_x]"""
        S, k, n_a = query.shape
        T_x = keys.shape[1]
        width = max(1, _CELLS // (S * k * n_a))
        e = query.new_empty(S, k, T_x)
        for j in range(0, T_x, width):
            u = keys[:, None, j : j + width] + query.unsqueeze(2)
            e[..., j : j + width] = u.sigmoid_() @ self._v_2
        return e
