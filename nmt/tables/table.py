"""A table: for people as text, Markdown or LaTeX, for programs with full numbers as CSV or JSON."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from nmt.alignments.formats.comma_separated import FORMULA
from nmt.tables.markdown import in_markdown

NOTHING = "–"
"""In a cell: not measured."""

Value = str | int | float | None

Record = dict[str, Value]


@dataclass(frozen=True, kw_only=True)
class Table:
    """A title, a head, and rows of as many cells; the first ``left`` columns are flush left, the others right.

    Attributes:
        data: records for programs, one field per value; if not given, programs get the cells.
    """

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
        """A table of Markdown, the title in bold above it."""
        plain = replace(self, head=[*map(in_markdown, self.head)], rows=[[*map(in_markdown, row)] for row in self.rows])
        return f"**{in_markdown(self.title)}**\n\n{plain.of_markdown()}"

    def of_markdown(self) -> str:
        """The table alone, of cells that are Markdown themselves, such as code and links."""
        rule = ["---" if k < self.left else "---:" for k in range(len(self.head))]
        cells = [[_BAR.sub(r"\|", " ".join(cell.split())) for cell in line] for line in (self.head, rule, *self.rows)]
        return "\n".join(f"| {' | '.join(line)} |" for line in cells)

    def latex(self) -> str:
        """A float with the title as its caption, for the package booktabs."""
        columns = "".join("l" if k < self.left else "r" for k in range(len(self.head)))
        head, *rows = (" & ".join(map(in_latex, line)) + r" \\" for line in (self.head, *self.rows))
        lines = [r"\begin{table}", r"\centering", rf"\caption{{{in_latex(self.title)}}}"]
        lines += [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule", *rows, r"\bottomrule"]
        return "\n".join([*lines, r"\end{tabular}", r"\end{table}"])

    def csv(self) -> str:
        """Field names, then one line per record; no cell becomes a formula in a spreadsheet."""
        records = self.records()
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\r\n")
        writer.writerow([_guarded(name) for name in records[0]] if records else self.head)
        writer.writerows([_guarded(v) if isinstance(v, str) else v for v in record.values()] for record in records)
        return file.getvalue()

    def records(self) -> list[Record]:
        """A field for each column, or ``data``."""
        if self.data:
            return [dict(record) for record in self.data]
        names = [name or ("name" if k == 0 else f"column {k + 1}") for k, name in enumerate(self.head)]
        return [dict(zip(names, row, strict=True)) for row in self.rows]


_BAR = re.compile(r"(?<!\\)\|")


def _guarded(text: str) -> str:
    """Prefix an apostrophe to text that a spreadsheet would take for a formula."""
    begins = text.lstrip()[:1]
    return f"'{text}" if begins and begins in FORMULA else text


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{character: f"\\{character}" for character in "{}$&#_%"},
}


def in_latex(text: str) -> str:
    """``text`` as LaTeX sets it: nothing in it is a command; white space is a space. A bracket or a star in front of a
    cell would belong to the end of the line before it, so it is kept apart."""
    flat = re.sub(r"\s+", " ", text)
    escaped = "".join(_LATEX.get(character, character) for character in flat)
    return f"{{}}{escaped}" if escaped.startswith(("[", "*")) else escaped
