"""Records from untrusted JSON. pydantic checks types and bounds, and each fault is reported in one sentence.

Records are plain dataclasses. Their annotations define the valid values: ``Annotated[int, Field(ge=1)]`` for a bound,
``Literal`` for a choice, and a ``Field`` with a description for any other rule.
"""

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
from nmt.texts import ERRORS, say

FORMAT_VERSION = 1
"""Version of the layout of run folders and prepared folders, and of every JSON output (docs/formats.md)."""

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_LONG_NUMBER = re.compile("[0-9]{19}")
_MOST_SHOWN = 60

Record = TypeVar("Record")


def parse_json(text: str | bytes, name: str) -> Any:
    """Parse JSON. ``name``, usually a path, is the subject of the message.

    Raises InputError for bytes that are not UTF-8, text that is not JSON, too deep nesting, and an object that has a
    name twice. InputError also for NaN, infinite numbers, integers of more than 64 bits, and half of a surrogate pair.
    """
    try:
        decoded = text if isinstance(text, str) else text.decode("utf-8")
        whole = _counted if _LONG_NUMBER.search(decoded) else None
        data = json.loads(
            decoded, parse_constant=_no_number, parse_float=_finite, parse_int=whole, object_pairs_hook=_distinct
        )
        if _SURROGATE.search(decoded):
            json.dumps(data, ensure_ascii=False).encode("utf-8")
    except RecursionError:
        raise InputError(f"{name} cannot be read as JSON: it is nested too deeply") from None
    except UnicodeEncodeError:
        raise InputError(f"{name} contains half of a surrogate pair, which is not a character") from None
    except ValueError as error:
        raise InputError(say("errors.not_json", file=name, error=error)) from None
    return data


def parse_object(text: str | bytes, name: str) -> dict[str, Any]:
    """Parse a JSON object. InputError as in ``parse_json``, and for JSON that is no object."""
    data = parse_json(text, name)
    if not isinstance(data, dict):
        raise InputError(say("errors.no_object", file=name))
    return data


def check_format(data: Mapping[str, Any], name: str) -> None:
    """Raise InputError unless the object has the format version that this program reads."""
    version = data.get("format")
    if type(version) is not int or version != FORMAT_VERSION:
        raise InputError(say("errors.other_format", file=name, format=_shown(version), ours=FORMAT_VERSION))


def as_record(
    cls: type[Record], data: Any, name: str = "", *, unknown: Literal["refuse", "ignore"] = "refuse"
) -> Record:
    """Build a record, nested records included, from parsed JSON.

    Values are not converted: "3" is no number, and 3.5 and true are no integers. Fields with a default may be missing.
    Raises InputError for the first fault, with its key.

    name: source of the data, usually a path, with which the message begins. unknown: refuse or ignore other keys.
    """
    kind: Any = cls
    try:
        extra: Literal["forbid", "ignore"] = "forbid" if unknown == "refuse" else "ignore"
        return cast(Record, _adapter(kind).validate_json(json.dumps(data), strict=True, extra=extra))
    except ValidationError as error:
        fault = _sentence(cls, error.errors()[0])
    except (RecursionError, ValueError) as error:
        fault = str(error)
    raise InputError(say("errors.in_place", place=name, problem=fault) if name else fault)


def to_data(record: Any) -> dict[str, Any]:
    """Convert a record to JSON types, nested records included. The inverse of ``as_record``."""
    cls: Any = type(record)
    data: dict[str, Any] = _adapter(cls).dump_python(record, mode="json", by_alias=True)
    return data


def check_fields(record: Any, section: str = "") -> None:
    """Raise InputError for the first field whose value does not fit its annotation. For ``__post_init__`` of a record.
    ``section``: text before the name of the field in the message."""
    cls: Any = type(record)
    for name, adapter in _field_adapters(cls).items():
        value = getattr(record, name)
        try:
            adapter.validate_python(value, strict=True)
        except ValidationError as error:
            detail = error.errors()[0]
            raise InputError(_fault(f"{section}{name}", _hints(cls)[name], value, detail)) from None


def from_text(annotation: Any, text: str, key: str) -> Any:
    """Convert a text, such as the value of a command-line option, to the type of a field. "null" and "none" are None,
    and commas separate the items of a tuple. InputError names ``key``."""
    options = _options(annotation)
    if type(None) in options and text.lower() in ("null", "none"):
        return None
    values: Any = text
    if any(typing.get_origin(option) is tuple for option in options):
        values = tuple(part.strip() for part in text.split(",")) if text else ()
    try:
        return TypeAdapter(annotation).validate_python(values)
    except ValidationError as error:
        raise InputError(_fault(key, annotation, text, error.errors()[0])) from None


