"""What a run says of its origin survives the disk, session after session."""

import json
import re
import shlex
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from nmt.cli import main
from nmt.data.prepared import Manifest
from nmt.errors import InputError
from nmt.runs.provenance import (
    PROVENANCE,
    InitialWeights,
    Provenance,
    commit,
    preparation,
    read_provenance,
    record_session,
)
from tests.oracles.toy_corpus import LETTERS, toy_corpus
from tests.runs.origins import session


def test_sessions_are_added_up(tmp_path: Path) -> None:
    manifest = toy_corpus(tmp_path, pairs=20).manifest
    assert read_provenance(tmp_path) is None
    sessions = tuple(session(command=f"train {k}", from_update=10 * k) for k in range(3))
    for one in sessions:
        record_session(tmp_path, manifest, one)
    found = read_provenance(tmp_path)
    assert found is not None
    assert found.sessions == sessions
    (used,), (dev,) = found.train, found.dev
    assert (used.source, used.read, used.kept, used.repeat) == (f"{tmp_path.name}/train.src", 20, 20, 1)
    assert used.source_sha256 == manifest.train.corpora[0].source.sha256
    assert dev.target == f"{tmp_path.name}/dev.tgt"
    assert (found.pairs_per_epoch, found.tokens) == (20, manifest.train.target.tokens)


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"format": 1, "train": []}', '{"format": 1, "train": [{"a": 1}], "dev": []}', '{"format": 9}']
)
def test_a_broken_file_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / PROVENANCE).write_text(text)
    with pytest.raises(InputError, match=r"provenance\.json"):
        read_provenance(tmp_path)


def _files(folder: Path, name: str, lines: list[str]) -> list[str]:
    folder.mkdir(exist_ok=True)
    for side in ("en", "fr"):
        (folder / f"{name}.{side}").write_text("".join(f"{line}\n" for line in lines))
    return [str(folder / f"{name}.{side}") for side in ("en", "fr")]


@pytest.mark.parametrize(
    "options",
    [
        ["--vocabulary", "bpe", "--vocabulary-size", "40", "--bpe-dropout", "0.25", "--max-length", "7"],
        ["--source-vocabulary", "unigram", "--source-vocabulary-size", "30", "--target-vocabulary-size", "20"],
        ["--links"],
    ],
)
def test_the_command_kept_makes_the_same_data_again(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["a boat on a river", "two cats sleep", "a river runs by two boats", "one cat runs to a boat now"]
    train, dev = _files(tmp_path / "corpora", "train", lines), _files(tmp_path / "corpora", "dev", lines[:1])
    links = tmp_path / "corpora" / "train.links"
    links.write_text("0-0\n" * 4)
    options += [str(links)] if options == ["--links"] else []
    command = [
        "prepare",
        "--source-lang",
        "en",
        "--target-lang",
        "fr",
        *options,
        "--corpus",
        *train,
        "x3",
        "--dev",
        *dev,
    ]
    assert main([*command, "--out", str(tmp_path / "first")]) == 0
    first = Manifest.load(tmp_path / "first")
    again = shlex.split(preparation(first))
    assert again[0] == "jointly"
    monkeypatch.chdir(tmp_path)
    assert main([*again[1:-1], "second"]) == 0
    second = Manifest.load(tmp_path / "second")
    assert second.files == first.files
    assert preparation(second) == preparation(first)


def test_a_program_in_somebody_elses_repository_has_no_commit(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        name = ["-c", "user.name=a", "-c", "user.email=a@b.example"]
        subprocess.run(["git", *name, *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init")
    (tmp_path / "file").write_text("theirs")
    git("add", "file")
    git("commit", "-m", "theirs")
    (tmp_path / "program").mkdir()
    assert re.fullmatch("[0-9a-f]{7,}", commit(tmp_path))
    assert commit(tmp_path / "program") == ""
    (tmp_path / "other").write_text("is not in it")
    (tmp_path / "file").write_text("changed")
    assert re.fullmatch(r"[0-9a-f]{7,} \+ changes", commit(tmp_path))


def test_the_command_has_what_was_chosen_and_nothing_else(tmp_path: Path) -> None:
    manifest = toy_corpus(tmp_path, pairs=20).manifest
    files = " ".join(
        f"--{option} {tmp_path.name}/{name}.src {tmp_path.name}/{name}.tgt"
        for option, name in (("corpus", "train"), ("dev", "dev"))
    )
    size, begun = len(LETTERS) + 2, "jointly prepare --source-lang en --target-lang en"
    sizes = " ".join(f"--{s}-vocabulary words --{s}-vocabulary-size {size}" for s in ("source", "target"))
    assert preparation(manifest) == f"{begun} {sizes} {files} --out PREPARED"
    taken = replace(manifest.source_vocabulary, asked=None)
    for other, name in (("", "OTHER"), ("old", "old")):
        again = replace(manifest, source_vocabulary=taken, target_vocabulary=taken, vocabularies_from=other)
        assert preparation(again) == f"{begun} --vocabularies-from {name} {files} --out PREPARED"


def test_runs_from_before_say_nothing_of_how_they_were_prepared(tmp_path: Path) -> None:
    manifest = toy_corpus(tmp_path, pairs=20).manifest
    record_session(tmp_path, manifest, session())
    data = json.loads((tmp_path / PROVENANCE).read_text())
    assert data.pop("preparation") == preparation(manifest)
    del data["sessions"][0]["machine"]["accelerator"]
    (tmp_path / PROVENANCE).write_text(json.dumps(data))
    found = read_provenance(tmp_path)
    assert found is not None
    assert (found.preparation, found.sessions[0].machine.accelerator) == ("", "")


def test_updates_of_the_trainings_before_are_added_up(tmp_path: Path) -> None:
    """The weights that a training began with are those of its first session, whatever a later one is told."""
    manifest = toy_corpus(tmp_path, pairs=20).manifest
    before: Provenance | None = None
    for name, update, total in (("one", 5, 5), ("two", 3, 8), ("three", 4, 12)):
        (tmp_path / name).mkdir()
        initial = InitialWeights(run="earlier", sha256="0" * 64, update=update, provenance=before)
        record_session(tmp_path / name, manifest, session(), initial)
        record_session(tmp_path / name, manifest, session())
        before = read_provenance(tmp_path / name)
        assert before is not None
        assert (before.initial, before.updates_before, len(before.sessions)) == (initial, total, 2)
    record_session(tmp_path, manifest, session())
    alone = read_provenance(tmp_path)
    assert alone is not None
    assert (alone.initial, alone.updates_before) == (None, 0)
