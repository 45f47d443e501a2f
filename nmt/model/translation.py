"""The two models: RNNsearch, which attends to every source word, and RNNencdec, which has one vector."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from nmt.config import ModelConfig
from nmt.model.attention import AdditiveAttention
from nmt.model.decoder import Decoder, Scanned, attention_scan
from nmt.model.encoder import BidirectionalEncoder, ForwardEncoder
from nmt.model.gru import gated_scan
from nmt.model.initialize import initialize
from nmt.model.readout import Readout, cross_entropy
from nmt.search.stepwise import Step


class LossOutput(NamedTuple):
    """total: what to differentiate, a sum over all target words, with label smoothing; nll: the plain sum in
    nats, no gradient; words: target tokens, end marks included."""

    total: Tensor
    nll: Tensor
    words: int


class ForcedOutput(NamedTuple):
    """token_log_probabilities: [B, T_y] in nats, 0 where padded; alpha: [B, T_y, T_x], None without attention."""

    token_log_probabilities: Tensor
    alpha: Tensor | None


@dataclass(frozen=True)
class DecoderState:
    """Where a search stands in S sentences with k hypotheses each.

    Attributes:
        s: decoder state, [S, k, n]. Printed order: s_{i-1}. Program order: the same, still to be updated with
            the word that the next step is given, unless nothing has been written yet.
        memory: RNNsearch: annotations [S, T_x, 2n]; RNNencdec: c, [S, 1, n].
        keys: U_a h_j + b_a, [S, T_x, n_a]; RNNencdec: None.
        mask: [S, T_x].
        context: program order: the context of the last step, [S, k, 2n]; None before the first.
    """

    s: Tensor
    memory: Tensor
    keys: Tensor | None
    mask: Tensor
    context: Tensor | None = None


class TranslationModel(nn.Module, ABC):
    """What both models share: decoder, readout, loss, and the steps of a search.

    Paper: 3.1, A.2
    """

    def __init__(self, config: ModelConfig, source_size: int, target_size: int, context: int) -> None:
        super().__init__()
        self.config = config
        self.source_size, self.target_size = source_size, target_size
        self.decoder = Decoder(target_size, config.embedding, config.hidden, context)
        self.readout = Readout(target_size, config.embedding, config.hidden, context, config.maxout)
        self.dropout = nn.Dropout(config.dropout)
        self.precision: torch.dtype | None = None
        """Precision of the factors of the matrix products in training mode; None = that of the weights."""

    @abstractmethod
    def start(self, source: Tensor, mask: Tensor) -> DecoderState:
        """Read S sentences. source: ids [S, T_x], mask: bool [S, T_x]; the state has one row a sentence."""

    @abstractmethod
    def _attend(self, state: DecoderState) -> tuple[Tensor, Tensor | None]:
        """c_i [S, k, 2n] and alpha [S, k, T_x]."""

    @abstractmethod
    def _scan(self, state: DecoderState, x: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
        """All steps of a given target: s_0 .. s_{T_y-1} [T_y, B, n], contexts [T_y, B, 2n], alpha [T_y, B, T_x]."""

    def _dtype(self) -> torch.dtype:
        return self.precision if self.training and self.precision else self.decoder.E.dtype

    def step(self, state: DecoderState, previous: Tensor) -> Step[DecoderState]:
        """Distributions over the next word. previous: ids [S, k], -1 for y_0.

        Paper: A.2.2
        """
        y = F.embedding(previous.clamp(min=0), self.decoder.E) * (previous >= 0).unsqueeze(-1)
        dtype = self.decoder.E.dtype
        program = self.config.state_order == "program"
        if program and state.context is not None:
            state = replace(state, s=self._next_state(state.s, y, state.context))
        context, alpha = self._attend(state)
        t = self.readout.maxout(state.s, y, context, dtype)
        log_probabilities = self.readout.log_probabilities(t)
        changed = {"context": context} if program else {"s": self._next_state(state.s, y, context)}
        return Step(log_probabilities, alpha, replace(state, **changed))

    def _next_state(self, s: Tensor, y: Tensor, context: Tensor) -> Tensor:
        x = self.decoder.project(y, s.dtype) + F.linear(context, self.decoder.context_matrix())
        return self.decoder.update(s, x)

    def select(self, state: DecoderState, rows: Tensor) -> DecoderState:
        """Go on with the given hypotheses: rows [S', k'] of old row numbers s * k + j, one old sentence a line.
        Annotations are copied only where sentences left."""
        k = state.s.shape[1]
        sentences = rows[:, 0].div(k, rounding_mode="floor")
        s = state.s.flatten(0, 1)[rows]
        context = None if state.context is None else state.context.flatten(0, 1)[rows]
        if len(sentences) == len(state.memory) and bool(
            (sentences == torch.arange(len(sentences), device=rows.device)).all()
        ):
            return replace(state, s=s, context=context)
        keys = None if state.keys is None else state.keys[sentences]
        return DecoderState(s, state.memory[sentences], keys, state.mask[sentences], context)

    def _teacher(self, source: Tensor, source_mask: Tensor, target: Tensor) -> tuple[Tensor, Tensor | None]:
        """Maxout layer of every target position, [T_y, B, l], and alpha [T_y, B, T_x]."""
        dtype = self._dtype()
        state = self.start(source, source_mask)
        y = self.dropout(F.embedding(target.t(), self.decoder.E))  # [T_y, B, m]
        before = torch.cat([torch.zeros_like(y[:1]), y[:-1]])  # E y_{i-1}
        x = self.decoder.project((y if self.config.state_order == "program" else before)[:-1], dtype)
        states, contexts, alpha = self._scan(state, x)
        t = self.readout.maxout(states, before, contexts, dtype)
        return self.dropout(t), alpha

    def loss(
        self,
        source: Tensor,
        source_mask: Tensor,
        target: Tensor,
        target_mask: Tensor,
        label_smoothing: float = 0.0,
    ) -> LossOutput:
        """Negative log-likelihood of a minibatch of pairs.

        Args:
            source, target: ids with end marks, [B, T_x] and [B, T_y].
            source_mask, target_mask: bool, True where there is a token.
            label_smoothing: share of the target distribution spread over the vocabulary.

        Paper: 4.2, eq. 4
        """
        t, _ = self._teacher(source, source_mask, target)
        positions = target_mask.t().flatten().nonzero().squeeze(1)
        rows = F.embedding(positions, t.flatten(0, 1))
        losses = cross_entropy(self.readout, rows, target.t().flatten()[positions], label_smoothing, self._dtype())
        return LossOutput(losses.total, losses.nll.sum(), len(positions))

    @torch.no_grad()
    def forced(self, source: Tensor, source_mask: Tensor, target: Tensor, target_mask: Tensor) -> ForcedOutput:
        """Log-probability and alpha of every word of given targets; arguments as in ``loss``."""
        t, alpha = self._teacher(source, source_mask, target)
        dtype = self.decoder.E.dtype
        y = target.t().flatten()
        nll = cross_entropy(self.readout, t.flatten(0, 1), y, 0.0, dtype).nll.view(t.shape[:2])
        return ForcedOutput(
            -nll.t() * target_mask, None if alpha is None else alpha.transpose(0, 1) * target_mask.unsqueeze(2)
        )


class RNNSearch(TranslationModel):
    """Bidirectional encoder, attention, decoder: the paper's proposal.

    Paper: 3, A.2
    """

    def __init__(self, config: ModelConfig, source_size: int, target_size: int) -> None:
        super().__init__(config, source_size, target_size, 2 * config.hidden)
        self.encoder = BidirectionalEncoder(source_size, config.embedding, config.hidden)
        self.attention = AdditiveAttention(config.hidden, 2 * config.hidden, config.alignment)

    def start(self, source: Tensor, mask: Tensor) -> DecoderState:
        dtype = self._dtype()
        h = self.encoder(source, mask, self.dropout, dtype)
        s_0 = self.decoder.first_state(h[:, 0, self.config.hidden :])
        return DecoderState(s_0.unsqueeze(1), h, self.attention.keys(h, dtype), mask)

    def _attend(self, state: DecoderState) -> tuple[Tensor, Tensor | None]:
        assert state.keys is not None
        attended = self.attention(state.s, state.keys, state.memory, state.mask)
        return attended.context, attended.alpha

    def _scan(self, state: DecoderState, x: Tensor) -> Scanned:
        assert state.keys is not None
        return attention_scan(
            self.decoder,
            self.attention,
            x,
            state.s.squeeze(1),
            state.keys,
            state.memory,
            state.mask,
            self._dtype(),
        )


class RNNEncDec(TranslationModel):
    """The baseline: the same decoder, whose context is the last forward state at every step.

    Paper: 2.1, 4.2
    """

    def __init__(self, config: ModelConfig, source_size: int, target_size: int) -> None:
        super().__init__(config, source_size, target_size, config.hidden)
        self.encoder = ForwardEncoder(source_size, config.embedding, config.hidden)

    def start(self, source: Tensor, mask: Tensor) -> DecoderState:
        c = self.encoder(source, mask, self.dropout, self._dtype())
        return DecoderState(self.decoder.first_state(c).unsqueeze(1), c.unsqueeze(1), None, mask)

    def _attend(self, state: DecoderState) -> tuple[Tensor, Tensor | None]:
        return state.memory.expand(-1, state.s.shape[1], -1), None

    def _scan(self, state: DecoderState, x: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
        dtype, decoder = self._dtype(), self.decoder
        c = state.memory.squeeze(1)
        start = state.s.squeeze(1)
        x = x + F.linear(c, decoder.context_matrix())
        states = gated_scan(x, start, decoder.gates(), decoder.U.t(), None, dtype)
        before = torch.cat([start.unsqueeze(0), states])
        return before, c.expand(len(before), -1, -1), None


def build_model(config: ModelConfig, source_size: int, target_size: int, seed: int = 1) -> TranslationModel:
    """A freshly initialised model for vocabularies of K_x and K_y entries.

    Paper: A.2.3, B.1
    """
    cls = RNNSearch if config.architecture == "rnnsearch" else RNNEncDec
    model = cls(config, source_size, target_size)
    if model.decoder.E.device.type != "meta":
        initialize(model, seed)
    return model
