"""Records read from untrusted JSON: types and bounds are checked by pydantic, and each fault is reported in one
sentence.

Records are plain dataclasses. Their annotations define what a file may contain: ``Annotated[int, Field(ge=1)]`` for a
bound, ``Literal`` for a choice, a ``Field`` with a description where neither says what a value is.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import math
import re
import types
import typing
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, NoReturn, TypeVar, cast

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from nmt.errors import InputError

FORMAT_VERSION = 1
"""Version of the layout of run folders and prepared folders, and of every JSON output (docs/formats.md)."""

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_LONG_NUMBER = re.compile("[0-9]{19}")
_MOST_SHOWN = 60
_NAMES: dict[Any, str] = {
    int: "a whole number",
    float: "a finite number",
    bool: "true or false",
    type(None): "null",
    str: "text",
}
_LIMITS = {
    "greater_than_equal": ("at least", "ge"),
    "greater_than": ("greater than", "gt"),
    "less_than_equal": ("at most", "le"),
    "less_than": ("less than", "lt"),
}
_LONGEST_CAUSE = 200

Record = TypeVar("Record")


def parse_json(text: str | bytes, name: str) -> Any:
    """Parse JSON. ``name`` says in the message what is read, usually a path.

    Raises InputError for bytes that are not UTF-8, for what is not JSON or nested too deeply, for NaN and infinite
    numbers, for whole ones of more than 64 bits, and for half of a surrogate pair, which no file can hold as text.
    """
    try:
        decoded = text if isinstance(text, str) else text.decode("utf-8")
        whole = _counted if _LONG_NUMBER.search(decoded) else None
        data = json.loads(decoded, parse_constant=_no_number, parse_float=_finite, parse_int=whole)
        if _SURROGATE.search(decoded):
            json.dumps(data, ensure_ascii=False).encode("utf-8")
    except RecursionError:
        raise InputError(f"{name} cannot be read as JSON: it is nested too deeply") from None
    except UnicodeEncodeError:
        raise InputError(f"{name} contains half of a surrogate pair, which is not a character") from None
    except ValueError as error:
        raise InputError(f"{name} cannot be read as JSON: {str(error)[:_LONGEST_CAUSE]}") from None
    return data


def parse_object(text: str | bytes, name: str) -> dict[str, Any]:
    """Parse a JSON object; InputError as ``parse_json``, and for any other value."""
    data = parse_json(text, name)
    if not isinstance(data, dict):
        raise InputError(f"{name} must contain a JSON object")
    return data


def check_format(data: Mapping[str, Any], name: str) -> None:
    """Raise InputError unless the object has the format version that this program reads."""
    version = data.get("format")
    if type(version) is not int or version != FORMAT_VERSION:
        raise InputError(f"{name} has format {_shown(version)}; this program reads format {FORMAT_VERSION}")


def as_record(
    cls: type[Record], data: Any, name: str = "", *, unknown: Literal["refuse", "ignore"] = "refuse"
) -> Record:
    """Build a record, nested records included, from parsed JSON.

    Values are not converted: "3" is not a number, and 3.5 or true not a whole one. The fields of the record that have
    a default may be missing.

    Args:
        name: what the data are of, before the sentence: usually a path.
        unknown: refuse keys that are not fields, or ignore them.

    Raises InputError for the first fault, with its key.
    """
    known: Any = cls
    try:
        extra: Literal["forbid", "ignore"] = "forbid" if unknown == "refuse" else "ignore"
        return cast(Record, _adapter(known).validate_json(json.dumps(data), strict=True, extra=extra))
    except ValidationError as error:
        fault = _sentence(cls, error.errors(include_url=False)[0])
    except (RecursionError, ValueError) as error:
        fault = str(error)[:_LONGEST_CAUSE]
    raise InputError(f"{name}: {fault}" if name else fault)


def to_data(record: Any) -> dict[str, Any]:
    """Convert a record to JSON types, nested records included; the inverse of ``as_record``."""
    cls: Any = type(record)
    data: dict[str, Any] = _adapter(cls).dump_python(record, mode="json", by_alias=True)
    return data


def check_fields(record: Any, section: str = "") -> None:
    """Raise InputError for the first field of a record whose value does not fit its annotation; for ``__post_init__``.
    ``section``: precedes the name of the field in the message."""
    cls: Any = type(record)
    for name, adapter in _field_adapters(cls).items():
        value = getattr(record, name)
        try:
            adapter.validate_python(value, strict=True)
        except ValidationError as error:
            _refuse(f"{section}{name}", _hints(cls)[name], value, error)


def from_text(annotation: Any, text: str, key: str) -> Any:
    """Convert a text, such as the value of a command-line option, to the type of a field; "null" and "none" for None,
    commas between the items of a tuple. InputError names ``key``."""
    options = _options(annotation)
    if type(None) in options and text.lower() in ("null", "none"):
        return None
    values: Any = text
    if any(typing.get_origin(option) is tuple for option in options):
        values = tuple(part.strip() for part in text.split(",")) if text else ()
    try:
        return TypeAdapter(annotation).validate_python(values)
    except ValidationError as error:
        _refuse(key, annotation, text, error)


def check_key(cls: Any, key: str, section: str = "") -> None:
    """Raise InputError, with the most similar field, unless the record has a field ``key``."""
    known = list(_hints(cls))
    if key not in known:
        near = difflib.get_close_matches(key, known, n=1)
        hint = f"did you mean {section}{near[0]}?" if near else f"known are {', '.join(known)}"
        raise InputError(f"there is no setting {section}{_printable(key)}; {hint}")


def field_type(cls: Any, key: str) -> Any:
    """The annotation of a field."""
    return _hints(cls)[key]


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a finite number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:_MOST_SHOWN]} is not a finite number")
    return value


def _counted(text: str) -> int:
    value = int(text) if len(text) < 21 else 2**63
    if not -(2**63) <= value < 2**63:
        raise ValueError(f"{text[:_MOST_SHOWN]} is too large a number")
    return value


@cache
def _adapter(cls: Any) -> TypeAdapter[Any]:
    return TypeAdapter(cls)


@cache
def _field_adapters(cls: Any) -> dict[str, TypeAdapter[Any]]:
    return {name: TypeAdapter(annotation) for name, annotation in _hints(cls).items()}


@cache
def _hints(cls: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(cls, include_extras=True)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls)}


def _refuse(key: str, annotation: Any, value: Any, error: ValidationError) -> NoReturn:
    detail = error.errors(include_url=False)[0]
    raise InputError(f"{key} must be {_needed(detail, annotation)}, not {_shown(value)}") from None


def _sentence(cls: type[Any], detail: ErrorDetails) -> str:
    """Describe a fault in one clause, with its key."""
    location, kind = detail["loc"], detail["type"]
    key = _key(location)
    if kind == "value_error":
        cause = detail["ctx"]["error"]
        return str(cause) if isinstance(cause, InputError) or not key else f"{key}: {cause}"
    if kind == "json_invalid":
        return "the content is nested too deeply"
    if kind == "missing":
        return f"{key} is missing"
    if kind == "unexpected_keyword_argument":
        parent = _some(_at(cls, location[:-1]))
        try:
            check_key(parent, str(location[-1]), f"{_key(location[:-1])}." if len(location) > 1 else "")
        except InputError as error:
            return str(error)
    return f"{key or 'the content'} must be {_needed(detail, _at(cls, location))}, not {_shown(detail['input'])}"


def _key(location: Sequence[int | str]) -> str:
    """A path such as ``train[0].source``."""
    key = ""
    for step in location:
        key += f"[{step}]" if isinstance(step, int) else f".{_printable(step)}" if key else _printable(step)
    return key


def _at(annotation: Any, location: Sequence[int | str]) -> Any:
    """The annotation of a nested value."""
    for step in location:
        annotation = _some(annotation)
        arguments = typing.get_args(annotation)
        if hasattr(annotation, "__dataclass_fields__"):
            annotation = _hints(annotation).get(str(step), Any)
        elif not arguments:
            return Any
        elif isinstance(step, int):
            repeated = len(arguments) < 2 or arguments[1] is Ellipsis
            annotation = arguments[0 if repeated else min(step, len(arguments) - 1)]
        else:
            annotation = arguments[-1]
    return annotation


def _needed(detail: ErrorDetails, annotation: Any) -> str:
    """Describe what a value must be: its description, the limit that it exceeds, or its type."""
    context, kind = detail.get("ctx", {}), detail["type"]
    if kind in _LIMITS and not any(map(_description, _options(annotation))):
        words, name = _LIMITS[kind]
        limit = context[name]
        return f"{words} {limit:g}" if isinstance(limit, float) else f"{words} {limit}"
    return describe(annotation)


def describe(annotation: Any) -> str:
    """The values that an annotation allows, in words.

    >>> describe(int | None), describe(Literal["a", "b"])
    ('a whole number or null', 'one of a, b')
    """
    return " or ".join(dict.fromkeys(_described(option) for option in _options(annotation)))


def _described(option: Any) -> str:
    if _description(option):
        return _description(option)
    bare, arguments = _bare(option), typing.get_args(_bare(option))
    origin = typing.get_origin(bare)
    if origin is Literal:
        return "one of " + ", ".join(str(value) for value in arguments)
    if origin is tuple and _bare(arguments[0]) is int and arguments[-1] is Ellipsis:
        return "whole numbers separated by commas"
    if origin in (tuple, list):
        return "a list"
    if hasattr(bare, "__dataclass_fields__") or origin is not None:
        return "a JSON object"
    return _NAMES.get(bare, "of another type")


def _options(annotation: Any) -> tuple[Any, ...]:
    """The members of a union, or the annotation alone."""
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return typing.get_args(annotation)
    return (annotation,)


def _some(annotation: Any) -> Any:
    """The first member of a union that is not None."""
    return next(option for option in _options(annotation) if option is not type(None))


def _bare(annotation: Any) -> Any:
    return typing.get_args(annotation)[0] if typing.get_origin(annotation) is Annotated else annotation


def _description(annotation: Any) -> str:
    """The description that a ``Field`` gives a value; "" if there is none."""
    notes = typing.get_args(annotation)[1:] if typing.get_origin(annotation) is Annotated else ()
    return next((note.description or "" for note in notes if isinstance(note, FieldInfo)), "")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + " …"


def _printable(key: str) -> str:
    return key[:_MOST_SHOWN].encode("utf-8", "backslashreplace").decode("utf-8")
