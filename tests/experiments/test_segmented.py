"""The segmented RNNencdec: cuts that are best, translations that are put together."""

import io
import json
import math
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.segmented import best_segmentation, confidence, segmented, spans
from tests.programs import main

WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=7).map(tuple)
LOG_PROBABILITIES = st.dictionaries(
    st.lists(st.sampled_from("abc"), min_size=2, max_size=5).map(tuple), st.integers(-9, 0).map(float)
)


def every_segmentation(words: int) -> list[list[tuple[int, int]]]:
    """By brute force: each set of places to cut at."""
    inner = range(1, words)
    places = (cut for number in range(words) for cut in combinations(inner, number))
    return [list(zip((0, *cut), (*cut, words), strict=True)) for cut in places]


@st.composite
def tables(draw: st.DrawFn) -> tuple[dict[tuple[int, int], float], int]:
    """Confidences of some segments, the whole sentence among them."""
    words = draw(st.integers(1, 7))
    values = st.one_of(st.integers(-20, 0).map(float), st.just(-math.inf))
    table = {span: draw(values) for span in spans(words, words) if draw(st.booleans())}
    return table | {(0, words): draw(values)}, words


@given(tables())
def test_no_segmentation_is_better_than_the_one_found(table: tuple[dict[tuple[int, int], float], int]) -> None:
    confidences, words = table
    found = best_segmentation(confidences, words)
    allowed = [cut for cut in every_segmentation(words) if all(span in confidences for span in cut)]
    assert found in allowed
    assert sum(confidences[span] for span in found) == max(sum(confidences[span] for span in cut) for cut in allowed)


@given(WORDS, LOG_PROBABILITIES, st.integers(3, 5))
def test_segments_are_the_words_in_order(
    words: tuple[str, ...], log_p: dict[tuple[str, ...], float], most: int
) -> None:
    (cut,) = segmented([words], log_p, most)
    assert sum(cut, ()) == words
    assert all(1 <= len(segment) <= most for segment in cut)
    possible = [
        [words[start:end] for start, end in each]
        for each in every_segmentation(len(words))
        if max(end - start for start, end in each) <= most
    ]
    totals = [sum(confidence(log_p.get(s, -math.inf), len(s)) for s in each) for each in possible]
    assert sum(confidence(log_p.get(s, -math.inf), len(s)) for s in cut) == pytest.approx(max(totals))


def test_a_word_alone_is_a_segment_only_where_it_is_the_sentence() -> None:
    log_p = {("a", "b"): -8.0, ("b", "c"): -8.0, ("a", "b", "c"): -50.0}
    assert segmented([("a", "b", "c"), ("a",), ()], log_p, 3) == [[("a", "b", "c")], [("a",)], []]


def test_the_program_translates_segment_by_segment(
    random_runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["the cat sleeps and the girl sees a boy .", "", "the sea"]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    run = str(random_runs / "search-words")
    main(
        [
            "experiments",
            "segmented",
            run,
            "--most-words",
            "3",
            "--cuts",
            str(tmp_path / "cuts"),
            "--segments",
            str(tmp_path / "segments"),
        ]
    )
    together = capsys.readouterr().out.split("\n")
    marked = [line.split(" ||| ") for line in (tmp_path / "segments").read_text().split("\n")[:-1]]
    assert [[side.replace(" | ", " ") for side in line] for line in marked[2:]] == [[lines[2], together[2]]]
    cuts = [json.loads(line) for line in (tmp_path / "cuts").read_text().split("\n")[:-1]]
    assert [sum(source for source, _ in line) for line in cuts] == [len(line.split()) for line in lines]
    assert all(source <= 3 for line in cuts for source, _ in line)
    words = lines[0].split()
    ends = [sum(source for source, _ in cuts[0][: k + 1]) for k in range(len(cuts[0]))]
    segments = [" ".join(words[start:end]) for start, end in zip([0, *ends], ends, strict=False)]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{segment}\n" for segment in segments)))
    main(["experiments", "segmented", run, "--most-words", "9"])
    alone = capsys.readouterr().out
    assert together[0].replace(" ", "") == "".join(alone.split())
    assert marked[0][0].split(" | ") == segments
    assert ["".join(piece.split()) for piece in f"{marked[0][1]} ".split("| ")] == [
        "".join(line.split()) for line in alone.split("\n")[:-1]
    ]
    assert together[1:2] == [""]
    assert len(together) == 4
