"""The paper's own sentences, found in a test set that a reader has; here in one of our own with as many lines."""

import hashlib
import lzma
import os
from pathlib import Path

import pytest

from nmt.evaluation import quoted

LINES = (2409, 1884, 2716, 939, 120, 2443)


@pytest.fixture
def corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of corpora with newstest2014, whose lines say their numbers."""
    monkeypatch.setenv("JOINTLY_DATA", str(tmp_path))
    expected = "".join(f"sentence {number}\n" for number in LINES)
    monkeypatch.setattr(quoted, "_DIGEST", hashlib.sha256(expected.encode()).hexdigest())
    write(tmp_path / "news" / "newstest2014", "sentence")
    return tmp_path


def write(stem: Path, word: str) -> None:
    stem.parent.mkdir(exist_ok=True)
    for language, of_side in (("en", word), ("fr", "phrase")):
        text = "".join(f"{of_side} {number}\n" for number in range(1, 3004))
        stem.with_name(f"{stem.name}.{language}.xz").write_bytes(lzma.compress(text.encode()))


def test_each_sentence_is_that_of_its_line_with_its_reference(corpora: Path) -> None:
    found = quoted.quoted_sentences()
    assert [*found.values()] == [(f"sentence {number}", f"phrase {number}") for number in LINES]
    assert [*found][:2] == ["figure_3_b", "figure_3_c"]
    assert [*quoted.quoted_sentences("table_3").items()] == [*found.items()][3:]


def test_the_test_set_of_the_whole_task_has_them_too(corpora: Path) -> None:
    (corpora / "news").rename(corpora / "wmt14")
    for file in (corpora / "wmt14").iterdir():
        file.rename(file.with_name(file.name.replace("newstest2014", "test")))
    assert len(quoted.quoted_sentences()) == len(LINES)


def test_another_text_under_its_name_is_not_taken_for_it(corpora: Path) -> None:
    write(corpora / "news" / "newstest2014", "other")
    os.utime(corpora / "news", (1, 1))
    assert quoted.quoted_sentences() == {}


def test_a_file_that_is_none_has_none(corpora: Path) -> None:
    (corpora / "news" / "newstest2014.en.xz").write_bytes(b"no xz")
    os.utime(corpora / "news", (2, 2))
    assert quoted.quoted_sentences() == {}


def test_without_a_folder_of_corpora_there_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JOINTLY_DATA", raising=False)
    monkeypatch.setattr(quoted, "own_folder", lambda: tmp_path)
    assert quoted.quoted_sentences() == {}
