"""Lines as they come: out of files, pipes and bytes in memory, however they are cut into blocks."""

import gzip
import io
import itertools
import lzma
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest

from nmt.cli.lines import PATIENCE, IncomingLines, read_file
from nmt.errors import InputError
from nmt.inference.text_search import windows


@pytest.fixture
def pipe() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """The end to read from and the one to write to, which writes at once."""
    read, write = os.pipe()
    with open(read, "rb") as reader, open(write, "wb", buffering=0) as writer:  # noqa: PTH123
        yield reader, writer


def random_bytes(seed: int) -> bytes:
    pieces = [b"\n", b"\n\n", b"\r\n", "é".encode(), "日本".encode(), b" ", b"word", b"\xef\xbb\xbf", b"x" * 300]
    return b"".join(np.random.default_rng(seed).choice(np.array(pieces, dtype=object), 400).tolist())


@pytest.mark.parametrize("block", [7, 40, 2**16])
def test_segments_of_a_stream_are_its_lines(block: int) -> None:
    """However it is cut into blocks."""
    text = (
        '<srcset setid="x">\n<doc docid="d">\n<seg id="1">One é.</seg>\n<seg id="2">Two\nlines</seg>\n</doc></srcset>'
    )
    assert [*IncomingLines(io.BytesIO(text.encode()), "x", block)] == ["One é.", "Two lines"]
    assert [*IncomingLines(io.BufferedReader(io.BytesIO(text.encode())), "x", block)] == ["One é.", "Two lines"]  # type: ignore[arg-type]


def test_segments_that_are_not_utf_8_are_refused() -> None:
    with pytest.raises(InputError, match=r"^x, line 2: not valid UTF-8"):
        next(IncomingLines(io.BytesIO('<srcset setid="x">\n<seg id="1">é</seg></srcset>'.encode("latin-1")), "x"))


@pytest.mark.parametrize("block", [7, 2**16])
def test_a_stream_of_another_kind_is_refused_before_its_first_line(block: int) -> None:
    with pytest.raises(InputError, match=r"^x is an n-best list"):
        next(IncomingLines(io.BytesIO(b"0 ||| a b ||| 1\n1 ||| c ||| 2\n"), "x", block))


@pytest.mark.skipif(not Path("/dev/zero").is_char_device(), reason="has no /dev/zero")
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null"])
def test_a_device_is_refused(device: str) -> None:
    with pytest.raises(InputError, match=f"{device} is a device"):
        read_file(device)


@pytest.mark.parametrize("compress", [bytes, gzip.compress, lzma.compress])
def test_a_pipe_has_the_lines_of_the_file(compress: Callable[[bytes], bytes], tmp_path: Path) -> None:
    """Such as ``<(head text)`` in a shell."""
    pipe, data = tmp_path / "pipe", random_bytes(3)
    os.mkfifo(pipe)
    (tmp_path / "text").write_bytes(data)
    writer = threading.Thread(target=pipe.write_bytes, args=(compress(data),))
    writer.start()
    assert read_file(str(pipe)) == read_file(str(tmp_path / "text"))
    writer.join()


@pytest.mark.parametrize("seed", range(5))
def test_a_stream_has_the_lines_of_the_file(seed: int, tmp_path: Path) -> None:
    data = random_bytes(seed)
    path = tmp_path / "text"
    path.write_bytes(data)
    expected = read_file(str(path))
    plain = data.decode("utf-8-sig").removesuffix("\n").split("\n")
    assert expected == [line.removesuffix("\r") for line in plain]
    for block in (1, 7, 65536):
        assert list(IncomingLines(io.BytesIO(data), "bytes", block)) == expected
        with path.open("rb") as stream:
            lines = IncomingLines(stream, "file", block)
            assert lines.count() == len(expected)
            found = []
            while lines.at_hand():
                found.append(next(lines))
            assert found == expected
            with pytest.raises(StopIteration):
                next(lines)


@pytest.mark.parametrize("data", [b"", b"\n", b"a", b"a\n", b"a\n\n", b"\n\nb"])
def test_the_last_line_may_lack_its_end(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(data)
    with (tmp_path / "text").open("rb") as stream:
        lines = IncomingLines(stream, "file")
        count = lines.count()
        assert list(lines) == [part.rstrip("\n") for part in data.decode().splitlines(keepends=True)]
        assert count == len(data.decode().splitlines())


def test_a_file_read_in_part_counts_what_is_left(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"one\ntwo\nthree\n")
    with (tmp_path / "text").open("rb") as stream:
        stream.readline()
        lines = IncomingLines(stream, "file")
        assert lines.count() == 2
        assert list(lines) == ["two", "three"]


def test_a_pipe_gives_what_is_there_and_waits_for_no_more(pipe: tuple[BinaryIO, BinaryIO]) -> None:
    reader, writer = pipe
    lines = IncomingLines(reader, "pipe")
    assert lines.count() is None
    assert not lines.at_hand()
    writer.write(b"one\ntwo\nthr")
    assert [lines.at_hand(), next(lines), lines.at_hand(), next(lines)] == [True, "one", True, "two"]
    assert not lines.at_hand()  # half a line is none
    writer.write("eé".encode()[:2])
    assert not lines.at_hand()
    writer.write("eé".encode()[2:] + b"\nlast")
    assert [lines.at_hand(), next(lines), lines.at_hand()] == [True, "threé", False]
    writer.close()
    assert [lines.at_hand(), next(lines), lines.at_hand(), list(lines)] == [True, "last", False, []]


def test_lines_that_trickle_in_are_not_collected_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock of its own, a line comes a little sooner than patience ends."""
    now, apart = 0.0, 0.8 * PATIENCE

    def select(streams: list[object], _: object, __: object, wait: float) -> tuple[list[object], ...]:
        nonlocal now
        now += min(wait, apart)
        return (streams if wait >= apart else [], [], [])

    class Trickle(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            return b"a line\n"

    monkeypatch.setattr("nmt.cli.lines.time.monotonic", lambda: now)
    monkeypatch.setattr("nmt.cli.lines.select.select", select)
    lines = IncomingLines(Trickle(), "pipe")
    for window in itertools.islice(windows(lines, len, at_hand=lines.at_hand), 20):
        assert 1 <= len(window) <= 2


def test_a_line_that_is_not_utf_8_is_named_after_those_before_it() -> None:
    lines = IncomingLines(io.BytesIO(b"fine\nfine too\n\xff\n"), "bytes")
    assert [next(lines), next(lines)] == ["fine", "fine too"]
    with pytest.raises(InputError, match="bytes, line 3"):
        next(lines)


@pytest.mark.parametrize(("ending", "compress"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_a_compressed_file_has_the_lines_of_the_plain_one(
    ending: str, compress: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    data = random_bytes(9)
    plain, small = tmp_path / "text", tmp_path / f"text{ending}"
    plain.write_bytes(data)
    small.write_bytes(compress(data))
    assert read_file(str(small)) == read_file(str(plain))
    (tmp_path / "unnamed").write_bytes(compress(data))
    assert read_file(str(tmp_path / "unnamed")) == read_file(str(plain))
    small.write_bytes(compress(data)[:-9])
    with pytest.raises(InputError, match=f"text{ending} "):
        read_file(str(small))
    small.write_bytes(data)
    with pytest.raises(InputError, match=f"text{ending} .* {ending}, but is not compressed"):
        read_file(str(small))
