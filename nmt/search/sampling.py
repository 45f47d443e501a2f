"""Outputs drawn at random from a model, word by word: y_i from p(y_i | y_<i, x)^(1/T), normalised.

Cho et al. 2014, 2.1: a new sequence is drawn by sampling a symbol at each step.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nmt.search.history import Candidate
from nmt.search.limits import apply_limits_, broken_model, length_limits
from nmt.search.stepwise import END, START, State, Stepwise


def draw_outputs(
    model: Stepwise[State],
    source: Tensor,
    mask: Tensor,
    number: int,
    *,
    temperature: float = 1.0,
    seed: int = 1,
    forbidden: tuple[int, ...] = (),
) -> list[Candidate]:
    """Draw outputs of one sentence, in the order drawn. The same output may be drawn more than once.

    Args:
        source, mask: token ids, long [1, T_x], end-of-sentence token included, and bool [1, T_x], True for a token.
        number: number of outputs, at least 1.
        temperature: T > 0. Below 1 probable words become more probable.
        seed: seed of the random numbers. Output n depends on the seed and n, not on the number of outputs.
        forbidden: ids that no output may contain.

    Returns outputs with the model's log p(y | x), which does not depend on T. They have at most 2 * T_x + 10 tokens
    before the end-of-sentence token. Raises FloatingPointError if the model gave NaN.
    """
    streams = [np.random.default_rng([seed, n]) for n in range(number)]
    limits = length_limits(mask, 0, None)
    tokens: list[list[int]] = [[] for _ in streams]
    values: list[list[float]] = [[] for _ in streams]
    alpha: list[list[NDArray[np.float32]]] = [[] for _ in streams]
    alive = list(range(number))
    with torch.no_grad():
        state = model.select(model.start(source, mask), torch.zeros(1, number, dtype=torch.long, device=source.device))
        for length in range(int(limits[0]) + 1):
            previous = [[tokens[n][-1] if length else START for n in alive]]
            step = model.step(state, torch.tensor(previous, device=source.device))
            log_p = step.log_probabilities
            apply_limits_(log_p, np.array([length]), limits, 0, forbidden)
            chosen = _drawn(log_p[0].double().cpu().numpy(), temperature, [streams[n].random() for n in alive], length)
            for row, n in enumerate(alive):
                tokens[n].append(int(chosen[row]))
                values[n].append(float(log_p[0, row, chosen[row]]))
                if step.alpha is not None:
                    alpha[n].append(step.alpha[0, row].cpu().numpy())
            rows = [row for row in range(len(alive)) if chosen[row] != END]
            alive = [alive[row] for row in rows]
            if not alive:
                break
            state = model.select(step.state, torch.tensor([rows], device=source.device))
    return [
        Candidate(
            ids=tuple(tokens[n]),
            log_probability=sum(values[n]),
            score=sum(values[n]),
            token_log_probabilities=tuple(values[n]),
            alpha=np.array(alpha[n]) if alpha[n] else None,
            watched=False,
        )
        for n in range(number)
    ]


def _drawn(log_p: NDArray[np.float64], temperature: float, uniform: list[float], length: int) -> NDArray[np.int64]:
    """Draw an id per row from p^(1/T), normalised, with the row's uniform number. [k, K], k numbers -> [k]"""
    if np.isnan(log_p).any():
        raise broken_model(length + 1)
    scaled = log_p / temperature
    sums = np.exp(scaled - scaled.max(axis=1, keepdims=True)).cumsum(axis=1)
    return np.array(
        [np.searchsorted(row, share * row[-1], side="right") for row, share in zip(sums, uniform, strict=True)]
    )
