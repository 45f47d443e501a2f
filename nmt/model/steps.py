"""The decoder in a search, one target word at a time. Terms without the state are computed before the first step.

With E_y for E y_{i-1} and s for s_{i-1}, a step needs the sums

    gates, candidate:  [W_z; W_r; W] E_y + [U_z; U_r; .] s + [C_z; C_r; C] c_i      (A.1.1, A.2.2)
    maxout layer:      V_o E_y + U_o s + C_o c_i                                    (A.2.2)

Other units than the gated unit have similar sums. For state_order "equation", U_o s_i is a separate product.

Since c_i = sum_j alpha_ij h_j, the last term is sum_j alpha_ij (C h_j). So C h_j is computed once per source word, not
once per target word and hypothesis. A table holds the contribution of each target word in a row, unless the table would
be too large. All products with s are concatenated into one product.

The encoder (``Reading``) also packs its weights once. It takes both directions in the same step: step t is word t
forwards and word T_x + 1 - t backwards. The states of both directions are the rows of one tensor, so every elementwise
operation is done once for both.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from nmt.model.attention import AdditiveAttention
from nmt.model.gru import GatedUnit
from nmt.model.kernels import LEAST_WEIGHTS, IntegerWeight, PackedWeight, precision_of_factors, tanh_
from nmt.model.translation import EncodedSource, TranslationModel
from nmt.search.stepwise import AlphaOverride, Step
from nmt.search.topk import CHUNK

Product = IntegerWeight | PackedWeight
"""x -> x W^T for a packed weight W."""

_FEW = 4
"""Up to this many sentences, one product for both directions is faster than two, although it computes twice as much."""


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


class Reading:
    """Encoder of gated units for searches. It has the model's weights of now: after an update, make another.

    Paper: eq. 7, 3.2, A.2.1
    """

    def __init__(self, model: TranslationModel, pack: Callable[[Tensor], Product]) -> None:
        """Pack the weights with ``pack``."""
        encoder = model.encoder
        units = encoder.units()
        self._E, self._n, self._D = encoder.E, encoder.forward_unit.U.shape[0], len(units)
        self._W = pack(torch.cat([unit.stacked("W") for unit in units]))
        self._b = torch.cat([unit.stacked("b") for unit in units])
        self._U_zr = _Directions([unit.recurrent() for unit in units], pack)
        self._U = _Directions([unit.U for unit in units], pack)
        self._attends, self._start_from_both = model.attention is not None, model.config.start == "both"
        self._W_s, self._b_s = pack(model.decoder.W_s), model.decoder.b_s

    @staticmethod
    def suits(model: TranslationModel) -> bool:
        """True for a model whose encoder has gated units."""
        return isinstance(model.encoder.forward_unit, GatedUnit)

    def __call__(self, source: Tensor, mask: Tensor) -> EncodedSource:
        """Read B sentences, but compute no keys. source: ids [B, T_x]. mask: bool [B, T_x]. Paper: A.2.2"""
        states = self.states(source, mask)
        h = states[0, :, self._n :] if self._D == 2 else states[-1]
        memory = states.transpose(0, 1).contiguous() if self._attends else h.unsqueeze(1)
        if self._start_from_both:
            h = torch.cat([states[-1, :, : self._n], h], dim=1)
        return EncodedSource(torch.tanh(self._W_s(h, self._b_s)), memory, None)

    def states(self, source: Tensor, mask: Tensor) -> Tensor:
        """The states after each word, the forward direction first. Padding leaves a state unchanged. ids [B, T_x], mask
        [B, T_x] -> [T_x, B, D n]"""
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


TABLE_BYTES = 2**28
"""Largest size of the table of the target words' contributions."""
CELLS = 2**20
"""Number of values sigma(2 (W_a s + U_a h_j)) in memory at a time. They fit the cache, whatever a sentence's length."""


@dataclass(frozen=True, kw_only=True)
class DecoderState:
    """State of a search over S sentences with k hypotheses each.

    Attributes:
        s: s_{i-1}, [S, k, n] (LSTM: with its memory cell, [S, k, 2n]). For state_order "program": s_{i-2}, because step
            i first updates it with y_{i-1}. This update needs further columns: U_z s and U_r s, 2n (other units: R),
            and the contribution of c_{i-1}, 3n + 2l. They are 0 before the first step.
        memory: contribution of each annotation to gates, candidate and maxout layer, C h_j, [S, T_x, 3n + 2l].
            RNNencdec: contribution of c, [S, 1, 3n + 2l].
        keys: 2 (U_a h_j + b_a), [S, T_x, n_a], or the keys of other scores, [S, T_x, n], or None for RNNencdec.
        blocked: 0 for a token, -inf for padding, [S, T_x].
        place: the last step's query, [S, k, q], for a score that remembers it. None before the first step, and for
            other scores.
        begun: for state_order "program", bool [S], True for a sentence after its first step. None if all are.
    """

    s: Tensor
    memory: Tensor
    keys: Tensor | None
    blocked: Tensor
    place: Tensor | None = None
    begun: Tensor | None = None


