"""All texts of the app are in tables of strings, and what fills the templates fits them."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from types import ModuleType

import pytest

import nmt.ui

UI = Path(nmt.ui.__file__).parent
ROOT = UI.parents[1]
TABLES = ("strings.py", "glossary.py", "examples.py", "gallery.py", "former_values.py")
"""Modules that hold texts: those of pages, explanations, sentences to start from, and values of old addresses."""
NO_TEXTS = {
    "app_shell.py": "<style>",
    "explain.py": '<p role="status">',
    "citation.py": "import nmt",
    "keys.py": "\nconst KEYS",
    "history.py": "<script>",
    "one_sentence.py": "<",
    "kept.py": "<",
    "ranges.py": "equal counts",
}
"""By module how a literal begins that is not a text but CSS, HTML, Python, JavaScript or the name of a setting."""
_TWO_WORDS = re.compile(r"[^\W\d_] [^\W\d_]")


def modules() -> list[Path]:
    return sorted([*UI.rglob("*.py"), *(ROOT / "pages").glob("*.py")])


def literals(tree: ast.AST) -> Iterator[ast.Constant]:
    """String literals but docstrings, also those that are parts of an f-string."""
    documented = {
        id(statement.value)
        for node in ast.walk(tree)
        if isinstance(body := getattr(node, "body", None), list)
        for statement in body
        if isinstance(statement, ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield node


def test_texts_are_in_tables_alone() -> None:
    found = [
        f"{path.relative_to(ROOT)}, line {node.lineno}: {node.value!r}"
        for path in modules()
        if path.name not in TABLES
        for node in literals(ast.parse(path.read_text("utf-8")))
        if _TWO_WORDS.search(node.value) and not node.value.startswith(NO_TEXTS.get(path.name, "\0"))
    ]
    assert not found


def tables_in(tree: ast.Module) -> dict[str, ModuleType]:
    """Tables of strings that a module imports, by the name that they have in it."""
    return {
        name.asname or name.name: importlib.import_module(f"{node.module}.{name.name}")
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nmt.ui")
        for name in node.names
        if name.name == "strings"
    }


def texts_used(path: Path) -> Iterator[tuple[ModuleType, str, ast.Attribute]]:
    """Table, name and place of each text that a module takes from a table."""
    tree = ast.parse(path.read_text("utf-8"))
    tables = tables_in(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in tables:
            yield tables[node.value.id], node.attr, node


def fields(template: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(template) if field is not None}


def test_every_text_is_used() -> None:
    used = {(table.__name__, name) for path in modules() for table, name, _ in texts_used(path)}
    defined = {
        (table.__name__, name)
        for path in modules()
        for table in tables_in(ast.parse(path.read_text("utf-8"))).values()
        for name in vars(table)
        if name.isupper()
    }
    assert not defined - used


@pytest.mark.parametrize("folder", sorted({path.parent for path in modules()}), ids=lambda path: path.name)
def test_templates_are_filled_with_their_fields(folder: Path) -> None:
    """``strings.X.format(…)`` and ``counted(number, strings.X, …)`` name the fields of the template, all of them."""
    for path in folder.glob("*.py"):
        filled = fields_filled(ast.parse(path.read_text("utf-8")))
        for table, name, node in texts_used(path):
            given = filled.get((node.lineno, node.col_offset))
            if given is not None:
                text = getattr(table, name)
                templates = text if isinstance(text, tuple) else (text,)
                wanted = {field for template in templates for field in fields(template)}
                assert wanted <= given, name
                assert given - wanted <= {"count"}, name


def fields_filled(tree: ast.Module) -> dict[tuple[int, int], set[str]]:
    """Names of the fields that a template is filled with, by the place where it is named."""
    found: dict[tuple[int, int], set[str]] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        names = {keyword.arg or "" for keyword in node.keywords}
        if isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            found[node.func.value.lineno, node.func.value.col_offset] = names
        elif isinstance(node.func, ast.Name) and node.func.id == "counted" and len(node.args) > 1:
            found[node.args[1].lineno, node.args[1].col_offset] = names | {"count"}
    return found
