"""Beam search for the most probable outputs of many sentences at once. Sentences may join and leave before any step.

Paper: 4.2 (the beam's width is not given)
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Generic

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nmt.search.history import Candidate, Ending, History
from nmt.search.limits import apply_limits_, broken_model, length_limits, no_output
from nmt.search.stepwise import END, START, Joinable, State, Stepwise
from nmt.search.topk import best_continuations, pad_to_chunks


@dataclass(frozen=True, kw_only=True)
class BeamSettings:
    """Settings of a beam search.

    Attributes:
        beam: k, the number of hypotheses per sentence, finished hypotheses included.
        n_best: number of outputs to return, at most ``beam``.
        length_penalty: A. Outputs are ranked by log_probability / T_y^A. T_y includes the end-of-sentence token.
        min_length, max_length: fewest and most target tokens before the end-of-sentence token. None = the larger of 2 *
            T_x + 10 and ``min_length``, where T_x excludes the end-of-sentence token.
        forbidden: ids that no output may contain, e.g. the id of [UNK]. The probabilities of other ids do not change.
        watched: ids whose occurrence in the beam is reported (``Candidate.watched``). If no hypothesis ever had a
            watched id, a search that forbids these ids gives the same outputs.
        alpha: whether outputs have their alpha. If False, alpha is neither copied nor stored.
    """

    beam: int
    n_best: int = 1
    length_penalty: float = 0.0
    min_length: int = 0
    max_length: int | None = None
    forbidden: tuple[int, ...] = ()
    watched: tuple[int, ...] = ()
    alpha: bool = True

    def __post_init__(self) -> None:
        assert 1 <= self.n_best <= self.beam
        assert 0 <= self.length_penalty < float("inf")
        assert self.min_length >= 0
        assert self.max_length is None or max(1, self.min_length) <= self.max_length
        assert all(token > END for token in self.forbidden), "an output ends with the end-of-sentence token"


@dataclass(frozen=True, eq=False, kw_only=True)
class BeamChoice:
    """Choices of one step of a search over a single sentence, for an observer. The arrays must not be modified.

    Attributes:
        log_probabilities: log p(y_i | y_<i, x), with -inf for forbidden tokens, [k, K] with K at least K_y.
        alpha: alpha of the k rows, [k, T_x], or None without attention or if alpha is not requested.
        rows, tokens: for each of the best continuations, best first, the row that it continues and its token, [beam].
        totals: log-probabilities of the continuations, nats, [beam]. -inf in places without a continuation.
        kept, ended: whether a continuation stays alive, and whether it is finished, bool [beam]. If neither, it is
            pruned: a finished output keeps its place in the beam. The rows of the next step are the kept continuations,
            in order.
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

    If f outputs of a sentence are finished, a step keeps its best k - f continuations. The end-of-sentence token
    finishes a continuation. A sentence is done when no live hypothesis can still enter its n best: the score of an
    output is at most (log-probability of its beginning) / (longest length)^A. Ties go to the output found first: the
    shorter output, then the continuation of the better hypothesis, then the smaller id.

    Args:
        source: token ids, long [S, T_x], end-of-sentence tokens included.
        mask: bool [S, T_x], True for a token.
        on_step: called before each step with its number, from 1, and the largest possible number of steps. An exception
            that it raises ends the search.
        on_choice: called with the choices of each step. For a single sentence only.

    Returns 1 to n outputs for each sentence: fewer than n only if the beam found fewer.

    Raises InputError if a sentence has no output of non-zero probability, and FloatingPointError if the model gave NaN.
    """
    if not len(source):
        return []
    assert on_choice is None or len(source) == 1, "the choices of a single sentence can be observed"
    lines = BeamLines(settings, on_choice)
    lines.join(mask, range(len(source)))
    longest = int(lines.limits.max()) + 1
    with torch.no_grad():
        state = model.start(source, mask)
        while len(lines):
            if on_step is not None:
                on_step(lines.steps + 1, longest)
            step = model.step(state, torch.from_numpy(lines.tokens).to(source.device))
            rows = lines.advance(step.log_probabilities, step.alpha)
            if lines.errors:
                raise next(iter(lines.errors.values()))
            if rows.size:
                state = model.select(step.state, torch.from_numpy(rows).to(source.device))
    for number, candidates in sorted(lines.results.items()):
        if not candidates:
            raise no_output(f"sentence {number + 1}")
    return [candidates for _, candidates in sorted(lines.results.items())]


class BeamLines:
    """The state of a beam search, with one line per sentence under way. Sentences may join before any step.

    Attributes:
        tokens: last token of each row, int64 [S, k].
        limits: most target tokens of each sentence, end-of-sentence token excluded, int64 [S].
        results: outputs of each finished sentence, best first, maybe none. Keys: numbers of the sentences.
        errors: error of each sentence that failed. Keys: numbers of the sentences.
    """

    def __init__(self, settings: BeamSettings, on_choice: Callable[[BeamChoice], None] | None = None) -> None:
        self.results: dict[int, list[Candidate]] = {}
        self.errors: dict[int, FloatingPointError] = {}
        self.tokens = np.empty((0, 1), dtype=np.int64)
        self.limits = np.empty(0, dtype=np.int64)
        self._on_choice, self._settings = on_choice, settings
        self._history = History()
        self._numbers = np.empty(0, dtype=np.int64)  # number of the sentence of each line
        self._columns: dict[int, NDArray[np.bool_]] = {}  # columns of alpha with tokens of a sentence
        self._finished: dict[int, list[Ending]] = {}  # by number of the sentence, in the order found
        self._began = np.empty(0, dtype=np.int64)  # steps of the search before the sentence's first step
        self._width = np.empty(0, dtype=np.int64)  # number of hypotheses still to find
        self._watched = np.empty(0, dtype=np.bool_)  # whether the beam of a sentence ever held a watched token
        self._worst = np.empty(0)  # score of the n-th best finished output
        self._complete = False  # whether a sentence had n outputs
        self._ranks = np.arange(settings.beam)
        self._live = np.empty((0, 1))  # log-probabilities of the rows, -inf for dead ones

    def __len__(self) -> int:
        """Number of sentences under way."""
        return len(self._numbers)

    @property
    def steps(self) -> int:
        return len(self._history)

    def progress(self) -> dict[int, tuple[int, int]]:
        """The steps taken, and the largest possible number of steps, of each sentence under way."""
        taken = (self.steps - self._began).tolist()
        most = (self.limits + 1).tolist()
        return dict(zip(self._numbers.tolist(), zip(taken, most, strict=True), strict=True))

    def join(self, mask: Tensor, numbers: Sequence[int]) -> None:
        """Append a line for each new sentence. mask: bool [S', T_x], True for a token. numbers: a number for each new
        sentence, which no sentence under way may have."""
        count, rows = len(mask), self._live.shape[1]
        live = np.full((count, rows), -np.inf)
        live[:, 0] = 0.0
        self._live = np.concatenate([self._live, live])
        self.tokens = np.concatenate([self.tokens, np.full((count, rows), START)])
        self.limits = np.concatenate(
            [self.limits, length_limits(mask, self._settings.min_length, self._settings.max_length)]
        )
        self._numbers = np.concatenate([self._numbers, np.array(numbers, dtype=np.int64)])
        self._began = np.concatenate([self._began, np.full(count, self.steps)])
        self._width = np.concatenate([self._width, np.full(count, self._settings.beam)])
        self._watched = np.concatenate([self._watched, np.zeros(count, dtype=np.bool_)])
        self._worst = np.concatenate([self._worst, np.full(count, -np.inf)])
        self._columns |= dict(zip(numbers, mask.cpu().numpy(), strict=True))
        self._finished |= {number: [] for number in numbers}

    def advance(
        self, log_probabilities: Tensor, alpha: Tensor | None, leaving: Collection[int] = ()
    ) -> NDArray[np.int64]:
        """Take the best continuations. Return for each new row the number of the old row that it continues, [S', k'],
        empty when all sentences are done. Sentences with a number in ``leaving`` are dropped without a result."""
        lengths, rows_before = self.steps - self._began, log_probabilities.shape[1]

        # Score: add log p(y_i | y_<i, x) to each row's total and take the k best (row, token) pairs of each sentence.
        # log_probabilities: [S, k, K_y]. padded: [S, k, K], K_y rounded up to whole chunks. parents, tokens: [S, beam].
        padded = pad_to_chunks(log_probabilities)
        apply_limits_(padded, lengths, self.limits, self._settings.min_length, self._settings.forbidden)
        best = best_continuations(padded, self._live, self._settings.beam)
        parents, tokens = np.divmod(best.places, padded.shape[2])

        # Finish: a finished output keeps its place in the beam, so only the first ``width`` columns count.
        # valid, ends: bool [S, beam].
        valid = (self._ranks < self._width[:, None]) & (best.totals > -np.inf)
        if np.count_nonzero(best.broken):
            valid &= ~self._fail(best.broken, lengths)[:, None]
        if leaving:
            valid &= ~np.isin(self._numbers, list(leaving))[:, None]
        ends = valid & (tokens == END)
        for watched in self._settings.watched:
            self._watched |= (valid & (tokens == watched)).any(axis=1)
        if self._on_choice is not None:
            self._on_choice(
                BeamChoice(
                    log_probabilities=padded[0],
                    alpha=alpha[0] if alpha is not None and self._settings.alpha else None,
                    rows=parents[0].copy(),
                    tokens=tokens[0],
                    totals=best.totals[0],
                    kept=(valid & ~ends)[0],
                    ended=ends[0],
                )
            )
        # Parents become row numbers over all sentences, s * k + j, as ``Stepwise.select`` and the history use them.
        parents += np.arange(len(parents))[:, None] * rows_before
        for line, column in zip(*ends.nonzero(), strict=True):
            value, total = float(best.values[line, column]), float(best.totals[line, column])
            score = total / float(lengths[line] + 1) ** self._settings.length_penalty
            self._finish(
                line,
                Ending(
                    step=self.steps,
                    row=int(parents[line, column]),
                    token_log_probability=value,
                    log_probability=total,
                    score=score,
                ),
            )

        # Continue: drop finished sentences and dead columns. rows, values: [S', k'].
        alive = valid & ~ends
        lines = self._unfinished(alive, best.totals)
        rows, values, live, last_tokens = parents, best.values, best.totals, tokens
        if len(lines) < len(self) or np.count_nonzero(alive) < alive.size:  # live hypotheses first, best first
            columns = int(alive[lines].sum(axis=1).max(initial=0))
            picked = (lines[:, None], np.argsort(~alive[lines], axis=1, kind="stable")[:, :columns])
            rows, values, dead = parents[picked], best.values[picked], ~alive[picked]
            live, last_tokens = np.where(dead, -np.inf, best.totals[picked]), np.where(dead, END, tokens[picked])
        # Record back-pointers, and alpha [S, k, T_x] of the rows before the step, to trace outputs afterwards.
        kept_alpha = alpha if self._settings.alpha else None
        self._history.add(last_tokens, values, rows, parents[ends], kept_alpha)
        self._live, self.tokens = live, last_tokens  # dead rows get a valid token and are never returned
        if len(lines) < len(self):
            self._settle(np.setdiff1d(np.arange(len(self)), lines), leaving)
            self.limits, self._numbers, self._began = self.limits[lines], self._numbers[lines], self._began[lines]
            self._width, self._watched, self._worst = self._width[lines], self._watched[lines], self._worst[lines]
            self._history.forget(int(self._began.min(initial=self.steps)))
        return rows

    def _fail(self, broken: NDArray[np.bool_], lengths: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Record an error for each sentence with a live row that is ``broken``, bool [S, k]: it has values that are no
        log-probabilities. Returns for each sentence whether it failed, bool [S]."""
        failed: NDArray[np.bool_] = np.any(broken & (self._live > -np.inf), axis=1)
        self.errors |= {int(self._numbers[line]): broken_model(lengths[line] + 1) for line in np.flatnonzero(failed)}
        return failed

    def _finish(self, line: int, ending: Ending) -> None:
        endings = self._finished[int(self._numbers[line])]
        endings.append(ending)
        self._width[line] -= 1
        if len(endings) >= self._settings.n_best:
            scores = sorted((e.score for e in endings), reverse=True)
            self._worst[line], self._complete = scores[self._settings.n_best - 1], True

    def _unfinished(self, alive: NDArray[np.bool_], totals: NDArray[np.float64]) -> NDArray[np.int64]:
        """The lines in which a live hypothesis can still enter the n best. alive, totals: [S, beam]"""
        some = alive.any(axis=1)
        if not self._complete:
            return np.flatnonzero(some)
        best = np.where(alive, totals, -np.inf).max(axis=1)
        bound = best / (self.limits + 1.0) ** self._settings.length_penalty
        return np.flatnonzero(some & (bound > self._worst))

    def _settle(self, lines: NDArray[np.int64], leaving: Collection[int]) -> None:
        """Trace the outputs of the sentences in ``lines``, which leave, unless they failed or were dropped."""
        for line in lines.tolist():
            number = int(self._numbers[line])
            endings, columns = self._finished.pop(number), self._columns.pop(number)
            if number in self.errors or number in leaving:
                continue
            best = sorted(endings, key=lambda ending: -ending.score)[: self._settings.n_best]
            watched, began = bool(self._watched[line]), int(self._began[line])
            self.results[number] = [self._history.trace(ending, columns, watched, began) for ending in best]


class ContinuousSearch(Generic[State]):
    """A beam search that sentences join and leave between two steps. Each sentence gets the result of its own
    ``beam_search``. A step writes one more word of every sentence."""

    def __init__(self, model: Joinable[State], settings: BeamSettings, device: torch.device) -> None:
        self._model, self._settings, self._device = model, settings, device
        self._lines = BeamLines(settings)
        self._state: State | None = None
        self._leaving: set[int] = set()

    def __len__(self) -> int:
        """Number of sentences under way."""
        return len(self._lines) - len(self._leaving)

    def progress(self) -> dict[int, tuple[int, int]]:
        """The words written so far, and the largest possible number of words, of each sentence under way."""
        return self._lines.progress()

    def join(self, source: Tensor, mask: Tensor, numbers: Sequence[int]) -> None:
        """Add sentences. The arguments are those of ``BeamLines.join``. An exception leaves the search unchanged."""
        with torch.no_grad():
            started = self._model.start(source, mask)
            self._state = started if self._state is None else self._model.join(self._state, started)
        self._lines.join(mask, numbers)

    def leave(self, numbers: Collection[int]) -> None:
        """Drop the sentences of these numbers at the next step. Numbers without a sentence under way are ignored."""
        self._leaving |= self._lines.progress().keys() & set(numbers)

    def step(self) -> dict[int, list[Candidate] | Exception]:
        """Write a word of every sentence. Returns outputs (best first) or the error of each that ends, by number."""
        if self._state is None:
            return {}
        lines = self._lines
        with torch.no_grad():
            step = self._model.step(self._state, torch.from_numpy(lines.tokens).to(self._device))
            rows = lines.advance(step.log_probabilities, step.alpha, self._leaving)
            self._state = self._model.select(step.state, torch.from_numpy(rows).to(self._device)) if rows.size else None
        self._leaving.clear()
        ended: dict[int, list[Candidate] | Exception] = {**lines.errors}
        ended |= {number: outputs or no_output("the sentence") for number, outputs in lines.results.items()}
        if not rows.size:
            self._lines = BeamLines(self._settings)
        else:
            lines.results, lines.errors = {}, {}
        return ended