class _Words:
    """W E y + b: contribution of a word to gates, candidate and maxout layer.

    If a table of all words is small enough, a word's row is computed and stored when the word first occurs. The
    operating system provides memory only for computed rows. Two threads may compute the same row, with equal values.
    """

    def __init__(self, E: Tensor, times: Product, b: Tensor, dtype: torch.dtype) -> None:
        """E: [K_y, m]. times: x -> x W^T, [.., m] -> [.., 3n + 2l]. b: [3n + 2l]. dtype: type of the table."""
        self._E, self._times, self._b = E, times, b
        self._table, self._known = None, None
        if (len(E) + 1) * len(b) * dtype.itemsize <= TABLE_BYTES:
            with torch.inference_mode(False), torch.no_grad():  # so that rows can be written in either mode
                self._table = torch.empty(len(E) + 1, len(b), dtype=dtype, device=E.device)
                self._table[0] = b  # E y_0 = 0
                self._known = torch.zeros(len(E) + 1, dtype=torch.bool, device=E.device)
                self._known[0] = True

    def __call__(self, previous: Tensor) -> Tensor:
        """The contributions of words. Ids [S, k], -1 for y_0 -> [S, k, 3n + 2l]"""
        rows = previous + 1
        if self._table is None or self._known is None:
            e = F.embedding(previous.clamp_min(0), self._E).masked_fill((previous < 0).unsqueeze(2), 0)
            return self._times(e, self._b)
        missing = rows[~self._known[rows]]
        if len(missing):
            missing = missing.unique()  # type: ignore[no-untyped-call]
            self._table[missing] = self._times(self._E[missing - 1], self._b).to(self._table.dtype)
            self._known[missing] = True
        return F.embedding(rows, self._table).to(self._E.dtype)


def factors(model: TranslationModel) -> int:
    """Number of weights by which a step multiplies each row: those of decoder and readout, embeddings excluded."""
    weights = sum(p.numel() for part in (model.decoder, model.readout) for p in part.parameters())
    return weights - model.decoder.E.numel()


