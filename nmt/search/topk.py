"""The best continuations of a beam, with ties broken the same way on every machine."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

CHUNK = 64
"""Width of the pieces that a row is cut into; see ``best_continuations``."""


def pad_to_chunks(log_probabilities: Tensor) -> Tensor:
    """[S, k, K_y], padded with -inf so that the last size is a multiple of ``CHUNK``; no copy where it is one."""
    missing = -log_probabilities.shape[2] % CHUNK
    if not missing:
        return log_probabilities
    return F.pad(log_probabilities, (0, missing), value=-torch.inf)


def chunk_maxima(padded: Tensor) -> Tensor:
    """The largest value of each chunk, [S, k, K / CHUNK] for ``padded`` [S, k, K]."""
    return padded.view(*padded.shape[:2], -1, CHUNK).amax(dim=3)


def best_continuations(padded: Tensor, maxima: Tensor, live: Tensor, number: int) -> Tensor:
    """The continuations with the largest sums live + log-probability, ties by row, then by token id.

    A top-k over all k * K_y sums would leave the order of ties open and costs several passes. Instead the
    ``number`` chunks with the largest maxima are found first: a chunk that comes after them, by maximum and
    place, can hold none of the ``number`` best, for each of theirs comes before all it holds. Only those chunks
    are added up and sorted. Both sorts are stable, so the first of equals wins.

    Args:
        padded: log-probabilities [S, k, K] with K a multiple of ``CHUNK``, padded with -inf.
        maxima: ``chunk_maxima(padded)``.
        live: log-probabilities of the rows so far, [S, k], float64; -inf for a dead row.
        number: how many to find.

    Returns:
        Places row * K + token, long [S, min(number, k * K)], best first. Some may be of probability zero.
    """
    lines, _, width = padded.shape
    sums = (maxima + live.unsqueeze(2)).flatten(1)
    chunks = torch.sort(sums, dim=1, descending=True, stable=True).indices[:, :number]
    chunks = torch.sort(chunks, dim=1).values
    found = padded.view(lines, -1, CHUNK).gather(1, chunks.unsqueeze(2).expand(-1, -1, CHUNK))
    found = found + live.gather(1, chunks // (width // CHUNK)).unsqueeze(2)
    places = torch.sort(found.flatten(1), dim=1, descending=True, stable=True).indices[:, :number]
    return chunks.gather(1, places // CHUNK) * CHUNK + places % CHUNK
