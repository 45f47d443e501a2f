"""Tokenisation of a line into words, detokenisation, and the map from tokens to the whitespace tokens of the line.
Detokenisation also corrects spaces that the Moses detokeniser gets wrong.

A "word" is a Moses token. The paper's data are tokenised with the Moses script, case kept. In Japanese, which has no
spaces, a "word" is a word of nmt.data.japanese.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from nmt.data import japanese
from nmt.data.line_words import UNSPACED
from nmt.errors import InputError
from nmt.results.alignment import UNKNOWN
from nmt.results.links import numbered_words

_LANGUAGE = re.compile(r"[a-z]{2,3}")

_CONTROL_SPACES = re.compile("[\x09-\x0d\x1c-\x1f\x85\u2028\u2029]")
"""Characters that break lines or columns. Each is replaced by a space."""

_CONTROLS = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u200b\u200e\u200f\u2060\ufeff\ud800-\udfff]")
"""Characters that are removed: all other control characters, unpaired surrogates, and invisible characters. These are
the soft hyphen, the zero-width space, directional marks, the word joiner and the byte order mark. (Joiners that shape
letters stay.)"""


def check_language(language: str) -> str:
    """Return the language code. Raises InputError unless it is two or three lower-case letters, such as "en"."""
    if not _LANGUAGE.fullmatch(language):
        raise InputError(f"{language!r} is not a language code (two or three lower-case letters)")
    return language


def clean_line(line: str) -> str:
    """Remove control characters. A tab and a line or paragraph separator become a space. All others are deleted.
    Ordinary and no-break spaces stay unchanged.

    >>> clean_line("a\\x00b\\u2028c")
    'ab c'
    """
    return _CONTROLS.sub("", _CONTROL_SPACES.sub(" ", line))


_ELIDING = frozenset({"fr", "it"})
"""Languages in which Moses attaches an apostrophe to the word before the apostrophe, as in l'eau."""

_MOSES_MARK = re.compile(r"(?<=DOT)MULTI")
"""End of the words DOTMULTI, DOTDOTMULTI and so on, which stand for a run of full stops while Moses tokenises."""


@cache
def _quick_tokenizer() -> Any:
    """A faster subclass of MosesTokenizer. MosesTokenizer itself builds sets of all Unicode letters at every full stop.

    The character sets of sacremoses are strings. The subclass tests membership on frozen sets, and applies the rule for
    abbreviations only to text with a full stop. The first tokeniser imports sacremoses, which takes a second.
    """
    from sacremoses import MosesTokenizer

    letters, lower = frozenset(MosesTokenizer.IsAlpha), frozenset(MosesTokenizer.IsLower)

    class Quick(MosesTokenizer):  # type: ignore[misc]
        def islower(self, text: str) -> bool:
            return lower.issuperset(text)

        def isanyalpha(self, text: str) -> bool:
            return not letters.isdisjoint(text)

        def handles_nonbreaking_prefixes(self, text: str) -> str:
            if "." not in text:
                return " ".join(text.split())
            return str(super().handles_nonbreaking_prefixes(text))

    return Quick


class Tokenizer:
    """Tokeniser and detokeniser of one language: Moses, or the rules for Japanese. It keeps case and escapes nothing.
    It is picklable.

    Raises InputError for an invalid language code. If Moses has no rules for a language, its general rules and its
    English abbreviations apply.

    >>> french = Tokenizer("fr")
    >>> french.tokenize("L'île, c'est loin !")
    ["L'", 'île', ',', "c'", 'est', 'loin', '!']
    >>> french.detokenize(["L'", "île", "est", "loin", "!"])
    "L'île est loin !"
    >>> Tokenizer("ja").tokenize("島は遠いです。")
    ['島', 'は', '遠い', 'です', '。']
    """

    def __init__(self, language: str) -> None:
        self.language = check_language(language)
        self._words, self._text = (japanese.segmented, japanese.written) if language == "ja" else _moses(language)

    def __reduce__(self) -> tuple[type[Tokenizer], tuple[str]]:
        return (Tokenizer, (self.language,))

    def tokenize(self, line: str) -> list[str]:
        """Split a line into words in NFC, without control characters (``clean_line``). [] for a blank line."""
        return self._words(unicodedata.normalize("NFC", clean_line(line)))

    def tokenize_output(self, line: str) -> list[str]:
        """Split a line that a model may have written. Unlike ``tokenize``, keep "[UNK]" whole: it becomes a word,
        or part of a word if letters or hyphens attach it to that word.

        >>> Tokenizer("fr").tokenize_output("L' [UNK] et l'[UNK], non-[UNK].")
        ["L'", '[UNK]', 'et', "l'", '[UNK]', ',', 'non-[UNK]', '.']
        >>> Tokenizer("ja").tokenize_output("[UNK]は遠いです。")
        ['[UNK]', 'は', '遠い', 'です', '。']
        """
        if UNKNOWN not in line:
            return self.tokenize(line)
        letters = _absent(line, "UNK")  # tokenised like any other word
        if self.language in UNSPACED:
            line = line.replace(UNKNOWN, f" {UNKNOWN} ")
        line = line.replace(UNKNOWN, letters)
        if self.language in _ELIDING:  # the detokeniser leaves a space after the apostrophe
            line = re.sub(rf"(?<=\w)' (?={letters})", "'", line)
        return [word.replace(letters, UNKNOWN) for word in self.tokenize(line)]

    def detokenize(self, words: Sequence[str]) -> str:
        """Join words by the typographic rules of the language. Where countries differ, the language's country of origin
        decides. So French has a space before "?", "!" and a semicolon, as in France and unlike in Canada."""
        return self._text(words)

    def line_words(self, line: str) -> list[str]:
        """Split a line into the words that word links number. These are the words between spaces and tabs, or in
        Japanese the words of ``tokenize``.

        >>> Tokenizer("fr").line_words("L'île, c'est loin !")
        ["L'île,", "c'est", 'loin', '!']
        >>> Tokenizer("ja").line_words("島は遠い。")
        ['島', 'は', '遠い', '。']
        """
        return self.tokenize(line) if self.language in UNSPACED else numbered_words(line)


