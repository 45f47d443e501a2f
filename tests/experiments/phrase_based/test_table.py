"""Moses phrase tables: cut into phrases and scores, and put together again byte for byte."""

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from experiments.phrase_based.table import read_phrase_table
from nmt.errors import InputError

LINES = [
    b"! ||| ! ||| 0.5 0.25 1e-07 0.125 ||| 0-0 ||| 4 4 2 ||| |||",
    b"c &apos;est ||| it &apos;s ||| 0.5  0.25 0.5 0.1  ||| 0-0 1-1 ||| 1 1 1",
    b"d |||  |||1 1 1 1||| \xc3\xa9 ||| 3 3 3 ||| dom 1 ||| {{Tree [A [B]]}}",
    b"a &#124; b &amp; c ||| &amp;lt; ||| 1 1 1 -2.5\r",
]
WORDS = [(("!",), ("!",)), (("c", "'est"), ("it", "'s")), (("d",), ()), (("a", "|", "b", "&", "c"), ("&lt;",))]


def table(folder: Path, data: bytes) -> Path:
    (folder / "table").write_bytes(data)
    return folder / "table"


@pytest.mark.parametrize("end", [b"\n", b""])
def test_phrases_without_escapes_and_lines_as_they_were(end: bytes, tmp_path: Path) -> None:
    data = b"\n".join(LINES) + end
    pairs = list(read_phrase_table(table(tmp_path, data)))
    assert [(pair.source, pair.target) for pair in pairs] == WORDS
    assert [pair.scores for pair in pairs] == [4] * 4
    assert b"".join(b"|||".join(pair.fields) + pair.end for pair in pairs) == data


def test_a_score_more_is_all_that_changes(tmp_path: Path) -> None:
    for line, pair in zip(LINES, read_phrase_table(table(tmp_path, b"\n".join(LINES))), strict=True):
        before, after = line.split(b"|||"), pair.with_score("-12.5").removesuffix(b"\n").split(b"|||")
        assert after[:2] + after[3:] == before[:2] + before[3:]
        assert after[2].replace(b" -12.5", b"", 1) == before[2]
        assert after[2].split() == [*before[2].split(), b"-12.5"]


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_compressed(compress: Callable[[bytes], bytes], tmp_path: Path) -> None:
    data = b"\n".join(LINES)
    packed = compress(data)
    assert len(list(read_phrase_table(table(tmp_path, packed)))) == len(LINES)
    with pytest.raises(InputError, match=r"/table .*line \d+$"):
        list(read_phrase_table(table(tmp_path, packed[:-9])))


FAULTS = {
    b"a ||| b": "2 fields",
    b"": "1 fields",
    b"a ||| b ||| ||| 0-0": "scores",
    b"a ||| b ||| (0) ||| (0) ||| 1 2": r"'\(0\)'",
    b"a ||| b ||| 1 1 1": "3 scores, .*4",
    b"a ||| \xff ||| 1 1 1 1": "UTF-8",
    b"a|DT ||| b|DT ||| 1 1 1 1": r"'a\|DT'",
    b"a [X][X] [X] ||| [X][X] b [X] ||| 1 1 1 1": r"'a \[X\]\[X\] \[X\]'",
}


@pytest.mark.parametrize("line", FAULTS)
def test_a_broken_line_is_named_after_those_before_it(line: bytes, tmp_path: Path) -> None:
    path = table(tmp_path, b"\n".join([LINES[0], LINES[1], line, LINES[2]]))
    pairs = read_phrase_table(path)
    assert [next(pairs).source, next(pairs).source] == [WORDS[0][0], WORDS[1][0]]
    with pytest.raises(InputError, match=f"table, line 3: .*{FAULTS[line]}"):
        next(pairs)


def test_the_table_is_read_line_by_line(tmp_path: Path) -> None:
    """A broken line after many good ones does not show before they are asked for."""
    pairs = read_phrase_table(table(tmp_path, b"\n".join([LINES[0]] * 100 + [b"broken"])))
    for _ in range(100):
        next(pairs)
    with pytest.raises(InputError, match="line 101"):
        next(pairs)
