"""Tables as files are read back by other readers, with the full numbers of the records."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from nmt.errors import InputError
from nmt.files import in_latex
from nmt.tables.comparison import difference_tables, tables
from nmt.tables.table import FORMATS, Table, tables_text, write_tables
from tests.tables.examples import HOSTILE, comparison


def everything() -> list[Table]:
    return [*tables(comparison()), *difference_tables(comparison())]


def csv_blocks(text: str) -> list[list[dict[str, str]]]:
    assert text.startswith("\ufeff")
    blocks: list[list[list[str]]] = [[]]
    for row in csv.reader(io.StringIO(text[1:], newline="")):
        if row:
            blocks[-1].append(row)
        else:
            blocks.append([])
    return [[dict(zip(head, row, strict=True)) for row in rows] for head, *rows in blocks]


def test_csv_and_json_hold_the_full_numbers() -> None:
    given = everything()
    blocks = csv_blocks(tables_text(given, "csv"))
    data = json.loads(tables_text(given, "json"))
    assert data["format"] == 1
    assert len(blocks) == len(data["tables"]) == len(given)
    for table, block, plain in zip(given, blocks, data["tables"], strict=True):
        assert plain["title"] == table.title
        assert len(block) == len(plain["records"]) == len(table.records())
        for row, record in zip(block, plain["records"], strict=True):
            assert list(row) == list(record)
            for cell, value in zip(row.values(), record.values(), strict=True):
                if isinstance(value, int | float):
                    assert float(cell) == value
                else:
                    assert cell.removeprefix("'") == (value or "").removeprefix("'")
    scores = comparison().scores[HOSTILE]["one"].everything
    assert scores is not None
    assert [r["bleu"] for r in data["tables"][0]["records"] if r["system"] == HOSTILE] == [scores.bleu]


def test_no_cell_of_csv_is_a_formula_but_numbers_stay() -> None:
    cells = [cell for block in csv_blocks(tables_text(everything(), "csv")) for row in block for cell in row.values()]
    dangerous = [cell for cell in cells if cell[:1] in ("=", "+", "-", "@", "\t")]
    assert all(re.fullmatch(r"-[\d.e-]+", cell) for cell in dangerous)
    assert f"'{HOSTILE}" in cells


def untex(text: str) -> str:
    """What LaTeX would set."""
    names = {"textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textless": "<", "textgreater": ">"}
    names["textbar"] = "|"
    text = re.sub(r"\\(text\w+)\{\}", lambda found: f"\0{ord(names[found[1]])}\0", text.removeprefix("{}"))
    text = re.sub(r"\\([{}$&#_%])", lambda found: f"\0{ord(found[1])}\0", text)
    assert not re.search(r"[\\{}$&#_%~^]", text), text  # nothing that LaTeX would not take as it is
    return re.sub("\0(\\d+)\0", lambda found: chr(int(found[1])), text)


def test_latex_has_every_cell_and_no_command_of_a_name() -> None:
    text = tables_text(everything(), "tex")
    bodies = re.findall(r"\\begin\{tabular\}\{(\w+)\}\n\\toprule\n(.*?)\\bottomrule\n\\end\{tabular\}", text, re.DOTALL)
    assert len(bodies) == len(everything())
    for table, (columns, body) in zip(everything(), bodies, strict=True):
        assert columns == "l" * table.left + "r" * (len(table.head) - table.left)
        lines = [line for line in body.splitlines() if line != r"\midrule"]
        cells = [[untex(c) for c in re.split(r"(?<!\\) & ", line.removesuffix(r" \\"))] for line in lines]
        assert cells == [list(row) for row in (table.head, *table.rows)]
        assert not any(re.match(r"[\[*]", line) for line in lines)
    assert text.count(r"\end{table}") == len(bodies)


@pytest.mark.parametrize("text", [HOSTILE, "[a]", "* b", "a\n\tb", "\\", "{}", "l'été – 95 %"])
def test_latex_sets_any_text_as_it_is(text: str) -> None:
    assert untex(in_latex(text)) == re.sub(r"\s+", " ", text)


def shown(markdown: str) -> tuple[str, list[list[str]]]:
    """What a reader of Markdown makes of a title and a table: both as plain text. Marks and links of any kind fail."""
    title, *cells = [
        token for token in MarkdownIt().enable(["table", "strikethrough"]).parse(markdown) if token.type == "inline"
    ]
    assert [child.type for child in title.children or []] == ["text", "strong_open", "text", "strong_close", "text"]
    assert {child.type for cell in cells for child in cell.children or []} <= {"text", "text_special"}
    texts = ["".join(child.content for child in token.children or []) for token in (title, *cells)]
    return texts[0], [texts[1:4], texts[4:7]]


@pytest.mark.parametrize(
    "name",
    [
        HOSTILE, "*a*:b", "**x**", "_a_ __b__ a_b", "`code` ``", "[a](b)", "![a](b)", "~~gone~~", "<b>x</b><!--",
        "&lt; &#42; a&b", "a|b\\|c", "\\", "\\*", "$x$ $$", "two\nlines", "# 1. - +", "[68, 79]", "end\\",
    ],
)  # fmt: skip
def test_markdown_shows_names_as_they_are(name: str) -> None:
    flat = " ".join(name.split())
    title, rows = shown(Table(title=name, head=["", name, name], rows=[[name, "1.0", name]]).markdown())
    assert title == flat
    assert rows == [["", flat, flat], [flat, "1.0", flat]]


@given(st.integers(0, 4), st.lists(st.lists(st.text("ab1 ", max_size=4), min_size=4, max_size=4), max_size=4))
def test_columns_of_plain_text_are_flush(left: int, rows: list[list[str]]) -> None:
    """Those on the left begin, the others end at one place: that of the longest cell, two spaces from the next."""
    table = Table(title="t", head=["h", "two", "", "4"], rows=rows, left=left)
    title, *lines = table.text().split("\n")
    assert title == "t"
    begin = 0
    for k in range(4):
        column = [table.head[k], *(row[k] for row in rows)]
        end = begin + max(map(len, column))
        for line, cell in zip(lines, column, strict=True):
            assert line == line.rstrip()
            padding = " " * (end - begin - len(cell))
            assert line.ljust(end)[begin:end] == (cell + padding if k < left else padding + cell)
            assert not line[end : end + 2].strip()
        begin = end + 2
    assert max(map(len, lines)) <= begin - 2


def test_files(tmp_path: Path) -> None:
    for format in FORMATS:
        path = tmp_path / f"tables.{format}"
        write_tables(path, everything())
        assert path.read_bytes().decode() == tables_text(everything(), format)
    with pytest.raises(InputError, match=r"\.csv, \.tex, \.json .*\.md, .*'xls'"):
        write_tables(tmp_path / "a.xls", everything())
    with pytest.raises(InputError, match=r"none/a\.csv"):
        write_tables(tmp_path / "none" / "a.csv", everything())
    assert not (tmp_path / "a.xls").exists()


def test_a_table_without_records_gives_its_cells() -> None:
    assert Table(title="", head=["", "b", ""], rows=[["x", "1", "2"]]).records() == [
        {"name": "x", "b": "1", "column 3": "2"}
    ]


def test_every_format_to_the_last_sign() -> None:
    tables = [
        Table(title="Été", head=["", "BLEU"], rows=[["=a|b", "–"]], data=[{"name": "=é", "bleu": -0.5}]),
        Table(title="b", head=["x", "y", "z"], rows=[["[c]", "d", "1"]], left=2),
    ]
    assert tables_text(tables, "csv") == "\ufeffname,bleu\r\n'=é,-0.5\r\n\r\nx,y,z\r\n[c],d,1\r\n"
    assert tables_text(tables, "md") == (
        "**Été**\n\n|  | BLEU |\n| --- | ---: |\n| =a\\|b | – |\n\n"
        "**b**\n\n| x | y | z |\n| --- | --- | ---: |\n| [c] | d | 1 |\n"
    )
    assert tables_text(tables, "json") == (
        '{\n "format": 1,\n "tables": [\n'
        '  {\n   "title": "Été",\n   "records": [\n    {\n     "name": "=é",\n     "bleu": -0.5\n    }\n   ]\n  },\n'
        '  {\n   "title": "b",\n   "records": [\n    {\n     "x": "[c]",\n     "y": "d",\n     "z": "1"\n    }\n'
        "   ]\n  }\n ]\n}\n"
    )
    begin, *floats = tables_text(tables, "tex").split("\n\n")
    assert begin.startswith(r"% \usepackage{booktabs}")
    assert floats[1].splitlines() == [
        *(r"\begin{table}", r"\centering", r"\caption{b}", r"\begin{tabular}{llr}", r"\toprule"),
        *(r"x & y & z \\", r"\midrule", r"{}[c] & d & 1 \\", r"\bottomrule", r"\end{tabular}", r"\end{table}"),
    ]
