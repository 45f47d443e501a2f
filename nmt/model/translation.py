"""The two models: RNNsearch attends to every source word, and RNNencdec encodes the source as one vector."""

from abc import ABC, abstractmethod
from functools import partial
from typing import NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from nmt.config import ModelConfig
from nmt.model.attention import AdditiveAttention, Attention, build_attention
from nmt.model.decoder import GatedDecoder, Scanned, attention_scan
from nmt.model.encoder import EmbeddingDropout, Encoder
from nmt.model.kernels import linear, precision_of_factors
from nmt.model.readout import Cells, LinearReadout, Readout, SingleAnnotations, cross_entropy
from nmt.model.variants import DECODERS, UNITS, attention_loop

_LEAST_ALPHA = 1e-6
"""Lower bound on the weight of a link, which bounds the cost of a wrong link."""


class LossOutput(NamedTuple):
    """Loss of a minibatch. total: the loss to differentiate, a sum over all target words, with label smoothing and
    guided attention. nll: the sum of -log p(y_i) in nats, without these two and without gradient. words: number of
    target tokens, end-of-sentence tokens included."""

    total: Tensor
    nll: Tensor
    words: int


class LinkBatch(NamedTuple):
    """Word links of a minibatch. Entry k: target token ``target[k]`` of pair ``pair[k]`` (both from 0) translates
    source token ``source[k]``. weight: 1 / the number of links of that target token. All are [L]."""

    pair: Tensor
    target: Tensor
    source: Tensor
    weight: Tensor


class ForcedOutput(NamedTuple):
    """Result of forced decoding. token_log_probabilities: [B, T_y] in nats, 0 where padded. alpha: [B, T_y, T_x], None
    without attention."""

    token_log_probabilities: Tensor
    alpha: Tensor | None


class EncodedSource(NamedTuple):
    """Encoder output for B sentences. start: s_0, [B, n]. memory: annotations, [B, T_x, 2n], or c of RNNencdec, [B, 1,
    n]. keys: U_a h_j + b_a, [B, T_x, n_a], None for RNNencdec."""

    start: Tensor
    memory: Tensor
    keys: Tensor | None


class TeacherForced(NamedTuple):
    """Forced decoding before the readout. states: s_{i-1}, [T_y, B, n]. read_states: input of the readout, s_i for
    state_order "equation", else s_{i-1}. previous_embeddings: E y_{i-1}, [T_y, B, m]. contexts: c_i, [T_y, B, 2n].
    alpha: [T_y, B, T_x], None without attention. encoded: the encoder's output."""

    states: Tensor
    read_states: Tensor
    previous_embeddings: Tensor
    contexts: Tensor
    alpha: Tensor | None
    encoded: EncodedSource


