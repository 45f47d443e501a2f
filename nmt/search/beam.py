"""Beam search for the most probable outputs of many sentences at once.

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


@dataclass(frozen=True, kw_only=True)
class BeamSettings:
    """Settings of a beam search; InputError for settings that make no sense.

    Attributes:
        beam: k, hypotheses kept per sentence, finished ones included.
        n_best: number of outputs to return, at most ``beam``.
        length_penalty: A; outputs are ranked by log_probability / T_y^A, T_y with the end-of-sentence token. 0 = by
            log-probability.
        min_length: fewest target tokens before the end-of-sentence token.
        max_length: most target tokens before the end-of-sentence token; None = 2 * T_x + 10 for each sentence, T_x
            without the end-of-sentence token.
        forbidden: ids that no output may contain, e.g. [UNK]'s. Other probabilities stay as they are.
        alpha: True to return outputs with their alpha; if False, alpha is neither copied nor kept.
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


@dataclass(frozen=True, eq=False, kw_only=True)
class BeamChoice:
    """What one step of a search over a single sentence chose, for an observer; the arrays must not be modified.

    Attributes:
        log_probabilities: log p(y_i | y_<i, x) as the search sees it, -inf where it is ruled out, [k, K] with
            K at least K_y.
        alpha: of the k rows, [k, T_x]; None if there is none or it is not requested.
        rows, tokens: the best continuations, best first: row before the step and token, [beam].
        totals: their log-probabilities, nats, -inf where there is no further continuation, [beam].
        kept, ended: whether a continuation lives on, or is finished, bool [beam]; the others are pruned, since finished
            ones keep their places in the beam. The rows of the next step are the kept ones, in order.
    """

    log_probabilities: Tensor
    alpha: Tensor | None
    rows: NDArray[np.int64]
    tokens: NDArray[np.int64]
    totals: NDArray[np.float64]
    kept: NDArray[np.bool_]
    ended: NDArray[np.bool_]


