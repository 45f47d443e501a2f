"""Limits common to all searches: shortest and longest output, forbidden ids."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nmt.errors import InputError
from nmt.search.stepwise import END


def length_limits(mask: Tensor, min_length: int, max_length: int | None) -> NDArray[np.int64]:
    """Largest number of target tokens of each sentence, without the end-of-sentence token, int64 [S].

    It is ``max_length``, or if this is None, the larger of 2 * T_x + 10 and ``min_length``. T_x counts the source
    tokens without the end-of-sentence token.

    >>> length_limits(torch.tensor([[True, True, True], [True, False, False]]), 0, None).tolist()
    [14, 10]
    """
    if max_length is not None:
        return np.full(len(mask), max_length, dtype=np.int64)
    words = mask.sum(dim=1).cpu().numpy().astype(np.int64) - 1
    limits: NDArray[np.int64] = np.maximum(2 * np.maximum(words, 0) + 10, min_length)
    return limits


def apply_limits_(
    log_probabilities: Tensor,
    length: NDArray[np.int64],
    limits: NDArray[np.int64],
    min_length: int,
    forbidden: Sequence[int],
) -> None:
    """Set forbidden continuations to -inf, in place. The probabilities of all others stay, without renormalising.

    Args:
        log_probabilities: [S, k, K_y] (padding with -inf beyond K_y is allowed).
        length: for each sentence, the number of target tokens that its rows have so far, [S].
        limits: the longest output of each sentence, [S]. At this length only the end-of-sentence token is allowed.
        min_length, forbidden: as in ``BeamSettings``.
    """
    if forbidden:
        assert max(forbidden) < log_probabilities.shape[2], "a forbidden id lies outside the vocabulary"
        for token in forbidden:
            log_probabilities[:, :, token] = -torch.inf
    if min_length:
        (short,) = (length < min_length).nonzero()
        if len(short) == len(limits):
            log_probabilities.select(2, END).fill_(-torch.inf)
        elif len(short):
            log_probabilities[torch.from_numpy(short).to(log_probabilities.device), :, END] = -torch.inf
    full = limits <= length
    if np.count_nonzero(full):
        lines = torch.from_numpy(np.flatnonzero(full)).to(log_probabilities.device)
        end = log_probabilities[lines, :, END]
        log_probabilities[lines] = -torch.inf
        log_probabilities[lines, :, END] = end


def no_output(sentence: str) -> InputError:
    """The error that a sentence, such as "sentence 3", has no output of non-zero probability."""
    return InputError(f"{sentence} has no output that satisfies the minimum length and all constraints")


def broken_rows(largest: NDArray[np.float32]) -> NDArray[np.bool_]:
    """True for each row whose largest value is no log-probability: NaN or positive. [.., N] -> bool [..]"""
    return ~np.asarray((largest <= 1e-4).all(axis=-1))


class BrokenModelError(InputError, FloatingPointError):
    """An error in a model whose weights are numbers, but too large to compute with."""


def broken_model(step: int) -> BrokenModelError:
    """The error that the model gave no log-probabilities for target token ``step``, from 1."""
    return BrokenModelError(
        f"the model gave NaN or a positive log-probability at target token {step}; its weights are damaged or too large"
    )
