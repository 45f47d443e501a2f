"""The rules of tokenisers and detokenisers as data for JavaScript: classes of characters, abbreviations, patterns.

They are taken from sacremoses and from our own repairs, so that there is one source for each. Regular expressions of
Python become ones of JavaScript with the flag u, in which letters and digits are those of Unicode, as in Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from sacremoses import MosesDetokenizer, MosesTokenizer
from sacremoses.util import CJKChars

from nmt.data import japanese
from nmt.data.line_words import UNSPACED
from nmt.data.text import repairs
from nmt.errors import InputError

_WORD = r"\p{L}\p{N}_"
_APOSTROPHES = {"en": "english", "fr": "eliding", "it": "eliding"}
_NOT_WRITTEN = frozenset({"cs", "fi"})
"""Languages whose detokeniser has rules of its own that the page does not have."""

_TOKEN = re.compile(r"\\(?P<escape>u[0-9a-fA-F]{4}|.)|(?P<open>\[)|(?P<close>\])|(?P<other>.)", re.DOTALL)
_SYNTAX = frozenset("^$\\.*+?()[]{}|/-")
"""Characters that may be escaped with the flag u."""

_REFERENCE = re.compile(r"\\(\d)")

Ranges = list[list[int]]


def tokeniser_rules(language: str) -> dict[str, Any]:
    """Rules for sentences of a language (nmt/page/js/tokeniser.js); InputError for one without spaces."""
    if language in UNSPACED:
        raise InputError(f"a page cannot read sentences in {language!r}: only in languages written with spaces")
    moses = MosesTokenizer(language)
    return {
        "apostrophes": _APOSTROPHES.get(language, "general"),
        "word": _ranges(moses.IsAlnum),
        "letters": _ranges(MosesTokenizer.IsAlpha),
        "lower": _ranges(MosesTokenizer.IsLower),
        "numbers": _ranges(MosesTokenizer.IsN),
        "abbreviations": sorted(set(moses.NONBREAKING_PREFIXES)),
        "beforeNumbers": sorted(set(moses.NUMERIC_ONLY_PREFIXES)),
    }


def detokeniser_rules(language: str) -> dict[str, Any]:
    """Rules for translations into a language (nmt/page/js/detokeniser.js); InputError for one with other rules."""
    if language in _NOT_WRITTEN:
        raise InputError(f"a page cannot write sentences in {language!r}")
    if language in UNSPACED:
        return {
            "language": language,
            "kind": "unspaced",
            "letter": in_javascript(japanese.LETTER),
            "closes": sorted(japanese.CLOSES),
        }
    return {
        "language": language,
        "kind": "spaced",
        "letters": _ranges(MosesDetokenizer.IsAlpha),
        "currency": _ranges(MosesDetokenizer.IsSc),
        "cjk": [list(span) for span in CJKChars.ranges],
        "repairs": [[in_javascript(rule.pattern), _replacement(text)] for rule, text in repairs(language)],
    }


def in_javascript(pattern: str) -> str:
    r"""Rewrite a regular expression of Python for JavaScript with the flag u.

    >>> print(in_javascript(r"(?<=\w) ’ (?=[\w-]\d)"))
    (?<=[\p{L}\p{N}_]) ’ (?=[\p{L}\p{N}_-]\p{Nd})
    """
    parts = []
    inside = False
    for match in _TOKEN.finditer(pattern):
        escape = match["escape"]
        if escape == "w":
            parts.append(_WORD if inside else f"[{_WORD}]")
        elif escape == "d":
            parts.append(r"\p{Nd}")
        elif escape == "b":
            word = f"[{_WORD}]"
            parts.append(f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))")
        elif escape is not None and not escape[0].isalnum() and escape not in _SYNTAX:
            parts.append(escape)
        else:
            assert escape not in ("W", "D", "B"), "not needed so far"
            inside = (inside or bool(match["open"])) and not match["close"]
            parts.append(match[0])
    return "".join(parts)


def _replacement(text: str) -> str:
    return _REFERENCE.sub(r"$\1", text.replace("$", "$$"))


def _ranges(characters: Iterable[str]) -> Ranges:
    """First and last code points of the runs of consecutive characters."""
    ranges: Ranges = []
    for point in sorted({ord(character) for character in characters}):
        if ranges and ranges[-1][1] == point - 1:
            ranges[-1][1] = point
        else:
            ranges.append([point, point])
    return ranges
