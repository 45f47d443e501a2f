"""Spacing that the Moses detokeniser gets wrong, put right after it."""

from __future__ import annotations

import re

Repair = tuple[re.Pattern[str], str]

_PART = r"(?:\d{1,3}|[A-Za-z]|[ivx]{2,6})(?:\.\d+)?"
"""Number of a part of a text, such as the 2, a and iv of 12(2)(a)(iv)."""

_GENERAL = (
    (r"(?<=[^\s(\[«‘])“", " “"),  # curly quotes are their own partners: Moses counts the opening ones only
    (r"([“‘]) (?=\S)", r"\1"),
    (r" ”", "”"),
    (r"”(?=\w)", "” "),
    (r"‘([^‘’]*?) ’(?= |$)", r"‘\1’"),
    (r"(?<=\w) ’ (?=\w)", "’"),  # curly apostrophe
    (r"(?<=\w) ’(?=[\s.,;:?!)]|$)", "’"),
    (rf"(?<=[\d)]) \((?={_PART}\))", "("),
    (r"(?<=\w) / (?=\w)", "/"),
    (r"(?<=\d) °(?: (?=[CF]\b|\d))?", "°"),
    (r"(?<=\d) ([′″])(?: (?=[\dNSEWO]))?", r"\1"),
    (r"(?<=\d) ?: (?=\d\d\b)", ":"),  # time of day
    (r"(?<=\d) – (?=\d)", "–"),
    (r"# (?=\d)", "#"),
    (r"(?<=\w) @ (?=[\w-]+\.\w)", "@"),
    (r"\b(https?) ?: / / (?=\w)", r"\1://"),
    (r" ?\u200d ?", "\u200d"),  # emoji made of several
    (r" (?=\ufe0f)", ""),
    (r" …", "…"),
)

_FRENCH = (
    (r"(?<=[?!]) (?=[?!])", ""),
    (r"(?<=\d )\$(?=\w)", "$ "),  # the sign follows the amount
    (r"\b([cdjlmnstCDJLMNST]|[Qq]u) ?' ?(?=[\w«“\"])", r"\1'"),  # elision
    (rf"(?<=\d\)) (?={_PART}\))", ""),
)


def repairs(language: str) -> tuple[Repair, ...]:
    """Patterns and what replaces them, to be applied in this order to a line in the language."""
    rules = _GENERAL + _FRENCH if language == "fr" else _GENERAL
    return tuple((re.compile(pattern), replacement) for pattern, replacement in rules)