def check_key(cls: Any, key: str, section: str = "") -> None:
    """Raise InputError, with the most similar name, unless the record has a field of the name ``key``."""
    fields = [_alias(annotation) or name for name, annotation in _hints(cls).items()]
    if key not in fields:
        near = difflib.get_close_matches(key, fields, n=1)
        setting = f"{section}{_printable(key)}"
        if near:
            raise InputError(say("errors.no_setting_but", setting=setting, near=f"{section}{near[0]}"))
        raise InputError(say("errors.no_setting", setting=setting, known=", ".join(fields)))


def field_type(cls: Any, key: str) -> Any:
    """The annotation of a field."""
    return _hints(cls)[key]


@cache
def plain_type(cls: Any, key: str) -> Any:
    """The type of a field, without an "or None"."""
    return _first(_hints(cls)[key])


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a finite number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:_MOST_SHOWN]} is not a finite number")
    return value


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{_shown(_printable(twice))} is there twice in one object")
    return values


def _counted(text: str) -> int:
    value = int(text[:21])  # 21 characters are already too many
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


def _sentence(cls: type[Any], detail: ErrorDetails) -> str:
    """Describe a fault in one clause: its key, then pydantic's message."""
    location, kind, key = detail["loc"], detail["type"], _key(detail["loc"])
    if kind == "value_error":
        cause = detail["ctx"]["error"]
        inside = isinstance(cause, InputError) or not key
        return str(cause) if inside else f"{key}: {cause}"
    if kind == "json_invalid":
        return "the content is nested too deeply"
    if kind == "missing":
        return f"{key} is missing"
    if kind == "unexpected_keyword_argument":
        try:
            check_key(_at(cls, location[:-1]), str(location[-1]), f"{_key(location[:-1])}." if location[:-1] else "")
        except InputError as error:
            return str(error)
    return _fault(key or "the content", _at(cls, location), detail["input"], detail)


def _fault(key: str, annotation: Any, value: Any, detail: ErrorDetails) -> str:
    """A sentence such as "model.hidden must be a valid integer, not '3'". If the annotation has a ``Field`` with a
    description, the sentence states that."""
    description = next((f"must be {note.description}" for note in _notes(annotation) if note.description), "")
    if detail["type"] == "literal_error":
        choices = str(detail["ctx"]["expected"]).replace(" or ", ", ").replace("'", "")
        return say("errors.must_be_one_of", key=key, choices=choices, value=_shown(value))
    kind = re.sub("_(type|parsing|from_float)$", "", detail["type"])
    if not description and kind in ERRORS.by_key.must:
        return say(f"errors.must.{kind}", key=key, value=_shown(value), limit=detail["msg"].split()[-1])
    needed = description or re.sub(r", (unable|got) .*", "", re.sub(r"^\w+ should ", "must ", detail["msg"]))
    return f"{key} {needed}, not {_shown(value)}"


def _key(location: Sequence[int | str]) -> str:
    """A path such as ``train[0].source``."""
    key = ""
    for step in location:
        key += f"[{step}]" if isinstance(step, int) else f".{_printable(step)}" if key else _printable(step)
    return key


def _at(annotation: Any, location: Sequence[int | str]) -> Any:
    """The annotation of the value at ``location``, or for a union its first member that is not None."""
    for step in location:
        annotation = _first(annotation)
        arguments = typing.get_args(annotation)
        if dataclasses.is_dataclass(annotation):
            record: Any = annotation
            named = {_alias(hint) or name: hint for name, hint in _hints(record).items()}
            annotation = named.get(str(step), Any)
        elif not arguments:
            return Any
        elif isinstance(step, int):
            repeated = len(arguments) < 2 or arguments[1] is Ellipsis
            annotation = arguments[0 if repeated else min(step, len(arguments) - 1)]
        else:
            annotation = arguments[-1]
    return _first(annotation)


def _first(annotation: Any) -> Any:
    """The first member of a union that is not None. An ``Annotated`` type without a description is also unwrapped."""
    annotation = next(option for option in _options(annotation) if option is not type(None))
    bare = typing.get_args(annotation)[0] if typing.get_origin(annotation) is Annotated else annotation
    return annotation if any(note.description for note in _notes(annotation)) or bare is annotation else _first(bare)


def _options(annotation: Any) -> tuple[Any, ...]:
    """The members of a union, or the annotation alone."""
    union = typing.get_origin(annotation) in (typing.Union, types.UnionType)
    return typing.get_args(annotation) if union else (annotation,)


def _notes(annotation: Any) -> list[FieldInfo]:
    notes = typing.get_args(annotation)[1:] if typing.get_origin(annotation) is Annotated else ()
    return [note for note in notes if isinstance(note, FieldInfo)]


def _alias(annotation: Any) -> str | None:
    """The name of a field in JSON. None if it is the name of the attribute."""
    return next((note.alias for note in _notes(annotation) if note.alias), None)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + " …"


def _printable(key: str) -> str:
    return key[:_MOST_SHOWN].encode("utf-8", "backslashreplace").decode("utf-8")
