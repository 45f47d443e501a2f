"""Search without backtracking: each row is extended by one token chosen from its distribution."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor

from nmt.errors import InputError
from nmt.search.candidate import Candidate
from nmt.search.history import Ending, History
from nmt.search.limits import apply_limits_, check_limits, check_log_probabilities, length_limits
from nmt.search.stepwise import END, START, State, Stepwise


def roll_out(
    model: Stepwise[State],
    source: Tensor,
    mask: Tensor,
    rows: int,
    choose: Callable[[Tensor], Tensor],
    *,
    min_length: int = 0,
    max_length: int | None = None,
    forbidden: Sequence[int] = (),
) -> list[list[Candidate]]:
    """``rows`` outputs per sentence, in the order of the rows.

    Args:
        choose: function from log-probabilities [S, k, K_y] (-inf for forbidden ids) to the chosen ids, long [S, k].

    The other arguments and the exceptions are those of ``greedy`` and ``sample``.
    """
    check_limits(min_length, max_length, forbidden)
    count = len(source)
    if not count:
        return []
    columns, limits = mask.cpu().numpy(), length_limits(mask, min_length, max_length)
    history = History()
    endings: list[list[Ending | None]] = [[None] * rows for _ in range(count)]
    sentences, live = np.arange(count), np.zeros((count, rows))  # live: log-probabilities, -inf once finished
    with torch.no_grad():
        lines = torch.arange(count, device=source.device)
        state = model.select(model.start(source, mask), lines.unsqueeze(1).expand(-1, rows))
        previous = torch.full((count, rows), START, dtype=torch.long, device=source.device)
        while True:
            step = model.step(state, previous)
            allowed = step.log_probabilities
            apply_limits_(allowed, len(history), limits, min_length, forbidden)
            check_log_probabilities(allowed.amax(dim=2), len(history) + 1)
            chosen = choose(allowed)
            tokens = chosen.cpu().numpy()
            values = allowed.gather(2, chosen.unsqueeze(2)).squeeze(2).double().cpu().numpy()
            running = live > -np.inf
            if (running & (values == -np.inf)).any():
                raise InputError("a sentence has no output that satisfies the minimum length and the forbidden ids")
            live = live + values
            numbers = np.arange(tokens.size).reshape(tokens.shape)
            ends = running & (tokens == END)
            for line, row in zip(*np.nonzero(ends), strict=True):
                total = float(live[line, row])
                endings[sentences[line]][row] = Ending(
                    step=len(history),
                    row=int(numbers[line, row]),
                    token_log_probability=float(values[line, row]),
                    log_probability=total,
                    score=total,
                )
                live[line, row] = -np.inf
            kept = np.flatnonzero((live > -np.inf).any(axis=1))
            ended, tokens, numbers = numbers[ends], tokens[kept], numbers[kept]
            history.add(tokens, values[kept], numbers, ended, step.alpha)
            if not len(kept):
                break
            sentences, limits, live = sentences[kept], limits[kept], live[kept]
            state = model.select(step.state, torch.from_numpy(numbers).to(source.device))
            previous = torch.from_numpy(tokens).to(source.device)
    return [
        [history.trace(ending, columns[i]) for ending in line if ending is not None] for i, line in enumerate(endings)
    ]
