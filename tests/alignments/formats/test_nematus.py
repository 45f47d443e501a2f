"""The text of Nematus, against a reader of a dozen lines as its users write them, and files of other programs."""

import io

import numpy as np
import pytest

from nmt.alignments.formats.nematus import read, write
from nmt.alignments.policy import Policy
from nmt.errors import InputError
from nmt.results import END, Alignment
from tests.alignments.examples import HOSTILE, assert_same, hostile_alignment, random_alignment

PIECES = Policy(subwords="pieces")


def read_by_counts(text: str) -> list[tuple[list[str], list[str], list[list[float]]]]:
    """Source words, target words and weights, by the numbers of columns and rows in each first line."""
    file = io.StringIO(text)
    sentences = []
    while header := file.readline():
        fields = header.strip().split("|||")
        columns, rows = map(int, fields[-1].split())
        weights = [[float(value) for value in file.readline().split()] for _ in range(rows)]
        assert all(len(row) == columns for row in weights)
        assert file.readline() == "\n"
        sentences.append((fields[3].split(), fields[1].split(), weights))
    return sentences


def test_a_plain_reader_finds_every_word_and_weight() -> None:
    alignments = [hostile_alignment(1), *(random_alignment(seed) for seed in range(5))]
    sentences = read_by_counts(write(alignments, PIECES))
    assert len(sentences) == len(alignments)
    for (source, target, weights), alignment in zip(sentences, alignments, strict=True):
        assert (len(source) + 1, len(target) + 1) == (len(alignment.source), len(alignment.target))
        np.testing.assert_array_equal(np.float32(weights), alignment.weights)
        plain = [word for word in alignment.source[:-1] if word.split() == [word] and "|||" not in word]
        plain = [word for word in plain if word not in ("\\u0020", "\\u005cu0020", "\\e")]
        assert [word for word in source if word in plain] == plain


def test_one_sentence_by_hand() -> None:
    alignment = Alignment(source=("a", "b", END), target=("x", END), weights=np.array([[0.5, 0.25, 0.25], [0, 0, 1]]))
    assert write([alignment], Policy()) == "0 ||| x ||| 0 ||| a b ||| 3 2\n0.5 0.25 0.25\n0.0 0.0 1.0\n\n"
    assert write([alignment], Policy(end_mark="removed")) == ("0 ||| x ||| 0 ||| a b ||| 2 1\n0.6666667 0.33333334\n\n")


def test_words_that_break_nothing_stand_as_they_are() -> None:
    line = write([hostile_alignment(2)], PIECES).split("\n")[0]
    words = line.split("|||")[3].split(" ")
    for word in (
        "<img onerror=1>",
        "&apos;",
        "$x$",
        "=1+1",
        "👩‍👩‍👧",
        "한국어",
        "العربية",
        '"quoted"',
        "l'eau",
        "|",
        "||",
        "\\",
    ):
        assert all(part in words for part in word.replace(" ", "\\u0020").split())
    assert "\n" not in line
    assert len(words) == len(HOSTILE) + 2  # and the spaces beside the bars


@pytest.mark.parametrize("counts", ["3 2", "0 0", "1 ||| 1", ""])
def test_files_of_other_programs(counts: str) -> None:
    """Numbers of columns and rows are left 0 by some, spaces stand at the ends of lines, ends of lines are of any kind,
    the last empty line may be missing or doubled, the end mark missing on a side."""
    one = Alignment(source=("a", "b", END), target=("x", END), weights=np.array([[0.5, 0.25, 0.25], [0, 0, 1]]))
    two = Alignment(source=("a", "b"), target=("x", END), weights=np.array([[0.5, 0.5], [0, 1]]))
    text = f" 0 ||| x  ||| -1.5 ||| a b ||| {counts}\n0.5 0.25 0.25 \n0 0 1e0 \n\n\n"
    text += f"9 ||| x ||| 0 ||| a b ||| {counts}\n.5 .5\n0 1."
    for variant in (text, text.replace("\n", "\r\n"), text + "\n\n\n"):
        found = read(variant)
        assert len(found) == 2
        assert_same(found[0], one)
        assert_same(found[1], two)


def test_the_numbers_of_columns_and_rows_may_be_missing() -> None:
    (found,) = read("0 ||| x ||| 0 ||| a\n1\n")
    assert_same(found, Alignment(source=("a",), target=("x",), weights=np.ones((1, 1))))
    with pytest.raises(InputError, match=r"^line 1 should begin sentence 1 with number"):
        read("0 ||| x ||| 0\n1\n")


def test_only_white_space_of_ascii_parts_words() -> None:
    (found,) = read("0 ||| x ||| 0 ||| a\u00a0b\u3000c ||| 2 2\n1 0\n0 1\n")
    assert found.source == ("a\u00a0b\u3000c", END)


def test_an_empty_source_has_the_end_mark() -> None:
    alignment = Alignment(source=(END,), target=("x", END), weights=np.ones((2, 1)))
    (found,) = read(write([alignment], Policy()))
    assert_same(found, alignment)


def test_a_side_without_anything_cannot_be_written() -> None:
    for alignment in (
        Alignment(source=(END,), target=("x",), weights=np.ones((1, 1))),
        Alignment(source=("a",), target=(END,), weights=np.ones((1, 1))),
    ):
        with pytest.raises(InputError, match="sentence 2"):
            write([random_alignment(0), alignment], Policy(end_mark="removed"))


HEADER = "0 ||| x y ||| 0 ||| a b ||| 3 3\n"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("just a text\n", r"line 1 .*sentence 1 .*\|\|\|"),
        (HEADER, "sentence 1 .*no weights"),
        (HEADER + "1 0 0\n", r"sentence 1 .* 1 rows.* 2 target.*\(3 "),
        (
            HEADER + "1 0 0\n" * 4,
            r"sentence 1 .* 4 rows.* 2 target.*\(3 ",
        ),
        (HEADER + "1 0 0 0\n" * 3, r"sentence 1 .* 4 weights.* 2 source.*\(3 "),
        (HEADER + "1 0 0\n1 0\n1 0 0\n", "sentence 1, row 2.* 2 weights.* 3 source"),
        (HEADER + "1 0 0\n1 0 x\n1 0 0\n", "sentence 1, row 2.*'x'"),
        (HEADER + "1 0 0\n2 -1 0\n1 0 0\n", "sentence 1, row 2.*-1"),
        (HEADER + "1 0 0\n.5 .4 0\n1 0 0\n", r"sentence 1, row 2.* 0\.9\b.* 1$"),
        (HEADER + "1 0 0\n1 0 0\n" + HEADER, "line 4 .*empty line"),
        (
            HEADER + "1 0 0\n" * 3 + "\n" + HEADER + "1 0 0\n" * 2 + "inf 0 0\n",
            "sentence 2, row 3.*'inf'",
        ),
    ],
)
def test_what_is_wrong_is_said(text: str, named: str) -> None:
    with pytest.raises(InputError, match=named):
        read(text)
