"""Links that cross."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from experiments.crossings import crosses

LINKS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=8)


@given(LINKS)
def test_links_cross_if_two_of_them_do(links: list[tuple[int, int]]) -> None:
    expected = any((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(links, 2))
    assert crosses(links) == expected
