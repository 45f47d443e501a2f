"""Ancestral sampling: outputs drawn from p(y | x) token by token."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from nmt.errors import InputError
from nmt.search.candidate import Candidate
from nmt.search.rollout import roll_out
from nmt.search.stepwise import State, Stepwise


def sample(
    model: Stepwise[State],
    source: Tensor,
    mask: Tensor,
    n: int,
    generator: torch.Generator,
    *,
    min_length: int = 0,
    max_length: int | None = None,
    forbidden: Sequence[int] = (),
) -> list[list[Candidate]]:
    """n independent outputs per sentence, in the order drawn.

    Forbidden continuations (``forbidden`` ids, the end-of-sentence token before ``min_length``) are left out of the
    draw, and the others keep their proportions; the log-probabilities reported are the model's own. The same generator
    state, batch and n give the same outputs.

    Args:
        model: the model to draw from.
        source: token ids, long [S, T_x], end-of-sentence tokens included.
        mask: bool [S, T_x], True for a token.
        n: outputs per sentence.
        generator: source of the random numbers, on any device.
        min_length, max_length, forbidden: as in ``BeamSettings``; at the maximum the end-of-sentence token is written.

    Raises:
        InputError: unusable settings, or an output that cannot be continued.
        FloatingPointError: the model gave NaN.
    """
    if n < 1:
        raise InputError(f"the number of samples must be at least 1, but is {n}")

    def draw(log_probabilities: Tensor) -> Tensor:
        lines, rows, _ = log_probabilities.shape
        uniform = torch.rand((lines, rows), generator=generator, device=generator.device, dtype=torch.float64)
        return inverse_distribution(log_probabilities, uniform.to(log_probabilities.device))

    return roll_out(model, source, mask, n, draw, min_length=min_length, max_length=max_length, forbidden=forbidden)


def inverse_distribution(log_probabilities: Tensor, uniform: Tensor) -> Tensor:
    """The ids at which the cumulative probabilities, scaled to end at 1, exceed ``uniform``.

    Args:
        log_probabilities: [S, k, K_y], in any scale; an id at -inf is never chosen while another is not.
        uniform: [S, k], from 0 (included) to 1 (excluded), float64.

    >>> inverse_distribution(torch.tensor([[[.2, 0., .8]]]).log(), torch.tensor([[.5]]).double()).item()
    2
    """
    cumulated = log_probabilities.double().exp().cumsum(dim=2)
    total = cumulated[:, :, -1:].contiguous()
    first = torch.searchsorted(cumulated, uniform.unsqueeze(2) * total, right=True)
    last = torch.searchsorted(cumulated, total)  # the last id of non-zero probability, should rounding reach it
    return torch.minimum(first, last).squeeze(2)