def beam_search(
    model: Stepwise[State],
    source: Tensor,
    mask: Tensor,
    settings: BeamSettings,
    on_step: Callable[[int, int], None] | None = None,
    on_choice: Callable[[BeamChoice], None] | None = None,
) -> list[list[Candidate]]:
    """Find the n best outputs of each sentence, best first.

    A step keeps the best k - (finished) continuations of a sentence; those that end with the end-of-sentence token are
    finished. A sentence is done when no live hypothesis can still enter its n best: the log-probability of a hypothesis
    only falls, so its score stays at or below (log-probability so far) / (longest length)^A. So continuing could not
    change the result. Ties go to the output found first: the shorter one, then the continuation of the better
    hypothesis, then the smaller id.

    Args:
        model: the model to search.
        source: token ids, long [S, T_x], end-of-sentence tokens included.
        mask: bool [S, T_x], True for a token.
        settings: see ``BeamSettings``.
        on_step: called before each step with its number, from 1, and the largest possible number of steps; may raise to
            cancel the search.
        on_choice: called with the choices of each step; for a single sentence only.

    Returns:
        For each sentence 1 to n candidates; fewer than n only if the beam found fewer.

    Raises:
        InputError: the settings leave a sentence without any output of non-zero probability.
        FloatingPointError: the model gave NaN.
    """
    if not len(source):
        return []
    assert on_choice is None or len(source) == 1, "the choices of a single sentence can be observed"
    search = _Search(mask, settings, on_choice)
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
    """Bookkeeping of one call of ``beam_search``; arrays have one line per sentence that is not yet done."""

    def __init__(
        self, mask: Tensor, settings: BeamSettings, on_choice: Callable[[BeamChoice], None] | None = None
    ) -> None:
        count = len(mask)
        self.on_choice = on_choice
        self.settings = settings
        self.columns = mask.cpu().numpy()
        self.history = History()
        self.finished: list[list[Ending]] = [[] for _ in range(count)]  # by sentence, in the order found
        self.sentences = np.arange(count)  # number of the sentence in each line
        self.limits = length_limits(mask, settings.min_length, settings.max_length)
        self.longest = int(self.limits.max()) + 1
        self.width = np.full(count, settings.beam)  # hypotheses still to be found
        self.worst = np.full(count, -np.inf)  # score of the n-th best finished output
        self.live = np.zeros((count, 1))  # log-probabilities of the rows, -inf for dead ones
        self.tokens = np.full((count, 1), START)  # last token of each row

    @property
    def steps(self) -> int:
        return len(self.history)

    def advance(self, log_probabilities: Tensor, alpha: Tensor | None) -> NDArray[np.int64]:
        """Take the best continuations; returns the old row number of each new row, [S', k'].

        The array is empty when all sentences are done.
        """
        length, rows_before = self.steps, log_probabilities.shape[1]

        # Score: add log p(y_i | y_<i, x) to each row's total and take the k best (row, token) pairs of each sentence.
        # log_probabilities: [S, k, K_y]; padded: [S, k, K], K_y rounded up to whole chunks; parents, tokens: [S, beam].
        padded = pad_to_chunks(log_probabilities)
        apply_limits_(padded, length, self.limits, self.settings.min_length, self.settings.forbidden)
        maxima = chunk_maxima(padded)
        check_log_probabilities(maxima, length + 1)
        best = best_continuations(padded, maxima, self.live, self.settings.beam)
        parents, tokens = best.places // padded.shape[2], best.places % padded.shape[2]

        # Finish: a finished output keeps its place in the beam, so only the first ``width`` columns count.
        # valid, ends: bool [S, beam].
        valid = (np.arange(tokens.shape[1]) < self.width[:, None]) & (best.totals > -np.inf)
        ends = valid & (tokens == END)
        if self.on_choice is not None:
            self.on_choice(
                BeamChoice(
                    log_probabilities=padded[0],
                    alpha=alpha[0] if alpha is not None and self.settings.alpha else None,
                    rows=parents[0].copy(),
                    tokens=tokens[0],
                    totals=best.totals[0],
                    kept=(valid & ~ends)[0],
                    ended=ends[0],
                )
            )
        # Parents become row numbers over all sentences, s * k + j, as ``Stepwise.select`` and the history use them.
        parents += np.arange(len(parents))[:, None] * rows_before
        for line, column in zip(*np.nonzero(ends), strict=True):
            value, total = float(best.values[line, column]), float(best.totals[line, column])
            score = total / float(length + 1) ** self.settings.length_penalty
            self._finish(
                line,
                Ending(
                    step=length,
                    row=int(parents[line, column]),
                    token_log_probability=value,
                    log_probability=total,
                    score=score,
                ),
            )

        # Continue: drop finished sentences and dead columns; rows and their token log-probabilities: [S', k'].
        rows, written = self._keep(valid & ~ends, tokens, best.values.astype(np.float64), parents, best.totals)
        # Record back-pointers, and alpha [S, k, T_x] of the rows before the step, to trace outputs afterwards.
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
        """Drop the sentences that are done and the columns without a live hypothesis; returns parents and token
        log-probabilities of the remaining rows, both [S', k']."""
        best = np.where(alive, totals, -np.inf).max(axis=1)
        bound = best / (self.limits + 1.0) ** self.settings.length_penalty
        lines = np.flatnonzero(alive.any(axis=1) & (bound > self.worst))
        columns = int(alive[lines].sum(axis=1).max(initial=0))
        order = np.argsort(~alive[lines], axis=1, kind="stable")[:, :columns]  # live hypotheses first, best first

        def pick(values: NDArray[Any]) -> NDArray[Any]:
            return values[lines[:, None], order]

        rows = pick(parents)
        dead = ~pick(alive)  # they get a valid token and are never returned
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
                    f"sentence {number + 1} has no output that satisfies the minimum length and all constraints"
                )
            best = sorted(endings, key=lambda ending: -ending.score)[: self.settings.n_best]
            results.append([self.history.trace(ending, self.columns[number]) for ending in best])
        return results
