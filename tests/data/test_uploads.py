"""Texts that people bring along: what is read, and what is refused with one sentence."""

import gzip
import lzma
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nmt.data.uploads import LARGE, LIMITS, Limits, Upload, lines_of, pairs_of, read_upload, text_of, write_pairs
from nmt.errors import InputError

SMALL = Limits(size=200, lines=4, characters=20)


def upload(text: str | bytes) -> Upload:
    return Upload("mine.en", text.encode() if isinstance(text, str) else text)


REFUSED: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "mine.en is empty"),
    "blank": ("\n \r\n", "mine.en is empty"),
    "packed nothing": (gzip.compress(b""), "mine.en is empty"),
    "latin-1": ("ok\ncaf\u00e9\n".encode("latin-1"), "mine.en, line 2, byte 4: 0xe9 is not valid UTF-8"),
    "utf-16": ("a\n".encode("utf-16"), "mine.en is in UTF-16; save it as UTF-8"),
    "utf-16 without mark": ("a\n".encode("utf-16-le"), "mine.en, line 1 contains a null byte"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "mine.en, line 3 contains a null byte"),
    "web page": ("\n<!DOCTYPE html>\n<p>Hello.\n", "mine.en is a web page (HTML)"),
    "web page with a declaration": ('<?xml version="1.0"?>\n<HTML lang="en">\n<Body>', "mine.en is a web page (HTML)"),
    "half a letter": ("a\né".encode()[:-1], "mine.en, line 2, byte 1: 0xc3 is not valid UTF-8"),
    "bytes": ("x" * 15 + "\n" + "x" * 200, "mine.en has more than 200 bytes"),
    "packed bytes": (gzip.compress(b"x" * 10**6), "mine.en has more than 200 bytes"),
    "more packed bytes": (lzma.compress(b"x" * 10**6), "mine.en has more than 200 bytes"),
    "lines": ("a\n" * 5, "mine.en has 5 lines; the limit is 4"),
    "characters": ("a\n" + "é" * 21, "mine.en, line 2 has 21 characters; the limit for a sentence is 20"),
    "cut short": (gzip.compress(b"a\n" * 100)[:-9], "mine.en is damaged or truncated"),
    "no gzip": (b"\x1f\x8bnothing of the kind", "mine.en is damaged or truncated"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_what_cannot_be_read_is_refused_with_one_sentence(fault: str) -> None:
    data, message = REFUSED[fault]
    with pytest.raises(InputError) as refused:
        lines_of(upload(data), SMALL)
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)


def test_what_is_just_small_enough_is_read() -> None:
    text = "\n".join(["é" * 20, *["x" * 10] * 3])
    assert len(lines_of(upload(text), SMALL)) == 4
    exact = Limits(size=len(text.encode()), lines=4, characters=20)
    assert len(lines_of(upload(text), exact)) == 4


def test_a_whole_text_may_have_long_lines() -> None:
    assert text_of(upload("x" * 100 + "\r\n\nb\n"), SMALL) == "x" * 100 + "\n\nb"
    with pytest.raises(InputError, match="200 bytes"):
        text_of(upload("x" * 201), SMALL)


def test_a_local_file_may_be_as_large_as_the_limit(tmp_path: Path) -> None:
    path, limits = tmp_path / "mine.en", Limits(size=4)
    path.write_bytes(b"abcd")
    assert lines_of(read_upload(path, limits), limits) == ("abcd",)
    path.write_bytes(b"abcd" * 9)
    read = read_upload(path, limits)
    assert read.data == b"abcda"
    with pytest.raises(InputError, match="more than 4 bytes"):
        lines_of(read, limits)
    with pytest.raises(InputError, match=r"nowhere cannot be read: No such file"):
        read_upload(tmp_path / "nowhere", limits)


def test_texts_to_translate_and_texts_to_train_on_may_be_so_large() -> None:
    """A file to train on is four times as large, and has 25 times as many lines."""
    assert Limits(size=16_000_000, lines=20_000, characters=5_000) == LIMITS
    assert Limits(size=64_000_000, lines=500_000, characters=5_000) == LARGE


