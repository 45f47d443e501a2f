"""Pairs drawn from parallel texts: all alike, with their links, and what cannot be drawn."""

from collections import Counter
from pathlib import Path

import pytest

from nmt.aligners.text_sample import ParallelText, sample_pairs
from nmt.data.text import Tokenizer
from nmt.errors import InputError

ENGLISH, FRENCH = Tokenizer("en"), Tokenizer("fr")


def text(folder: Path, name: str, lines: list[tuple[str, str, str]]) -> ParallelText:
    paths = [folder / f"{name}.{side}" for side in ("en", "fr", "links")]
    for path, column in zip(paths, zip(*lines, strict=True), strict=True):
        path.write_text("".join(f"{line}\n" for line in column), encoding="utf-8")
    return ParallelText(*paths)


def numbered(folder: Path) -> list[ParallelText]:
    lines = [(f"word{k}, yes", f"mot{k}", "0-0") for k in range(20)]
    return [text(folder, "first", lines[:13]), text(folder, "second", lines[13:])]


def test_every_pair_is_as_likely_as_any_other(tmp_path: Path) -> None:
    texts = numbered(tmp_path)
    drawn = Counter(
        pair.target
        for seed in range(200)
        for pair in sample_pairs(texts, ENGLISH, FRENCH, number=5, longest=10, seed=seed)
    )
    assert sum(drawn.values()) == 5 * 200
    assert len(drawn) == 20
    assert all(25 < count < 75 for count in drawn.values()), "50 each; the standard deviation is about 6"


def test_pairs_are_tokenised_and_keep_their_links(tmp_path: Path) -> None:
    found = sample_pairs(numbered(tmp_path), ENGLISH, FRENCH, number=50, longest=10, seed=1)
    assert len(found) == 20
    assert {(pair.source, pair.links) for pair in found} == {(f"word{k} , yes", ((0, 0),)) for k in range(20)}
    without = [ParallelText(one.source, one.target) for one in numbered(tmp_path)]
    assert {pair.links for pair in sample_pairs(without, ENGLISH, FRENCH, number=3, longest=10, seed=1)} == {None}


def test_long_and_blank_pairs_are_passed_over(tmp_path: Path) -> None:
    lines = [("a b c", "a", "0-0"), ("a", "a b c", "0-0"), ("", "a", ""), ("a", " ", ""), ("a b", "a", "1-0")]
    (pair,) = sample_pairs([text(tmp_path, "mixed", lines)], ENGLISH, FRENCH, number=9, longest=2, seed=1)
    assert (pair.source, pair.links) == ("a b", ((1, 0),))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([("a b", "a", "2-0")], "line 1: .*2-0"),
        ([("a b c", "a", "0-0")], r"faulty\.en .*2 words"),
    ],
)
def test_faults(lines: list[tuple[str, str, str]], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        sample_pairs([text(tmp_path, "faulty", lines)], ENGLISH, FRENCH, number=9, longest=2, seed=1)


def test_too_few_lines_of_links(tmp_path: Path) -> None:
    given = text(tmp_path, "short", [("a", "a", "0-0"), ("b", "b", "0-0")])
    assert given.links is not None
    given.links.write_text("0-0\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2"):
        sample_pairs([given], ENGLISH, FRENCH, number=9, longest=2, seed=1)
