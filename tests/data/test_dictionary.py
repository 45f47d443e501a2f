"""Dictionaries for [UNK]: counted by hand, written and read again."""

from pathlib import Path

import pytest

from nmt.data.dictionary import Dictionary, DictionaryEntry, LinkCounts, LinkedWords, linked_words, read_dictionary
from nmt.data.dictionary import write_dictionary as write
from nmt.data.text import Tokenizer
from nmt.errors import InputError


def counted(known: set[str] | None = None) -> LinkCounts:
    counts = LinkCounts(None if known is None else known.__contains__)
    for source, target, links in [
        ("the sea", "la mer", [(0, 0), (1, 1)]),
        ("the sea", "le large", [(0, 0), (1, 1)]),
        ("sea", "mer", [(0, 0)]),
        ("the Sea", "la Mer", [(0, 0), (1, 1), (1, 0)]),
        ("oaks", "des chênes", [(0, 0), (0, 1)]),
        ("unlinked", "non lié", []),
    ]:
        counts.add(LinkedWords(source.split(), target.split(), links))
    return counts


def test_an_entry_is_the_most_frequent_linked_word() -> None:
    assert counted().entries(1, 0) == [
        DictionaryEntry(
            source="Sea", target="Mer", count=1, share=1 / 2
        ),  # before "la": capitals come first in the order of code points
        DictionaryEntry(source="oaks", target="chênes", count=1, share=1 / 2),
        DictionaryEntry(source="sea", target="mer", count=2, share=2 / 3),
        DictionaryEntry(source="the", target="la", count=2, share=2 / 3),
    ]


def test_only_reliable_words_enter() -> None:
    assert [entry.source for entry in counted().entries(2, 0)] == ["sea", "the"]
    assert [entry.source for entry in counted().entries(1, 0.6)] == ["sea", "the"]
    assert counted().entries(3, 0) == counted().entries(1, 0.7) == []


def test_words_that_a_model_can_write_are_not_counted() -> None:
    found = counted({"la", "le", "mer", "des", "Mer"}).entries(1, 0)
    assert found == [
        DictionaryEntry(source="oaks", target="chênes", count=1, share=1),
        DictionaryEntry(source="sea", target="large", count=1, share=1),
    ]


def test_a_file_comes_back(tmp_path: Path) -> None:
    entries = counted().entries(1, 0)
    write(tmp_path / "d.tsv", entries)
    assert read_dictionary(tmp_path / "d.tsv") == Dictionary({entry.source: entry.target for entry in entries})
    assert [path.name for path in tmp_path.iterdir()] == ["d.tsv"]
    rows = [line.split("\t") for line in (tmp_path / "d.tsv").read_text("utf-8").splitlines()]
    assert [(row[0], row[1], int(row[2])) for row in rows] == [(e.source, e.target, e.count) for e in entries]
    assert [float(row[3]) for row in rows] == pytest.approx([e.share for e in entries], abs=1e-3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sea\tmer\nsky\n", r"d\.tsv, line 2"),
        ("\tmer\n", r"d\.tsv, line 1"),
        ("sea\tmer\t3\nsky\tciel\nsea\tlarge\n", r"d\.tsv, line 3: 'sea'"),
        ("", r"d\.tsv .*empty"),
    ],
)
def test_a_broken_file_names_the_line(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "d.tsv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_dictionary(tmp_path / "d.tsv")


def corpus(folder: Path, links: str) -> list[LinkedWords]:
    for name, text in (("s", "It's late.\nThe sea\n\n"), ("t", "Il est tard.\nLa mer\n\n"), ("l", links)):
        (folder / name).write_text(text, encoding="utf-8")
    return list(linked_words(folder / "s", folder / "t", folder / "l", Tokenizer("en"), Tokenizer("fr")))


def test_links_are_over_moses_words(tmp_path: Path) -> None:
    (only,) = corpus(tmp_path, "0-0 1-1 3-3\n\n\n")
    assert [(only.source[i], only.target[j]) for i, j in only.links] == [("It", "Il"), ("'s", "est"), (".", ".")]


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ("0-0\n0-2\n\n", "/l, line 2: .*0-2 "),
        ("0-0\n", "/l .*line 2.*/s "),
        ("0-0\n\n\n\n", "/s .*line 4.*/l "),
        ("0:0\n\n\n", "/l, line 1: '0:0'"),
    ],
)
def test_links_that_do_not_fit_are_named(links: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        corpus(tmp_path, links)
