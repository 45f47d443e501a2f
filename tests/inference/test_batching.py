"""What is read ahead, and what is worked on together."""

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from nmt.inference import text_search
from nmt.inference.text_search import groups, windows


class Counted(Iterator[int]):
    """0, 1, 2 and so on, and how many of them were asked for."""

    def __init__(self) -> None:
        self.asked = 0

    def __next__(self) -> int:
        self.asked += 1
        return self.asked - 1


@pytest.mark.parametrize("most", [1, 3, 64, 200])
def test_an_endless_source_is_read_no_further_than_the_window(most: int) -> None:
    source, given = Counted(), 0
    for window in itertools.islice(windows(source, lambda _: 1, most=most), 8):
        assert window == list(range(given, given + len(window)))
        given += len(window)
        assert source.asked == given
        assert len(window) <= most


def test_windows_grow_to_the_largest() -> None:
    sizes = [len(window) for window in itertools.islice(windows(Counted(), lambda _: 1), 12)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1] == text_search.WINDOW


@pytest.mark.parametrize("seed", range(5))
def test_costly_items_make_a_window_smaller(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_search, "WINDOW_COST", 100)
    costs = np.random.default_rng(seed).integers(1, 60, 300).tolist()
    found = list(windows(costs, lambda cost: cost, first=50, most=50))
    assert list(itertools.chain(*found)) == costs
    assert all(sum(window[:-1]) < 100 for window in found)
    assert all(sum(window) >= 100 for window in found[:-1])


def test_what_is_not_at_hand_is_not_waited_for() -> None:
    source = Counted()
    found = itertools.islice(windows(source, lambda _: 1, first=10, at_hand=lambda: source.asked % 3 != 0), 5)
    assert [len(window) for window in found] == [3] * 5


def test_what_was_read_before_a_fault_comes_out_first() -> None:
    def faulty() -> Iterator[int]:
        yield from range(5)
        raise KeyError("broken")

    found = windows(faulty(), lambda _: 1, first=3, most=3)
    assert [next(found), next(found)] == [[0, 1, 2], [3, 4]]
    with pytest.raises(KeyError):
        next(found)


@pytest.mark.parametrize("seed", range(10))
def test_groups_hold_everything_once_and_within_their_bounds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_search, "PADDED_TOKENS", 60)
    random = np.random.default_rng(seed)
    lengths, most = random.integers(1, 80, int(random.integers(0, 90))).tolist(), int(random.integers(1, 9))
    found = list(groups(lengths, most))
    assert sorted(itertools.chain(*found)) == list(range(len(lengths)))
    for group in found:
        longest = max(lengths[i] for i in group)
        assert len(group) == 1 or (len(group) <= most and len(group) * longest <= 60)
    in_order = [lengths[i] for group in found for i in group]
    assert in_order == sorted(lengths, reverse=True)
    for group, after in itertools.pairwise(found):  # no room was left unused
        assert len(group) == most or (len(group) + 1) * lengths[group[0]] > 60 or not after
