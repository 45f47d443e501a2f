"""Beam search for the most probable outputs, over many sentences at once.

Paper: 4.2 (the beam's width is not given)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nmt.errors import InputError
from nmt.search.candidate import Candidate
from nmt.search.history import Ending, History
from nmt.search.limits import apply_limits_, check_limits, check_log_probabilities, length_limits
from nmt.search.stepwise import END, START, State, Stepwise
from nmt.search.topk import best_continuations, chunk_maxima, pad_to_chunks


@dataclass(frozen=True)
class BeamSettings:
    """How to search; InputError for settings that make no sense.

    Attributes:
        beam: k, hypotheses kept for each sentence, finished ones included.
        n_best: how many outputs to return, at most ``beam``.
        length_penalty: A; outputs are ranked by log_probability / T_y^A, T_y with the end mark. 0 = by
            log-probability.
        min_length: fewest target tokens before the end mark.
        max_length: most target tokens before the end mark; None = 2 * T_x + 10 for each sentence, T_x without
            the end mark.
        forbidden: ids that no output may contain, e.g. [UNK]'s. Other probabilities stay as they are.
        alpha: whether outputs come with their alpha; without it nothing of it is copied or kept.
    """

    beam: int = 12
    n_best: int = 1
    length_penalty: float = 0.0
    min_length: int = 0
    max_length: int | None = None
    forbidden: tuple[int, ...] = ()
    alpha: bool = True

    def __post_init__(self) -> None:
        if self.beam < 1:
            raise InputError(f"the beam must be at least 1, but is {self.beam}")
        if self.n_best < 1:
            raise InputError(f"the number of outputs must be at least 1, but is {self.n_best}")
        if self.n_best > self.beam:
            raise InputError(f"a beam of {self.beam} cannot give {self.n_best} outputs; widen the beam")
        if not 0 <= self.length_penalty < float("inf"):
            raise InputError(f"the length penalty must be a number of at least 0, but is {self.length_penalty}")
        check_limits(self.min_length, self.max_length, self.forbidden)


def beam_search(
    model: Stepwise[State],
    source: Tensor,
    mask: Tensor,
    settings: BeamSettings,
    on_step: Callable[[int, int], None] | None = None,
) -> list[list[Candidate]]:
    """The n best outputs of each sentence, best first.

    A step keeps the best k - (finished) continuations of a sentence; those that take the end mark are finished.
    A sentence is done when no live hypothesis can still enter its n best: a hypothesis' log-probability only
    falls, so its score stays at or below (log-probability so far) / (longest length)^A. Running on would
    therefore give the same result. Of equals the one found first comes first: the shorter output, then that of
    the better hypothesis, then the smaller id.

    Args:
        model: what to search.
        source: token ids, long [S, T_x], end marks included.
        mask: bool [S, T_x], True for a token.
        settings: see there.
        on_step: called before each step with its number, from 1, and the most steps there can be; may raise to
            cancel the search.

    Returns:
        For each sentence 1 to n candidates; fewer than n only where fewer were found in the beam.

    Raises:
        InputError: the settings leave a sentence without any output of non-zero probability.
        FloatingPointError: the model gave NaN.
    """
    if not len(source):
        return []
    search = _Search(mask, settings)
    with torch.no_grad():
        state = model.start(source, mask)
        previous = torch.full((len(source), 1), START, dtype=torch.long, device=source.device)
        while True:
            if on_step is not None:
                on_step(search.steps + 1, search.longest)
            step = model.step(state, previous)
            rows = search.advance(step.log_probabilities, step.alpha)
            if not rows.size:
                return search.results()
            state = model.select(step.state, torch.from_numpy(rows).to(source.device))
            previous = torch.from_numpy(search.tokens).to(source.device)


class _Search:
    """The book-keeping of one call of ``beam_search``; arrays have a line for each sentence not yet done."""

    def __init__(self, mask: Tensor, settings: BeamSettings) -> None:
        count = len(mask)
        self.settings = settings
        self.columns = mask.cpu().numpy()
        self.history = History()
        self.finished: list[list[Ending]] = [[] for _ in range(count)]  # by sentence, in the order found
        self.sentences = np.arange(count)  # which sentence a line is
        self.limits = length_limits(mask, settings.min_length, settings.max_length)
        self.longest = int(self.limits.max()) + 1
        self.width = np.full(count, settings.beam)  # hypotheses still to be found
        self.worst = np.full(count, -np.inf)  # score of the n-th best finished output
        self.live = np.zeros((count, 1))  # log-probabilities of the rows, -inf for dead ones
        self.tokens = np.full((count, 1), START)  # what each row ends with

    @property
    def steps(self) -> int:
        return len(self.history)

    def advance(self, log_probabilities: Tensor, alpha: Tensor | None) -> NDArray[np.int64]:
        """Take the best continuations; returns the old row number of each new row, [S', k'].

        It is empty when all sentences are done.
        """
        length, rows_before = self.steps, log_probabilities.shape[1]
        padded = pad_to_chunks(log_probabilities)
        apply_limits_(padded, length, self.limits, self.settings.min_length, self.settings.forbidden)
        maxima = chunk_maxima(padded)
        check_log_probabilities(maxima, length + 1)
        best = best_continuations(padded, maxima, self.live, self.settings.beam)
        parents, tokens = best.places // padded.shape[2], best.places % padded.shape[2]

        valid = (np.arange(tokens.shape[1]) < self.width[:, None]) & (best.totals > -np.inf)
        ends = valid & (tokens == END)
        parents += np.arange(len(parents))[:, None] * rows_before
        for line, column in zip(*np.nonzero(ends), strict=True):
            value, total = float(best.values[line, column]), float(best.totals[line, column])
            score = total / float(length + 1) ** self.settings.length_penalty
            self._finish(line, Ending(length, int(parents[line, column]), value, total, score))
        rows, written = self._keep(valid & ~ends, tokens, best.values.astype(np.float64), parents, best.totals)
        self.history.add(self.tokens, written, rows, parents[ends], alpha if self.settings.alpha else None)
        return rows

    def _finish(self, line: int, ending: Ending) -> None:
        endings = self.finished[self.sentences[line]]
        endings.append(ending)
        self.width[line] -= 1
        if len(endings) >= self.settings.n_best:
            scores = sorted((e.score for e in endings), reverse=True)
            self.worst[line] = scores[self.settings.n_best - 1]

    def _keep(
        self,
        alive: NDArray[np.bool_],
        tokens: NDArray[np.int64],
        values: NDArray[np.float64],
        parents: NDArray[np.int64],
        totals: NDArray[np.float64],
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Let the sentences go that are done, and the columns in which no hypothesis lives; returns parents and
        token log-probabilities of the rows that are left, both [S', k']."""
        best = np.where(alive, totals, -np.inf).max(axis=1)
        bound = best / (self.limits + 1.0) ** self.settings.length_penalty
        lines = np.flatnonzero(alive.any(axis=1) & (bound > self.worst))
        columns = int(alive[lines].sum(axis=1).max(initial=0))
        order = np.argsort(~alive[lines], axis=1, kind="stable")[:, :columns]  # the living first, best first

        def pick(values: NDArray[Any]) -> NDArray[Any]:
            return values[lines[:, None], order]

        rows = pick(parents)
        dead = ~pick(alive)  # they get a token that exists and never come out
        self.live = np.where(dead, -np.inf, pick(totals))
        self.tokens = np.where(dead, END, pick(tokens))
        self.sentences, self.limits = self.sentences[lines], self.limits[lines]
        self.width, self.worst = self.width[lines], self.worst[lines]
        return rows, pick(values)

    def results(self) -> list[list[Candidate]]:
        results = []
        for number, endings in enumerate(self.finished):
            if not endings:
                raise InputError(
                    f"sentence {number + 1} has no output that obeys the minimum length and what is forbidden or forced"
                )
            best = sorted(endings, key=lambda ending: -ending.score)[: self.settings.n_best]
            results.append([self.history.trace(ending, self.columns[number]) for ending in best])
        return results
