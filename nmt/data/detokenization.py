"""Corrections of spacing that the Moses detokeniser gets wrong, applied to its output."""

from __future__ import annotations

import re

Repair = tuple[re.Pattern[str], str]

_PART = r"(?:\d{1,3}|[A-Za-z]|[ivx]{2,6})(?:\.\d+)?"
"""Number of a subdivision of a text, such as the 2, a and iv of 12(2)(a)(iv)."""

_QUOTES = (
    (r"(?<=[^\s(\[«‘])“", " “"),  # curly quotes are their own partners: Moses counts the opening ones only
    (r"([“‘]) (?=\S)", r"\1"),
)

_GERMAN_QUOTES = (  # „ “ and ‚ ‘, but English “ ” and ‘ ’ where a ” or ’ follows; » «
    (r"(?<=[^\s(\[«‘„])“(?=[^„“”]*”)", " “"),
    (r"“ (?=[^„“”]*”)", "“"),
    (r" “(?![^„“”]*”)", "“"),
    (r"“(?![^„“”]*”)(?=\w)", "“ "),
    (r"(?<=\w) ?‘ ?s\b", "‘s"),  # a mistaken apostrophe
    (r"‚ ?((?:[^‚‘’]|\w’\w)*?) ?‘(?=\w)(?!s\b)", r"‚\1‘ "),
    (r"‚ ?((?:[^‚‘’]|\w’\w)*?) ?‘", r"‚\1‘"),
    (r"‘ (?=[^‚‘’]*’)", "‘"),
    (r"» ([^«»]*?) «", r"»\1«"),
    (r"› ([^‹›]*?) ‹", r"›\1‹"),
)

_GENERAL = (
    (r" ”", "”"),
    (r"”(?=\w)", "” "),
    (r"‘([^‘’]*?) ’(?= |$)", r"‘\1’"),
    (r"(?<=\w) ’ (?=\w)", "’"),  # curly apostrophe
    (r"(?<=\w) ’(?=[\s.,;:?!)]|$)", "’"),
    (rf"(?<=[\d)]) \((?={_PART}\))", "("),
    (r"(?<=\w) / (?=\w)", "/"),
    (r"(?<=\d) °(?: (?=[CF]\b|\d))?", "°"),
    (r"(?<=\d) ([′″])(?: (?=[\dNSEWO]))?", r"\1"),
    (r"(?<=\d) ?: (?=\d)", ":"),  # time of day, score
    (r"(?<=\d) – (?=\d)", "–"),
    (r"# (?=\d)", "#"),
    (r"\b([A-Z]{1,2}) & (?=[A-Z]\b)", r"\1&"),
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

_CUT_OFF = r"(?:em|n|ne|nem|nen|ner|nes|ran|rauf|raus|rein|rum|runter|rüber)\b"
"""German words shortened at the front, after the apostrophe, as in 'ne for eine."""

_GERMAN = (
    (r"(?<=\w) 's\b", "'s"),
    (r"(?<=\w)' (?=(?:s|t|ll|re|ve)\b)", "'"),
    (r"\b([DO]) ?' ?(?=[A-Z])", r"\1'"),
    (rf"^([^']*\w\w) '(?=\w)(?!{_CUT_OFF})([^']*)$", r"\1' \2"),  # the only one of a line: "hab' ein", no quote
    (rf"(?<=\w)’(?={_CUT_OFF})", " ’"),
    (rf"(?<=\w\w)’(?=\w\w)(?!{_CUT_OFF})", "’ "),
    (r"(?<=\d)%", " %"),
    (r"(?<=\d)°(?=[CF]\b)", " °"),
    (r"(?<=\d )([$€£])(?=\w)", r"\1 "),  # the sign follows the amount
    (r"([€£])\(", r"\1 ("),
    (r"(?<=\w-\)) (?=\w)", ""),  # (Haus-)Tür
    (r"(?<=\w) ?([*_]) ?(?=in(?:nen)?\b)", r"\1"),  # Schüler*innen
    (r"(?<=\w)- 'n' -(?=\w)", "-'n'-"),
    (r'(?<=[\w!?.]["“‘«”]) -(?=\w)', "-"),  # "XL"-Format
)

_QUOTED = r"[\w$](?:[^']|(?<=\w)'(?=\w))*[\w.,!?]"
"""Text between single quotes, apostrophes within words included."""

_ENGLISH = (
    (rf"(?<=s)' ({_QUOTED}) '(?=\w)", r" '\1' "),  # says 'yes': no genitive
    (rf"(?<=s)' ({_QUOTED}) '", r" '\1'"),
    (r"^([^']*s) '(?=[a-z])([^']*)$", r"\1' \2"),  # the only one of a line: a genitive
    (r"(?<=[.,!?]) '$", "'"),
    (rf"^('{_QUOTED}) '(?=\w)", r"\1' "),
    (rf"(?<=,)' (?={_QUOTED}'$)", " '"),
)

_PARTICLE = "(?:이?라고|이?란|고|은|는|이|가|을|를|의|에|에서|에게|와|과|도|만|로|으로|처럼|까지|부터|보다|입니다|이다|예요|이에요)"
"""Korean particles and forms of the copula that follow a quotation or a bracket without a space."""

_KOREAN = (
    (rf"(?<=[\"'”’)]) (?={_PARTICLE}(?:[\s.,!?]|$))", ""),
    (r"(?<=[.!?]) \"$", '"'),
    (r"(?<=[\uac00-\ud7a3]) \((?=\S)", "("),
    (r"(?<=\w) \(\)", "()"),
)

_BY_LANGUAGE = {
    "de": _GERMAN_QUOTES + _GENERAL + _GERMAN,
    "en": _QUOTES + _GENERAL + _ENGLISH,
    "fr": _QUOTES + _GENERAL + _FRENCH,
    "ko": _QUOTES + _GENERAL + _KOREAN,
}


def repairs(language: str) -> tuple[Repair, ...]:
    """Patterns and their replacements, to be applied in this order to a line in the language."""
    rules = _BY_LANGUAGE.get(language, _QUOTES + _GENERAL)
    return tuple((re.compile(pattern), replacement) for pattern, replacement in rules)
