"""docs/paper.md against the `Paper:` tags in the docstrings, both ways."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "docs" / "paper.md"
HEADER = ["Section", "Equation", "In the paper", "In the code", "Where we deviate, and why"]
TAG = re.compile(r"Paper: (.*)")
REFERENCE = re.compile(r"eq\. \d+(-\d+)?|[A-C](\.\d)*|\d(\.\d)*|(Table|Figure) \d")


def references(text: str) -> set[str]:
    """The single sections, equations, tables and figures that a tag or a cell names, each range spelt out.

    What stands in brackets is a remark.
    """
    found: set[str] = set()
    for part in re.split(r"[,;]", re.sub(r"\(.*?\)", "", text)):
        name = re.sub(r"^(section|drawn as) ", "", part.strip().rstrip(" ."))
        if name in ("", "–"):
            continue
        assert REFERENCE.fullmatch(name), f"{part.strip()!r} in {text!r} is no section, equation, table or figure"
        bounds = re.fullmatch(r"eq\. (\d+)-(\d+)", name)
        found |= {f"eq. {k}" for k in range(int(bounds[1]), int(bounds[2]) + 1)} if bounds else {name}
    return found


@cache
def docstrings() -> dict[str, str]:
    """Dotted name -> docstring ("" where there is none) of every module, class, function and method."""
    found = {}

    def visit(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> None:
        found[name] = ast.get_docstring(node) or ""
        for child in node.body:
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                visit(child, f"{name}.{child.name}")

    for path in sorted(path for home in ("nmt", "release", "experiments") for path in (ROOT / home).rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        visit(ast.parse(path.read_text(encoding="utf-8")), name)
    return found


@cache
def tagged() -> dict[str, set[str]]:
    """Dotted name -> what its tag refers to."""
    found = {}
    for name, text in docstrings().items():
        tags = TAG.findall(text)
        assert len(tags) <= 1, f"{name} has more than one tag"
        if tags:
            found[name] = references(tags[0])
    return found


@cache
def rows() -> list[list[str]]:
    """The cells of the table, without its head."""
    section = TABLE.read_text(encoding="utf-8").split("## The table")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells[0] == HEADER
    assert all(len(row) == len(HEADER) for row in cells), "a cell has a | in it"
    return cells[2:]


@cache
def listed() -> dict[str, set[str]]:
    """Dotted name -> what all its rows together refer to."""
    found: dict[str, set[str]] = {}
    for section, equation, _, code, _ in rows():
        names = re.findall(r"`([^`]+)`", code)
        assert names, f"a row of {section} {equation} names no code"
        for name in names:
            found.setdefault(name, set()).update(references(f"{section}, {equation}"))
    return found


def test_all_code_in_the_table_exists() -> None:
    assert sorted(set(listed()) - set(docstrings())) == []


def test_all_code_in_the_table_carries_a_tag() -> None:
    assert sorted(set(listed()) - set(tagged())) == []


def test_every_tag_has_a_row() -> None:
    assert sorted(set(tagged()) - set(listed())) == []


def test_rows_and_tags_refer_to_the_same_places() -> None:
    differing = {
        name: (sorted(listed()[name]), sorted(tagged()[name]))
        for name in listed().keys() & tagged().keys()
        if listed()[name] != tagged()[name]
    }
    assert differing == {}, "table, then tag"


def test_other_names_in_the_page_exist() -> None:
    """Files and options that the prose speaks of."""
    text = TABLE.read_text(encoding="utf-8")
    for name in set(re.findall(r"`((?:tests|nmt|docs)/[^`]+)`", text)):
        assert (ROOT / name).exists(), name


def test_the_core_of_the_model_is_tagged() -> None:
    """Every numbered equation and every part of the appendix on the model has code."""
    everything = set().union(*tagged().values())
    wanted = {"eq. 4", "eq. 5", "eq. 6", "eq. 7", "A.1.1", "A.1.2", "A.2.1", "A.2.2", "A.2.3", "B.1", "B.2"}
    assert wanted <= everything
