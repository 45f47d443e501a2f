"""Texts that people bring along: what is read, and what is refused with one sentence."""

import gzip
import lzma
from pathlib import Path

import pytest

from nmt.data.uploads import Limits, Upload, lines_of, text_of, write_pairs
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


def test_a_sentence_about_html_is_no_web_page() -> None:
    text = "<html> is a tag."
    assert lines_of(upload(text), SMALL) == (text,)


def test_a_whole_text_may_have_long_lines() -> None:
    assert text_of(upload("x" * 100 + "\r\n\nb\n"), SMALL) == "x" * 100 + "\n\nb"
    with pytest.raises(InputError, match="200 bytes"):
        text_of(upload("x" * 201), SMALL)


@pytest.mark.parametrize(("given", "held_out"), [(10, 1), (19, 1), (1_999, 199), (2_000, 200), (2_010, 200)])
def test_a_tenth_of_the_pairs_and_at_most_200_are_kept_for_validation(
    given: int, held_out: int, tmp_path: Path
) -> None:
    pairs = [(f"a{k}", f"b{k}") for k in range(given)]
    files = write_pairs(pairs, tmp_path / "new")
    assert [*files] == ["train", "dev"]
    read = {split: [path.read_text("utf-8").splitlines() for path in paths] for split, paths in files.items()}
    assert [*zip(*read["train"], strict=True)] == pairs[: given - held_out]
    assert [*zip(*read["dev"], strict=True)] == pairs[given - held_out :]
    assert write_pairs(pairs, tmp_path / "new") == files
    assert write_pairs([*pairs[:-1], ("a", "b")], tmp_path / "new")["dev"][0] != files["dev"][0]


def test_fewer_than_ten_pairs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^9 .* at least 10 "):
        write_pairs([("a", "b")] * 9, tmp_path)
    assert not [*tmp_path.iterdir()]
