import json
import os
import random
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from nmt.data.prepare import PrepareSettings, prepare
from nmt.data.prepared import SentenceArray, open_prepared, write_sentences
from nmt.errors import InputError
from tests.data.corpus_files import corpus

WriteCorpus = Callable[..., tuple[Path, Path]]

PAIRS = [("a b c", "d e"), ("f", "g h i j")]


@pytest.fixture
def folder(write_corpus: WriteCorpus, tmp_path: Path) -> Path:
    prepare(
        [corpus(write_corpus("train", PAIRS))],
        [],
        PrepareSettings(source_language="en", target_language="fr"),
        tmp_path / "out",
    )
    return tmp_path / "out"


@pytest.mark.parametrize("size", [100, 1 << 16, (1 << 16) + 1, 200_000])
@pytest.mark.parametrize("buffered", [1, 40, 10_000])
def test_sentences_come_back(tmp_path: Path, size: int, buffered: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nmt.data.prepared._BUFFERED", buffered)
    draw = random.Random(size)
    sentences = [[draw.randrange(size) for _ in range(draw.randrange(30))] for _ in range(50)] + [[size - 1]]
    total = write_sentences(tmp_path, "train", "source", sentences, size)
    assert total == sum(map(len, sentences))
    read = SentenceArray(tmp_path, "train", "source", size)
    assert [read[i].tolist() for i in range(len(read))] == sentences
    assert read.lengths.tolist() == [len(sentence) for sentence in sentences]
    assert read[-1].tolist() == sentences[-1]
    assert isinstance(read.ids, np.memmap)
    assert read.ids.itemsize == (2 if size <= 65_536 else 4)
    with pytest.raises(IndexError):
        read[len(read)]


def test_no_sentences(tmp_path: Path) -> None:
    write_sentences(tmp_path, "dev", "source", [], 10)
    read = SentenceArray(tmp_path, "dev", "source", 10)
    assert (len(read), read.lengths.tolist()) == (0, [])


def test_without_dev(folder: Path) -> None:
    data = open_prepared(str(folder))
    assert len(data.dev) == 0
    assert data.dev_source == data.dev_target == []
    assert data.manifest.dev.pairs == 0


def test_not_a_prepared_folder(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "absent"):
        with pytest.raises(InputError, match=re.escape(str(path))):
            open_prepared(path)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', '{"format": 1, "files": 3}', "\x00"])
def test_a_broken_manifest(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(InputError, match="manifest"):
        open_prepared(tmp_path)


def test_names_stand_in_the_manifest_as_they_are_written(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    settings = PrepareSettings(source_language="en", target_language="fr")
    prepare([corpus(write_corpus("été", PAIRS))], [], settings, tmp_path / "out")
    assert "été." in (tmp_path / "out" / "manifest.json").read_text(encoding="utf-8")


def test_a_manifest_of_another_format(folder: Path) -> None:
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 99}))
    with pytest.raises(InputError, match="99"):
        open_prepared(folder)


def test_every_file_is_missed_and_measured(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()} - {"manifest.json"}
    assert names == set(open_prepared(folder).manifest.files)
    for name in names:
        path = folder / name
        content = path.read_bytes()
        path.unlink()
        with pytest.raises(InputError, match=f" {name} "):
            open_prepared(folder)
        path.write_bytes(content + b"x")
        with pytest.raises(InputError, match=f"/{name} .*{len(content) + 1} bytes .*{len(content)}"):
            open_prepared(folder)
        path.write_bytes(content)
    open_prepared(folder)


@pytest.mark.parametrize("name", ["train.repeats.npy", "train.source.offsets.npy", "train.word_lengths.npy"])
def test_an_array_of_the_right_size_that_is_none(folder: Path, name: str) -> None:
    path = folder / name
    path.write_bytes(b"?" * path.stat().st_size)
    with pytest.raises(InputError, match=name):
        open_prepared(folder).train  # noqa: B018


def edited(folder: Path, **changes: int) -> None:
    """Change what the manifest says of the only corpus of train."""
    path = folder / "manifest.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    data["train"]["corpora"][0] |= changes
    path.write_text(json.dumps(data), encoding="utf-8")


def test_pairs_are_those_of_the_corpora(folder: Path) -> None:
    """Each once, or as often as its corpus is repeated."""
    edited(folder, kept=2, repeat=3)
    assert open_prepared(folder).train.corpora.tolist() == [0, 0]
    edited(folder, kept=1, repeat=2)
    assert open_prepared(folder).train.corpora.tolist() == [0, 0]
    edited(folder, kept=1, repeat=3)
    with pytest.raises(InputError, match=r"holds 2 pairs of train, but its corpora 3$"):
        open_prepared(folder).train  # noqa: B018


@pytest.mark.parametrize("name", ["repeats", "word_lengths"])
def test_arrays_that_differ_in_length(folder: Path, name: str) -> None:
    data = open_prepared(folder)
    np.save(folder / f"train.{name}.npy", np.ones(3, dtype="<i4"))
    with pytest.raises(InputError, match=f"the arrays of train in {re.escape(str(folder))} differ in length"):
        data.train  # noqa: B018


def test_offsets_that_do_not_fit_the_ids(folder: Path) -> None:
    data = open_prepared(folder)
    for offsets in ([], [0, 3, 999]):
        np.save(folder / "train.source.offsets.npy", np.array(offsets, dtype="<i8"))
        with pytest.raises(InputError, match=r"train\.source\.ids\.bin does not have the size"):
            data.train  # noqa: B018


class Trap:
    """What would be done if it were unpickled."""

    def __init__(self, made: Path) -> None:
        self.made = made

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.made),)


def test_nothing_in_an_array_is_executed(folder: Path, tmp_path: Path) -> None:
    data = open_prepared(folder)
    np.save(folder / "train.repeats.npy", np.array([Trap(tmp_path / "made")] * 2, dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match=r"train\.repeats\.npy cannot be read as an array"):
        data.train  # noqa: B018
    assert not (tmp_path / "made").exists()
