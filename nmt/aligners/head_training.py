"""Training of an alignment head: the run is frozen, and the head learns the links of a teacher.

The teacher may be an aligner of the same runs, so that no other program is needed: its symmetrised links are better
than any single map, and the head learns to predict them from the states of one run in one pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
import torch
from torch import nn

from nmt.data.links import Link, over_tokens
from nmt.errors import InputError
from nmt.inference.batching import groups
from nmt.inference.text_codec import PaddedTokens
from nmt.inference.text_search import EncodedPair
from nmt.inference.translator import Translator
from nmt.model import LinkBatch
from nmt.model.alignment_head import AlignmentHead, head_loss, head_of, read_by_head

Teacher = Callable[[Sequence[tuple[str, str]]], Sequence[Sequence[Link]]]
"""Function from tokenised pairs to links of their words, source word first, from 0."""

_WINDOW = 16
"""Number of minibatches whose pairs are linked in one call and sorted by length."""


@dataclass(frozen=True)
class TeachingPair:
    """source, target: tokenised lines, words separated by spaces; links: of their words, source word first, from 0;
    None: the teacher links the pair."""

    source: str
    target: str
    links: tuple[Link, ...] | None = None

    def turned(self) -> TeachingPair:
        """The pair with source and target exchanged."""
        return TeachingPair(
            self.target, self.source, None if self.links is None else tuple((j, i) for i, j in self.links)
        )


@dataclass(frozen=True, kw_only=True)
class HeadSettings:
    """Settings of the training of a head; InputError for a number out of range.

    Attributes:
        units: n_h.
        batch: pairs per minibatch.
        epochs: number of passes over the pairs; the teacher links each pair once.
        learning_rate: initial learning rate of Adam; it decreases linearly to 0.
        clip_norm: largest norm of the gradient.
        seed: of the initial values and of the order of the pairs.
        bf16: products of the frozen run in bf16; those of the head stay in fp32.
    """

    units: int = 256
    batch: int = 64
    epochs: int = 1
    learning_rate: float = 2e-3
    clip_norm: float = 1.0
    seed: int = 1
    bf16: bool = False

    def __post_init__(self) -> None:
        if min(self.units, self.batch, self.epochs) < 1:
            raise InputError("units, batch and epochs of a head must each be at least 1")
        if self.learning_rate <= 0 or self.clip_norm <= 0:
            raise InputError("the learning rate and the gradient clipping norm must be above 0")


@dataclass(frozen=True, kw_only=True)
class HeadUpdate:
    """Report of an update, measured before the weights change: in the first epoch on pairs that the head has not seen.

    Attributes:
        update: number of the update, from 1.
        pairs: number of pairs read so far, including this update, each counted once per epoch.
        loss: nats per linked target token.
        agreement: share of the linked target tokens whose largest weight is on a source token linked with them.
    """

    update: int
    pairs: int
    loss: float
    agreement: float

    def to_dict(self) -> dict[str, int | float]:
        """JSON-ready."""
        return asdict(self)


class HeadTrainer:
    """Trainer of a head, with one minibatch of given pairs per update.

    Attributes:
        head: the head being trained.
    """

    def __init__(self, model: Translator, settings: HeadSettings) -> None:
        """Create a head for the model. InputError for a model without alpha, which has only one annotation."""
        if not model.has_alignment:
            raise InputError(f"{model.name} is an RNNencdec: it has one annotation for all source words")
        self._model, self._settings = model, settings
        self._device = model.model.decoder.E.device
        head = head_of(model.model, settings.units)
        head.initialize(settings.seed)
        self.head: AlignmentHead = head.to(self._device)
        self._optimizer = torch.optim.Adam(self.head.parameters(), lr=settings.learning_rate)

    def run(self, pairs: Sequence[TeachingPair], teacher: Teacher | None = None) -> Iterator[HeadUpdate]:
        """Train; yields a report after each update.

        Args:
            pairs: in any order. Target words without a link do not contribute; the end-of-sentence tokens are linked
                with each other. A pair without any link is left out.
            teacher: function that links the pairs without links, a few hundred at a time.
        """
        random = np.random.default_rng(self._settings.seed)
        linked_pairs = list(pairs)
        number = read = 0
        for window in self._windows(len(pairs), random):
            for k, linked in zip(window, _linked([linked_pairs[k] for k in window], teacher), strict=True):
                linked_pairs[k] = linked
            minibatches = self._minibatches([linked_pairs[k] for k in window])
            for k in random.permutation(len(minibatches)).tolist():
                rate = self._settings.learning_rate * (1 - read / (self._settings.epochs * len(pairs)))
                read += len(minibatches[k])
                examples = [example for example in minibatches[k] if example.links]
                if examples:
                    number += 1
                    yield self._update(examples, number, read, rate)

    def _windows(self, pairs: int, random: np.random.Generator) -> Iterator[list[int]]:
        """The numbers of the pairs, in a new random order each epoch."""
        size = _WINDOW * self._settings.batch
        for _ in range(self._settings.epochs):
            order = random.permutation(pairs).tolist()
            yield from (order[first : first + size] for first in range(0, pairs, size))

    def _minibatches(self, window: Sequence[TeachingPair]) -> list[list[_Example]]:
        """Minibatches of pairs of similar length."""
        examples = []
        for pair in window:
            x = self._model.source.encode_line(pair.source, pretokenised=True)
            y = self._model.target.encode_line(pair.target, pretokenised=True)
            assert pair.links is not None
            examples.append(_Example((x, y), over_tokens(pair.links, x.words, y.words)))
        lengths = [max(len(side.ids) for side in example.pair) for example in examples]
        return [[examples[k] for k in group] for group in groups(lengths, self._settings.batch)]

    def _update(self, examples: Sequence[_Example], number: int, read: int, rate: float) -> HeadUpdate:
        x, y = (PaddedTokens([example.pair[side] for example in examples], self._device) for side in (0, 1))
        links = _links(examples, self._device)
        dtype = torch.bfloat16 if self._settings.bf16 else None
        log_weights = read_by_head(self._model.model, self.head, x.ids, x.mask, y.ids, y.mask, dtype)
        rows = float(links.weight.sum())  # the weights of a linked target token add up to 1
        loss = head_loss(log_weights, links) / rows
        self._optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(self.head.parameters(), self._settings.clip_norm)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.step()
        best = log_weights.detach().argmax(dim=2)
        hits = best[links.target, links.pair] == links.source
        return HeadUpdate(update=number, pairs=read, loss=float(loss.detach()), agreement=int(hits.sum()) / rows)


@dataclass(frozen=True)
class _Example:
    """An encoded pair; links of its tokens, flat: source token, target token, and so on."""

    pair: EncodedPair
    links: list[int]


def _linked(window: Sequence[TeachingPair], teacher: Teacher | None) -> list[TeachingPair]:
    """The pairs, each with links."""
    unlinked = [k for k, pair in enumerate(window) if pair.links is None]
    linked = list(window)
    if unlinked:
        assert teacher is not None, "pairs without links need a teacher"
        for k, links in zip(unlinked, teacher([(window[k].source, window[k].target) for k in unlinked]), strict=True):
            linked[k] = replace(window[k], links=tuple(links))
    return linked


def _links(examples: Sequence[_Example], device: torch.device) -> LinkBatch:
    """The links of a minibatch; the weight of each is 1 / the number of links of its target token."""
    word_links = [np.array(example.links, dtype=np.int64).reshape(-1, 2) for example in examples]
    source, target = np.concatenate(word_links).T
    pair = np.repeat(np.arange(len(word_links)), [len(links) for links in word_links])
    rows = pair * (int(target.max()) + 1) + target
    weight = (1 / np.bincount(rows)[rows]).astype(np.float32)
    return LinkBatch(
        *(torch.from_numpy(np.ascontiguousarray(part)).to(device) for part in (pair, target, source, weight))
    )
