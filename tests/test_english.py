"""The rules of English of CONTRIBUTING that a program can check, over the docstrings and the names of nmt."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

NMT = Path(__file__).parent.parent / "nmt"
BOUND = {"semicolon": 8, "long": 18, "likewise": 0, "name": 36}
"""What there is, rounded up: lower it when something was written anew, and never raise it."""
_MOST_WORDS = 25
_VAGUE = {"found", "given", "own", "kept", "known", "each", "one"}
_LIKEWISE = re.compile(r"(?:,? too|as well|likewise)[.;:]")


def faults_of(docstring: str) -> Iterator[str]:
    """The rules that a docstring breaks, one for each place."""
    text = re.sub(r"^\s*(?:>>>|\.\.\.).*$", "", docstring, flags=re.MULTILINE)
    yield from ["semicolon"] * (";" in text) + ["likewise"] * (_LIKEWISE.search(text) is not None)
    for sentence in re.split(r"(?<=[.:?!])\s+|\n\s*\n", text):
        if len(sentence.split()) > _MOST_WORDS:
            yield "long"


def faults(code: str) -> Iterator[str]:
    """The rules that the docstrings and the names of a module break."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from faults_of(ast.get_docstring(node) or "")
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in _VAGUE:
            yield "name"


def test_no_more_docstrings_and_names_break_a_rule() -> None:
    number = Counter(fault for path in NMT.rglob("*.py") for fault in faults(path.read_text("utf-8")))
    assert {rule: count for rule, count in number.items() if count > BOUND[rule]} == {}


@pytest.mark.parametrize(
    ("code", "broken"),
    [
        ('"""Read a file. It is JSON."""', []),
        ('"""Read a file; it is JSON."""', ["semicolon"]),
        ('"""Read a file, too."""', ["likewise"]),
        (f'"""{"word " * 26}."""', ["long"]),
        (f'"""{"word " * 20}. {"word " * 20}."""', []),
        ("def read():\n    '''Read; write.'''\n    found = 1\n    return found", ["name", "semicolon"]),
        ("for each in []:\n    number = each", ["name"]),
    ],
)
def test_each_rule_is_seen_where_it_is_broken(code: str, broken: list[str]) -> None:
    assert sorted(faults(code)) == broken
