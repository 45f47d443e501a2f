"""Reads source files for tests of tables of strings: which texts they hold, and what they take from a table."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from string import Formatter
from types import ModuleType

ROOT = Path(__file__).parents[1]
_TWO_WORDS = re.compile(r"[^\W\d_] [^\W\d_]")


def texts_outside(modules: Sequence[Path], not_texts: dict[str, tuple[str, ...]]) -> list[str]:
    """List the literals of two words and more, with their places, but docstrings and messages of exceptions.

    Args:
        modules: files that are no tables.
        not_texts: by name of the file, how literals begin that are no texts.
    """
    return [
        f"{path.relative_to(ROOT)}, line {node.lineno}: {node.value!r}"
        for path in modules
        for node in _literals(ast.parse(path.read_text("utf-8")))
        if _TWO_WORDS.search(node.value) and not node.value.startswith(not_texts.get(path.name, ("\0",)))
    ]


def unused(modules: Sequence[Path], package: str) -> set[tuple[str, str]]:
    """Return table and name of each text that no module uses."""
    used = {(table.__name__, name) for path in modules for table, name, _ in _texts_used(path, package)}
    tables = {table.__name__: table for path in modules for table in _tables(_tree(path), package).values()}
    return {(name, text) for name, table in tables.items() for text in vars(table) if text.isupper()} - used


def check_templates(modules: Sequence[Path], package: str) -> None:
    """Hold that ``strings.X.format(…)`` and ``counted(number, strings.X, …)`` name the fields of the template, all of
    them."""
    for path in modules:
        filled = _fields_filled(_tree(path))
        for table, name, node in _texts_used(path, package):
            given = filled.get((node.lineno, node.col_offset))
            if given is not None:
                text = getattr(table, name)
                templates = text if isinstance(text, tuple) else (text,)
                wanted = {field for template in templates for field in _fields(template)}
                assert wanted <= given, name
                assert given - wanted <= {"count"}, name


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _literals(tree: ast.AST) -> Iterator[ast.Constant]:
    """String literals, also those that are parts of an f-string."""
    left_out = {
        id(statement.value)
        for node in ast.walk(tree)
        if isinstance(body := getattr(node, "body", None), list)
        for statement in body
        if isinstance(statement, ast.Expr)
    }
    left_out |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.Raise) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in left_out:
            yield node


def _tables(tree: ast.Module, package: str) -> dict[str, ModuleType]:
    """Tables of strings that a module imports, by the name that they have in it."""
    return {
        name.asname or name.name: importlib.import_module(f"{node.module}.{name.name}")
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(package)
        for name in node.names
        if name.name == "strings"
    }


def _texts_used(path: Path, package: str) -> Iterator[tuple[ModuleType, str, ast.Attribute]]:
    """Table, name and place of each text that a module takes from a table."""
    tree = _tree(path)
    tables = _tables(tree, package)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in tables:
            yield tables[node.value.id], node.attr, node


def _fields(template: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(template) if field is not None}


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
