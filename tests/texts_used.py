"""Texts of the program: their names, who uses them, and what fills their templates."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import nmt.texts
from nmt.charts.view_files import _visit
from nmt.texts import Texts, texts_in

ROOT = Path(__file__).parents[1]
TABLES = {const: table._prefix for const, table in vars(nmt.texts).items() if isinstance(table, Texts)}
"""The tables of texts by their names in Python."""
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


def named_texts(language: str) -> dict[str, Any]:
    """By dotted name what is read from a language: texts, lists and tables, but not what stands in these."""
    tables = {f"views.{view}" for view in texts_in("en")["views"]}
    return {
        name: value
        for name, value in texts_in(language).items()
        if ((table := name.rpartition(".")[0]) in TABLES.values() and name not in TABLES.values()) or table in tables
    }


@dataclass(frozen=True)
class Said:
    """A place of a script that says a text.

    Attributes:
        name: of the text, in the tables that the script is given.
        fields: that it fills, if they stand there.
    """

    name: str
    fields: frozenset[str] | None


_SAYS = re.compile(
    r"\b(?:say|counted)\((?:\w+\.)*texts\.(?P<said>\w+)[^,;]*,(?: [\w.]+,)? \{(?P<filled>[^{}]*)\}"
    r"|\btexts\.(?!js\b)(?P<read>\w+)"
    r"|\{ text: \"(?P<told>\w+)\"(?P<more>[^{}]*)\}"
    r"|\btext: \w+ \? \"(?P<one>\w+)\" : \"(?P<other>\w+)\""
)


def said_by_scripts(entry: Path) -> list[Said]:
    """All texts that a script names, and the modules that it imports."""
    modules: list[Path] = []
    _visit(entry, modules, ())
    found = []
    for match in (match for path in modules for match in _SAYS.finditer(path.read_text("utf-8"))):
        filled = match["filled"] if match["said"] else match["more"]
        names = filter(None, match.group("said", "read", "told", "one", "other"))
        found += [Said(name, None if filled is None else _keys(filled)) for name in names]
    return found


def _keys(filled: str) -> frozenset[str]:
    """Names of the properties of an object in JavaScript, whose values have no braces."""
    flat = filled
    while "(" in flat or "[" in flat:
        flat = re.sub(r"\([^()[\]]*\)|\[[^()[\]]*\]", "", flat)
    return frozenset(re.findall(r"(?:^|,)\s*(\w+)", flat))


@dataclass(frozen=True)
class Use:
    """A place that reads a text.

    Attributes:
        name: dotted.
        kind: "" for a text, "forms" or "by_key".
        node: the place.
    """

    name: str
    kind: str
    node: ast.expr


@cache
def uses(path: Path) -> list[Use]:
    """All places of a module that read a text: ``LOOK.lost``, and names in records, such as "charts.alpha"."""
    tree = ast.parse(path.read_text("utf-8"))
    tables = (
        dict(TABLES)
        if path == Path(nmt.texts.__file__)
        else {
            alias.asname or alias.name: TABLES[alias.name]
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "nmt.texts"
            for alias in node.names
            if alias.name in TABLES
        }
    )
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            name, _, chain = ast.unparse(node).partition(".")
            kind, _, text = chain.rpartition(".")
            if name in tables and kind in ("", "forms", "by_key") and text not in ("forms", "by_key"):
                found.append(Use(f"{tables[name]}.{text}", kind, node))
    names = named_texts("en")
    for literal in literals(tree):
        text = str(literal.value)
        if text in names:
            found.append(Use(text, "", literal))
        elif text.endswith(".") and isinstance(names.get(text[:-1]), dict):  # f"errors.terms.{word}"
            found.append(Use(text[:-1], "by_key", literal))
    return found


def wrong_fields(path: Path) -> list[str]:
    """Names of the templates that a module fills with other fields than they have: ``LOOK.x.format(…)``,
    ``say("errors.x", …)`` and ``counted(number, LOOK.forms.x, …)`` must name all of them and, but for a count, no
    other."""
    filled, names = _fields_filled(ast.parse(path.read_text("utf-8"))), named_texts("en")
    wrong = []
    for use in uses(path):
        given = filled.get((use.node.lineno, use.node.col_offset))
        if given is None or "" in given or isinstance(names[use.name], dict):
            continue
        templates = names[use.name] if use.kind == "forms" else (names[use.name],)
        wanted = {field for template in templates for field in fields(template)}
        if not wanted <= given <= wanted | {"count"}:
            wrong.append(use.name)
    return wrong


def fields(template: str) -> set[str]:
    """Names of the fields, also of those within the format of another one; of "a.b", which takes b of what fills it, a
    alone."""
    parts = [
        (field.partition(".")[0], form or "") for _, field, form, _ in Formatter().parse(template) if field is not None
    ]
    return {field for field, _ in parts}.union(*(fields(form) for _, form in parts))


def _fields_filled(tree: ast.Module) -> dict[tuple[int, int], set[str]]:
    """Names of the fields that a template is filled with, by the place where it is named."""
    found: dict[tuple[int, int], set[str]] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        names = {keyword.arg or "" for keyword in node.keywords}
        if isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            found[node.func.value.lineno, node.func.value.col_offset] = names
        elif isinstance(node.func, ast.Name) and node.func.id == "say":
            found[node.args[0].lineno, node.args[0].col_offset] = names
        elif isinstance(node.func, ast.Name) and node.func.id == "counted" and len(node.args) > 1:
            found[node.args[1].lineno, node.args[1].col_offset] = names | {"count"}
    return found
