"""Records as JSON and bytes, and back: dataclasses of dataclasses, tuples, numbers, texts and float32 arrays.

Arrays keep every bit: views and exports must be those of the search itself, and half precision would change the third
decimal of alpha. Their bytes are grouped by significance (first the lowest byte of every number, and so on), so that
zlib saves a third.
"""

from __future__ import annotations

import json
import math
import types
import zlib
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

Record = TypeVar("Record")

_LENGTH = 8
"""Bytes of the length of the JSON, which precedes it."""


def to_json(record: object) -> bytes:
    """Write a record without arrays as JSON."""
    return json.dumps(_plain(record, [])).encode()


def from_json(cls: type[Record], data: bytes) -> Record:
    """Read a record that ``to_json`` has written."""
    return cast(Record, _built(cls, json.loads(data), memoryview(b"")))


def to_bytes(record: object) -> bytes:
    """Write a record as compressed bytes."""
    arrays: list[bytes] = []
    text = json.dumps(_plain(record, arrays)).encode()
    return zlib.compress(len(text).to_bytes(_LENGTH, "little") + text + b"".join(arrays))


def from_bytes(cls: type[Record], data: bytes) -> Record:
    """Read a record that ``to_bytes`` has written."""
    content = zlib.decompress(data)
    end = _LENGTH + int.from_bytes(content[:_LENGTH], "little")
    return cast(Record, _built(cls, json.loads(content[_LENGTH:end]), memoryview(content)[end:]))


def _plain(value: Any, arrays: list[bytes]) -> Any:
    """Convert to JSON types. An array becomes its shape and its place among the bytes of ``arrays``."""
    if isinstance(value, np.ndarray):
        begin = sum(map(len, arrays))
        numbers = np.ascontiguousarray(value, dtype="<f4").view(np.uint8)
        arrays.append(numbers.reshape(-1, 4).T.tobytes())
        return [begin, value.shape]
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name), arrays) for field in fields(value)}
    if isinstance(value, tuple | list):
        return [_plain(each, arrays) for each in value]
    return value.item() if isinstance(value, np.generic) else value


def _built(kind: Any, value: Any, arrays: memoryview) -> Any:
    """Convert back what ``_plain`` has made of a value of this kind."""
    if value is None:
        return None
    if isinstance(value, dict):
        kinds = _field_kinds(kind)
        return kind(**{name: _built(kinds[name], each, arrays) for name, each in value.items()})
    if isinstance(value, list):
        if get_origin(kind) is np.ndarray:
            begin, shape = value
            planes = np.frombuffer(arrays, np.uint8, 4 * math.prod(shape), begin).reshape(4, -1)
            return np.ascontiguousarray(planes.T).view("<f4").reshape(shape)
        items = get_args(kind)
        each_kind = items[:1] * len(value) if items[-1] is ... else items
        return tuple(_built(item, each, arrays) for item, each in zip(each_kind, value, strict=True))
    return value


@cache
def _field_kinds(cls: type) -> dict[str, Any]:
    """Annotations of a dataclass, of "or None" without None."""
    return {name: _without_none(kind) for name, kind in get_type_hints(cls).items()}


def _without_none(kind: Any) -> Any:
    if get_origin(kind) not in (Union, types.UnionType):
        return kind
    (one,) = [each for each in get_args(kind) if each is not type(None)]
    return one