class DecodingSteps:
    """A model as a ``Stepwise``. It keeps the weights that the model has when this object is made.

    ``best_continuations`` requires a multiple of 64 columns, so columns of -inf follow those of the vocabulary.

    Paper: 3.1, A.2.2
    """

    def __init__(
        self,
        model: TranslationModel,
        precision: torch.dtype | None = None,
        *,
        integers_from: int = LEAST_WEIGHTS,
    ) -> None:
        """Pack the weights.

        Args:
            precision: precision of the factors of the matrix products. None = that of the weights. States and sums
                always have the precision of the weights. int8: products for which integers are faster are computed in
                integers (``IntegerWeight.pays_off``), all others in the precision of the weights.
            integers_from: number of weights from which a product is computed in integers.
        """
        integers = precision == torch.int8
        E = model.decoder.E
        low = precision_of_factors(E.dtype if integers or precision is None else precision, E)

        def pack(weight: Tensor) -> Product:
            if integers and IntegerWeight.pays_off(weight, integers_from):
                return IntegerWeight(weight)
            return PackedWeight(weight, low)

        with torch.no_grad():
            self._model, self._low, self._hard = model, low, False
            decoder, readout, attention = model.decoder, model.readout, model.attention
            recurrent, C = decoder.recurrent(), decoder.stacked("C")
            self._n, self._l = decoder.U.shape[0], readout.U_o.shape[0] // 2
            self._sums, self._recurrent = len(C), len(recurrent)  # gated unit: 3n, 2n
            self._full, self._order = decoder.E.dtype, model.config.state_order
            from_state, self._queries = [recurrent], 0
            if isinstance(attention, AdditiveAttention):
                from_state.append(2 * attention.query_matrix())  # tanh(u) = 2 sigma(2u) - 1, see nmt/model/decoder.py
                self._queries = len(from_state[1])
                self._v_2 = 2 * attention.v_a
                self._U_a, self._b_a = pack(2 * attention.key_matrix()), 2 * attention.b_a
            if self._order != "equation":
                from_state.append(readout.U_o)
            self._from_state = pack(torch.cat(from_state))
            self._update, self._U = decoder.update, pack(decoder.U)
            self._U_o = pack(readout.U_o) if self._order == "equation" and self._l else None
            self._C = pack(torch.cat([C, readout.C_o]))
            missing = -len(readout.W_o) % CHUNK
            W_o, b_o = F.pad(readout.W_o, (0, 0, 0, missing)), F.pad(readout.b_o, (0, missing), value=-torch.inf)
            whole = integers and IntegerWeight.pays_off(W_o, integers_from)
            self._logits: Callable[[Tensor], Tensor] = (
                IntegerWeight(W_o, b_o) if whole else functools.partial(PackedWeight(W_o, low), bias=b_o)
            )
            self._reading = Reading(model, pack) if Reading.suits(model) else None
            W, b = torch.cat([decoder.stacked("W"), readout.V_o]), torch.cat([decoder.stacked("b"), readout.b_t])
            self._words = _Words(decoder.E, pack(W), b, low)

    def with_hard_attention(self) -> DecodingSteps:
        """The same steps with hard attention: in each row of alpha the largest entry gets all weight."""
        steps = copy(self)
        steps._hard = True
        return steps

    def start(self, source: Tensor, mask: Tensor) -> DecoderState:
        """Read S sentences. source: ids [S, T_x]. mask: bool [S, T_x]. The state has one row per sentence."""
        s, memory, keys = self._read(source, mask)
        blocked = torch.zeros_like(mask, dtype=self._full).masked_fill_(~mask, -torch.inf)
        s, memory, begun = self._model.decoder.begin(s).unsqueeze(1), self._C(memory), None
        if self._order == "program":
            s, begun = F.pad(s, (0, self._recurrent + memory.shape[2])), torch.zeros_like(mask[:, 0])
        return DecoderState(s=s, memory=memory, keys=keys, blocked=blocked, begun=begun)

    def _read(self, source: Tensor, mask: Tensor) -> EncodedSource:
        """Encode like ``TranslationModel.read``, but double the keys of the paper's score."""
        attention = self._model.attention
        if self._reading is None:
            encoded = self._model.read(source, mask, self._low)
            if encoded.keys is None or not isinstance(attention, AdditiveAttention):
                return encoded
            return encoded._replace(keys=2 * encoded.keys)
        encoded = self._reading(source, mask)
        if isinstance(attention, AdditiveAttention):
            return encoded._replace(keys=self._U_a(encoded.memory, self._b_a))
        return encoded if attention is None else encoded._replace(keys=attention.keys(encoded.memory, self._low))

    def step(self, state: DecoderState, previous: Tensor, override: AlphaOverride | None = None) -> Step[DecoderState]:
        """Take one step: compute log p of the next word, alpha and the next state. previous: ids [S, k], -1 for y_0.
        override: maps alpha to the weights that give c_i. Not called without attention."""
        y, s = self._words(previous), state.s
        if self._order == "program":
            s, gates, context = s.tensor_split((-self._recurrent - y.shape[2], -y.shape[2]), dim=2)
            updated = self._update(s, y + context, gates, self._U)
            s = updated if state.begun is None else torch.where(state.begun[:, None, None], updated, s)
        p = self._from_state(s[..., : self._n])  # U_z s, U_r s, 2 W_a s, U_o s
        gates, query = p[..., : self._recurrent], p[..., self._recurrent : self._recurrent + self._queries]
        attention = self._model.attention
        place = None if attention is None else attention.place(s[..., : self._n], state.place)
        alpha, context = self._attend(state, s[..., : self._n], query if place is None else place, override)
        x = y + context
        if self._order == "program":
            s = torch.cat([s, gates, context.expand_as(x)], dim=2)
        else:
            s = self._update(s, x, gates, self._U)
        after = replace(state, s=s, place=place, begun=None)
        t = self._top_layer(x, p, s)
        logits = self._logits(t)
        log_probabilities = torch.log_softmax(logits, dim=2, out=logits)  # a second tensor would cost page faults
        return Step(log_probabilities, alpha, after)

    def _top_layer(self, x: Tensor, from_state: Tensor, s: Tensor) -> Tensor:
        """t_i, [S, k, l], from the sums over word and context, the products with s_{i-1}, and s_i."""
        if self._order != "equation":
            of_state = from_state[..., self._recurrent + self._queries :]
        elif self._U_o is None:
            return s
        else:
            of_state = self._U_o(s[..., : self._n])
        pairs = x[..., self._sums :] + of_state
        return pairs.view(*pairs.shape[:2], self._l, 2).amax(dim=3)

    def select(self, state: DecoderState, rows: Tensor) -> DecoderState:
        """Keep and reorder hypotheses. rows: [S', k'], the old row s * k + j of each new row. A line has rows of one
        sentence. ``memory``, ``keys`` and ``blocked`` are copied only when sentences have left the search or moved, and
        then without unneeded padding."""
        S, k = len(state.memory), state.s.shape[1]
        s = state.s.flatten(0, 1).index_select(0, rows.flatten()).view(*rows.shape, -1)
        place = None if state.place is None else state.place.flatten(0, 1)[rows]
        sentences = rows[:, 0] // k
        if len(rows) != S or (S > 1 and not torch.equal(sentences, torch.arange(S, device=rows.device))):
            memory, keys, blocked = state.memory[sentences], state.keys, state.blocked[sentences]
            if keys is not None:
                longest = int((blocked == 0).sum(dim=1).max())
                memory, keys, blocked = memory[:, :longest], keys[sentences, :longest], blocked[:, :longest]
            begun = None if state.begun is None else state.begun[sentences]
            state = replace(state, memory=memory, keys=keys, blocked=blocked, begun=begun)
        return replace(state, s=s, place=place)

    def join(self, state: DecoderState, newcomers: DecoderState) -> DecoderState:
        """Append sentences that have taken no step to the sentences of a search under way. Rows: [S + S', k]."""
        count, k = newcomers.s.shape[0], state.s.shape[1]
        words = max(state.blocked.shape[1], newcomers.blocked.shape[1])
        place, begun = state.place, newcomers.begun
        if place is not None:
            place = torch.cat([place, place.new_zeros(count, *place.shape[1:])])
        if begun is not None:
            before = begun.new_ones(len(state.s)) if state.begun is None else state.begun
            begun = torch.cat([before, begun])
        memory, keys = [state.memory, newcomers.memory], None
        if state.keys is not None and newcomers.keys is not None:
            memory = [_with_words(values, words) for values in memory]
            keys = torch.cat([_with_words(state.keys, words), _with_words(newcomers.keys, words)])
        blocked = [
            F.pad(mask, (0, words - mask.shape[1]), value=-torch.inf) for mask in (state.blocked, newcomers.blocked)
        ]
        return DecoderState(
            s=torch.cat([state.s, newcomers.s.expand(-1, k, -1)]),
            memory=torch.cat(memory),
            keys=keys,
            blocked=torch.cat(blocked),
            place=place,
            begun=begun,
        )

    def _attend(
        self, state: DecoderState, s: Tensor, query: Tensor, override: AlphaOverride | None
    ) -> tuple[Tensor | None, Tensor]:
        """alpha after an override, [S, k, T_x], and the contribution of c_i, [S, k, 3n + 2l]. Without attention: None,
        [S, 1, 3n + 2l]. s: [S, k, n]. query: 2 W_a s_{i-1}, [S, k, n_a]. Paper: eq. 5-6, A.1.2"""
        attention = self._model.attention
        if attention is None or state.keys is None:
            return None, state.memory
        if isinstance(attention, AdditiveAttention):
            e = self._additive_energies(query, state.keys)
        else:
            e = attention.energies(s, query, state.keys)
        alpha = torch.softmax(e.add_(state.blocked.unsqueeze(1)), dim=2)
        if self._hard:
            alpha = torch.zeros_like(alpha).scatter_(2, alpha.argmax(dim=2, keepdim=True), 1)
        if override is not None:
            alpha = override(alpha)
        return alpha, torch.bmm(alpha, state.memory)

    def _additive_energies(self, query: Tensor, keys: Tensor) -> Tensor:
        """e_ij, computed in parts that fit the cache. [S, k, n_a], [S, T_x, n_a] -> [S, k, T_x]"""
        S, k, n_a = query.shape
        T_x = keys.shape[1]
        width = max(1, CELLS // (S * k * n_a))
        e = query.new_empty(S, k, T_x)
        for j in range(0, T_x, width):
            u = keys[:, None, j : j + width] + query.unsqueeze(2)
            e[..., j : j + width] = u.sigmoid_() @ self._v_2
        return e


def _with_words(values: Tensor, words: int) -> Tensor:
    """Pad the annotations' values with zeros. [S, T_x, ..] -> [S, words, ..]"""
    return F.pad(values, (0, 0, 0, words - values.shape[1]))
