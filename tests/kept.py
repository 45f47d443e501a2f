"""Drawings that are kept: how a figure or a view looks is compared with what somebody looked at and found good.

What a drawing computes is tested against something independent. Its look, such as a margin, a width of a line, or the
place of a caption, follows from nothing but a decision, so the decision is kept: as text beside the tests, which a
commit shows. ``pytest FILE --keep`` writes it anew; look at the change before you commit it.
"""

from __future__ import annotations

import math
import re
from itertools import zip_longest
from pathlib import Path

import pytest

_NUMBER = re.compile(r"(?<![\w#.-])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
_NEAR = 0.011
"""Two numbers with two decimals may differ by so much: half of the last one is rounded either way."""


_TEXT = re.compile(r'"[^"]*"')


def compare_with_kept(
    path: Path, drawn: str, request: pytest.FixtureRequest, *, exact: bool = False, texts: bool = False
) -> None:
    """Fail unless a drawing is the one that is kept in a file.

    The last decimal of its numbers counts if ``exact``; within double quotes it does also if ``texts``.
    """
    drawn = drawn.rstrip() + "\n"
    if request.config.getoption("keep"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(drawn, encoding="utf-8")
    kept = path.read_text(encoding="utf-8")
    lines = zip_longest(kept.splitlines(), drawn.splitlines(), fillvalue="(nothing)")
    if texts:
        assert _TEXT.findall(drawn) == _TEXT.findall(kept), path.name
    others = [f"kept:  {old}\ndrawn: {new}" for old, new in lines if old != new and (exact or not same_line(old, new))]
    assert not others, f"{path.name}: {len(others)} lines differ; the first:\n" + "\n".join(others[:3])


def same_line(one: str, other: str) -> bool:
    """Whether two lines differ in nothing but the last decimal of some numbers.

    >>> same_line("cx=1.25 r=3", "cx=1.26 r=3"), same_line("cx=1.25", "cx=1.3"), same_line("r=3", "r=4")
    (True, False, False)
    >>> same_line("most=10000000.00", "most=10000001.00"), same_line("sum=12345.67", "sum=12345.72")
    (False, True)
    """
    if _NUMBER.sub("0", one) != _NUMBER.sub("0", other):
        return False
    pairs = zip(_NUMBER.findall(one), _NUMBER.findall(other), strict=True)
    return all(_near(float(a), float(b)) for a, b in pairs)


def _near(one: float, other: float) -> bool:
    """Whole numbers are counts and limits: they are equal, or they are not."""
    whole = one.is_integer() and other.is_integer()
    return one == other if whole else math.isclose(one, other, rel_tol=1e-4, abs_tol=_NEAR)
