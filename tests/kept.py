"""Drawings that are kept: how a figure or a view looks is compared with what somebody looked at and found good.

What a drawing computes is tested against something independent. Its look, such as a margin, a width of a line, or the
place of a caption, follows from nothing but a decision, so the decision is kept: as text beside the tests, which a
commit shows. ``pytest FILE --keep`` writes it anew; look at the change before you commit it.

A file whose first line is ``like NAME`` has only what differs from the whole drawing NAME beside it: that is what a
person can read. ``--keep`` leaves this line as it is.
"""

import math
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable
from difflib import SequenceMatcher
from itertools import groupby, pairwise, zip_longest
from pathlib import Path

import pytest

_NUMBER = re.compile(r"(?<![\w#.-])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
_NEAR = 0.011
"""Two numbers with two decimals may differ by so much: half of the last one is rounded either way."""


_TEXT = re.compile(r'"[^"]*"')
_MORE = re.compile(r" *(\d+) more, together ")
_LIKE = re.compile(r"like (\S+)\n")
_ADDED = 10
"""Most lines that are kept of what an action adds; a checksum stands for the others."""


def compare_with_kept(
    path: Path,
    drawn: str,
    request: pytest.FixtureRequest,
    *,
    exact: bool = False,
    texts: bool = False,
    fold: bool = False,
) -> None:
    """Fail unless a drawing is the one that is kept in a file.

    The last decimal of its numbers counts if ``exact``; within double quotes it does also if ``texts``. What repeats
    is kept once if ``fold``.
    """
    drawn = (folded(drawn, exact=exact) if fold else drawn).rstrip() + "\n"
    if path.exists() and (like := _LIKE.match(path.read_text(encoding="utf-8"))):
        other = path.with_name(like[1]).read_text(encoding="utf-8")
        drawn = like[0] + differences(other, drawn, lambda one, two: _same(one, two, exact=exact, texts=texts))
    if request.config.getoption("keep"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(drawn, encoding="utf-8")
    kept = path.read_text(encoding="utf-8")
    lines = zip_longest(kept.splitlines(), drawn.splitlines(), fillvalue="(nothing)")
    if texts:
        assert _TEXT.findall(drawn) == _TEXT.findall(kept), path.name
    others = [f"kept:  {old}\ndrawn: {new}" for old, new in lines if old != new and (exact or not same_line(old, new))]
    assert not others, f"{path.name}: {len(others)} lines differ; the first:\n" + "\n".join(others[:3])


def folded(drawn: str, *, exact: bool = False) -> str:
    r"""A drawing in which each kind of element that repeats stands once.

    An element is a line with all that is indented below it; its kind is its first word. Below it stands how many more
    come in a row, the sum of their numbers, and a checksum of their texts; if ``exact``, one of all that they are. Of
    what an action adds (below a line "# …"), and of values (lines "place = value"), each kind stands once. The
    beginning of what an action adds is kept, as much as a person reads.

    >>> print(folded("a\n  b x=1\n  b x=2\n  b x=3.5\n  c\n"), end="")
    a
      b x=1
      2 more, together 5.50 #1ff3612b
      c
    """
    first, *actions = re.split(r"(?m)^(?=# )", drawn)
    lines = first.rstrip().splitlines()
    whole = each_once(lines, exact) if all(" = " in line for line in lines) else _in_a_row_once(lines, exact)
    added = [_beginning(each_once(action.rstrip().splitlines(), exact), exact) for action in actions]
    return "\n\n".join("\n".join(part) for part in (whole, *added)) + "\n"


def _beginning(lines: list[str], exact: bool) -> list[str]:
    """The head and the first lines of an action, and one line for all others."""
    most = 1 + _ADDED
    return (
        lines if len(lines) <= most + 1 else [*lines[:most], "  " + together([[line] for line in lines[most:]], exact)]
    )


def _in_a_row_once(lines: list[str], exact: bool) -> list[str]:
    """The elements of one level, of which those of one kind in a row are folded if they are three."""
    if not lines:
        return []
    level = len(lines[0]) - len(lines[0].lstrip())
    begins = [k for k, line in enumerate(lines) if line[level : level + 1] != " "]
    elements = [lines[begin:end] for begin, end in pairwise([*begins, len(lines)])]
    parts = []
    for _, run in groupby(elements, lambda element: element[0].split()[0]):
        row = list(run)
        for element in row if len(row) < 3 else row[:1]:
            parts += [element[0], *_in_a_row_once(element[1:], exact)]
        if len(row) >= 3:
            parts.append(" " * level + together(row[1:], exact))
    return parts


def each_once(lines: list[str], exact: bool = False) -> list[str]:
    """Lines that an action adds, or values: the first of each kind, and of three the others folded."""
    kinds = defaultdict(list)
    for line in lines:
        head = line.split(" = ")[0] if " = " in line else " ".join(line.split()[:2])
        kinds[re.sub(r"\[\d+\]", "[]", head)].append(line)
    parts = []
    for kind in kinds.values():
        first, *more = (line if times == 1 else f"{line} ({times} times)" for line, times in Counter(kind).items())
        parts += [first, *(more if len(more) < 2 else ["  " + together([[line] for line in more], exact)])]
    return parts


def together(elements: list[list[str]], exact: bool = False) -> str:
    """How many elements there are, the sum of their numbers unless ``exact``, and a checksum."""
    text = "\n".join(line for element in elements for line in element)
    numbers = [] if exact else _NUMBER.findall(text)
    total = f", together {math.fsum(map(float, numbers)):.2f}" if numbers else ""
    return f"{len(elements)} more{total} #{zlib.crc32((text if exact else _NUMBER.sub('0', text)).encode()):08x}"


def differences(base: str, drawn: str, same: Callable[[str, str], bool] = str.__eq__) -> str:
    r"""How many lines are only in ``base``, and those that are only in ``drawn``, after "+", below the line of ``base``
    before them, which has its number where it is there more than once.

    >>> print(differences("a\nb\nc\na\nd\n", "a\nc\na\ne\nd\n"), end="")
    @ a
    - 1 line
    @ a (2)
    +e
    """
    old = base.splitlines()
    forms = defaultdict(list)
    for line in old:
        forms[_NUMBER.sub("0", line)].append(line)
    new = [next((x for x in forms[_NUMBER.sub("0", line)] if same(x, line)), line) for line in drawn.splitlines()]
    heads, seen, more = ["@"], Counter[str](), []
    for line in old:
        head = line.strip()[:100]
        seen[head] += 1
        heads.append(f"@ {head} ({seen[head]})" if seen[head] > 1 else f"@ {head}")
    for kind, begin, end, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            gone = [f"- {end - begin} line{'s' * (end - begin > 1)}"] * (end > begin)
            more += [heads[begin], *gone, *(f"+{line}" for line in new[first:last])]
    return "".join(f"{line}\n" for line in more)


def _same(one: str, other: str, *, exact: bool, texts: bool) -> bool:
    if exact or (texts and _TEXT.findall(one) != _TEXT.findall(other)):
        return one == other
    return same_line(one, other)


def same_line(one: str, other: str) -> bool:
    """Whether two lines differ in nothing but the last decimal of some numbers.

    >>> same_line("cx=1.25 r=3", "cx=1.26 r=3"), same_line("cx=1.25", "cx=1.3"), same_line("r=3", "r=4")
    (True, False, False)
    >>> same_line("most=10000000.00", "most=10000001.00"), same_line("sum=12345.67", "sum=12345.72")
    (False, True)
    >>> same_line("9 more, together 1.20", "9 more, together 1.29")
    True
    >>> same_line("24 more, together 14269.03", "24 more, together 14270.03")
    False
    """
    if _NUMBER.sub("0", one) != _NUMBER.sub("0", other):
        return False
    pairs = zip(_NUMBER.findall(one), _NUMBER.findall(other), strict=True)
    summed = int(more[1]) if (more := _MORE.match(one)) else 1
    return all(_near(float(a), float(b), summed) for a, b in pairs)


def _near(one: float, other: float, summed: int) -> bool:
    """Whole numbers are counts and limits: they are equal, or they are not. Each part of a sum may differ a little, and
    a large sum no more than a small one."""
    whole = one.is_integer() and other.is_integer()
    large = 1e-4 if summed == 1 else 0
    return one == other if whole else math.isclose(one, other, rel_tol=large, abs_tol=summed * _NEAR)
