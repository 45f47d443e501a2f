import gzip
import hashlib
import lzma
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from nmt.data.corpus import Line, check_parallel, inspect_file, read_lines, read_pairs
from nmt.errors import InputError

LINES = ["A small boat.", "", "  two  words ", "L'été, à l'ombre", "日本 👩‍👧"]


def _text(path: Path) -> list[str | None]:
    return [line.text for line in read_lines(path)]


@pytest.mark.parametrize("compress", [bytes, gzip.compress, lzma.compress])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_lines_are_read_as_written(tmp_path: Path, compress: Callable[[bytes], bytes], end: str, last: bool) -> None:
    path = tmp_path / "text"  # the content decides, not the name
    path.write_bytes(compress((end.join(LINES) + (end if last else "")).encode()))
    lines = list(read_lines(path))
    assert [line.text for line in lines] == LINES
    returns = [line.carriage_return for line in lines]
    assert returns == [end == "\r\n"] * 4 + [end == "\r\n" and last]


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    odd = "a\rb\x0bc\x0cd\x1ce\x1df\x1eg\x85h\u2028i\u2029j"
    path = tmp_path / "a.en"
    path.write_bytes((odd + "\nnext\n").encode())
    assert _text(path) == [odd, "next"]


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.en"
    path.write_bytes("\ufeffone\n\ufefftwo\n".encode())
    assert list(read_lines(path)) == [Line("one", byte_order_mark=True), Line("\ufefftwo")]


def test_a_very_long_line_is_not_held(tmp_path: Path) -> None:
    path = tmp_path / "a.en"
    most = "x" * 65_535
    path.write_text(f"one\n{'é' * 200_000}\ntwo\n{most}\n{most}x\nend")
    assert _text(path) == ["one", None, "two", most, None, "end"]


def test_inspected(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"a\nb\nc"))
    found = inspect_file(path)
    assert (found.lines, found.path) == (3, str(path))
    assert found.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("line", [1, 2, 5])
def test_invalid_utf8_names_file_and_line(tmp_path: Path, line: int) -> None:
    path = tmp_path / "bad.en"
    lines = [b"good \xc3\xa9"] * 6
    lines[line - 1] = b"bad \xe9 byte"
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(InputError, match=rf"bad\.en, line {line}: byte 0xe9"):
        inspect_file(path)


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
@pytest.mark.parametrize("damage", ["cut", "cut early", "overwritten"])
def test_damaged_compression_names_the_file(tmp_path: Path, compress: Callable[[bytes], bytes], damage: str) -> None:
    path = tmp_path / "bad.en"
    data = bytearray(compress("".join(f"line {n * n}\n" for n in range(3000)).encode()))
    if damage == "overwritten":
        data[len(data) // 2 : len(data) // 2 + 9] = b"\xff" * 9
    else:
        del data[len(data) // 2 if damage == "cut" else 8 :]
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"bad\.en .*line \d+$"):
        inspect_file(path)


def test_an_empty_file_within_a_compressed_one(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b""))
    with pytest.raises(InputError, match=r"a\.gz .*empty"):
        inspect_file(path)


@pytest.mark.parametrize(
    ("name", "content", "named"),
    [
        ("a.en", b"", "empty"),
        ("a.gz", b"plain text\n", r" \.gz, .*not compressed"),
        ("a.xz", b"plain text\n", r" \.xz, .*not compressed"),
        ("a.gz", lzma.compress(b"text\n"), r" \.gz, .*\bxz$"),
        ("a.xz", gzip.compress(b"text\n", mtime=0), r" \.xz, .*\bgzip$"),
        ("a.bz2", b"text\n", r"\.gz .*\.xz"),
    ],
)
def test_a_file_that_cannot_be_used(tmp_path: Path, name: str, content: bytes, named: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=f"^{re.escape(str(path))} .*{named}"):
        inspect_file(path)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.en"):
        inspect_file(tmp_path / "absent.en")
    with pytest.raises(InputError, match=re.escape(str(tmp_path))):
        inspect_file(tmp_path)


def test_unequal_numbers_of_lines(tmp_path: Path) -> None:
    short, long = tmp_path / "a.en", tmp_path / "a.fr"
    short.write_text("a\nb\n")
    long.write_text("a\nb\nc\n")
    for pair in ((short, long), (long, short)):
        with pytest.raises(InputError, match=r"line 3 of .*a\.fr"):
            check_parallel(*map(inspect_file, pair))
        with pytest.raises(InputError, match=r"a\.en .*line 3"):
            list(read_pairs(*pair))
    check_parallel(inspect_file(short), inspect_file(short))


def test_pairs_side_by_side(tmp_path: Path) -> None:
    source, target = tmp_path / "a.en", tmp_path / "a.fr"
    source.write_text("a\nb\n")
    target.write_text("c\nd")
    assert [(p.source.text, p.target.text) for p in read_pairs(source, target)] == [("a", "c"), ("b", "d")]