class TranslationModel(nn.Module, ABC):
    """The part common to both models: decoder, readout, loss, and forced decoding.

    Paper: 3.1, A.2
    """

    encoder: Encoder
    attention: Attention | None

    def __init__(self, config: ModelConfig, source_size: int, target_size: int, context: int) -> None:
        super().__init__()
        start = config.hidden * (2 if config.start == "both" else 1)
        self.config = config
        self.source_size, self.target_size = source_size, target_size
        self.decoder = DECODERS[config.unit](target_size, config.embedding, config.hidden, context, start)
        sizes = (target_size, config.embedding, config.hidden, context)
        self.readout = LinearReadout(*sizes) if config.readout == "linear" else Readout(*sizes, config.maxout)
        self.dropout = nn.Dropout(config.dropout)
        self.embedding_dropout = EmbeddingDropout(config.dropout, config.word_dropout)
        self.precision: torch.dtype | None = None
        """Precision of the factors of the matrix products in training mode. None = that of the weights."""

    @abstractmethod
    def read(self, source: Tensor, mask: Tensor, dtype: torch.dtype) -> EncodedSource:
        """Encode B sentences. source: ids [B, T_x]. mask: bool [B, T_x]. dtype: precision of the factors of the matrix
        products. Paper: A.2.1"""

    @abstractmethod
    def _scan(self, encoded: EncodedSource, mask: Tensor, x: Tensor, dtype: torch.dtype) -> Scanned:
        """Run the decoder over given targets. x: as for ``attention_scan``."""

    def _dtype(self, precision: torch.dtype | None = None) -> torch.dtype:
        asked = precision or (self.precision if self.training else None) or self.decoder.E.dtype
        return precision_of_factors(asked, self.decoder.E)

    def teacher_force(self, source: Tensor, source_mask: Tensor, target: Tensor, dtype: torch.dtype) -> TeacherForced:
        """Run all steps of given targets. The arguments are those of ``loss`` and ``read``."""
        encoded = self.read(source, source_mask, dtype)
        y = self.embedding_dropout(F.embedding(target.t(), self.decoder.E))  # [T_y, B, m]
        before = torch.cat([torch.zeros_like(y[:1]), y[:-1]])  # E y_{i-1}
        words = before if self.config.state_order == "equation" else before[:-1]
        x = self.decoder.project(y[:-1] if self.config.state_order == "program" else words, dtype)
        states, contexts, alpha = self._scan(encoded, source_mask, x, dtype)
        T = len(y)  # the last of T + 1 contexts is not used: the readout of step T needs s_T alone
        alpha = None if alpha is None else alpha[:T]
        return TeacherForced(states[:T], states[-T:], before, contexts[:T], alpha, encoded)

    def _top_layer(self, forced: TeacherForced, dtype: torch.dtype) -> Tensor:
        """The layer below the softmax of every target position, [T_y, B, l]."""
        layer = self.readout.top_layer(forced.read_states, forced.previous_embeddings, forced.contexts, dtype)
        t: Tensor = self.dropout(layer)
        return t

    def loss(
        self,
        source: Tensor,
        source_mask: Tensor,
        target: Tensor,
        target_mask: Tensor,
        label_smoothing: float = 0.0,
        words: int | None = None,
        links: LinkBatch | None = None,
        guided: float = 0.0,
    ) -> LossOutput:
        """Negative log-likelihood of a minibatch of pairs.

        Args:
            source, target: ids with end-of-sentence tokens, [B, T_x] and [B, T_y].
            source_mask, target_mask: bool, True where there is a token.
            label_smoothing: share of the target distribution spread over the vocabulary.
            words: number of target tokens. None = they are counted, and the program waits for the GPU's result.
            links, guided: word links that alpha should follow, and the weight of ``guided_attention``.

        Paper: 4.2, eq. 4
        """
        dtype = self._dtype()
        forced = self.teacher_force(source, source_mask, target, dtype)
        t = self._top_layer(forced, dtype)
        is_token = target_mask.t().flatten()
        positions = (is_token.nonzero() if words is None else torch.nonzero_static(is_token, size=words)).squeeze(1)
        rows = F.embedding(positions, t.flatten(0, 1))
        y = target.t().flatten()[positions]
        losses = cross_entropy(self.readout, rows, y, label_smoothing, dtype)
        total = losses.total
        if links is not None and guided:
            assert forced.alpha is not None, "a model without attention cannot be guided"
            total = total + guided * guided_attention(forced.alpha, links)
        return LossOutput(total, losses.nll.sum(), len(positions))

    @torch.no_grad()
    def forced(self, source: Tensor, source_mask: Tensor, target: Tensor, target_mask: Tensor) -> ForcedOutput:
        """Compute log-probability and alpha of every word of given targets. The arguments are those of ``loss``."""
        dtype = self._dtype()
        forced = self.teacher_force(source, source_mask, target, dtype)
        t, alpha = self._top_layer(forced, dtype), forced.alpha
        y = target.t().flatten()
        nll = cross_entropy(self.readout, t.flatten(0, 1), y, 0.0, dtype).nll.view(t.shape[:2])
        return ForcedOutput(
            -nll.t() * target_mask, None if alpha is None else alpha.transpose(0, 1) * target_mask.unsqueeze(2)
        )

    @torch.no_grad()
    def posterior(
        self,
        source: Tensor,
        source_mask: Tensor,
        target: Tensor,
        target_mask: Tensor,
        precision: torch.dtype | None = None,
    ) -> Tensor:
        """Posterior of the source word given the target word: Bayes' rule with alpha as the prior,

            p(j | y_i) = alpha_ij p(y_i | s_{i-1}, y_{i-1}, h_j) / sum_k alpha_ik p(y_i | s_{i-1}, y_{i-1}, h_k).

        p(y_i | .., h_j) is computed as if step i had read h_j alone in place of c_i. For state_order "equation" the
        update to s_i has also read h_j alone. The posterior takes T_x times as many softmaxes as ``forced``. Not in the
        paper, but in Shankar, Sarawagi 2019 (Posterior attention models for sequence to sequence learning), eq. 3-5.

        Returns [B, T_y, T_x]: rows sum to 1, but padded rows are 0. Only for a model with attention. The first four
        arguments are those of ``loss``, with padding at the end. precision: as for ``DecodingSteps``.
        """
        dtype = self._dtype(precision)
        forced = self.teacher_force(source, source_mask, target, dtype)
        assert forced.alpha is not None, "a model without attention has no prior"
        prior = forced.alpha.clamp_min(_LEAST_ALPHA).log()
        alone = SingleAnnotations(self.readout, dtype)
        probabilities = prior.new_zeros(len(source), target.shape[1], source.shape[1])
        columns = source_mask.sum(dim=1).tolist()
        for b, (i, j) in enumerate(zip(target_mask.sum(dim=1).tolist(), columns, strict=True)):
            states, before = forced.states[:i, b], forced.previous_embeddings[:i, b]
            memory = forced.encoded.memory[b, :j]
            if self.config.state_order == "equation":
                layer = self._cells(states, before, memory, dtype)
            else:
                layer = alone.cells(states, before, memory)
            log_p = alone.log_probabilities(layer, target[b, :i], j)
            probabilities[b, :i, :j] = (prior[:i, b, :j] + log_p).softmax(dim=1)
        return probabilities

    def _cells(self, states: Tensor, before: Tensor, annotations: Tensor, dtype: torch.dtype) -> Cells:
        """t_i of every cell for state_order "equation": s_i has also read h_j alone. The other arguments are those of
        ``SingleAnnotations.cells``."""
        decoder = self.decoder
        words, memory = decoder.project(before, dtype), linear(annotations, decoder.stacked("C"), dtype)
        from_state = linear(states, decoder.recurrent(), dtype)
        times_U = partial(linear, weight=decoder.U, dtype=dtype)

        def layer(i: slice, j: slice) -> Tensor:
            s = decoder.update(states[i, None], words[i, None] + memory[None, j], from_state[i, None], times_U)
            return self.readout.top_layer(s, before[i, None], annotations[None, j], dtype)

        return layer


