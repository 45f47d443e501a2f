"""Tables, written as plain text, Markdown, LaTeX, CSV and JSON."""

import csv
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nmt.alignments.formats.comma_separated import FORMULA
from nmt.errors import InputError
from nmt.files import export, in_latex
from nmt.records import FORMAT_VERSION
from nmt.results import FinishedTranslation

_MARKS = re.compile(r"[\\`*~$|<]|(?<![^\W_])_|_(?![^\W_])|(?<=\])\(|&(?=#?\w+;)")


def in_markdown(text: str) -> str:
    r"""Escape ``text`` for one line of Markdown, so that no part of it becomes a mark, a link or HTML.

    >>> print(in_markdown("*a_b* <i> [68, 79]"))
    \*a_b\* \<i> [68, 79]
    """
    return _MARKS.sub(r"\\\g<0>", " ".join(text.split()))


NOTHING = "–"
"""Content of a cell whose value was not measured."""

Value = str | int | float | None

Record = dict[str, Value]


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table: title, head, and rows as long as the head. The first ``left`` columns are flush left, the others right.
    ``data``: records for CSV and JSON, one field per value. If empty, the cells are written there."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int = 1
    data: Sequence[Mapping[str, Value]] = ()

    def text(self) -> str:
        """Plain text with columns separated by spaces."""
        lines = [self.head, *self.rows]
        widths = [max(len(line[k]) for line in lines) for k in range(len(self.head))]
        body = [
            "  ".join(cell.ljust(widths[k]) if k < self.left else cell.rjust(widths[k]) for k, cell in enumerate(line))
            for line in lines
        ]
        return "\n".join([self.title, *(line.rstrip() for line in body)])

    def markdown(self) -> str:
        """A Markdown table with the title in bold above the table."""
        plain = replace(self, head=[*map(in_markdown, self.head)], rows=[[*map(in_markdown, row)] for row in self.rows])
        return f"**{in_markdown(self.title)}**\n\n{plain.of_markdown()}"

    def of_markdown(self) -> str:
        """The table in Markdown, without title, if the cells are Markdown themselves, such as code and links."""
        rule = ["---" if k < self.left else "---:" for k in range(len(self.head))]
        cells = [[_BAR.sub(r"\|", " ".join(cell.split())) for cell in line] for line in (self.head, rule, *self.rows)]
        return "\n".join(f"| {' | '.join(line)} |" for line in cells)

    def latex(self) -> str:
        """A LaTeX float with the title as caption, for the package booktabs."""
        columns = "".join("l" if k < self.left else "r" for k in range(len(self.head)))
        head, *rows = (" & ".join(map(_in_cell, line)) + r" \\" for line in (self.head, *self.rows))
        lines = [r"\begin{table}", r"\centering", rf"\caption{{{in_latex(self.title)}}}"]
        lines += [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule", *rows, r"\bottomrule"]
        return "\n".join([*lines, r"\end{tabular}", r"\end{table}"])

    def csv(self) -> str:
        """Field names, then one line per record. No cell becomes a formula in a spreadsheet."""
        records = self.records()
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\r\n")
        writer.writerow([_guarded(name) for name in records[0]] if records else self.head)
        writer.writerows([_guarded(v) if isinstance(v, str) else v for v in record.values()] for record in records)
        return file.getvalue()

    def records(self) -> list[Record]:
        """The records in ``data``. Without ``data``, one record per row, with one field per column."""
        if self.data:
            return [dict(record) for record in self.data]
        names = [name or ("name" if k == 0 else f"column {k + 1}") for k, name in enumerate(self.head)]
        return [dict(zip(names, row, strict=True)) for row in self.rows]


_BAR = re.compile(r"(?<!\\)\|")


def _guarded(text: str) -> str:
    """Put an apostrophe before text that a spreadsheet would take for a formula."""
    begins = text.lstrip()[:1]
    return f"'{text}" if begins and begins in FORMULA else text


def _in_cell(text: str) -> str:
    """``text`` in LaTeX. Without {} before an initial bracket or star, LaTeX would read it as part of the row above."""
    escaped = in_latex(text)
    return f"{{}}{escaped}" if escaped.startswith(("[", "*")) else escaped


def tables_text(tables: Sequence[Table], format: str) -> str:
    """The content of a file in the format "csv" (an empty line between tables), "tex" (with booktabs), "json" or "md".

    Raises InputError for another format.
    """
    if format not in _WRITERS:
        raise InputError(f"tables are written as .csv, .tex, .json or .md, not {format!r}")
    return _WRITERS[format](tables)


def write_tables(path: str | Path, tables: Sequence[Table]) -> None:
    """Write tables to a file. Raises InputError for an unknown suffix, and for a path that cannot be written."""
    path = Path(path)
    export(path, tables_text(tables, path.suffix.removeprefix(".").lower()).encode())


def _json(tables: Sequence[Table]) -> str:
    data = {"format": FORMAT_VERSION, "tables": [{"title": t.title, "records": t.records()} for t in tables]}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


_BOOKTABS = r"% \usepackage{booktabs}, with UTF-8 as the encoding of the document"
_WRITERS: dict[str, Callable[[Sequence[Table]], str]] = {
    "csv": lambda tables: "\ufeff" + "\r\n".join(table.csv() for table in tables),
    "tex": lambda tables: "\n\n".join([_BOOKTABS, *(table.latex() for table in tables)]) + "\n",
    "json": _json,
    "md": lambda tables: "\n\n".join(table.markdown() for table in tables) + "\n",
}
FORMATS = tuple(_WRITERS)


def as_tsv(translations: Sequence[FinishedTranslation]) -> str:
    """Format translations as tab-separated lines after a head line: source, translation, log-probability in nats. A tab
    or line break within a text becomes a space.

    >>> as_tsv([FinishedTranslation(source="a\\tb", text="c", tokens=2, log_probability=-0.5)])
    'source\\ttranslation\\tlog_probability\\na b\\tc\\t-0.5\\n'
    """
    rows = [["source", "translation", "log_probability"]]
    rows += [[_flat(t.source), _flat(t.text), repr(float(t.log_probability))] for t in translations]
    return "".join("\t".join(row) + "\n" for row in rows)


def _flat(text: str) -> str:
    return " ".join(text.replace("\t", " ").splitlines())
