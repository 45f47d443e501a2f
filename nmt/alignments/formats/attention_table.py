"""The tables of OpenNMT-py's and eole's ``-attn_debug``. After a line of source words, each target word and the
end-of-sentence token has a line, with a weight for each source word. A star marks the largest weight of a row.

The programs cut source words after seven characters and target words after ten. If a word may have been cut, the user
has to give the words of its side. Other lines are ignored.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from nmt.alignments.formats import checks
from nmt.alignments.formats.checks import NOTHING, Content, FileTokens, Given, Side
from nmt.errors import InputError
from nmt.results import END

_LONGEST: dict[Side, int] = {"source": 7, "target": 10}
_PREFIX = re.compile(r"\[[0-9-]+ [^\]]*\] ?")
_HEADER = re.compile(r" {9,}\S.*")
_ROW = re.compile(r" *(\S+) +(\**[01]\.[0-9]+(?: +\**[01]\.[0-9]+)*) *")


def recognise(lines: Sequence[str]) -> bool:
    return any(_HEADER.fullmatch(_PREFIX.sub("", header)) and _ROW.fullmatch(row) for header, row in pairwise(lines))


def read(text: str, given: Given = NOTHING) -> Content:
    """Read each table. The words are those of ``given``, or those of the file if ``given`` has none. LackingError if a
    word may have been cut, and ``given`` lacks the words of its side. Raises InputError, which names sentence and row,
    if words and weights do not match, or words of ``given`` differ from the file."""
    sources, targets, maps = list[list[str]](), list[list[str]](), list[list[list[float]]]()
    header = False
    for line in checks.lines_of(text):
        row = _ROW.fullmatch(line)
        if row and header:
            where = f"sentence {len(maps)}, row {len(maps[-1]) + 1}"
            maps[-1].append(checks.numbers([weight.lstrip("*") for weight in checks.words(row[2], where)], where))
            targets[-1].append(row[1])
        elif header := bool(_HEADER.fullmatch(_PREFIX.sub("", line))):
            sources.append(checks.words(_PREFIX.sub("", line), checks.place(len(maps) + 1)))
            targets.append([])
            maps.append([])
            checks.check_sentences(len(maps))
    checks.check_sentences(len(maps))
    whole = _whole("source", sources, given, given.source), _whole("target", targets, given, given.target)
    return checks.of_tokens([*map(FileTokens, *whole, maps)])


def _whole(side: Side, labels: Sequence[list[str]], given: Given, lines: Sequence[str]) -> Sequence[list[str]]:
    """The words of a side of each table, without end-of-sentence tokens, from ``given`` if it has words."""
    most = _LONGEST[side]
    written = [[word for word in words if word != END] for words in labels]
    if not lines and not any(len(word) >= most for words in written for word in words):
        return written
    whole = given.words(side, len(labels))
    for number, (full, words) in enumerate(zip(whole, written, strict=True), start=1):
        if [word[:most] for word in full] != [word[:most] for word in words]:
            raise InputError(f"sentence {number}: the {side} words that are given are not those of the table")
    return whole
