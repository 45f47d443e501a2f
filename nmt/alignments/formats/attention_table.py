"""The tables of OpenNMT-py's and eole's ``-attn_debug``: a line of source words, then a line for each target word and
for the end-of-sentence token, with a weight for each source word. A star stands before the largest of a row.

Source words are cut after seven characters and target words after ten, so that of words of that length the file does
not have the end: then they have to be given. Other lines are ignored.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from nmt.alignments.formats import checks
from nmt.alignments.formats.checks import NOTHING, Content, Given, Side
from nmt.errors import InputError
from nmt.results import END
from nmt.results.links import cut

_LONGEST: dict[Side, int] = {"source": 7, "target": 10}
_PREFIX = re.compile(r"\[[0-9-]+ [^\]]*\] ?")
_HEADER = re.compile(r" {9,}\S.*")
_ROW = re.compile(r" *(\S+) +(\**[01]\.[0-9]+(?: +\**[01]\.[0-9]+)*) *")


@dataclass(frozen=True)
class _Table:
    """A sentence: the words as they are written, and the weights."""

    source: list[str]
    target: list[str]
    rows: list[list[float]]


def recognise(lines: Sequence[str]) -> bool:
    return any(_HEADER.fullmatch(_PREFIX.sub("", header)) and _ROW.fullmatch(row) for header, row in pairwise(lines))


def read(text: str, given: Given = NOTHING) -> Content:
    """Read each table, with the words of ``given`` or else of the file.

    Raises:
        LackingError: a word may have been cut, and the words of its side are not given.
        InputError: words and weights do not match, or those that are given are others; names sentence and row.
    """
    tables: list[_Table] = []
    size, open_ = checks.Size(), False
    for line in checks.lines_of(text):
        row = _ROW.fullmatch(line)
        if row and open_:
            table = tables[-1]
            where = f"sentence {len(tables)}, row {len(table.rows) + 1}"
            table.rows.append(checks.numbers([weight.lstrip("*") for weight in cut(row[2])], where))
            table.target.append(row[1])
            size.add(1, len(table.source))
        elif open_ := bool(_HEADER.fullmatch(_PREFIX.sub("", line))):
            tables.append(_Table(cut(_PREFIX.sub("", line)), [], []))
            checks.check_sentences(len(tables))
    checks.check_sentences(len(tables))
    sources = _whole("source", [table.source for table in tables], given, given.source)
    targets = _whole("target", [table.target for table in tables], given, given.target)
    alignments = [
        checks.alignment_of_words(source, target, table.rows, f"sentence {number}")
        for number, (source, target, table) in enumerate(zip(sources, targets, tables, strict=True), start=1)
    ]
    return Content(alignments=tuple(alignments))


def _whole(side: Side, labels: Sequence[list[str]], given: Given, lines: Sequence[str]) -> Sequence[list[str]]:
    """The words of a side of each table, without end-of-sentence tokens: those that are given, if there are any."""
    most = _LONGEST[side]
    written = [[word for word in words if word != END] for words in labels]
    if not lines and not any(len(word) >= most for words in written for word in words):
        return written
    whole = given.words(side, len(labels))
    for number, (full, words) in enumerate(zip(whole, written, strict=True), start=1):
        if [word[:most] for word in full] != [word[:most] for word in words]:
            raise InputError(f"sentence {number}: the {side} words that are given are not those of the table")
    return whole
