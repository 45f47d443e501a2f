"""Records come back as they were, to the last bit."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, strategies
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.typing import NDArray

from nmt.answers.translations import from_bytes, from_json, to_bytes, to_json

TEXT = strategies.text(strategies.characters())


@dataclass(frozen=True)
class Inner:
    name: str
    values: NDArray[np.float32] | None
    numbers: tuple[float, ...]


@dataclass(frozen=True)
class Outer:
    inner: tuple[Inner, ...]
    pair: tuple[str, int]
    table: NDArray[np.float32]
    one: Inner | None = None


ARRAYS = arrays(
    np.float32,
    array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=4),
    elements={"allow_subnormal": False, "allow_nan": False},
)
INNER = strategies.builds(
    Inner,
    TEXT,
    strategies.none() | ARRAYS,
    strategies.lists(strategies.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False)).map(tuple),
)


def same(one: Inner | None, other: Inner | None) -> bool:
    if one is None or other is None:
        return one is other
    return (one.name, one.numbers) == (other.name, other.numbers) and equal(one.values, other.values)


def equal(one: NDArray[np.float32] | None, other: NDArray[np.float32] | None) -> bool:
    if one is None or other is None:
        return one is other
    return (one.shape, one.dtype, one.tobytes()) == (other.shape, np.float32, other.tobytes())


@given(
    strategies.lists(INNER, max_size=3).map(tuple),
    strategies.tuples(TEXT, strategies.integers()),
    ARRAYS,
    strategies.none() | INNER,
)
def test_bytes(inner: tuple[Inner, ...], pair: tuple[str, int], table: NDArray[np.float32], one: Inner | None) -> None:
    record = Outer(inner, pair, table, one)
    found = from_bytes(Outer, to_bytes(record))
    assert found.pair == pair
    assert equal(found.table, table)
    assert len(found.inner) == len(inner)
    assert all(same(*each) for each in zip(found.inner, inner, strict=True))
    assert same(found.one, one)


def test_json_without_arrays() -> None:
    record = Inner("\ud800 é", None, (0.1, 1e-300))
    assert from_json(Inner, to_json(record)) == record


def test_a_record_with_other_fields_is_not_read() -> None:
    with pytest.raises(KeyError, match="name"):
        from_json(Outer, to_json(Inner("a", None, ())))
