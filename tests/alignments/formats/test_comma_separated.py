"""CSV: no formula, read as a spreadsheet would, tables that others wrote, and what is wrong with a table."""

import csv
import io
import re

import numpy as np
import pytest

from nmt.alignments.formats.comma_separated import read, write
from nmt.alignments.policy import Policy
from nmt.errors import InputError
from nmt.results import END, Alignment
from tests.alignments.examples import HOSTILE, assert_same, hostile_alignment

PIECES = Policy(subwords="pieces")


def cells(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_no_cell_can_become_a_formula() -> None:
    """Words end in an apostrophe, a letter, …, never in one of the signs that spreadsheets act on, whatever the run is
    called; and the numbers are numbers."""
    first, *body = cells(write([hostile_alignment(0)], PIECES, "=1+1"))
    labels = [*first, *(row[0] for row in body)]
    assert len(labels) == 1 + 2 * (len(HOSTILE) + 1)
    for label in labels:
        assert label[0] not in "=+-@＝＋－＠"
        assert label[0] >= " "
        assert not label[0].isspace()
    assert all(0 <= float(value) <= 1 for row in body for value in row[1:])


def test_words_that_are_no_danger_stand_as_they_are() -> None:
    first, *body = cells(write([hostile_alignment(0)], PIECES))
    for word in (
        "<img onerror=1>",
        "&apos;",
        "$x$",
        "'s",
        "l'eau",
        "a\tb",
        "|||",
        "👩‍👩‍👧",
        "한국어",
        "العربية",
        '"quoted"',
    ):
        assert word in first
        assert word in [row[0] for row in body]
    assert "'=1+1" in first


def test_a_spreadsheet_sees_that_it_is_unicode() -> None:
    assert write([hostile_alignment(0)], PIECES).encode().startswith(b"\xef\xbb\xbf")


def test_the_corner_says_what_was_done() -> None:
    alignment = Alignment(source=("a", END), target=("x", END), weights=np.full((2, 2), 0.5))
    policy = Policy(end_mark="removed")
    corner = cells(write([alignment], policy, "rnnsearch-50"))[0][0]
    assert re.search(rf"\brnnsearch-50\b.*{re.escape(policy.of_weights)}$", corner)


def test_tables_that_others_wrote() -> None:
    expected = Alignment(source=("a", "b;c"), target=("x", "y"), weights=np.array([[0.25, 0.75], [1, 0]]))
    for text in (
        ",a,b;c\nx,0.25,0.75\ny,1,0\n",
        '"","a","b;c"\r\n"x","0.25"," .75"\r\n"y","1.","0e0"',
        ';a;"b;c"\nx;0,25;0,75\ny;1;0\n',
        "\ta\tb;c\nx\t0,25\t0.75\ny\t1\t0\n",
        "\n\n,a,b;c,,\nx,0.25,0.75,,\ny,1,0,,\n,,,,\n\n",
    ):
        (found,) = read(text)
        assert_same(found, expected)


def test_tables_that_a_spreadsheet_made_equally_wide() -> None:
    alignments = [
        Alignment(source=("a", "b"), target=("x",), weights=np.array([[0.5, 0.5]])),
        Alignment(source=("a",), target=("",), weights=np.ones((1, 1))),
    ]
    rows = cells(write(alignments, PIECES))
    text = "\n".join(",".join(f'"{cell}"' for cell in [*row, "", "", ""][:3]) for row in rows)
    for found, expected in zip(read(text), alignments, strict=True):
        assert_same(found, expected)


def test_no_words_on_a_side() -> None:
    for alignment in (
        Alignment(source=(), target=("x", ""), weights=np.zeros((2, 0))),
        Alignment(source=("a", END), target=(), weights=np.zeros((0, 2))),
    ):
        (found,) = read(write([alignment], PIECES))
        assert_same(found, alignment)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (",a,b\nx,0.5,half\n", "sentence 1, row 1.*'half'"),
        (",a,b\nx,0.5,nan\n", "sentence 1, row 1.*'nan'"),
        (",a,b\nx,0.5,1_0\n", "sentence 1, row 1.*'1_0'"),
        (",a,b\nx,0.5,\n", "sentence 1, row 1.*''"),
        (",a,b\nx,1e999,0\n", "sentence 1, row 1.*inf"),
        (",a,b\nx,1,0\ny,1.5,-0.5\n", r"sentence 1, row 2.*-0\.5"),
        (",a,b\nx,0.5,0.4\n", r"sentence 1, row 1.* 0\.9\b.* 1$"),
        (",a,b\nx,1\n", "sentence 1, row 1.* 1 weights.* 2 source"),
        (",a,b\nx,1,0,0\n", "sentence 1, row 1.* 3 weights.* 2 source"),
        (",a\nx,1\n\n,a\nx,2\n", "sentence 2, row 1.* 2,.* 1$"),
        ('"",a\n"x"y,1\n', "line 2 "),
        (",a\n" + '"' + "x" * 200_000 + '",1\n', "line 2 "),
        (",a\n" + "x" * 1001 + ",1\n", "sentence 1 .*1,000 characters"),
        (",a\n" + "x,1\n" * 2001, "sentence 1 .*2,000 words"),
        (",a\nx,1\n\n" * 10_001, "10,000 sentences"),
        (",,\n", "no alignment"),
    ],
)
def test_what_is_wrong_is_said(text: str, named: str) -> None:
    with pytest.raises(InputError, match=named):
        read(text)


def test_rounded_weights_are_taken_as_they_stand() -> None:
    (found,) = read(",a,b,c\nx,0.33,0.33,0.33\n")
    np.testing.assert_array_equal(found.weights, np.float32([[0.33, 0.33, 0.33]]))


def test_a_table_that_is_too_long_is_named_by_its_number() -> None:
    """A side may have 2,000 words: cells of the first row beside the corner, or rows below it. What follows is not
    read: here a row that is none."""
    one = ",a\nb,1\n\n"
    wide = "," + ",".join(["a"] * 2001) + "\n"
    tall = ",a\n" + "b,1\n" * 2001
    for table in (wide, tall, wide + '"x"y,1\n', tall + '"x"y,1\n'):
        with pytest.raises(InputError, match="sentence 3 has more than 2,000 words"):
            read(one * 2 + table)
    assert [len(each.target) for each in read(one + tall[: -len("b,1\n")])] == [1, 2000]
