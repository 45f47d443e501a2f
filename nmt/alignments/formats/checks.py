"""Tools that the readers of alignment files share: the content of a file, facts that a file lacks, and limits."""

import contextlib
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from nmt.alignments.policy import Direction, Policy
from nmt.errors import InputError
from nmt.results import END, Alignment
from nmt.results.links import Gold, MarkedLink
from nmt.texts import say, term

Side = Literal["source", "target"]
SIDES: tuple[Side, Side] = ("source", "target")


class LackingError(InputError):
    """Error for a file that cannot be read unless ``Given`` names one of its ``parts``, or has words (then ``parts`` is
    empty)."""

    def __init__(self, message: str, parts: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.parts = tuple(parts)


@dataclass(frozen=True, kw_only=True)
class Given:
    """Facts that a reader needs and a file does not state.

    Attributes:
        base: number of the first word in links.
        direction: order of the words of a link.
        source, target: words of each sentence, one line each, cut at spaces and tabs, for formats without words.
        part: part of a file with several maps of a sentence. "3.5" is head 5 of layer 3, both from 0. "3" is the mean
            of the heads of layer 3, and "" the mean of all heads. Text names a method of an aligner or a record's map.
    """

    base: int = 0
    direction: Direction = "source-target"
    source: Sequence[str] = ()
    target: Sequence[str] = ()
    part: str = ""

    def words(self, side: Side, sentences: int) -> list[list[str]]:
        """The words of a side. Raises LackingError if they are not given, InputError if their number differs."""
        lines = self.source if side == "source" else self.target
        if not lines:
            raise LackingError(say("errors.words_needed", side=term(side)))
        if len(lines) != sentences:
            raise InputError(say("errors.words_of_file", sentences=sentences, lines=len(lines), side=term(side)))
        return [words(line, place(number)) for number, line in enumerate(lines, start=1)]


def place(number: int) -> str:
    """The name of a sentence in errors, by its number from 1."""
    return say("errors.sentence_number", number=number)


NOTHING = Given()
"""No facts, for a file that states its words, or has links from 0."""

T = TypeVar("T")

Words = tuple[tuple[str, ...], tuple[str, ...]]
"""Source and target words of a sentence."""


@dataclass(frozen=True, kw_only=True)
class Content:
    """Content of one file, with one entry per sentence.

    Attributes:
        alignments: alignments with weights, or empty for a file of links.
        links: links, or empty for a file of weights. Only a gold alignment has possible links that are not sure.
        words: the words that the links refer to, or empty if these words are unknown.
        part, parts: the part that was read, and all parts of the file. "" and () if the file has one part.
        kind: kind of the weights, as in a record ("" = the file does not say).
        run: the run that computed the weights. "" if the file does not name it.
        policy: the policy with which the file was written. None if the file does not state it.
    """

    alignments: tuple[Alignment, ...] = ()
    links: tuple[Gold, ...] = ()
    words: tuple[Words, ...] = ()
    part: str = ""
    parts: tuple[str, ...] = ()
    kind: str = ""
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
"""Largest deviation of a row's sum from 1, since files have rounded weights."""

_BYTES_OF_JSON = {"{": 240, "[": 96, '"': 44, ",": 34}
"""Estimated bytes in memory for each of these characters of JSON. They stand for an object with one entry, a list, half
a string (each string has two quotation marks), and a number."""

MAX_MEGABYTES = 160
"""Largest estimated memory for the values of a JSON file, in 10^6 bytes."""

Rows = Sequence[Sequence[float] | NDArray[np.float64]] | NDArray[np.float64]
"""Rows of alpha from a file, before any check."""

_NO_TEXT = {
    b"\x93NUMPY": "a NumPy array",
    b"\x89PNG": "a picture",
    b"PK\x03\x04": "a zip file or a spreadsheet",
    b"%PDF": "a PDF file",
}
"""Files that users upload by mistake, by their first bytes."""
_WORD = re.compile(r"[^ \t\r\n\f\v]+")
_CUTS = re.compile("@@|[ \t▁￭]")
"""Characters that may be between subwords."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_OF_NUMBERS = re.compile(r"[0-9.eE+-]*")


def decoded(data: bytes) -> str:
    """Decode a file, without a byte order mark. Raises InputError for a file that is empty, too large or not UTF-8."""
    if len(data) > MAX_BYTES:
        raise InputError(say("errors.alignment_bytes", bytes=len(data), most=MAX_BYTES))
    if what := next((what for start, what in _NO_TEXT.items() if data.startswith(start)), ""):
        raise InputError(say("errors.is_binary", kind=term(what)))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(say("errors.alignment_not_utf8", byte=error.start + 1)) from None
    if not text.strip():
        raise InputError(say("errors.alignment_empty"))
    return text


def lines_of(text: str) -> list[str]:
    """The lines of a text, without line ends and a byte order mark. Raises InputError for too many lines."""
    if text.count("\n") > 2 * MAX_ROWS:
        raise InputError(f"the file has more than {2 * MAX_ROWS:,} lines")
    return [line.removesuffix("\r") for line in text.removeprefix("\ufeff").removesuffix("\n").split("\n")]


def words(line: str, where: str) -> list[str]:
    """The words of a line between ASCII white space. Raises InputError for too many words."""
    words_of_line = [word[0] for word in islice(_WORD.finditer(line), MAX_TOKENS + 2)]
    check_length(len(words_of_line) - 1, where)
    return words_of_line


def is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None


def numbers(fields: Sequence[str], where: str) -> list[float]:
    """Parse the weights of a row. Raises InputError, with ``where``, for text that is not a number."""
    if _OF_NUMBERS.fullmatch("".join(fields)):
        with contextlib.suppress(ValueError):
            return [float(field) for field in fields]
    wrong = next(field for field in fields if not _NUMBER.fullmatch(field))
    raise InputError(say("errors.not_a_number", place=where, text=wrong[:40]))


def check_json(text: str) -> None:
    """Raise InputError for JSON that would take too much memory once parsed."""
    if sum(text.count(character) * size for character, size in _BYTES_OF_JSON.items()) > MAX_MEGABYTES * 1_000_000:
        raise InputError(
            f"the lists, objects, words and numbers of the file would take more than {MAX_MEGABYTES} MB of memory"
        )


def check_same(words: Sequence[str], text: str, where: str) -> None:
    """Raise InputError unless the words have the characters of the text, apart from spaces and marks of subwords."""
    if _CUTS.sub("", "".join(words)) != _CUTS.sub("", text):
        raise InputError(say("errors.other_words", place=where))


def check_sentences(count: int) -> None:
    """Raise InputError for a file without sentences or with too many."""
    if count == 0:
        raise InputError(say("errors.no_alignment"))
    if count > MAX_SENTENCES:
        raise InputError(f"the file has more than {MAX_SENTENCES:,} sentences")


def check_length(tokens: int, where: str) -> None:
    """Raise InputError for too many tokens on one side."""
    if tokens > MAX_TOKENS:
        raise InputError(f"{where} has more than {MAX_TOKENS:,} words on one side")


class Size:
    """Number of rows and of weights that a reader has counted in a file so far."""

    def __init__(self) -> None:
        self._rows, self._cells = 0, 0

    def add(self, rows: int, columns: int) -> None:
        """Count ``rows`` rows of ``columns`` weights. Raises InputError if the file has too many."""
        self._rows, self._cells = self._rows + rows, self._cells + rows * columns
        for number, most, what in ((self._rows, MAX_ROWS, "rows"), (self._cells, MAX_CELLS, "weights")):
            if number > most:
                raise InputError(f"the file has more than {most:,} {what}")


def check_tokens(tokens: Sequence[str], where: str) -> tuple[str, ...]:
    """Check the tokens of one side. Raises InputError for too many tokens, too long ones, and lone surrogates."""
    check_length(len(tokens), where)
    for token in tokens:
        if len(token) > MAX_TOKEN_CHARACTERS:
            raise InputError(f"{where} has a word of more than {MAX_TOKEN_CHARACTERS:,} characters")
    if any(map(_SURROGATE.search, tokens)):
        raise InputError(f"{where} has a word with an incomplete character (a lone surrogate)")
    return tuple(tokens)


def with_end(words: Sequence[str], count: int, where: str, side: Side) -> list[str]:
    """The words of ``count`` rows or columns. If there is one word less than ``count``, an end-of-sentence token is
    added. Raises InputError if the numbers differ otherwise."""
    if count == len(words):
        return list(words)
    if count != len(words) + 1:
        name = "errors.columns_and_words" if side == "source" else "errors.rows_and_words"
        raise InputError(say(name, place=where, count=count, words=len(words), most=len(words) + 1))
    return [*words, END]


def alignment_of_words(source: Sequence[str], target: Sequence[str], rows: Rows, where: str) -> Alignment:
    """The alignment with these rows. A side with one word less than rows or columns gets an end-of-sentence token.
    Raises the errors of ``with_end`` and ``alignment``."""
    target = with_end(target, len(rows), where, "target")
    return alignment(with_end(source, len(rows[0]), where, "source") if len(rows) else source, target, rows, where)


@dataclass(frozen=True)
class FileTokens:
    """Source words, target words and rows of weights of a sentence, from a file that stores words and weights apart."""

    source: Sequence[str]
    target: Sequence[str]
    rows: Rows


def of_tokens(sentences: Sequence[FileTokens], *, ends: bool = False) -> Content:
    """Alignments whose words may come from another file than the weights. Raises InputError if words and weights do not
    fit, and if only some sentences have end-of-sentence tokens: the weights are then of other tokens. ``ends``: each
    side has an end-of-sentence token, which is not among the words."""
    alignments, size = [], Size()
    more: tuple[int, int] | None = (1, 1) if ends else None
    for number, sentence in enumerate(sentences, start=1):
        where = place(number)
        if not (len(sentence.rows) or len(sentence.target)):
            alignments.append(NO_ALIGNMENT)
            continue
        size.add(len(sentence.rows), max(map(len, sentence.rows), default=0))
        alignments.append(alignment_of_words(sentence.source, sentence.target, sentence.rows, where))
        beyond = len(alignments[-1].source) - len(sentence.source), len(alignments[-1].target) - len(sentence.target)
        more = more or beyond
        if beyond != more:
            raise InputError(
                f"{where} has {beyond[0]} more weights than source words and {beyond[1]} more rows than target words, "
                f"but others have {more[0]} and {more[1]}: the words are not the tokens of the weights"
            )
    return Content(alignments=tuple(alignments))


NO_ALIGNMENT = Alignment(source=(), target=(), weights=np.zeros((0, 0), dtype=np.float32))
"""Alignment of a sentence that a file leaves out."""


def linked(
    sentences: Sequence[tuple[Sequence[MarkedLink], Words]], *, argmax: bool = False, ends: bool = False
) -> Content:
    """The content of a file of links, with the words that they refer to. Raises InputError for a link to no word.

    Args:
        argmax: whether a decoder wrote the links. If each target token of all sentences has exactly one link, then
            InputError unless a sentence has as many target words as links.
        ends: whether the position after the last word is the end-of-sentence token. Its links are left out.
    """
    one_each = argmax and all(sorted(link.target for link in links) == [*range(len(links))] for links, _ in sentences)
    golds = []
    for number, (links, (source, target)) in enumerate(sentences, start=1):
        where = place(number)
        for side in (source, target):
            check_tokens(side, where)
        if one_each and links and len(links) - len(target) not in (0, int(ends)):
            raise InputError(f"{where} has links for {len(links)} target tokens, but {len(target)} target words")
        inside = [link for link in links if not (ends and (link.source == len(source) or link.target == len(target)))]
        try:
            (gold := Gold.of(inside)).check(len(source), len(target))
        except InputError as error:
            raise InputError(say("errors.in_place", place=where, problem=error)) from None
        golds.append(gold)
    check_sentences(len(golds))
    return Content(links=tuple(golds), words=tuple(words for _, words in sentences))


def in_order(sentences: Mapping[int, T], blank: T) -> list[T]:
    """Put numbered sentences into a list, with ``blank`` for sentences that are left out."""
    check_sentences(max(sentences, default=-1) + 1)
    return [sentences.get(number, blank) for number in range(max(sentences) + 1)]


def alignment(
    source: Sequence[str],
    target: Sequence[str],
    rows: Rows,
    where: str,
    source_words: Sequence[int] = (),
    target_words: Sequence[int] = (),
) -> Alignment:
    """Build the record of rows of alpha. Raises InputError unless each target word has a row, with a weight for each
    source word. Raises InputError for a negative or infinite weight or NaN. The sum of a row must be 0 (unknown
    weights), or differ from 1 by at most TOLERANCE."""
    for k, row in enumerate(rows, start=1):
        if len(row) != len(source):
            raise InputError(say("errors.row_weights", place=where, row=k, weights=len(row), words=len(source)))
    if len(rows) != len(target):
        raise InputError(say("errors.rows_of_weights", place=where, rows=len(rows), words=len(target)))
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
        raise InputError(say("errors.row_sum", place=where, row=k + 1, total=totals[k]))
    return weights.astype(np.float32)
