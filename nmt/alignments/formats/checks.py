"""Content of an alignment file."""

import contextlib
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nmt.alignments.policy import Policy
from nmt.errors import InputError
from nmt.results import Alignment
from nmt.results.links import Gold


@dataclass(frozen=True, kw_only=True)
class Content:
    """Content of one file, with one entry per sentence.

    Attributes:
        alignments: alignments with weights; empty for a file of links.
        links: empty for a file of weights; all are sure but those of a gold alignment.
        run: the run that computed the weights, if the file names it.
        policy: the policy with which the file was written, if the file states it.
    """

    alignments: tuple[Alignment, ...] = ()
    links: tuple[Gold, ...] = ()
    run: str = ""
    policy: Policy | None = None


MAX_BYTES = 16_000_000
"""Largest size of a file."""

MAX_SENTENCES = 10_000
"""Largest number of sentences in a file."""

MAX_TOKENS = 2_000
"""Largest number of tokens on one side of a sentence pair."""

MAX_TOKEN_CHARACTERS = 1_000
"""Largest number of characters in a token."""

MAX_ROWS, MAX_CELLS, MAX_LINKS = 200_000, 4_000_000, 400_000
"""Largest numbers of rows (target words), weights and links in a file."""

TOLERANCE = 0.02
"""Largest deviation of a row's sum from 1: files have rounded weights."""

_BYTES_OF_JSON = {"{": 240, "[": 96, '"': 44, ",": 34}
"""Bytes that a value takes once parsed, for each of these characters: an object with one entry, a list, half a string
(each has two quotation marks), a number."""

MAX_MEGABYTES = 160
"""The most memory that the values of a JSON file may take by this count, in 10^6 bytes."""

Rows = Sequence[Sequence[float] | NDArray[np.float64]] | NDArray[np.float64]
"""Rows of alpha as a file gives them, not checked yet."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_OF_NUMBERS = re.compile(r"[0-9.eE+-]*")


def decoded(data: bytes) -> str:
    """Decode a file, without a byte order mark; InputError for a file that is empty, too large or not UTF-8."""
    if len(data) > MAX_BYTES:
        raise InputError(f"the file has {len(data):,} bytes; the limit is {MAX_BYTES:,}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"the file is not UTF-8 text (byte {error.start + 1})") from None
    if not text.strip():
        raise InputError("the file is empty")
    return text


def numbers(fields: Sequence[str], where: str) -> list[float]:
    """Parse the weights of a row; InputError, with ``where``, for text that is not a number."""
    if _OF_NUMBERS.fullmatch("".join(fields)):
        with contextlib.suppress(ValueError):
            return [float(field) for field in fields]
    wrong = next(field for field in fields if not _NUMBER.fullmatch(field))
    raise InputError(f"{where}: {wrong[:40]!r} is not a number")


def check_json(text: str) -> None:
    """Raise InputError for JSON that would take too much memory once parsed."""
    if sum(text.count(character) * size for character, size in _BYTES_OF_JSON.items()) > MAX_MEGABYTES * 1_000_000:
        raise InputError(
            f"the lists, objects, words and numbers of the file would take more than {MAX_MEGABYTES} MB of memory"
        )


def check_sentences(count: int) -> None:
    """Raise InputError for a file without sentences or with too many."""
    if count == 0:
        raise InputError("the file has no alignment")
    if count > MAX_SENTENCES:
        raise InputError(f"the file has more than {MAX_SENTENCES:,} sentences")


def check_length(tokens: int, where: str) -> None:
    """Raise InputError for too many tokens on one side."""
    if tokens > MAX_TOKENS:
        raise InputError(f"{where} has more than {MAX_TOKENS:,} words on one side")


class Size:
    """Rows and weights of a file as far as it has been read."""

    def __init__(self) -> None:
        self._rows, self._cells = 0, 0

    def add(self, rows: int, columns: int) -> None:
        """Count rows of so many weights; InputError if the file has too many."""
        self._rows, self._cells = self._rows + rows, self._cells + rows * columns
        for number, most, what in ((self._rows, MAX_ROWS, "rows"), (self._cells, MAX_CELLS, "weights")):
            if number > most:
                raise InputError(f"the file has more than {most:,} {what}")


def check_tokens(tokens: Sequence[str], where: str) -> tuple[str, ...]:
    """Check the tokens of one side; InputError for too many tokens, too long ones, and lone surrogates."""
    check_length(len(tokens), where)
    for token in tokens:
        if len(token) > MAX_TOKEN_CHARACTERS:
            raise InputError(f"{where} has a word of more than {MAX_TOKEN_CHARACTERS:,} characters")
    if any(map(_SURROGATE.search, tokens)):
        raise InputError(f"{where} has a word with an incomplete character (a lone surrogate)")
    return tuple(tokens)


def alignment(
    source: Sequence[str],
    target: Sequence[str],
    rows: Rows,
    where: str,
    source_words: Sequence[int] = (),
    target_words: Sequence[int] = (),
) -> Alignment:
    """Build the record of rows of alpha. InputError unless there are as many as target words, each with a weight for
    each source word; for a weight that is negative or not finite; and for a row whose sum differs from 1 by more than
    TOLERANCE, unless all its weights are 0 (it is unknown)."""
    for k, row in enumerate(rows, start=1):
        if len(row) != len(source):
            raise InputError(f"{where}, row {k} has {len(row)} weights, but there are {len(source)} source words")
    if len(rows) != len(target):
        raise InputError(f"{where} has {len(rows)} rows of weights, but {len(target)} target words")
    return Alignment(
        source=check_tokens(source, where),
        target=check_tokens(target, where),
        weights=_checked(rows, where) if len(rows) else np.zeros((0, len(source)), dtype=np.float32),
        source_words=tuple(source_words),
        target_words=tuple(target_words),
    )


def _checked(rows: Rows, where: str) -> NDArray[np.float32]:
    try:
        weights = np.asarray(rows, dtype=np.float64)
    except OverflowError:
        largest = sys.float_info.max
        k = next(k for k, row in enumerate(rows, start=1) if any(abs(weight) > largest for weight in row))
        raise InputError(f"{where}, row {k}: a weight is too large a number") from None
    with np.errstate(over="ignore", invalid="ignore"):
        totals = weights.sum(axis=1)
    for faults, fault in (
        (~np.isfinite(weights), "{} is not a finite number"),
        (weights < 0, "the weight {:g} is negative"),
    ):
        if faults.any():
            k, j = np.argwhere(faults)[0]
            raise InputError(f"{where}, row {k + 1}: {fault.format(weights[k, j])}")
    wrong = (abs(totals - 1) > TOLERANCE) & weights.any(axis=1)
    if wrong.any():
        k = int(wrong.argmax())
        raise InputError(f"{where}, row {k + 1} sums to {totals[k]:.4g}, not to 1")
    return weights.astype(np.float32)
