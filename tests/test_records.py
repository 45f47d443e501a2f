"""Records are constructed by name: two numbers that change places would pass every type checker."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "nmt"

MOST_POSITIONAL = 3


def decorator(record: ast.ClassDef) -> ast.expr | None:
    """The ``dataclass`` decorator of a class, or None."""
    for expression in record.decorator_list:
        function = expression.func if isinstance(expression, ast.Call) else expression
        if ast.unparse(function).rpartition(".")[2] == "dataclass":
            return expression
    return None


def positional_fields(record: ast.ClassDef) -> list[str]:
    """The fields that the constructor takes by position."""
    dataclass = decorator(record)
    if dataclass is None or "kw_only=True" in ast.unparse(dataclass):
        return []
    fields = [line for line in record.body if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)]
    found = []
    for line in fields:
        text = ast.unparse(line)
        if ast.unparse(line.annotation) == "KW_ONLY":
            break
        if not any(word in text for word in ("ClassVar", "init=False", "kw_only=True")):
            found.append(ast.unparse(line.target))
    return found


def crowded(code: str) -> list[str]:
    """The records of a module that take more fields by position than is allowed."""
    classes = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.ClassDef)]
    return [record.name for record in classes if len(positional_fields(record)) > MOST_POSITIONAL]


def test_records_of_more_than_three_fields_are_keyword_only() -> None:
    modules = PACKAGE.rglob("*.py")
    assert {str(path): names for path in modules if (names := crowded(path.read_text(encoding="utf-8")))} == {}


@pytest.mark.parametrize(
    ("decorated", "refused"),
    [
        ("@dataclass", True),
        ("@dataclasses.dataclass(frozen=True)", True),
        ("@dataclass(frozen=True, kw_only=True)", False),
        ("", False),
    ],
)
def test_the_test_sees_positional_records(decorated: str, refused: bool) -> None:
    fields = "\n".join(f"    {name}: int = 1" for name in "abcd")
    assert crowded(f"{decorated}\nclass Four:\n{fields}") == (["Four"] if refused else [])
    assert crowded(f"{decorated}\nclass Two:\n{fields[:29]}\n    _: KW_ONLY\n    c: int\n    d: int") == []
    assert crowded(f"{decorated}\nclass Three:\n{fields[:-15]}\n    d: ClassVar[int] = 2") == []
