"""Tables of strings: which texts stand in them, who uses these, and what fills their templates."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from string import Formatter
from types import ModuleType

ROOT = Path(__file__).parents[1]
PACKAGES = ("nmt.ui", "nmt.charts", "nmt.results", "nmt.alignments")
"""Where tables of strings are, each called ``strings``."""
_TWO_WORDS = re.compile(r"[^\W\d_] [^\W\d_]")


def texts(tree: ast.AST) -> Iterator[ast.Constant]:
    """String literals of more than one word, also those that are parts of an f-string."""
    return (node for node in literals(tree) if isinstance(node.value, str) and _TWO_WORDS.search(node.value))


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


def tables_in(tree: ast.Module) -> dict[str, ModuleType]:
    """Tables of strings that a module imports, by the name that they have in it."""
    return {
        name.asname or name.name: importlib.import_module(f"{node.module}.{name.name}")
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGES)
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


def unused_texts(package: str, modules: Iterable[Path]) -> set[tuple[str, str]]:
    """Table and name of each text that none of the modules uses, of all tables of a package that they import."""
    used, defined = set(), set()
    for path in modules:
        used |= {(table.__name__, name) for table, name, _ in texts_used(path)}
        tables = tables_in(ast.parse(path.read_text("utf-8"))).values()
        defined |= {(table.__name__, name) for table in tables for name in vars(table) if name.isupper()}
    return {(table, name) for table, name in defined - used if table.startswith(package)}


def wrong_fields(path: Path) -> list[str]:
    """Names of the templates that a module fills with other fields than they have: ``strings.X.format(…)`` and
    ``counted(number, strings.X, …)`` must name all of them and, but for a count, no other."""
    filled = _fields_filled(ast.parse(path.read_text("utf-8")))
    wrong = []
    for table, name, node in texts_used(path):
        given = filled.get((node.lineno, node.col_offset))
        if given is None:
            continue
        text = getattr(table, name)
        templates = text if isinstance(text, tuple) else (text,)
        wanted = {field for template in templates for field in _fields(template)}
        if not wanted <= given <= wanted | {"count"}:
            wrong.append(name)
    return wrong


def _fields(template: str) -> set[str]:
    """Names of the fields, also of those within the format of another one; of "a.b", which takes b of what fills it, a
    alone."""
    parts = [
        (field.partition(".")[0], form or "") for _, field, form, _ in Formatter().parse(template) if field is not None
    ]
    return {field for field, _ in parts}.union(*(_fields(form) for _, form in parts))


def _fields_filled(tree: ast.Module) -> dict[tuple[int, int], set[str]]:
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
