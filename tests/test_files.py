"""Atomic writing: a file is whole or as before, links stay links, and only files are replaced."""

import os
import re
import shutil
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nmt.data.subwords import Pieces
from nmt.errors import InputError
from nmt.files import MOST_BYTES, clear_abandoned, held, read_json, read_whole, replacing, staging
from nmt.runs.folder import read_events, read_run
from tests.programs import Commands, main


def write(path: Path, text: str) -> None:
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def test_a_file_is_replaced_or_as_before(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write(path, "first")
    with pytest.raises(TypeError), replacing(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        file.writelines(["second", None])  # type: ignore[list-item]
    assert path.read_text(encoding="utf-8") == "first"
    assert list(tmp_path.iterdir()) == [path]


def test_several_may_write_one_file_at_one_time(tmp_path: Path) -> None:
    """Each gets on, and whoever reads meanwhile reads one of the texts whole."""
    path, texts = tmp_path / "file", [letter * 5000 for letter in "abcdefgh"]
    write(path, texts[0])
    meet = threading.Barrier(len(texts))

    def again(text: str) -> set[str]:
        meet.wait(30)
        found = set()
        for _ in range(25):
            write(path, text)
            found.add(path.read_text(encoding="utf-8"))
        return found

    with ThreadPoolExecutor(len(texts)) as threads:
        read = set().union(*threads.map(again, texts))
    assert read <= set(texts)
    assert list(tmp_path.iterdir()) == [path]


KILLED = """
import os, sys
from pathlib import Path
from nmt.files import replacing
with replacing(Path(sys.argv[1])) as temporary:
    temporary.write_bytes(b"half")
    print(temporary.name, flush=True)
    sys.stdin.read()
"""


def test_what_a_killed_process_left_is_removed_and_what_another_writes_is_not(tmp_path: Path) -> None:
    path = tmp_path / "file"
    command = [sys.executable, "-c", KILLED, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        name = other.stdout.readline().strip()
        write(path, "first")
        assert {each.name for each in tmp_path.iterdir()} == {"file", name}
        other.kill()
    assert {each.name for each in tmp_path.iterdir()} == {"file", name}
    write(path, "second")
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no umask")
@pytest.mark.parametrize("mask", [0o027, 0o077, 0])
def test_a_file_has_the_permissions_of_new_files_and_the_mask_is_never_set(
    mask: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mask that is set for a moment holds for the files of all threads."""
    before = os.umask(mask)
    try:
        with monkeypatch.context() as patch:
            patch.delattr(os, "umask")
            with replacing(tmp_path / "file") as temporary:
                temporary.unlink()
                temporary.touch(mode=0o600)  # as the safetensors library does
    finally:
        os.umask(before)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o666 & ~mask


def test_links_are_written_through(tmp_path: Path) -> None:
    for name in ("real", "new"):  # one that is there, and one that is not yet
        (tmp_path / "folder").mkdir(exist_ok=True)
        target = tmp_path / "folder" / name
        if name == "real":
            target.write_text("old", encoding="utf-8")
        link, other = tmp_path / f"{name}-link", tmp_path / f"{name}-other"
        link.symlink_to(other)
        other.symlink_to(Path("folder") / name)
        write(link, "content")
        assert target.read_text(encoding="utf-8") == "content"
        assert link.is_symlink()
        assert other.is_symlink()
    assert sorted(path.name for path in (tmp_path / "folder").iterdir()) == ["new", "real"]


def test_what_is_no_file_is_refused_and_stays(tmp_path: Path) -> None:
    folder, pipe, link, loop = (tmp_path / name for name in ("folder", "pipe", "link", "loop"))
    folder.mkdir()
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    loop.symlink_to(loop)
    for path in (folder, pipe, link, Path("/dev/null"), loop):
        with pytest.raises(InputError, match=re.escape(str(path))):
            write(path, "content")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    assert len(list(tmp_path.iterdir())) == 4


def test_commands_say_it_in_a_sentence(random_runs: Path, tmp_path: Path, cli: Commands) -> None:
    (tmp_path / "table").write_text("the cat ||| le chat ||| 0.5\n", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    score = [
        "experiments",
        "phrase-based",
        "score",
        str(random_runs / "search-words"),
        str(tmp_path / "table"),
        "--out",
    ]
    assert "/dev/null" in cli.refused(*score, "/dev/null")
    assert main([*score, str(tmp_path / "link")]) == 0
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text(encoding="utf-8").startswith("the cat ||| le chat ||| 0.5 ")


def test_a_file_may_be_as_large_as_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nmt.files.MOST_BYTES", 10)
    (tmp_path / "file").write_bytes(b"x" * 10)
    assert read_whole(tmp_path / "file") == b"x" * 10
    (tmp_path / "file").write_bytes(b"x" * 11)
    with pytest.raises(InputError, match="file has more than 10 bytes"):
        read_whole(tmp_path / "file")


def test_a_lock_whose_file_somebody_removed_is_released_all_the_same(tmp_path: Path) -> None:
    with held(tmp_path / "a"):
        (tmp_path / "a.lock").unlink()
    assert [*tmp_path.iterdir()] == []


def test_a_lock_that_nobody_holds_is_cleared_without_its_folder(tmp_path: Path) -> None:
    (tmp_path / "a.lock").touch()
    with held(tmp_path / "b"):
        assert clear_abandoned(tmp_path, "*") == ["a"]
        assert [path.name for path in tmp_path.iterdir()] == ["b.lock"]


def test_folders_above_are_made(tmp_path: Path) -> None:
    with staging(tmp_path / "a" / "b" / "c") as folder:
        (folder / "file").touch()
    assert [path.name for path in (tmp_path / "a" / "b").rglob("*")] == ["c", "file"]


@pytest.mark.slow
def test_a_file_of_absurd_size_is_refused(random_runs: Path, tmp_path: Path) -> None:
    """Its bytes take no room on the disk; no more of them than the limit are read."""
    path = tmp_path / "training.jsonl"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    for read in (read_json, read_whole, lambda path: read_events(path.parent), lambda path: Pieces.load(path, "bpe")):
        with pytest.raises(InputError, match=r"training\.jsonl .*268,435,456 bytes"):
            read(path)
    run = tmp_path / "run"
    shutil.copytree(random_runs / "search-words", run)
    path.rename(run / "README.md")
    assert len(read_run(run).card()) == 1_000_000
