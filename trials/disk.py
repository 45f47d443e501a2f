"""Full disks, a clock that jumps, folders that cannot be written, and two processes that write to one folder."""

import ctypes
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from tests.programs import main
from trials import workshop
from trials.children import completed, start, start_command, wait
from trials.trial import Cases, NotRun, Trial, must

_SIZES = 5
_LARGE = 64 * 2**20
_MAY_WRITE = 0o222
_MOST_JUMP = 10**8
"""Seconds: three years."""


@contextmanager
def _small_disk(place: Path, size: int) -> Iterator[None]:
    """Mount an empty disk of so many bytes."""
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size},nr_inodes=10000", "tmpfs", str(place)]
    try:
        mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise NotRun(f"nothing can be mounted here: {error}") from None
    if mounted.returncode:
        raise NotRun(f"nothing can be mounted here: {mounted.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)
        place.rmdir()


def _run_full(random: Random, cases: Cases, folder: Path) -> None:
    corpus, log = workshop.write_corpus(folder / "corpus"), folder / "log"
    data, run, out = folder / "data", folder / "run", folder / "released"
    workshop.make(log, workshop.prepare(corpus, data))
    workshop.make(log, workshop.train(data, run))
    workshop.make(log, workshop.release(run, out))
    disk = folder / "disk"
    works = {
        "preparation": (data, workshop.prepare(corpus, disk / "out")),
        "training": (run, workshop.train(data, disk / "out")),
        "release": (out, workshop.release(run, disk / "out")),
    }
    for name, (whole, command) in works.items():
        needed = sum(path.stat().st_size for path in whole.rglob("*") if path.is_file())
        for _ in range(_SIZES):
            size = max(4096, 4096 * int(random.uniform(0, 1.2 * needed) / 4096))
            with cases.case(f"{name} of {needed:,} bytes on a disk of {size:,}"), _small_disk(disk, size):
                _fill(disk, command, whole, log, workshop.train(data, disk / "out", resume=True))


def _fill(disk: Path, command: list[str], whole: Path, log: Path, resume: list[str]) -> None:
    """Run a command on a disk that may be too small; then make room, and go on."""
    status, _ = completed(log, command)
    said = log.read_text(encoding="utf-8")
    must(status in (0, 1, 2) and "Traceback" not in said, f"status {status}: {said[-1500:]}")
    if status:
        subprocess.run(["mount", "-o", f"remount,size={_LARGE}", str(disk)], check=True)
        must(bool(said.strip()), "it failed without a word")
        training = command[0] == "train"
        if not training:
            left = [path.name for path in disk.iterdir()]
            must(not left, f"left over: {left}")
        again = resume if training and (disk / "out").exists() else command
        status, _ = completed(log, again)
        if status == 2 and again is resume:  # nothing had been saved
            shutil.rmtree(disk / "out")
            status, _ = completed(log, command)
        said = log.read_text(encoding="utf-8")
        must(status == 0, f"with room again, status {status}: {said[-1500:]}")
    workshop.same(workshop.content(disk / "out"), workshop.content(whole))


FULL_DISK = Trial(
    name="full-disk",
    tried="preparation, training and release on a small disk (tmpfs) that fills up at a random byte; then there is "
    "room",
    holds="a sentence, nothing half written; with room the same files as on a large disk",
    run=_run_full,
    pieces=12,
    ci=1,
    seconds=1200,
    case_seconds=240,
)


def _run_folders(random: Random, cases: Cases, folder: Path) -> None:
    corpus, log = workshop.write_corpus(folder / "corpus"), folder / "log"
    data, run = folder / "data", folder / "run"
    workshop.make(log, workshop.prepare(corpus, data))
    workshop.make(log, workshop.train(data, run))
    expected = workshop.content(run)
    with cases.case("a clock that jumps while a model is trained"):
        status = wait(start(log, lambda: _with_jumps(random, workshop.train(data, folder / "jumps"))))
        must(status == 0, f"status {status}: {log.read_text(encoding='utf-8')[-1500:]}")
        workshop.same(workshop.content(folder / "jumps"), expected)
    with cases.case("two trainings in one folder"):
        _two(folder, log, data, expected)
    _read_only(cases, folder, corpus, data, run)


def _with_jumps(random: Random, command: list[str]) -> int:
    """Run a command while the time of day jumps to and fro."""
    real = time.time
    time.time = lambda: real() + random.uniform(-_MOST_JUMP, _MOST_JUMP)
    return main(command)


def _two(folder: Path, log: Path, data: Path, expected: dict[str, str]) -> None:
    out, logs = folder / "both", [log, folder / "second"]
    statuses = [wait(child) for child in [start_command(each, workshop.train(data, out)) for each in logs]]
    said = [each.read_text(encoding="utf-8") for each in logs]
    must(sorted(statuses) == [0, 2], f"statuses {statuses}: {said}")
    must(not any("Traceback" in each for each in said), f"{said}")
    workshop.same(workshop.content(out), expected)


def _read_only(cases: Cases, folder: Path, corpus: Path, data: Path, run: Path) -> None:
    """Commands of a user who may read everything and write nothing, the home included."""
    closed = folder / "closed"
    closed.mkdir()
    for place in (closed, run):
        for path in (place, *place.rglob("*")):
            path.chmod(path.stat().st_mode & ~_MAY_WRITE)
    for number, command in enumerate((
        workshop.prepare(corpus, closed / "data"),
        workshop.train(data, closed / "run"),
        workshop.train(data, run, resume=True),
        workshop.release(run, closed / "released"),
        workshop.evaluate(corpus, run),
        ["inspect", str(run)],
        ["release", "checksums", str(run)],
        ["release", "card", str(run)],
        ["page", str(run), "--out", str(closed / "page.html")],
    )):  # fmt: skip
        with cases.case(f"where nothing can be written, {command[0]} {number}"):
            before = workshop.content(run)
            child_log = folder / f"log{number}"
            status = wait(start(child_log, lambda command=command: _without_writing(closed, command)))  # type: ignore[misc]
            said = child_log.read_text(encoding="utf-8")
            must(status in (0, 2) and "Traceback" not in said, f"status {status}: {said[-1500:]}")
            must(not any(closed.iterdir()) and workshop.content(run) == before, "it wrote where it may not")


def _without_writing(home: Path, command: list[str]) -> int:
    """Run a command as a user for whom the permissions of files hold; its home is one in which it may not write."""
    os.environ |= {"HOME": str(home), "JOINTLY_CACHE": str(home / "cache")}
    if os.geteuid() == 0:
        _drop_capabilities()
    must(not os.access(home, os.W_OK), "this user may write everywhere")
    return main(command)


def _drop_capabilities() -> None:
    """Take the rights of root over files from this process (capset of Linux, version 3, for itself)."""
    header, nothing = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    if ctypes.CDLL(None, use_errno=True).capset(header, nothing):
        raise OSError(ctypes.get_errno(), "capset")


FOLDERS = Trial(
    name="folders",
    tried="a training under a clock that jumps by years, two trainings in one folder, nine commands where nothing "
    "may be written",
    holds="the same weights as ever; one of two trains and the other is told; a sentence where nothing can be written",
    run=_run_folders,
    pieces=6,
    ci=1,
    seconds=900,
    case_seconds=240,
)
