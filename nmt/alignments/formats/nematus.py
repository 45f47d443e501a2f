"""The text format of Nematus' ``translate.py --output_alignment``, which SoftAlignments (Rikters, Fishel, Bojar 2017,
Visualizing neural machine translation attention and confidence) reads with ``-f Nematus``.

Each sentence has a line ``number ||| target words ||| score ||| source words ||| columns rows``, then rows of weights,
then an empty line. Each target word and the end-of-sentence token has a row. Each source word and the end-of-sentence
token has a column. The line does not show the end-of-sentence tokens. Files without end-of-sentence tokens (as OpenNMT
writes) have as many columns as source words, or as many rows as target words. Sockeye's
``translation_with_alignment_matrix`` writes ``||| columns ||| rows`` at the end of the line, and there a row is a
source word.

The format has no comments, so the policy can only be part of the file's name. Spaces separate words, and ``|||``
separates fields. White space and ``|||`` in a word are written as ``\\u`` with four hexadecimal digits. An empty word
is ``\\e``. A backslash that would begin one of these codes is ``\\u005c``. All other words are unchanged.
"""

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nmt.alignments.formats import checks
from nmt.alignments.measures import end_mask
from nmt.alignments.policy import Policy
from nmt.errors import InputError
from nmt.results import Alignment

_EMPTY = "\\e"
_CODE = re.compile(r"\\u([0-9a-f]{4})")
_NUMBER, _COUNTS = re.compile(r"[ \t]*[0-9]+[ \t\r\n]*"), re.compile(r"[ \t]*([0-9]+[ \t]+[0-9]+)?[ \t\r\n]*")
_SCORE = re.compile(r"[ \t]*([-+]?[0-9.]+([eE][-+]?[0-9]+)?|[-+]?(inf|nan))[ \t]*")


def write(alignments: Sequence[Alignment], policy: Policy, run: str = "") -> str:
    """Format a file as text, after applying ``policy``. Sentences are numbered from 0, and scores are 0. ``run`` is not
    stored. InputError if one side of a sentence pair has no token left, which would make its rows empty lines."""
    sentences = []
    for number, each_alignment in enumerate(alignments):
        alignment = policy.applied(each_alignment).alignment
        rows, columns = alignment.weights.shape
        if not (rows and columns):
            raise InputError(f"sentence {number + 1} has no word left on one side, which this format cannot represent")
        target, source = (
            " ".join(_escaped(token) for token, end in zip(side, end_mask(side), strict=True) if not end)
            for side in (alignment.target, alignment.source)
        )
        lines = [f"{number} ||| {target} ||| 0 ||| {source} ||| {columns} {rows}"]
        lines += [" ".join(str(weight) for weight in row) for row in alignment.weights]
        sentences.append("".join(f"{line}\n" for line in lines))
    return "".join(f"{sentence}\n" for sentence in sentences)


def read(text: str) -> tuple[Alignment, ...]:
    """Read a file. The numbers of sentences, columns and rows are ignored, since other programs leave them 0. Raises
    InputError, which names sentence and row, if the text is not in this format, or rows and words do not match."""
    alignments, size = list[Alignment](), checks.Size()
    for block in _blocks(text):
        alignments.append(_alignment(block, checks.place(len(alignments) + 1), size))
        checks.check_sentences(len(alignments))
    checks.check_sentences(len(alignments))
    return tuple(alignments)


@dataclass(frozen=True)
class _Block:
    """The lines of a sentence in the file: the header, with line number ``first``, and the rows of weights."""

    first: int
    header: str
    rows: list[str]


def _blocks(text: str) -> Iterator[_Block]:
    block: _Block | None = None
    for number, line in enumerate(io.StringIO(text), start=1):
        if not line.strip(" \t\r\n"):
            if block is not None:
                yield block
            block = None
        elif block is None:
            block = _Block(number, line, [])
        else:
            block.rows.append(line)
            checks.check_length(len(block.rows) - 1, f"the sentence of line {block.first}")
    if block is not None:
        yield block


def _alignment(block: _Block, where: str, size: checks.Size) -> Alignment:
    fields = _fields(block.header)
    if not fields:
        raise InputError(
            f"line {block.first} should begin {where} with number ||| target words ||| score ||| source words ||| "
            "numbers of columns and rows, and without ||| in a word"
        )
    target, source = ([_unescaped(token) for token in checks.words(field, where)] for field in (fields[1], fields[3]))
    if not block.rows:
        raise InputError(f"{where} has no weights")
    size.add(len(block.rows), len(checks.words(block.rows[0], where)))
    rows = []
    for k, line in enumerate(block.rows, start=1):
        place = f"{where}, row {k}"
        if "|||" in line:
            raise InputError(f"line {block.first + k} begins another sentence, but there is no empty line before it")
        rows.append(checks.numbers(checks.words(line, place), place))
    return checks.alignment_of_words(source, target, _turned(rows, source, target) if len(fields) == 6 else rows, where)


def _fields(header: str) -> list[str]:
    """The fields of the first line of a sentence. Empty for any other line, and if a word contains ``|||``."""
    number, *rest = fields = header.split("|||")
    counts = {3: (), 4: (_COUNTS,), 5: (_NUMBER, _NUMBER)}.get(len(rest))
    if counts is None or not _NUMBER.fullmatch(number) or not _SCORE.fullmatch(rest[1]):
        return []
    return fields if all(map(re.fullmatch, counts, rest[3:])) else []


def recognise(lines: Sequence[str]) -> bool:
    return bool(_fields(lines[0]))


def _turned(rows: list[list[float]], source: Sequence[str], target: Sequence[str]) -> list[list[float]]:
    """Transpose the rows of Sockeye, so that a row is a target word. If the transposed rows do not fit the words or do
    not sum to 1, return the rows unchanged."""
    columns = [list(column) for column in zip(*rows, strict=False)]
    fits = len(rows) - len(source) in (0, 1) and len(columns) - len(target) in (0, 1)
    return columns if fits and all(abs(sum(column) - 1) <= checks.TOLERANCE for column in columns) else rows


def _escaped(token: str) -> str:
    if token in ("", _EMPTY):
        return "\\u005ce" if token else _EMPTY
    token = _CODE.sub(lambda code: f"\\u005cu{code[1]}" if _stands_for(code) else code[0], token)
    token = token.replace("|||", "\\u007c" * 3)
    return "".join(f"\\u{ord(character):04x}" if character.isspace() else character for character in token)


def _unescaped(token: str) -> str:
    if token == _EMPTY:
        return ""
    return _CODE.sub(lambda code: _stands_for(code) or code[0], token)


def _stands_for(code: re.Match[str]) -> str:
    """The character that a code represents, or "" if the code is not one that ``_escaped`` writes."""
    character = chr(int(code[1], 16))
    return character if character.isspace() or character in "|\\" else ""
