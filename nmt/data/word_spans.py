"""Assignment of a tokeniser's tokens to the whitespace tokens of the line, in time linear in its length."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from nmt.data.text import clean_line

_REACH = 24
"""Largest number of differing characters, on both sides together, after which two texts are still found to agree
again."""


def word_spans(line: str, tokens: Sequence[str]) -> list[int]:
    """Map each token to the index of the whitespace token of ``line`` that contains it.

    Whitespace tokens are those of ``line.split()``. A token belongs to the word that its first character is from. The
    characters of the words are those that a tokeniser reads: without control and invisible characters, and in NFC. A
    tokeniser may yet add, drop or change some; the tokens around the difference are then matched by the nearest
    characters that agree again. The result is non-decreasing, has as many entries as ``tokens``, and is all zeros for
    a line without such characters.

    >>> word_spans("I don't, sir.", ["I", "don", "'t", ",", "sir", "."])
    [0, 1, 1, 1, 2, 2]
    """
    read = [unicodedata.normalize("NFC", clean_line(word)) for word in line.split()]
    owners = [k for k, word in enumerate(read) for _ in word]
    characters = "".join(read)
    joined = "".join(tokens)
    places: Sequence[int] = range(len(joined)) if joined == characters else _match(joined, characters)
    spans: list[int] = []
    start, last = 0, 0
    for token in tokens:
        if owners and token:
            last = max(last, owners[min(places[start], len(owners) - 1)])
            start += len(token)
        spans.append(last)
    return spans


def _match(joined: str, characters: str) -> list[int]:
    """Map each character of ``joined`` to the index in ``characters`` of the same character or, if there is none, of
    one near it. Non-decreasing."""
    places: list[int] = []
    position = 0
    while len(places) < len(joined):
        start = len(places)
        if joined[start : start + 1] == characters[position : position + 1]:
            places.append(position)
            position += 1
            continue
        if position >= len(characters):
            return places + [position] * (len(joined) - start)
        ours, theirs = _difference(joined[start : start + _REACH + 2], characters[position : position + _REACH + 2])
        places.extend(position + theirs * k // ours for k in range(ours))
        position += theirs
    return places


def _difference(joined: str, characters: str) -> tuple[int, int]:
    """Return the numbers of characters to pass over, at least one together, before two texts agree: in two characters,
    or in all that are left of one of them. The fewest in total; where these can be divided in several ways, as evenly
    as possible. One of each if they do not agree within reach."""
    for total in range(1, _REACH + 1):
        for ours in sorted(range(total + 1), key=lambda count: abs(total - 2 * count)):
            theirs = total - ours
            if ours > len(joined) or theirs > len(characters):
                continue
            left, right = joined[ours : ours + 2], characters[theirs : theirs + 2]
            common = min(len(left), len(right))
            if (common == 2 or len(left) == len(right)) and left == right:
                return ours, theirs
    return 1, 1
