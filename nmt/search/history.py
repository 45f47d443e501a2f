"""Outputs of a search so far, stored as back-pointers instead of copied hypotheses."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nmt.search.stepwise import END


@dataclass(frozen=True, eq=False, kw_only=True)
class Candidate:
    """A finished output.

    Attributes:
        ids: T_y token ids, end-of-sentence token last.
        log_probability: log p(y | x) in nats, end-of-sentence token included: the sum of ``token_log_probabilities``.
        score: log_probability / T_y^A for length penalty A, by which outputs are ranked.
        token_log_probabilities: T_y values in nats, as the model gave them (never renormalised).
        alpha: float32 [T_y, T_x], without padding, source end-of-sentence token last. None for a model without
            attention, and if alpha was not requested.
        watched: whether any hypothesis in the sentence's beam ever had a token of ``BeamSettings.watched``.
    """

    ids: tuple[int, ...]
    log_probability: float
    score: float
    token_log_probabilities: tuple[float, ...]
    alpha: NDArray[np.float32] | None
    watched: bool


@dataclass(frozen=True, kw_only=True)
class Ending:
    """The end of a hypothesis.

    Attributes:
        step: index of the step of the search that wrote the end-of-sentence token.
        row: number of the hypothesis among the rows before this step.
        token_log_probability, log_probability: of the end-of-sentence token and of the whole output, in nats.
        score: as in ``Candidate``.
    """

    step: int
    row: int
    token_log_probability: float
    log_probability: float
    score: float


@dataclass(eq=False, kw_only=True)
class _Layer:
    """One step of a search, with the rows before it ("old rows") and the live rows after it ("new rows"), in order.

    Attributes:
        tokens, token_log_probabilities: last token of each new row, and its log-probability in nats.
        parents: for each new row, the number of the old row that it continues.
        ended: numbers of the old rows that this step ended.
        alpha: alpha of some old rows, float32 [stored rows, T_x]. None without attention or if not requested.
        places: for each old row, its index in ``alpha``, or -1 if its alpha is not stored. The rows of the step before
            come first, then the rows of sentences that have joined since.
    """

    tokens: NDArray[np.int64]
    token_log_probabilities: NDArray[np.float64]
    parents: NDArray[np.int64]
    ended: NDArray[np.int64]
    alpha: NDArray[np.float32] | None
    places: NDArray[np.int64]

    def ancestors(self, alive: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """[old rows], True for a row that this step ended or that has an ``alive`` new row as its continuation."""
        before = np.zeros(len(self.places), dtype=np.bool_)
        before[self.parents[alive[: len(self.parents)]]] = before[self.ended] = True
        return before

    def keep(self, rows: NDArray[np.bool_]) -> None:
        """Drop alpha of all old rows except ``rows``. Alpha of ``rows`` must not have been dropped already."""
        if self.alpha is not None:
            self.alpha, self.places = self.alpha[self.places[rows]], np.where(rows, rows.cumsum() - 1, -1)


class History:
    """The steps of one search. Sentences may join between two steps: their rows come after all others.

    Alpha is by far the largest part. Most hypotheses soon die out, and live hypotheses share their first tokens. So a
    row of alpha is dropped once no live or ended hypothesis descends from it. Memory grows with the outputs alone.
    """

    room: ClassVar[int] = 32
    """Number of steps between two calls of ``_prune``."""

    def __init__(self) -> None:
        self._layers: list[_Layer] = []
        self._forgotten = 0  # number of dropped layers
        self._pruned = 0  # layers already searched for dead rows

    def __len__(self) -> int:
        return self._forgotten + len(self._layers)

    def add(
        self,
        tokens: NDArray[np.int64],
        token_log_probabilities: NDArray[np.float64],
        parents: NDArray[np.int64],
        ended: NDArray[np.int64],
        alpha: Tensor | None,
    ) -> None:
        """Add a step. The first three arguments are those of ``_Layer``, in any shape.

        Args:
            ended: numbers of the rows before the step that the step ended.
            alpha: alpha of each row before the step, [S, k, T_x]. None without attention or if not requested.
        """
        rows = alpha_rows(alpha)
        layer = _Layer(
            tokens=tokens.ravel(),
            token_log_probabilities=token_log_probabilities.ravel(),
            parents=parents.ravel(),
            ended=ended,
            alpha=rows,
            places=np.arange(0 if rows is None else len(rows)),
        )
        self._layers.append(layer)
        if rows is not None:
            layer.keep(layer.ancestors(np.ones(tokens.size, dtype=np.bool_)))
            if len(self) % self.room == 0:
                self._prune()

    def trace(self, ending: Ending, columns: NDArray[np.bool_], watched: bool, began: int) -> Candidate:
        """Follow the back-pointers from ``ending`` to the beginning, and return the output. columns: [T_x], True for
        each column of alpha that has a token of the sentence. began: index of the sentence's first step."""
        last, first, width = ending.step - self._forgotten, began - self._forgotten, columns.nonzero()[0][-1] + 1
        ids, values, row, alpha = [END], [ending.token_log_probability], ending.row, []
        for i in range(last, first - 1, -1):
            layer = self._layers[i]
            if i < last:
                ids.append(int(layer.tokens[row]))
                values.append(float(layer.token_log_probabilities[row]))
                row = int(layer.parents[row])
            if layer.alpha is not None:
                alpha.append(layer.alpha[layer.places[row], :width])
        return Candidate(
            ids=tuple(reversed(ids)),
            log_probability=ending.log_probability,
            score=ending.score,
            token_log_probabilities=tuple(reversed(values)),
            alpha=np.stack(alpha[::-1]).compress(columns[:width], axis=1) if alpha else None,
            watched=watched,
        )

    def forget(self, before: int) -> None:
        """Drop the steps before step ``before``. Every output that must still be traced began at this step or later."""
        count = max(0, before - self._forgotten)
        del self._layers[:count]
        self._forgotten, self._pruned = self._forgotten + count, max(0, self._pruned - count)

    def _prune(self) -> None:
        """Drop alpha of rows without descendants, from the last layer to the first. No layer before one in which no row
        has newly lost its descendants has such a row."""
        alive = np.ones(len(self._layers[-1].tokens), dtype=np.bool_)
        for i in range(len(self._layers) - 1, -1, -1):
            layer = self._layers[i]
            alive = layer.ancestors(alive)
            if i < self._pruned and np.count_nonzero(alive) == np.count_nonzero(layer.places >= 0):
                break
            layer.keep(alive)
        self._pruned = len(self._layers)


def alpha_rows(alpha: Tensor | None) -> NDArray[np.float32] | None:
    """alpha [S, k, T_x] of a step as an array [S * k, T_x]. None if ``alpha`` is None."""
    if alpha is None:
        return None
    rows: NDArray[np.float32] = alpha.detach().flatten(0, 1).to("cpu", torch.float32).numpy()
    return rows
