"""Stored counts against every path through the states, and what happens to them on the way to a file and back."""

import json
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from nmt.aligners.partners import COUNTS, MOST_BYTES, MOST_WORDS, DirectedCounts, LinkCounts, read_counts
from nmt.alignments.links import BothDirections
from nmt.errors import InputError
from release.alignment.counting import count_links, write_counts

WORDS = {
    "": {"le": 3, "de": 5},
    "the": {"le": 8, "la": 6, "mer": 1},
    "sea": {"mer": 7, "la": 1},
    "girl": {"fille": 5},
}
FERTILITIES = {"the": (2, 12, 1, 0), "sea": (1, 5, 2, 0), "girl": (0, 5, 0, 0)}
JUMPS = tuple(abs(7 * k % 11) + (40 if k == 31 else 0) for k in range(61))
COUNTED = DirectedCounts(words=WORDS, fertilities=FERTILITIES, jumps=JUMPS)


def by_enumeration(source: list[str], target: list[str]) -> set[tuple[int, int]]:
    """Links by all paths through (last linked word, linked or not), three times with expected fertilities."""
    vocabulary = {word for linked in WORDS.values() for word in linked}
    states = [(j, linked) for linked in (True, False) for j in range(len(source))]

    def word(j: int, i: int) -> float:
        counts = WORDS.get(source[j] if j >= 0 else "", {})
        return (counts.get(target[i], 0) + 0.001) / (sum(counts.values()) + 0.001 * len(vocabulary))

    def jump(before: int, after: int) -> float:
        row = [JUMPS[j - before + 30] + 0.5 for j in range(len(source))]
        return row[after] / sum(row)

    def step(before: tuple[int, bool], after: tuple[int, bool]) -> float:
        if after[1]:
            return 0.8 * jump(before[0], after[0])
        return 0.2 if before[0] == after[0] else 0.0

    def gain(j: int, others: float) -> float:
        usual = [sum(column) + 1 for column in zip(*FERTILITIES.values(), strict=True)]
        own = FERTILITIES.get(source[j], (0, 0, 0, 0))
        p = [own[n] + 2 * usual[n] / sum(usual) for n in range(4)]
        ratios = [p[n + 1] / p[n] for n in range(3)]
        low = min(int(others), 1)
        share = min(others - low, 1.0)
        return ratios[low] * (1 - share) + ratios[low + 1] * share

    def posterior(gains: list[list[float]]) -> list[dict[tuple[int, bool], float]]:
        totals: list[dict[tuple[int, bool], float]] = [Counter() for _ in target]
        for path in product(states, repeat=len(target)):
            value = 0.8 if path[0][1] else 0.2
            for i, (j, linked) in enumerate(path):
                value *= word(j, i) * gains[i][j] if linked else word(-1, i)
                value *= step(path[i - 1], path[i]) if i else 1
            for i, state in enumerate(path):
                totals[i][state] += value
        return [{state: value / sum(row.values()) for state, value in row.items()} for row in totals]

    found = posterior([[1.0] * len(source) for _ in target])
    for _ in range(3):
        expected = [sum(row[j, True] for row in found) for j in range(len(source))]
        found = posterior([[gain(j, expected[j] - row[j, True]) for j in range(len(source))] for row in found])
    links = set()
    for i, row in enumerate(found):
        best = max(range(len(source)), key=lambda j: row[j, True])
        if row[best, True] > sum(row[j, False] for j in range(len(source))):
            links.add((best, i))
    return links


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("the sea", "la mer"),
        ("the sea", "de la mer"),
        ("the girl", "mer la fille"),
        ("sea girl the", "le le fille"),
        ("Tom the", "Tom de la"),
        ("the", "la le de mer"),
        ("sea", "mer"),
    ],
)
def test_links_are_the_most_probable_by_all_paths(source: str, target: str) -> None:
    assert set(COUNTED.links(source.split(), target.split())) == by_enumeration(source.split(), target.split())


def test_one_link_more_is_as_probable_as_the_counts_say() -> None:
    """By hand: a word's counts, and twice the shares of all words together, of which each number is seen once more."""
    usual = [4 / 32, 23 / 32, 4 / 32, 1 / 32]
    own = [n + 2 * share for n, share in zip(FERTILITIES["sea"], usual, strict=True)]
    assert COUNTED._gains("sea").tolist() == pytest.approx([own[k + 1] / own[k] for k in range(3)])
    assert COUNTED._gains("unknown").tolist() == pytest.approx([23 / 4, 4 / 23, 1 / 4])


