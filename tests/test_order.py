"""Long tests come first in the part of each worker, and none is lost."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.order import longest_first


@dataclass(frozen=True)
class Item:
    """As much of a test as its order depends on."""

    path: Path
    number: int
    mark: str

    def get_closest_marker(self, name: str) -> bool:
        return name == self.mark


def _items(marks: list[tuple[int, str]]) -> list[Any]:
    ordered = sorted(marks, key=lambda entry: entry[0])
    return [Item(Path(f"test_{module}.py"), number, mark) for number, (module, mark) in enumerate(ordered)]


MARKS = st.lists(st.tuples(st.integers(0, 8), st.sampled_from(["", "", "", "slow", "browser"])), max_size=60)


@given(MARKS, st.integers(1, 5))
def test_none_is_lost(marks: list[tuple[int, str]], workers: int) -> None:
    items = _items(marks)
    assert sorted(longest_first(items, workers), key=lambda item: item.number) == items  # type: ignore[attr-defined]


def _begins_with(part: list[Any], marks: str) -> bool:
    return {item.mark for item in part} == {marks}


def test_each_part_begins_with_its_share_of_the_long_ones() -> None:
    items = _items([(module, "slow" if module < 4 else "") for module in range(12) for _ in range(5)])
    ordered = longest_first(items, 2)
    parts = [ordered[:30], ordered[30:]]
    for part in parts:
        assert _begins_with(part[:10], "slow")
        assert _begins_with(part[10:], "")
        assert len({item.path for item in part[:10]}) == 2
    assert parts[0][10:] + parts[1][10:] == items[20:]


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_without_long_ones_the_order_stays(workers: int) -> None:
    items = _items([(module, "") for module in range(7)])
    assert longest_first(items, workers) == items
