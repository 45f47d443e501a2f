"""The text format of Nematus' ``translate.py --output_alignment``, which SoftAlignments (Rikters, Fishel, Bojar 2017,
Visualizing neural machine translation attention and confidence) reads with ``-f Nematus``.

Each sentence has a line ``number ||| target words ||| score ||| source words ||| columns rows``, then a row of weights
for each target word and for the end-of-sentence token, with a column for each source word and for the end-of-sentence
token, then an empty line. The words of the line do not include the end-of-sentence tokens: the extra column and row
imply them. Files without end-of-sentence tokens (as OpenNMT writes) have as many columns as source words, or as many
rows as target words.

The format has no comments, so the policy can only be part of the file's name. Words are separated by spaces
and fields by ``|||``: white space and ``|||`` in a word are written as ``\\u`` with four hexadecimal digits, an empty
word as ``\\e``, and a backslash that would be read as the beginning of one of these as ``\\u005c``. All other words are
unchanged.
"""

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from nmt.alignments.formats import checks
from nmt.alignments.measures import end_mask
from nmt.alignments.policy import Policy
from nmt.errors import InputError
from nmt.results import END, Alignment

_EMPTY = "\\e"
_CODE = re.compile(r"\\u([0-9a-f]{4})")


def write(alignments: Sequence[Alignment], policy: Policy, run: str = "") -> str:
    """Format a file as text, with sentences numbered from 0 and scores 0; ``policy`` is applied first. ``run`` is not
    stored.

    Raises:
        InputError: nothing is left on one side of a sentence pair, end-of-sentence token included: its rows would be
            empty lines.
    """
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
    """Read a file. Its numbers of sentences, columns and rows are ignored: other programs leave them 0.

    Raises:
        InputError: the text is not in this format, or rows and words do not match; names sentence and row.
    """
    alignments, size = list[Alignment](), checks.Size()
    for block in _blocks(text):
        alignments.append(_alignment(block, f"sentence {len(alignments) + 1}", size))
        checks.check_sentences(len(alignments))
    checks.check_sentences(len(alignments))
    return tuple(alignments)


@dataclass(frozen=True)
class _Block:
    """The lines of a sentence in the file; first: the number of the first one."""

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
    fields = block.header.split("|||")
    if len(fields) < 4:
        raise InputError(
            f"line {block.first} should begin {where} with number ||| target words ||| score ||| source words"
        )
    target, source = ([_unescaped(token) for token in _split(field, where)] for field in (fields[1], fields[3]))
    if not block.rows:
        raise InputError(f"{where} has no weights")
    columns = len(_split(block.rows[0], where))
    source = _with_end(source, columns, f"{where} has {columns} weights in its first row", "source")
    target = _with_end(target, len(block.rows), f"{where} has {len(block.rows)} rows of weights", "target")
    size.add(len(block.rows), columns)
    rows = []
    for k, line in enumerate(block.rows, start=1):
        place = f"{where}, row {k}"
        if "|||" in line:
            raise InputError(f"line {block.first + k} begins another sentence, but there is no empty line before it")
        rows.append(checks.numbers(_split(line, place), place))
    return checks.alignment(source, target, rows, where)


def _with_end(words: list[str], count: int, message: str, side: str) -> list[str]:
    if count == len(words):
        return words
    if count != len(words) + 1:
        raise InputError(f"{message}, but {len(words)} {side} words ({len(words) + 1} with the end-of-sentence token)")
    return [*words, END]


def _split(line: str, where: str) -> list[str]:
    """Split at ASCII white space, which separates words in this format; InputError for too many words."""
    words = [word[0] for word in islice(re.finditer(r"[^ \t\r\n\f\v]+", line), checks.MAX_TOKENS + 2)]
    checks.check_length(len(words) - 1, where)
    return words


def _escaped(token: str) -> str:
    if token in ("", _EMPTY):
        return "\\u005ce" if token else _EMPTY
    token = _CODE.sub(lambda code: f"\\u005cu{code[1]}" if _stands_for(code) else code[0], token)
    token = token.replace("|||", "\\u007c" * 3)
    return "".join(f"\\u{ord(one):04x}" if one.isspace() else one for one in token)


def _unescaped(token: str) -> str:
    if token == _EMPTY:
        return ""
    return _CODE.sub(lambda code: _stands_for(code) or code[0], token)


def _stands_for(code: re.Match[str]) -> str:
    """The character that a code represents; "" if the code is not one that ``_escaped`` writes."""
    character = chr(int(code[1], 16))
    return character if character.isspace() or character in "|\\" else ""
