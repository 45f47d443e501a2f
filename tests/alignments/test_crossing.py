"""Crossings on the paper's own example, and against gold links."""

import re
from pathlib import Path

import numpy as np
import pytest

import nmt
from nmt.results import Alignment
from nmt.results.alignment import END
from tests.oracles.crossing import Crossing, crossing

SOURCE = tuple("The agreement on the European Economic Area was signed .".split())
TARGET = tuple("L' accord sur la zone économique européenne a été signé .".split())
PLACES = [0, 1, 2, 3, 6, 5, 4, 7, 7, 8, 9]


def _linked(source: tuple[str, ...], target: tuple[str, ...], places: list[int], weight: float = 1.0) -> Alignment:
    """Each target word has this weight on one source word, and the rest is spread over the others."""
    weights = np.full((len(target), len(source)), (1 - weight) / max(1, len(source) - 1), np.float32)
    weights[np.arange(len(target)), places] = weight
    return Alignment(source=source, target=target, weights=weights)


def _words(letter: str, count: int) -> tuple[str, ...]:
    return tuple(letter * 4 + "abcdefghijkl"[k] for k in range(count))


def test_the_papers_example() -> None:
    alignment = _linked(SOURCE, TARGET, PLACES)
    assert crossing(alignment) == Crossing(source=(4, 5, 6), target=(4, 5, 6))


def test_what_is_not_certain_is_not_found() -> None:
    source, target = _words("s", 4), _words("t", 4)
    assert crossing(_linked(source, target, [0, 2, 1, 3])) is not None
    assert crossing(_linked(source, target, [0, 2, 1, 3], 0.59)) is None  # faint
    assert crossing(_linked(source, target, [0, 3, 1, 2])) is None  # not side by side
    assert crossing(_linked(source, target, [1, 2, 1, 3])) is None  # two words for one, as [plus jeune] for [younger]
    for word in ("sea", ".", "1992", "L'accord", END, "[UNK]"):
        assert crossing(_linked((source[0], word, *source[2:]), target, [0, 2, 1, 3])) is None
        assert crossing(_linked(source, (target[0], word, *target[2:]), [0, 2, 1, 3])) is None


def test_source_words_in_pieces_do_not_count_but_are_counted() -> None:
    weights = np.zeros((3, 4), np.float32)
    weights[[0, 1, 2], [0, 3, 2]] = 1
    pieces = Alignment(
        source=("▁qwpe", "oizz", "▁Area", "▁zone"), target=("▁lesx", "▁zone", "▁a", "ire"),
        weights=weights[[0, 1, 2, 2]], source_words=(0, 0, 1, 2), target_words=(0, 1, 2, 2),
    )  # fmt: skip
    assert crossing(pieces) == Crossing(source=(1, 2), target=(1, 2))
    read_in_pieces = Alignment(
        source=("▁qwpe", "▁Area", "▁zo", "ne"), target=("▁aire", "▁zone", "▁lesx"), weights=weights[::-1],
        source_words=(0, 1, 2, 2),
    )  # fmt: skip
    assert crossing(read_in_pieces) is None


@pytest.mark.slow
def test_nothing_that_is_found_contradicts_a_gold_link() -> None:
    """jointly-150 with its French forced: at least 15 crossings, and all their links are gold links."""
    folder = Path("testsets/jointly-150")
    english, french = ((folder / f"sentences.{side}").read_text("utf-8").splitlines() for side in ("en", "fr"))
    model = nmt.load("checkpoints/rnnsearch-en-fr")
    count = 0
    for score, gold in zip(model.score(english, french), gold_links(folder / "gold"), strict=True):
        assert score.alignment is not None
        found = crossing(score.alignment)
        if found is not None:
            count += 1
            assert set(zip(reversed(found.source), found.target, strict=True)) <= gold
    assert count >= 15


def gold_links(path: Path) -> list[set[tuple[int, int]]]:
    """(source word, target word) of all links of each line, sure or possible."""
    pairs = [[re.split("[-p]", link) for link in line.split()] for line in path.read_text("utf-8").splitlines()]
    return [{(int(source), int(target)) for source, target in line} for line in pairs]
