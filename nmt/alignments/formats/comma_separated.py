"""CSV for spreadsheets. The source words are in the first row, and the target words in the first column. The corner
states the policy of the weights. Each sentence has a table, and empty lines separate the tables.

The file is UTF-8 with a byte order mark (without it Excel assumes another encoding). Commas separate cells. Words are
in quotation marks. Weights have a decimal point and as many digits as float32 needs.

**No cell becomes a formula.** A spreadsheet interprets a cell that begins with ``=``, ``+``, ``-`` or ``@`` as a
formula. Some do so after white space or control characters, or for the full-width form of the character. Such a word is
written with an apostrophe before it: ``'=1+1``. An empty word and a word of apostrophes alone also get an apostrophe.
The reader removes exactly one apostrophe, so a word that has apostrophes before such a character gets one more:
``'=1+1`` becomes ``''=1+1``. Other words such as ``'s`` are unchanged.
"""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from nmt.alignments.formats import checks, translations
from nmt.alignments.policy import Policy
from nmt.errors import InputError
from nmt.results import Alignment

FORMULA = "=+-@＝＋－＠"
"""Characters that begin a formula in a spreadsheet."""

_DELIMITERS = (",", ";", "\t")
_SPACE = re.compile(r"\s")
_SEPARATOR_LINE = re.compile(r"\s*sep=([,;\t])\r?\n", re.IGNORECASE)
_MOST_CELLS = 4 * checks.MAX_TOKENS
"""Most delimiters of a line, including delimiters within words."""
_BEGINNING = 1_000_000
"""Number of characters in which the first row is searched."""


def write(alignments: Sequence[Alignment], policy: Policy, run: str = "") -> str:
    """Format a file as text, after applying ``policy``."""
    corner = f"alpha of {run}: {policy.of_weights}" if run else f"alpha: {policy.of_weights}"
    tables = []
    for each_alignment in alignments:
        alignment = policy.applied(each_alignment).alignment
        lines = [",".join([_quoted(corner), *(_quoted(_guarded(word)) for word in alignment.source)])]
        for word, row in zip(alignment.target, alignment.weights, strict=True):
            lines.append(",".join([_quoted(_guarded(word)), *(str(weight) for weight in row)]))
        tables.append("".join(f"{line}\r\n" for line in lines))
    return "\ufeff" + "\r\n".join(tables)


def read(text: str) -> tuple[Alignment, ...]:
    """Read a file written by ``write``, or any table with words in the first row and column. If semicolons or tabs
    separate the cells, decimal commas are also accepted. A first line ``sep=;``, which Excel understands, is skipped.
    Raises InputError, which names sentence and row, for any other text."""
    text, delimiter = _table(text)
    if max(text.count("\n"), text.count("\r")) > 2 * checks.MAX_ROWS:
        raise InputError(f"the file has more than {checks.MAX_ROWS:,} rows")
    for line in io.StringIO(text, newline=""):
        if max(map(line.count, _DELIMITERS)) > _MOST_CELLS:
            raise InputError(f"a row of the table has more than {checks.MAX_TOKENS:,} words")
    alignments: list[Alignment] = []
    size = checks.Size()
    source: list[str] | None = None
    target: list[str] = []
    rows: list[NDArray[np.float64]] = []
    for record in chain(_records(text, delimiter), [[]]):  # an empty record ends a table
        where = checks.place(len(alignments) + 1)
        if any(record) and source is None:
            while len(record) > 1 and not record[-1]:
                record.pop()
            source = [_unguarded(cell) for cell in record[1:]]
            checks.check_length(len(source), where)
        elif any(record) and source is not None:
            size.add(1, len(source))
            target.append(_unguarded(record[0]))
            checks.check_length(len(target), where)
            rows.append(_weights(record[1:], len(source), delimiter, f"{where}, row {len(target)}"))
        elif source is not None:
            alignments.append(checks.alignment(source, target, rows, where))
            checks.check_sentences(len(alignments))
            source, target, rows = None, [], []
    checks.check_sentences(len(alignments))
    return tuple(alignments)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _needs_guard(word: str) -> bool:
    core = word.lstrip("'")
    return not core or core[0] in FORMULA or core[0].isspace() or core[0] < " "


def _guarded(word: str) -> str:
    return f"'{word}" if _needs_guard(word) else word


def _unguarded(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _needs_guard(cell) else cell


def _records(text: str, delimiter: str) -> Iterator[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        yield from reader
    except csv.Error as error:
        fault = "a cell is too long" if "field limit" in str(error) else error
        raise InputError(f"line {reader.line_num} of the table cannot be read: {fault}") from None


def _first_rows(text: str, delimiter: str) -> list[list[str]]:
    """The first two rows of the text. Empty if the text does not begin with a table."""
    try:
        return list(islice(filter(None, _records(text[:_BEGINNING], delimiter)), 2))
    except InputError:
        return []


def _table(text: str) -> tuple[str, str]:
    """Return the text, without a byte order mark and Excel's line ``sep=;``, and the delimiter of the cells."""
    text = text.removeprefix("\ufeff")
    named = _SEPARATOR_LINE.match(text)
    if named:
        return text[named.end() :], named[1]
    return text, max(_DELIMITERS, key=lambda delimiter: len(next(iter(_first_rows(text, delimiter)), [])))


def recognise(lines: Sequence[str]) -> bool:
    """Tell if a file begins with a row of words, and then a row that has a word and numbers."""
    text, delimiter = _table("\n".join(lines))
    first, second = (*_first_rows(text, delimiter), [], [])[:2]
    words, weights = ([cell for cell in row[1:] if cell.strip()] for row in (first, second))
    numbers = [
        checks.is_number(_point(cell, delimiter)) for cell in (*first[:1], *words, *second[:1], *weights) if cell
    ]
    if " ||| " in "".join(first[:1]) or translations.stands_alone(lines[0]):
        return False  # numbers with commas after a text, or alone
    return bool(words and weights) and any(numbers[-len(weights) :]) and not all(numbers)  # all: a matrix without words


def _point(cell: str, delimiter: str) -> str:
    """A cell with a decimal point."""
    return cell.strip() if delimiter == "," else cell.strip().replace(",", ".")


def _weights(cells: list[str], words: int, delimiter: str, where: str) -> NDArray[np.float64]:
    """Read the weights of a row. Empty cells after the last source word are left out, because spreadsheets make all
    rows of a file equally long."""
    while len(cells) > words and not cells[-1].strip():
        cells.pop()
    row = "".join(cells)
    if _SPACE.search(row) or (delimiter != "," and "," in row):  # most rows have neither spaces nor decimal commas
        cells = [_point(cell, delimiter) for cell in cells]
    return np.array(checks.numbers(cells, where))
