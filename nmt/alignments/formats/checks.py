"""Content of an alignment file."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nmt.alignments.policy import Policy
from nmt.errors import InputError
from nmt.results import Alignment
from nmt.results.links import LinkSet


@dataclass(frozen=True)
class LinkedPair:
    """The links of one sentence pair, (source, target) from 0.

    Attributes:
        sure: links written ``i-j``.
        possible: the sure links and those written ``ipj`` (in gold alignments).
    """

    sure: LinkSet
    possible: LinkSet

    def check(self, source: int, target: int) -> None:
        """Raise InputError for a link beyond ``source`` and ``target`` words."""
        for i, j in sorted(self.possible):
            if i >= source or j >= target:
                raise InputError(
                    f"there is a link between source word {i + 1} and target word {j + 1}, but the sentences have "
                    f"{source} and {target} words"
                )


@dataclass(frozen=True, kw_only=True)
class Content:
    """Content of one file, with one entry per sentence.

    Attributes:
        alignments: alignments with weights; empty for a file of links.
        links: empty for a file of weights.
        run: the run that computed the weights, if the file names it.
        policy: the policy with which the file was written, if the file states it.
    """

    alignments: tuple[Alignment, ...] = ()
    links: tuple[LinkedPair, ...] = ()
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

TOLERANCE = 0.02
"""Largest deviation of a row's sum from 1: files have rounded weights."""

MAX_CELLS = 10_000_000
"""Largest number of weights in a file whose format may omit some."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


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


def number(text: str, where: str) -> float:
    """Parse a weight; InputError, with ``where``, for text that is not a number."""
    if not _NUMBER.fullmatch(text):
        raise InputError(f"{where}: {text[:40]!r} is not a number")
    return float(text)


def finite(value: int | float, where: str) -> float:
    """Check a weight from JSON; InputError, with ``where``, if it is not finite."""
    if isinstance(value, int) and abs(value) > 1 << 64:
        raise InputError(f"{where}: a weight is too large a number")
    if not math.isfinite(value):
        raise InputError(f"{where}: {value} is not a finite number")
    return float(value)


def check_sentences(count: int) -> None:
    """Raise InputError for a file without sentences or with too many."""
    if count == 0:
        raise InputError("the file has no alignment")
    if count > MAX_SENTENCES:
        raise InputError(f"the file has more than {MAX_SENTENCES:,} sentences")


def check_tokens(tokens: Sequence[str], where: str) -> tuple[str, ...]:
    """Check the tokens of one side; InputError for too many tokens, too long ones, and lone surrogates."""
    if len(tokens) > MAX_TOKENS:
        raise InputError(f"{where} has more than {MAX_TOKENS:,} words on one side")
    for token in tokens:
        if len(token) > MAX_TOKEN_CHARACTERS:
            raise InputError(f"{where} has a word of more than {MAX_TOKEN_CHARACTERS:,} characters")
    if any(map(_SURROGATE.search, tokens)):
        raise InputError(f"{where} has a word with an incomplete character (a lone surrogate)")
    return tuple(tokens)


def weights_row(values: Sequence[float], columns: int, where: str) -> NDArray[np.float32]:
    """Check a row of alpha, [columns]; InputError for another number of values, for a value that is negative or not
    finite, and for a sum that differs from 1 by more than TOLERANCE, unless all are 0 (the row is unknown)."""
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
    """Build the record from checked rows; InputError unless there are as many rows as target words."""
    if len(rows) != len(target):
        raise InputError(f"{where} has {len(rows)} rows of weights, but {len(target)} target words")
    weights = np.stack(rows) if rows else np.zeros((0, len(source)), dtype=np.float32)
    return Alignment(
        source=check_tokens(source, where),
        target=check_tokens(target, where),
        weights=weights,
        source_words=tuple(source_words),
        target_words=tuple(target_words),
    )
