"""What holds for every file that is read: limits, numbers, rows. What is broken is an InputError of one sentence."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nmt.errors import InputError
from nmt.results import Alignment

MAX_BYTES = 16_000_000
"""Of a file."""

MAX_SENTENCES = 10_000
"""In a file."""

MAX_TOKENS = 2_000
"""On one side of a sentence pair."""

MAX_TOKEN_CHARACTERS = 1_000
"""In one token."""

TOLERANCE = 0.02
"""A row may sum to so much more or less than 1: files have rounded weights."""

MAX_CELLS = 10_000_000
"""Weights in a file of which not all need be written down."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def decoded(data: bytes) -> str:
    """The text of a file, without a byte order mark; InputError for a file that is empty, too large or not UTF-8."""
    if len(data) > MAX_BYTES:
        raise InputError(f"the file has {len(data):,} bytes; up to {MAX_BYTES:,} are read")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"the file is not UTF-8 text (byte {error.start + 1})") from None
    if not text.strip():
        raise InputError("the file is empty")
    return text


def number(text: str, where: str) -> float:
    """A weight as written; InputError, with ``where``, for what is no number."""
    if not _NUMBER.fullmatch(text):
        raise InputError(f"{where}: {text[:40]!r} is not a number")
    return float(text)


def finite(value: int | float, where: str) -> float:
    """A weight as JSON has it; InputError, with ``where``, for one that is not finite."""
    if isinstance(value, int) and abs(value) > 1 << 64:
        raise InputError(f"{where}: a weight is no weight but a huge number")
    if not math.isfinite(value):
        raise InputError(f"{where}: {value} is not a finite number")
    return float(value)


def check_sentences(count: int) -> None:
    """InputError for a file without sentences or with too many."""
    if count == 0:
        raise InputError("the file has no alignment")
    if count > MAX_SENTENCES:
        raise InputError(f"the file has more than {MAX_SENTENCES:,} sentences")


def check_tokens(tokens: Sequence[str], where: str) -> tuple[str, ...]:
    """The tokens of one side; InputError for too many, too long ones, and halves of surrogate pairs."""
    if len(tokens) > MAX_TOKENS:
        raise InputError(f"{where} has more than {MAX_TOKENS:,} words on one side")
    for token in tokens:
        if len(token) > MAX_TOKEN_CHARACTERS:
            raise InputError(f"{where} has a word of more than {MAX_TOKEN_CHARACTERS:,} characters")
    if any(map(_SURROGATE.search, tokens)):
        raise InputError(f"{where} has a word with half a character (a lone surrogate)")
    return tuple(tokens)


def weights_row(values: Sequence[float], columns: int, where: str) -> NDArray[np.float32]:
    """A row of alpha, [columns]; InputError if there are more or fewer values, if one is negative or not finite, and if
    they do not sum to 1, TOLERANCE allowed, or are all 0 (nothing is known of the row)."""
    if len(values) != columns:
        raise InputError(f"{where} has {len(values)} weights, but there are {columns} source words")
    for value in values:
        if finite(value, where) < 0:
            raise InputError(f"{where}: the weight {value:g} is negative")
    total = math.fsum(values)
    if abs(total - 1) > TOLERANCE and any(values):
        raise InputError(f"{where} sums to {total:.4g}, not to 1")
    return np.array(values, dtype=np.float32)


def alignment(
    source: Sequence[str],
    target: Sequence[str],
    rows: Sequence[NDArray[np.float32]],
    where: str,
    source_words: Sequence[int] = (),
    target_words: Sequence[int] = (),
) -> Alignment:
    """The record, of rows that are checked; InputError if there are not as many as target words."""
    if len(rows) != len(target):
        raise InputError(f"{where} has {len(rows)} rows of weights, but {len(target)} target words")
    weights = np.stack(rows) if rows else np.zeros((0, len(source)), dtype=np.float32)
    return Alignment(
        check_tokens(source, where), check_tokens(target, where), weights, tuple(source_words), tuple(target_words)
    )