_Rules = tuple[Callable[[str], list[str]], Callable[[Sequence[str]], str]]
"""Tokenisation and detokenisation rules."""


def _moses(language: str) -> _Rules:
    from sacremoses import MosesDetokenizer

    moses, patterns = _quick_tokenizer()(language), repairs(language)
    detokenize = partial(MosesDetokenizer(language).detokenize, unescape=False)

    def words(line: str) -> list[str]:
        if not _MOSES_MARK.search(line):
            tokens: list[str] = moses.tokenize(line, escape=False)
            return tokens
        other = _absent(line, "MULT")
        return [word.replace(other, "MULTI") for word in moses.tokenize(_MOSES_MARK.sub(other, line), escape=False)]

    def text(words: Sequence[str]) -> str:
        line: str = detokenize(list(words))
        for pattern, replacement in patterns:
            line = pattern.sub(replacement, line)
        return line

    return words, text


def _absent(line: str, stem: str) -> str:
    """Return ``stem`` followed by so many X that the result does not occur in the line.

    >>> _absent("MULTX and MULTXX", "MULT")
    'MULTXXX'
    """
    runs = re.findall(f"{stem}(X*)", line)
    return stem + "X" * (1 + max(map(len, runs), default=0))


Repair = tuple[re.Pattern[str], str]

_PART = r"(?:\d{1,3}|[A-Za-z]|[ivx]{2,6})(?:\.\d+)?"
"""Number of a subdivision of a text, such as the 2, a and iv of 12(2)(a)(iv)."""

_QUOTES = (
    (r"(?<=[^\s(\[«‘])“", " “"),  # Moses counts only opening curly quotes
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
    (rf"^([^']*\w\w) '(?=\w)(?!{_CUT_OFF})([^']*)$", r"\1' \2"),  # the only ' of a line: "hab' ein", no quote
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
    (r"^([^']*s) '(?=[a-z])([^']*)$", r"\1' \2"),  # the only ' of a line: a genitive
    (r"(?<=[.,!?]) '$", "'"),
    (rf"^('{_QUOTED}) '(?=\w)", r"\1' "),
    (rf"(?<=,)' (?={_QUOTED}'$)", " '"),
)


_PARTICLE = (
    "(?:이?라고|이?란|고|은|는|이|가|을|를|의|에|에서|에게|와|과|도|만|로|으로|처럼|까지|부터|보다|"
    "입니다|이다|예요|이에요)"
)
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


_SPACE = re.compile(r"\s")
_REACH = 24
"""Largest number of differing characters, on both sides together, that are skipped until two texts agree again."""


def word_spans(line: str, tokens: Sequence[str]) -> list[int]:
    """Map each token to the index of the word of ``line`` that contains it.

    ``numbered_words`` gives the words. A token belongs to the word that has the token's first character. The words are
    compared in NFC, without white space, control and invisible characters. If the tokeniser added, dropped or changed
    characters, matching goes on from the nearest characters that agree again. The result never decreases. For a line
    without characters it is all zeros.

    >>> word_spans("I don't, sir.", ["I", "don", "'t", ",", "sir", "."])
    [0, 1, 1, 1, 2, 2]
    """
    read = [_SPACE.sub("", unicodedata.normalize("NFC", clean_line(word))) for word in numbered_words(line)]
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
    """For each character of ``joined``, the index of its counterpart in ``characters``: the same character, or one
    nearby if the texts differ there. An index may equal the length of ``characters``. Indices never decrease."""
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
    """Return how many characters of each text to skip until two characters, or all remaining characters, agree: the
    smallest sum of at least one and, among equal sums, the most even division. 1, 1 if none is in reach."""
    for total in range(1, _REACH + 1):
        for ours in sorted(range(total + 1), key=lambda count: abs(total - 2 * count)):
            theirs = total - ours
            if ours > len(joined) or theirs > len(characters):
                continue
            if joined[ours : ours + 2] == characters[theirs : theirs + 2]:
                return ours, theirs
    return 1, 1