def test_pairs_stand_in_two_files_or_with_a_tab_between_them() -> None:
    pairs = [("a b", "c"), ("d", "")]
    assert pairs_of([upload("a b\nd\n"), upload("c\n\n")]) == pairs
    assert pairs_of([upload("a b\tc\nd\t\n")]) == pairs
    assert pairs_of([upload("x" * 20 + "\t" + "y" * 20)], SMALL) == [("x" * 20, "y" * 20)]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["a\nb\n", "c\n"], "^mine.en has 2 lines and mine.en 1; line by line "),
        (["a\tb\nc\n"], "^mine.en, line 2 has 0 tabs; a line of pairs has one"),
        (["a\tb\tc\n"], "^mine.en, line 1 has 2 tabs; a line of pairs has one"),
        (["a\tb\n" + "x" * 21 + "\tb\n"], "^mine.en, line 2 has 21 characters; the limit for a sentence is 20$"),
        (["a\tb\nb\t" + "x" * 21 + "\n"], "^mine.en, line 2 has 21 characters; the limit for a sentence is 20$"),
    ],
)
def test_what_are_no_pairs_is_refused(texts: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        pairs_of([upload(text) for text in texts], SMALL)


@pytest.mark.parametrize(("given", "held_out"), [(10, 1), (19, 1), (1_999, 199), (2_000, 200), (2_010, 200)])
def test_a_tenth_of_the_pairs_and_at_most_200_are_kept_for_validation(
    given: int, held_out: int, tmp_path: Path
) -> None:
    pairs = [(f"a{k}", f"b{k}") for k in range(given)]
    files = write_pairs(pairs, tmp_path / "new")
    assert [*files] == ["train", "dev"]
    read = {split: [path.read_text("utf-8").splitlines() for path in paths] for split, paths in files.items()}
    train, dev = ([*zip(*read[split], strict=True)] for split in ("train", "dev"))
    assert len(dev) == held_out
    assert sorted([*train, *dev], key=pairs.index) == pairs
    assert (train, dev) == (sorted(train, key=pairs.index), sorted(dev, key=pairs.index))
    assert write_pairs(pairs, tmp_path / "new") == files
    assert write_pairs([*pairs[:-1], ("a", "b")], tmp_path / "new")["dev"][0] != files["dev"][0]


def test_pairs_for_validation_are_from_everywhere_and_trained_on_nowhere(tmp_path: Path) -> None:
    """Corpora are often sorted, and repeat themselves."""
    pairs = [(f"a{k % 1000}", f"b{k % 1000}") for k in range(3000)]
    files = write_pairs(pairs, tmp_path)
    train, dev = (files[split][0].read_text("utf-8").split("\n")[:-1] for split in ("train", "dev"))
    assert len({*dev}) == len(dev) == 100
    assert len(train) == 3000 - 3 * 100
    assert not {*train} & {*dev}
    numbers = sorted(int(line[1:]) for line in dev)
    assert all(any(start <= number < start + 200 for number in numbers) for start in range(0, 1000, 200))


def test_a_class_may_upload_one_text_at_one_time(tmp_path: Path) -> None:
    """Each session gets the whole text."""
    pairs, meet = [(f"{n} a", f"{n} b") for n in range(2000)], threading.Barrier(8)
    expected = write_pairs(pairs, tmp_path / "alone")

    def once(number: int) -> None:
        meet.wait(30)
        for split, files in write_pairs(pairs, tmp_path / f"{number}").items():
            for file, right in zip(files, expected[split], strict=True):
                assert file.read_bytes() == right.read_bytes()

    with ThreadPoolExecutor(8) as threads:
        for number in range(10):
            assert [*threads.map(once, [number] * 8)] == [None] * 8


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file" / "folder"):
        with pytest.raises(InputError, match=f"{re.escape(str(place))} cannot be written: "):
            write_pairs([(f"a{k}", "b") for k in range(10)], place)


def test_fewer_than_ten_pairs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^9 .* at least 10 "):
        write_pairs([(f"a{k % 9}", "b") for k in range(90)], tmp_path)
    assert not [*tmp_path.iterdir()]
