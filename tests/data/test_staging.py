"""Folders that appear when they are complete: what a killed process leaves is removed by the next one, and no more."""

import io
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from nmt.data.staging import staging
from nmt.errors import InputError
from nmt.runs.archive import unpack_run

HANGING = """
import sys, time
from pathlib import Path
from nmt.data.staging import staging

with staging(Path(sys.argv[1])) as folder:
    (folder / "begun").write_text("x")
    print(flush=True)
    time.sleep(100)
"""


def hanging(out: Path) -> subprocess.Popen[bytes]:
    """Start a process that fills ``out`` and never ends."""
    process = subprocess.Popen([sys.executable, "-c", HANGING, str(out)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"\n"
    return process


def kill(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_next_one_clears_what_a_kill_left_and_nothing_else(tmp_path: Path) -> None:
    killed, alive, other = hanging(tmp_path / "a"), hanging(tmp_path / "a"), hanging(tmp_path / "ab")
    try:
        kill(killed)
        kill(other)
        left = {f".a.partial-{killed.pid}", f".a.partial-{alive.pid}", f".ab.partial-{other.pid}"}
        assert set(names(tmp_path)) == left | {f"{name}.lock" for name in left}
        (tmp_path / ".a.partial-x").mkdir()  # of somebody who holds no lock
        with staging(tmp_path / "a") as folder:
            (folder / "done").write_text("x", encoding="utf-8")
        kept = {f".a.partial-{alive.pid}", f".ab.partial-{other.pid}"}
        assert set(names(tmp_path)) == kept | {f"{name}.lock" for name in kept} | {"a", ".a.partial-x"}
        assert names(tmp_path / f".a.partial-{alive.pid}") == ["begun"]
    finally:
        kill(alive)


def test_success_and_failure_leave_nothing_beside(tmp_path: Path) -> None:
    with staging(tmp_path / "a") as folder:
        (folder / "file").write_text("x", encoding="utf-8")
    assert names(tmp_path) == ["a"]
    with pytest.raises(InputError, match="no"), staging(tmp_path / "b"):
        raise InputError("no")
    assert names(tmp_path) == ["a"]
    assert names(tmp_path / "a") == ["file"]


def test_an_upload_clears_what_a_killed_one_left(tmp_path: Path) -> None:
    partial = tmp_path / ".partial"
    process = hanging(partial / "given")
    kill(process)
    assert len(names(partial)) == 2
    with pytest.raises(InputError, match=r"x\.zip"):
        unpack_run(io.BytesIO(b"x"), "x.zip", tmp_path, ())
    assert len(names(partial)) == 2, "nothing is unpacked, so nothing is looked at"
    for _ in range(2):
        with pytest.raises(InputError, match=r"config\.json"):
            unpack_run(small_archive(), "x.zip", tmp_path, ())
        assert names(partial) == []


def small_archive() -> io.BytesIO:
    import zipfile

    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive:
        archive.writestr("run/config.json", "{")
    return found
