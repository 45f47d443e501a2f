"""Greedy search: the most probable token at every step."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from nmt.search.candidate import Candidate
from nmt.search.rollout import roll_out
from nmt.search.stepwise import State, Stepwise


def greedy(
    model: Stepwise[State],
    source: Tensor,
    mask: Tensor,
    max_length: int | None = None,
    forbidden: Sequence[int] = (),
) -> list[Candidate]:
    """Find the output of each sentence that a beam of 1 finds. Ties go to the smaller id.

    Args:
        model: the model to search.
        source: token ids, long [S, T_x], end-of-sentence tokens included.
        mask: bool [S, T_x], True for a token.
        max_length: most target tokens before the end-of-sentence token; None = 2 * T_x + 10 for each sentence, T_x
            without the end-of-sentence token. At this length the end-of-sentence token is written, with the model's own
            log-probability.
        forbidden: ids that no output may contain.

    Raises:
        InputError: unusable lengths or ids, or an output that cannot be continued.
        FloatingPointError: the model gave NaN.
    """
    outputs = roll_out(model, source, mask, 1, _most_probable, max_length=max_length, forbidden=forbidden)
    return [line[0] for line in outputs]


def _most_probable(log_probabilities: Tensor) -> Tensor:
    return log_probabilities.argmax(dim=2)
