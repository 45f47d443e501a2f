"""The order in which workers that run side by side take the tests."""

import itertools
from collections.abc import Sequence

import pytest

_WEIGHTS = {"slow": 10, "browser": 3}
"""How long a test takes by its mark, in tests of other kinds; roughly."""


def _weight(item: pytest.Item) -> int:
    return max((weight for mark, weight in _WEIGHTS.items() if item.get_closest_marker(mark)), default=0)


def longest_first(items: Sequence[pytest.Item], workers: int) -> list[pytest.Item]:
    """Order tests so that every worker begins with its share of the long ones.

    pytest-xdist gives each worker an equal part of the list and moves what is left at the end of one part to workers
    that have nothing to do. Long tests at the end of a part would leave the others idle. Those of a module stay
    together, as they share what is costly to set up.

    Args:
        items: all tests, in the order of their files.
        workers: how many share them.
    """
    modules = [list(module) for _, module in itertools.groupby(filter(_weight, items), lambda item: item.path)]
    modules.sort(key=lambda module: -sum(map(_weight, module)))
    shares: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for module in modules:
        min(shares, key=lambda share: sum(map(_weight, share))).extend(module)
    short = iter([item for item in items if not _weight(item)])
    ordered: list[pytest.Item] = []
    for place, share in enumerate(shares):
        part = (len(items) - len(ordered)) // (workers - place)
        ordered += share
        ordered += itertools.islice(short, max(0, part - len(share)))
    return [*ordered, *short]