def guided_attention(alpha: Tensor, links: LinkBatch) -> Tensor:
    """Cross-entropy of alpha against given links, in nats: -sum_j A_ij log alpha_ij, summed over all target words i
    with links. A_i is uniform over the source words linked with i. Not in the paper, but in Chen et al. 2016 (Guided
    alignment training for topic-aware neural machine translation), section 3, eq. 10.

    alpha: [T_y, B, T_x].
    """
    linked = alpha[links.target, links.pair, links.source]
    return -(links.weight * linked.clamp_min(_LEAST_ALPHA).log()).sum()


class RNNSearch(TranslationModel):
    """The paper's proposal: bidirectional encoder, attention, decoder. ``config.encoder``, ``config.unit`` and
    ``config.score`` each choose one part of the model, independently of the others.

    Paper: 3, A.2
    """

    attention: Attention

    def __init__(self, config: ModelConfig, source_size: int, target_size: int) -> None:
        both = config.encoder == "bidirectional"
        annotation = config.hidden * (2 if both else 1)
        super().__init__(config, source_size, target_size, annotation)
        self.encoder = Encoder(source_size, config.embedding, config.hidden, UNITS[config.unit], both=both)
        self.attention = build_attention(config.score, config.hidden, annotation, config.alignment)

    def read(self, source: Tensor, mask: Tensor, dtype: torch.dtype) -> EncodedSource:
        h, last = self.encoder(source, mask, self.embedding_dropout, dtype)
        if self.config.start == "both":
            last = torch.cat([h[:, -1, : self.config.hidden], last], dim=1)  # forwards, padding keeps the state
        return EncodedSource(self.decoder.first_state(last), h, self.attention.keys(h, dtype))

    def _scan(self, encoded: EncodedSource, mask: Tensor, x: Tensor, dtype: torch.dtype) -> Scanned:
        assert encoded.keys is not None
        start, keys, annotations = encoded.start, encoded.keys, encoded.memory
        if isinstance(self.decoder, GatedDecoder) and isinstance(self.attention, AdditiveAttention):
            return attention_scan(self.decoder, self.attention, x, start, keys, annotations, mask, dtype)
        return attention_loop(self.decoder, self.attention, x, start, keys, annotations, mask, dtype)