def test_nothing_is_linked_with_nothing() -> None:
    assert COUNTED.links([], ["la"]) == COUNTED.links(["the"], []) == frozenset()


PAIRS = [("The sea".split(), "la mer la".split()), ("the sea".split(), "mer".split()), ("x".split(), "y".split())]
FOUND = [
    BothDirections(frozenset({(0, 0), (1, 1)}), frozenset({(0, 2), (1, 1)})),
    BothDirections(frozenset({(1, 0)}), frozenset()),
    None,
]


def test_counts_are_those_of_the_links() -> None:
    counts = count_links(PAIRS, FOUND)
    assert counts.pairs == 2
    assert counts.forward.words == {"": {"la": 1}, "sea": {"mer": 2}, "the": {"la": 1}}
    assert counts.forward.fertilities == {"sea": (0, 2, 0, 0), "the": (1, 1, 0, 0)}
    assert [k - 30 for k, n in enumerate(counts.forward.jumps) for _ in range(n)] == [1]
    assert counts.backward.words == {"": {"sea": 1, "the": 1}, "la": {"the": 1}, "mer": {"sea": 1}}
    assert counts.backward.fertilities == {"la": (1, 1, 0, 0), "mer": (1, 1, 0, 0)}
    assert [k - 30 for k, n in enumerate(counts.backward.jumps) for _ in range(n)] == [-1]
    assert count_links(PAIRS, FOUND, 2).forward.words == {"sea": {"mer": 2}}


def test_case_does_not_matter_and_directions_are_turned() -> None:
    counts = count_links(PAIRS[:1] * 5, FOUND[:1] * 5)
    lengths = [(MOST_WORDS + 1, 1), (1, MOST_WORDS + 1), (MOST_WORDS, 1), (1, MOST_WORDS)]
    read = counts.links([(["the"] * source, ["la"] * target) for source, target in lengths])
    assert [both is None for both in read] == [True, True, False, False]
    (found,) = counts.links([("THE Sea".split(), "La MER".split())])
    assert found == BothDirections(frozenset({(0, 0), (1, 1)}), frozenset({(0, 0), (1, 1)}))


def test_a_file_brings_back_what_was_written(tmp_path: Path) -> None:
    assert read_counts(tmp_path) is None
    counts = count_links(PAIRS, FOUND)
    write_counts(tmp_path, counts)
    assert read_counts(tmp_path) == counts


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data.pop("jumps"), "jumps"),
        (lambda data: data["jumps"].pop(), "61 numbers"),
        (lambda data: data["jumps"].__setitem__(0, -1), "jumps"),
        (lambda data: data["words"]["sea"].__setitem__("mer", -1), "words"),
        (lambda data: data["words"]["sea"].__setitem__("mer", 10**12), "words"),
        (lambda data: data["words"].__setitem__("sea", ["mer"]), "words"),
        (lambda data: data["fertilities"].__setitem__("sea", [1, 2]), "fertilities"),
        (lambda data: data["fertilities"].__setitem__("sea", [1, 2, 3, 0.5]), "fertilities"),
        (lambda data: data.__setitem__("more", 1), "more"),
    ],
)
def test_damaged_counts_are_refused(tmp_path: Path, damage: object, message: str) -> None:
    write_counts(tmp_path, count_links(PAIRS, FOUND))
    data = json.loads((tmp_path / COUNTS).read_text("utf-8"))
    damage(data["forward"])  # type: ignore[operator]
    (tmp_path / COUNTS).write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_counts(tmp_path)


def test_a_file_that_is_cut_or_too_large_is_refused(tmp_path: Path) -> None:
    counts = count_links(PAIRS, FOUND)
    write_counts(tmp_path, counts)
    whole = (tmp_path / COUNTS).read_bytes()
    (tmp_path / COUNTS).write_bytes(whole[:-20])
    with pytest.raises(InputError, match="JSON"):
        read_counts(tmp_path)
    (tmp_path / COUNTS).write_bytes(whole.ljust(MOST_BYTES))
    assert read_counts(tmp_path) == counts
    (tmp_path / COUNTS).write_bytes(whole.ljust(MOST_BYTES + 1))
    with pytest.raises(InputError, match="bytes"):
        read_counts(tmp_path)
    words = {f"word-{k}": {"x" * 50: 1} for k in range(90_000)}
    large = LinkCounts(
        forward=counts.forward, backward=DirectedCounts(words=words, fertilities={}, jumps=JUMPS), pairs=1
    )
    with pytest.raises(InputError, match="bytes"):
        write_counts(tmp_path, large)
