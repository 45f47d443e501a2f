"""Records are constructed by name: two numbers that change places would pass every type checker. And what does not fit
into one is said in a sentence, wherever it stands."""

import ast
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from nmt.errors import InputError
from nmt.records import as_record, check_format, parse_json, parse_object, to_data

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


@dataclass(frozen=True, kw_only=True)
class Inner:
    number: Annotated[int, Field(ge=1)]
    kind: Literal["a", "b"] = "a"
    share: Annotated[float, Field(gt=0, le=1, description="a share")] = 1.0
    text: Annotated[str, Field(max_length=3)] = ""


@dataclass(frozen=True, kw_only=True)
class Outer:
    pairs: tuple[tuple[int, Inner], ...] = ()
    table: Mapping[str, Inner] | None = None
    one: Inner | None = None
    alone: tuple[Inner] | None = None
    named: Annotated[int, Field(alias="other", ge=0)] = 0


WHOLE = {
    "pairs": [[3, {"number": 1}], [4, {"number": 2, "share": 0.5}]],
    "table": {"x": {"number": 7, "kind": "b"}},
    "one": {"number": 1, "text": "abc"},
    "alone": [{"number": 9}],
    "other": 5,
}


def test_a_record_is_read_and_written() -> None:
    found = as_record(Outer, WHOLE)
    assert found == Outer(
        pairs=((3, Inner(number=1)), (4, Inner(number=2, share=0.5))),
        table={"x": Inner(number=7, kind="b")},
        one=Inner(number=1, text="abc"),
        alone=(Inner(number=9),),
        named=5,
    )
    assert as_record(Outer, to_data(found)) == found
    assert to_data(found)["other"] == 5
    assert as_record(Outer, {}) == Outer()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"one": {"number": 0}}, "one.number must be greater than or equal to 1, not 0"),
        ({"one": {"number": "3"}}, "one.number must be a valid integer, not '3'"),
        ({"one": {"number": 1, "share": 2}}, "one.share must be a share, not 2"),
        ({"one": {"number": 1, "kind": "c"}}, "one.kind must be one of a, b, not 'c'"),
        ({"one": {}}, "one.number is missing"),
        ({"pairs": [[1, {"number": 1}], [1, {"number": 1, "share": 0}]]}, "pairs[1][1].share must be a share, not 0"),
        ({"pairs": [["x", {"number": 1}]]}, "pairs[0][0] must be a valid integer, not 'x'"),
        (
            {"pairs": [[1, {"number": 1, "nmber": 3}]]},
            "there is no setting pairs[0][1].nmber; did you mean pairs[0][1].number?",
        ),
        ({"table": {"x": {"number": 1, "share": 0}}}, "table.x.share must be a share, not 0"),
        ({"alone": [{"number": 1, "share": 0}]}, "alone[0].share must be a share, not 0"),
        ({"other": -1}, "other must be greater than or equal to 0, not -1"),
        ({"otter": 1}, "there is no setting otter; did you mean other?"),
        ({"zzz": 1}, "there is no setting zzz; known are pairs, table, one, alone, other"),
        ({"other": "x" * 58}, f"other must be a valid integer, not '{'x' * 58}'"),
        ({"other": "x" * 59}, f"other must be a valid integer, not '{'x' * 59} …"),
    ],
)
def test_a_fault_of_a_record_is_said_with_its_place(data: Any, said: str) -> None:
    for name, begins in (("", ""), ("a.json", "a.json: ")):
        with pytest.raises(InputError) as error:
            as_record(Outer, data, name)
        assert str(error.value) == begins + said


def test_what_is_unknown_may_be_ignored() -> None:
    assert as_record(Outer, {"zzz": 1, "other": 2}, unknown="ignore") == Outer(named=2)


@pytest.mark.parametrize("number", [2**63 - 1, -(2**63), 10**18, -(10**18), 0])
def test_whole_numbers_of_64_bits_are_read(number: int) -> None:
    assert parse_json(f"[{number}]", "it") == [number]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"[{2**63}]", f"{2**63} is too large a number"),
        (f"[{-(2**63) - 1}]", f"{-(2**63) - 1} is too large a number"),
        ("1" * 5000, "1" * 60 + " is too large a number"),
        ("[1e999]", "1e999 is not a finite number"),
        ("[NaN]", "NaN is not a finite number"),
        ("[" * 100_000, "it is nested too deeply"),
        ("{", "Expecting property name"),
        ('{"beam": 1, "n": {"beam": 2, "k": 3, "beam": 2}}', "'beam' is there twice in one object"),
    ],
)
def test_what_is_no_json_is_said(text: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        parse_json(text, "a.json")
    assert str(error.value).startswith(f"a.json cannot be read as JSON: {said}")


def test_a_text_is_whole_characters() -> None:
    assert parse_json(json.dumps("👍"), "it") == "👍"
    with pytest.raises(InputError, match=r"^it contains half of a surrogate pair"):
        parse_json(json.dumps("\ud800"), "it")
    with pytest.raises(InputError, match=r"^it cannot be read as JSON: 'utf-8'"):
        parse_json(b'"\xff"', "it")


@pytest.mark.parametrize("data", [{}, {"format": 2}, {"format": True}, {"format": 1.0}, {"format": "1"}])
def test_another_format_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=rf"^it has format {data.get('format')!r}; this program reads format 1$"):
        check_format(data, "it")
    check_format({"format": 1}, "it")
    with pytest.raises(InputError, match=r"^it must contain a JSON object$"):
        parse_object("[]", "it")