class RNNEncDec(TranslationModel):
    """The baseline: the same decoder, with the last forward state as its context at every step.

    Paper: 2.1, 4.2
    """

    def __init__(self, config: ModelConfig, source_size: int, target_size: int) -> None:
        super().__init__(config, source_size, target_size, config.hidden)
        self.encoder = Encoder(source_size, config.embedding, config.hidden, UNITS[config.unit], both=False)

    attention = None

    def read(self, source: Tensor, mask: Tensor, dtype: torch.dtype) -> EncodedSource:
        c = self.encoder(source, mask, self.embedding_dropout, dtype).last
        return EncodedSource(self.decoder.first_state(c), c.unsqueeze(1), None)

    def _scan(self, encoded: EncodedSource, mask: Tensor, x: Tensor, dtype: torch.dtype) -> Scanned:
        start, c = encoded.start, encoded.memory.squeeze(1)
        states = self.decoder.run(x + linear(c, self.decoder.stacked("C"), dtype), start, None, dtype, reverse=False)
        before = torch.cat([start.unsqueeze(0), states])
        return Scanned(before, c.expand(len(before), -1, -1), None)


def build_model(config: ModelConfig, source_size: int, target_size: int, seed: int = 1) -> TranslationModel:
    """Build a freshly initialised model for vocabularies of K_x and K_y entries.

    Paper: A.2.3, B.1
    """
    cls = RNNSearch if config.architecture == "rnnsearch" else RNNEncDec
    model = cls(config, source_size, target_size)
    if model.decoder.E.device.type != "meta":
        initialize(model, seed)
    return model


_RECURRENT = ("U", "U_z", "U_r", "U_in", "U_forget", "U_out")


def initialize(model: nn.Module, seed: int) -> None:
    """Set the initial values of all parameters.

    Recurrent matrices U, U_z, U_r: random orthogonal. W_a, U_a: Gaussian(0, 0.001^2). v_a and biases: 0. All others:
    Gaussian(0, 0.01^2). The bias of an LSTM's forget gate: 1 (Jozefowicz et al. 2015), so that the memory cell keeps
    its content until the gate learns to forget. The biases of a mixture: Gaussian(0, 0.5^2), so that its components
    differ. The same seed gives the same values on every device.

    Paper: B.1
    """
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            kind = name.rsplit(".", 1)[-1]
            if kind in _RECURRENT:
                value = _orthogonal(parameter.shape[0], generator)
            elif kind in ("W_a", "U_a"):
                value = torch.empty(parameter.shape).normal_(0, 0.001, generator=generator)
            elif kind == "b_forget":
                value = torch.ones(parameter.shape)
            elif kind == "b_mixture":
                value = torch.empty(parameter.shape).normal_(0, 0.5, generator=generator)
            elif kind == "v_a" or kind.startswith("b_") or kind == "b":
                value = torch.zeros(parameter.shape)
            else:
                value = torch.empty(parameter.shape).normal_(0, 0.01, generator=generator)
            parameter.copy_(value)


def _orthogonal(size: int, generator: torch.Generator) -> Tensor:
    matrix = torch.empty(size, size)
    nn.init.orthogonal_(matrix, generator=generator)
    return matrix
