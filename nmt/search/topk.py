"""The best continuations of a beam, with ties broken identically on every machine."""

from ctypes import CDLL
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from torch import Tensor

from nmt import native
from nmt.search.limits import broken_rows

CHUNK = 64
"""Width of the chunks of a row. See ``best_continuations``."""
_BY_MAXIMA = 32
"""Up to this many largest values are found by repeated maxima. To find more, a row is sorted."""


def pad_to_chunks(log_probabilities: Tensor) -> Tensor:
    """Pad the last dimension of [S, k, K_y] with -inf to a multiple of ``CHUNK``, or return the tensor itself."""
    missing = -log_probabilities.shape[2] % CHUNK
    if not missing:
        return log_probabilities
    return F.pad(log_probabilities, (0, missing), value=-torch.inf)


def _engine(padded: Tensor) -> CDLL | None:
    """The native engine. None if there is none or it cannot read these values. Torch gives the same continuations."""
    if padded.dtype != torch.float32 or padded.device.type != "cpu" or not padded.is_contiguous():
        return None
    return native.library()


class Continuations(NamedTuple):
    """The best continuations of each sentence, best first, and the rows that cannot be continued.

    Attributes:
        places: row * K + token, int64 [S, number]. Arbitrary where there is no continuation.
        values: log-probability of the token, nats, float64 [S, number].
        totals: log-probability of row and token together, -inf if there is no continuation.
        broken: True for each row with a value that is no log-probability, bool [S, k].
    """

    places: NDArray[np.int64]
    values: NDArray[np.float64]
    totals: NDArray[np.float64]
    broken: NDArray[np.bool_]


def best_continuations(padded: Tensor, live: NDArray[np.float64], number: int) -> Continuations:
    """The ``number`` continuations with the largest sums live + log-probability. Ties are broken by row, then token.

    A top-k over all k * K_y sums would leave the order of ties open and take several passes. So the ``number`` chunks
    with the largest maxima are found first, with ties broken by place. All values of other chunks rank after these
    maxima, so only these chunks are searched.

    Args:
        padded: log-probabilities [S, k, K] with K a multiple of ``CHUNK``, padded with -inf.
        live: log-probabilities of the rows so far, [S, k], -inf for a dead row.
    """
    lines, rows, width = padded.shape
    engine = _engine(padded)
    if engine is not None:
        return _by_engine(engine, padded, np.ascontiguousarray(live), number)
    maxima = padded.view(lines, rows, -1, CHUNK).amax(dim=3).cpu().numpy()
    broken = broken_rows(maxima)
    if broken.any():
        padded = padded.masked_fill(torch.from_numpy(broken).to(padded.device)[:, :, None], -torch.inf)
        maxima[broken] = -np.inf
    line = np.arange(lines)[:, None]
    by_chunk = (maxima + live[:, :, None]).reshape(lines, -1)
    chunks = np.sort(_largest(by_chunk, number).places, axis=1)
    again = np.zeros(chunks.shape, dtype=np.bool_)
    again[:, 1:] = chunks[:, 1:] == chunks[:, :-1]
    index = torch.from_numpy(chunks).to(padded.device).unsqueeze(2).expand(-1, -1, CHUNK)
    values = padded.view(lines, -1, CHUNK).gather(1, index).cpu().numpy().astype(np.float64)
    totals = values + live[line, chunks // (width // CHUNK)][:, :, None]
    totals[again] = -np.inf
    best = _largest(totals.reshape(lines, -1), number)
    places = chunks[line, best.places // CHUNK] * CHUNK + best.places % CHUNK
    return Continuations(places, values.reshape(lines, -1)[line, best.places], best.values, broken)


def _by_engine(found: CDLL, padded: Tensor, live: NDArray[np.float64], number: int) -> Continuations:
    lines, rows, width = padded.shape
    best, broken = np.empty((lines, 3, number)), np.empty((lines, rows), dtype=np.bool_)
    chunks = width // CHUNK

    def part(first: int, end: int) -> int:
        maxima = np.empty(chunks, dtype=np.float32)
        addresses = [array.ctypes.data for array in (live[first:], maxima, best[first:], broken[first:])]
        found.best_sums(end - first, rows, chunks, number, padded[first:].data_ptr(), *addresses)
        return 0

    native.in_parts(part, lines, rows)
    return Continuations(best[:, 0].view(np.int64), best[:, 1], best[:, 2], broken)


class _Largest(NamedTuple):
    """The largest values of each line, [S, number], in descending order, and their places. Equal values are ordered by
    place. If a line has fewer values above -inf, -inf follows at arbitrary, possibly repeated places."""

    places: NDArray[np.int64]
    values: NDArray[np.float64]


def _largest(values: NDArray[np.float64], number: int) -> _Largest:
    """Find the ``number`` largest values of each line. ``values``, [S, N], are overwritten."""
    line = np.arange(len(values))
    if number > _BY_MAXIMA:
        places = np.argsort(-values, axis=1, kind="stable")[:, :number]
        missing = (0, 0), (0, number - places.shape[1])
        largest = np.pad(values[line[:, None], places], missing, constant_values=-np.inf)
        return _Largest(np.pad(places, missing), largest)
    places = np.empty((len(values), number), dtype=np.int64)
    largest = np.empty(places.shape)
    for i in range(number):
        place = values.argmax(axis=1)  # the first of equals
        places[:, i], largest[:, i] = place, values[line, place]
        values[line, place] = -np.inf
    return _Largest(places, largest)
