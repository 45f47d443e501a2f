"""Beam search that sentences join and leave at any word."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Generic

import torch
from torch import Tensor

from nmt.errors import InputError
from nmt.search.beam import BeamLines, BeamSettings
from nmt.search.history import Candidate
from nmt.search.stepwise import Joinable, State


@dataclass(frozen=True)
class StepOutcome:
    """Sentences that a step has ended: by number, the outputs, best first, or why there are none."""

    results: dict[int, list[Candidate]] = field(default_factory=dict)
    errors: dict[int, Exception] = field(default_factory=dict)


class ContinuousSearch(Generic[State]):
    """Beam search in which each sentence has the result that ``beam_search`` finds for it alone.

    A step writes one more word of every sentence. Between two steps others may join, and any may leave: their rows are
    appended to the state or dropped from it, padded to the longest source.
    """

    def __init__(self, model: Joinable[State], settings: BeamSettings, device: torch.device) -> None:
        self._model, self._settings, self._device = model, settings, device
        self._lines = BeamLines(settings)
        self._state: State | None = None
        self._leaving: set[int] = set()

    def __len__(self) -> int:
        """Number of sentences under way."""
        return len(self._lines) - len(self._leaving)

    def progress(self) -> dict[int, tuple[int, int]]:
        """For each sentence under way the words written so far, and the largest possible number of them."""
        return self._lines.progress()

    def join(self, source: Tensor, mask: Tensor, numbers: Sequence[int]) -> None:
        """Add sentences. source, mask: as for ``beam_search``; ``numbers``: a number for each, unique among those under
        way. If it fails, the search is as before."""
        with torch.no_grad():
            started = self._model.start(source, mask)
            self._state = started if self._state is None else self._model.join(self._state, started)
        self._lines.join(mask, numbers)

    def leave(self, numbers: Collection[int]) -> None:
        """Drop sentences, at the next step; numbers of others are ignored."""
        self._leaving |= self._lines.progress().keys() & set(numbers)

    def step(self) -> StepOutcome:
        """Write one more word of every sentence; returns what ends with it."""
        if self._state is None:
            return StepOutcome()
        lines = self._lines
        with torch.no_grad():
            step = self._model.step(self._state, torch.from_numpy(lines.tokens).to(self._device))
            rows = lines.advance(step.log_probabilities, step.alpha, self._leaving)
            self._state = self._model.select(step.state, torch.from_numpy(rows).to(self._device)) if rows.size else None
        self._leaving.clear()
        results, errors = lines.results, dict[int, Exception](lines.errors)
        if not rows.size:
            self._lines = BeamLines(self._settings)
        else:
            lines.results, lines.errors = {}, {}
        for number in [number for number, outputs in results.items() if not outputs]:
            del results[number]
            errors[number] = InputError(
                "the sentence has no output that satisfies the minimum length and all constraints"
            )
        return StepOutcome(results, errors)
