"""CSV for spreadsheets. The source words are in the first row, the target words in the first column, and the corner
states the policy of the weights. Several sentences: one table each, separated by empty lines.

UTF-8 with a byte order mark (without it Excel assumes another encoding), commas, words in quotation marks, weights with
a decimal point and as many digits as float32 needs.

**No cell becomes a formula.** A spreadsheet interprets a cell that begins with ``=``, ``+``, ``-`` or ``@`` as a
formula, some spreadsheets also after white space or control characters, or with the full-width form of the character.
Such a word is written with an apostrophe before it: ``'=1+1``. To make this reversible, the same applies to an empty
word, and to such a word after one or more apostrophes: ``'=1+1`` is written as ``''=1+1``. Other words that begin with
an apostrophe are unchanged: ``'s``.
"""

import csv
import io
from collections.abc import Iterator, Sequence

from nmt.alignments.formats import checks
from nmt.alignments.policy import Policy
from nmt.errors import InputError
from nmt.results import Alignment

FORMULA = "=+-@＝＋－＠"
"""Characters that begin a formula in a spreadsheet."""

_DELIMITERS = (",", ";", "\t")
_MOST_CELLS = 4 * checks.MAX_TOKENS
"""Most delimiters of a line, those within words among them."""
_BEGINNING = 1_000_000
"""Characters in which the first row is looked for."""


def write(alignments: Sequence[Alignment], policy: Policy, run: str = "") -> str:
    """Format a file as text; ``policy`` is applied first."""
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
    """Read a file written by ``write``, or any table with words in the first row and column. If the cells are separated
    by semicolons or tabs, decimal commas are accepted too.

    Raises:
        InputError: the text is not such a table; names sentence and row.
    """
    text = text.removeprefix("\ufeff")
    if max(text.count("\n"), text.count("\r")) > 2 * checks.MAX_ROWS:
        raise InputError(f"the file has more than {checks.MAX_ROWS:,} rows")
    for line in io.StringIO(text, newline=""):
        if max(map(line.count, _DELIMITERS)) > _MOST_CELLS:
            raise InputError(f"a row of the table has more than {checks.MAX_TOKENS:,} words")
    delimiter = max(_DELIMITERS, key=lambda one: _cells_of_first_row(text, one))
    alignments, size = [], checks.Size()
    for number, table in enumerate(_tables(text, delimiter), start=1):
        where = f"sentence {number}"
        header, *body = table
        source = [_unguarded(cell) for cell in header[1:]]
        size.add(len(body), len(source))
        target, rows = [], []
        for k, cells in enumerate(body, start=1):
            place = f"{where}, row {k}"
            values = cells[1:]
            while len(values) > len(source) and not values[-1].strip():
                values.pop()
            points = [value.strip() if delimiter == "," else value.strip().replace(",", ".") for value in values]
            target.append(_unguarded(cells[0]))
            rows.append(checks.numbers(points, place))
        alignments.append(checks.alignment(source, target, rows, where))
        checks.check_sentences(len(alignments))
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


def _cells_of_first_row(text: str, delimiter: str) -> int:
    """Number of cells of the first row in the beginning of the text; 0 if it is not that of a table."""
    try:
        return len(next((record for record in _records(text[:_BEGINNING], delimiter) if record), []))
    except InputError:
        return 0


def _tables(text: str, delimiter: str) -> Iterator[list[list[str]]]:
    """The records of each table, split at empty records. Spreadsheets make all records equally long, so empty cells
    after the last source word are left out."""
    table: list[list[str]] = []
    number = 1
    for record in _records(text, delimiter):
        if any(record):
            table.append(record if table else _without_tail(record))
            checks.check_length(max(len(table), len(table[0])) - 1, f"sentence {number}")
        elif table:
            yield table
            table, number = [], number + 1
    if table:
        yield table


def _without_tail(header: list[str]) -> list[str]:
    while len(header) > 1 and not header[-1]:
        header.pop()
    return header
