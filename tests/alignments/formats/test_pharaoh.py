"""Links in Pharaoh's form: bases, directions, gold links, and the project's other reader of the form."""

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nmt.alignments.formats import link_files
from nmt.alignments.formats import read as read_any
from nmt.alignments.formats.checks import MAX_TOKENS, NOTHING, Given
from nmt.alignments.formats.link_files import write
from nmt.alignments.links import Extraction
from nmt.alignments.policy import Direction, Policy
from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import read_gold, read_maps
from nmt.results.links import Gold, parse_links
from tests.alignments.examples import CHOICES, hostile_alignment, random_alignment


def read(text: str, base: int = 0, direction: Direction = "source-target") -> tuple[Gold, ...]:
    return link_files.read(text, Given(base=base, direction=direction)).links


def test_by_hand() -> None:
    sure = frozenset({(0, 0), (2, 3)})
    expected = (
        Gold(sure, sure | {(1, 2)}),
        Gold(frozenset(), frozenset()),
        Gold(frozenset(), frozenset({(9, 1)})),
    )
    assert read("0-0 1p2\t2-3 0-0 2p3\r\n\n9p1\n") == expected
    assert read("1-1 2p3 3-4\n\n10p2\n", base=1) == expected
    assert read("0-0 2p1 3-2\n\n1p9", direction="target-source") == expected
    assert read("1-1 3p2 4-3\n\n2p10", base=1, direction="target-source") == expected


NUMBERS = st.integers(0, 1_998)
LINKS = st.frozensets(st.tuples(NUMBERS, NUMBERS), max_size=12)


@given(st.lists(st.tuples(LINKS, LINKS), min_size=1, max_size=4), st.sampled_from([0, 1]), st.booleans())
def test_links_in_any_base_and_direction_are_read(
    pairs: list[tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]], base: int, turned: bool
) -> None:
    def field(link: tuple[int, int], sign: str) -> str:
        first, second = reversed(link) if turned else link
        return f"{first + base}{sign}{second + base}"

    lines = [" ".join([field(k, "-") for k in sure] + [field(k, "p") for k in others]) for sure, others in pairs]
    found = read("".join(f"{line}\n" for line in lines), base, "target-source" if turned else "source-target")
    assert found == tuple(Gold(sure, sure | others) for sure, others in pairs)


@given(st.text("0123456789-p \t٠a") | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r")))
def test_the_evaluation_reads_a_line_just_the_same(line: str) -> None:
    def links(reader: Callable[[str], Any]) -> Any:
        try:
            return reader(line)
        except InputError:
            return None

    def evaluated(text: str) -> list[Gold]:
        gold = Gold.of(parse_links(text))
        if any(max(link) >= MAX_TOKENS for link in gold.possible):  # the evaluation knows how many words there are
            raise InputError("too many words")
        return [gold]

    assert links(lambda text: list(read(text))) == links(evaluated)


@pytest.mark.parametrize(
    ("rule", "base", "direction"), list(product(*(CHOICES[k] for k in ("rule", "base", "direction"))))
)
def test_what_is_written_is_read(rule: str, base: int, direction: str) -> None:
    policy = Policy(rule=rule, base=base, direction=direction)  # type: ignore[arg-type]
    alignments = [hostile_alignment(0), *(random_alignment(seed, pieces=True) for seed in range(10))]
    found = read_any(
        write(alignments, policy).encode(), "x.pharaoh", Given(base=base, direction=policy.direction)
    ).links
    assert [pair.sure for pair in found] == [policy.links(alignment) for alignment in alignments]
    assert all(pair.sure == pair.possible for pair in found)


def test_the_files_are_those_that_the_evaluation_reads(tmp_path: Path) -> None:
    alignments = [random_alignment(seed) for seed in range(10)]
    path = tmp_path / "links"
    path.write_text(write(alignments, Policy(end_mark="removed")), encoding="utf-8")
    assert [one.sure for one in read_maps(path, None, NOTHING).links] == [
        Extraction("argmax").links(alignment) for alignment in alignments
    ]
    path.write_text("0-0 1p2 2-3\n\n5p5 5-5\n", encoding="utf-8")
    gold = read_gold(path)
    assert [(pair.sure, pair.possible) for pair in read(path.read_text())] == [(one.sure, one.possible) for one in gold]


@pytest.mark.parametrize(
    ("text", "base", "named"),
    [
        ("0-0\n0:0\n", 0, r"line 2.*'0:0'.* 0-\d .* 0p\d "),
        ("# rule argmax\n0-0\n", 0, "line 1.*'#'"),
        ("-1-0\n", 0, "line 1.*'-1-0'"),
        ("0-999999\n", 0, "line 1.*'0-999999'"),
        ("٠-٠\n", 0, "line 1.*'٠-٠'"),
        ("1-1\n0-1\n", 1, "line 2.* 0-1 .* 0, .* 1$"),
        ("0-0\n" * 10_001, 0, "10,000 sentences"),
    ],
)
def test_what_is_wrong_is_said(text: str, base: int, named: str) -> None:
    with pytest.raises(InputError, match=named):
        read(text, base)


def test_links_beyond_the_words_are_named() -> None:
    (pair,) = read("0-0 2p1")
    pair.check(3, 2)
    for lengths in ((2, 2), (3, 1)):
        with pytest.raises(InputError, match=r"word 3 .*word 2"):
            pair.check(*lengths)
