"""Toy models for the search: small enough to enumerate, yet each step depends on all that went before."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from torch import Tensor

from nmt.search.stepwise import AlphaOverride, Step

MEMORY = 97
"""Number of different histories a toy can tell apart."""


@dataclass(frozen=True, eq=False)
class ToyState:
    source: Tensor  # [S, T_x]
    mask: Tensor  # [S, T_x]
    history: Tensor  # hash of source and tokens so far, [S, k]


@dataclass(frozen=True, eq=False)
class Toy:
    """log p(. | source, history) looked up in a table by a hash of both; alpha likewise.

    The hash of a source covers its tokens and not its padding. Weights that are moved change nothing but alpha.
    """

    log_probabilities: Tensor  # [MEMORY, K_y], float32
    attention: Tensor | None  # energies by (hash, source token), [MEMORY, K_x]

    def start(self, source: Tensor, mask: Tensor) -> ToyState:
        history = torch.zeros(len(source), 1, dtype=torch.long)
        for j in range(source.shape[1]):
            after = (history * 31 + source[:, j : j + 1] + 7) % MEMORY
            history = torch.where(mask[:, j : j + 1], after, history)
        return ToyState(source, mask, history)

    def step(self, state: ToyState, previous: Tensor, override: AlphaOverride | None = None) -> Step[ToyState]:
        assert previous.shape == state.history.shape
        assert int(previous.min()) >= -1
        assert int(previous.max()) < self.log_probabilities.shape[1]
        history = (state.history * 13 + previous + 5) % MEMORY
        alpha = None
        if self.attention is not None:
            energies = self.attention[history.unsqueeze(2), state.source.unsqueeze(1)]
            alpha = energies.masked_fill(~state.mask.unsqueeze(1), -torch.inf).softmax(dim=2)
            if override is not None:
                alpha = override(alpha)
        return Step(self.log_probabilities[history], alpha, replace(state, history=history))

    def select(self, state: ToyState, rows: Tensor) -> ToyState:
        k = state.history.shape[1]
        lines = rows // k
        assert (lines == lines[:, :1]).all(), "rows of one line come from one sentence"
        return ToyState(state.source[lines[:, 0]], state.mask[lines[:, 0]], state.history.flatten()[rows])

    def join(self, state: ToyState, newcomers: ToyState) -> ToyState:
        words = max(state.source.shape[1], newcomers.source.shape[1])
        pairs = ((state.source, newcomers.source), (state.mask, newcomers.mask))
        source, mask = (torch.cat([F.pad(one, (0, words - one.shape[1])) for one in pair]) for pair in pairs)
        rows = newcomers.history.expand(-1, state.history.shape[1])
        return ToyState(source, mask, torch.cat([state.history, rows]))


def random_toy(seed: int, size: int = 4, *, sharpness: float = 1.5, attention: bool = True) -> Toy:
    """A toy with ``size`` target tokens; the same for the same arguments."""
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(MEMORY, size, generator=generator) * sharpness
    energies = torch.randn(MEMORY, 8, generator=generator) * 2
    return Toy(scores.log_softmax(dim=1), energies if attention else None)


@dataclass(frozen=True, eq=False)
class Sources:
    """Sentences of different lengths, padded."""

    ids: Tensor
    mask: Tensor

    def only(self, i: int) -> Sources:
        """Sentence i alone, without padding."""
        length = int(self.mask[i].sum())
        return Sources(self.ids[i : i + 1, :length], self.mask[i : i + 1, :length])


def random_sources(seed: int, count: int = 3, longest: int = 5) -> Sources:
    """``count`` sentences of ids from 2 to 7 with an end mark, up to ``longest`` tokens in all."""
    random = np.random.default_rng(seed)
    lengths: NDArray[np.int64] = random.integers(1, longest + 1, size=count)
    ids = torch.zeros(count, int(lengths.max()), dtype=torch.long)
    for i, length in enumerate(lengths):
        ids[i, : length - 1] = torch.from_numpy(random.integers(2, 8, size=length - 1))
    return Sources(ids, torch.arange(ids.shape[1]) < torch.from_numpy(lengths)[:, None])
