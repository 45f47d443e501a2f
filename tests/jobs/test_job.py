"""States, limits and changes of jobs, without a training; no process but one's own is ever ended."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter, namedtuple
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Literal

import psutil
import pytest

from nmt.cli import main
from nmt.errors import InputError
from nmt.jobs import job
from nmt.jobs.job import (
    JOB,
    MOST_WAITING,
    Job,
    Process,
    Training,
    add,
    arguments,
    find,
    list_jobs,
    read_job,
    remove,
    resume,
    shown,
    stop,
    write_job,
    write_note,
)
from nmt.jobs.runner import waiting
from tests.jobs.toy import ask, state, until
from tests.programs import Commands


@pytest.fixture
def root(tmp_path: Path, data: Path) -> Path:
    ask(tmp_path / "runs", "one", data, "training.max_updates=3")
    return tmp_path / "runs"


def sleeper() -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])


def begun(root: Path, process: int, created: float) -> None:
    write_job(root / "one", replace(read_job(root / "one"), process=Process(process, created)))


def log(root: Path, *events: dict[str, object]) -> None:
    (root / "one" / "training.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))


STOP = {"event": "stop", "update": 3, "reason": "3 updates were made", "seconds": 1.0}


def test_a_job_waits_with_the_command_that_was_asked_for(root: Path, data: Path) -> None:
    one = find(root, "one")
    assert one.state == "queued"
    assert one.job.command[:4] == ("train", "debug", "--data", str(data.resolve()))
    assert one.job.command[4:6] == ("--run", str(root.resolve() / "one"))


def test_a_process_with_another_creation_time_is_not_the_training_and_is_not_ended(root: Path) -> None:
    with sleeper() as other:
        created = psutil.Process(other.pid).create_time()
        begun(root, other.pid, created - 60)
        assert state(root, "one") == "lost"
        with pytest.raises(InputError, match="one is lost, so there is nothing to stop"):
            stop(root, "one")
        assert other.poll() is None
        begun(root, other.pid, created)
        assert state(root, "one") == "running"
        stop(root, "one")
        assert other.wait(20) == -15
    assert state(root, "one") == "stopped"


def test_the_state_follows_from_process_and_log(root: Path) -> None:
    begun(root, 2**22 + 1, 1.0)
    assert state(root, "one") == "lost"
    assert "killed" in find(root, "one").reason
    log(root, STOP | {"reason": "interrupted by SIGTERM"})
    assert state(root, "one") == "stopped"
    log(root, STOP)
    assert state(root, "one") == "done"
    with (root / "one" / "training.jsonl").open("a") as file:
        file.write('{"event": "upd')  # killed while it wrote
    assert state(root, "one") == "done"


INTERRUPTED = STOP | {"reason": "interrupted by SIGTERM"}
BEGUN = 1000.0
STATES: list[tuple[str, Literal["run", "stop"], dict[str, object] | None, str, float, str]] = [
    ("none", "run", None, "", BEGUN, "queued"),
    ("none", "stop", None, "", BEGUN, "stopped"),
    ("own", "run", None, "", BEGUN, "running"),
    ("own", "stop", INTERRUPTED, "", BEGUN, "stopping"),
    ("ended", "run", STOP, "", BEGUN, "done"),
    ("ended", "stop", STOP, "no room", BEGUN, "done"),
    ("ended", "run", None, "no room", BEGUN, "failed"),
    ("ended", "stop", INTERRUPTED, "no room", BEGUN, "failed"),
    ("ended", "run", None, "", BEGUN, "lost"),
    ("ended", "stop", None, "", BEGUN, "stopped"),
    ("ended", "run", INTERRUPTED, "", BEGUN, "stopped"),
    ("ended", "run", INTERRUPTED, "", BEGUN + 1, "stopped"),
    ("ended", "run", INTERRUPTED, "", BEGUN - 1, "lost"),  # by an earlier process, so this one said nothing
    ("ended", "stop", INTERRUPTED, "", BEGUN - 1, "stopped"),
]
"""Process, what is asked, last event, error, when that event was written, and the state that follows."""


@pytest.mark.parametrize(("process", "asked", "event", "error", "written", "expected"), STATES)
def test_every_state_follows_from_what_is_known(
    process: str,
    asked: Literal["run", "stop"],
    event: dict[str, object] | None,
    error: str,
    written: float,
    expected: str,
    tmp_path: Path,
) -> None:
    run, own = tmp_path / "one", psutil.Process()
    run.mkdir()
    named = {"none": None, "own": Process(own.pid, own.create_time()), "ended": Process(2**22 + 1, BEGUN)}
    write_job(run, Job(command=("train",), by="a test", queued=1.0, asked=asked, process=named[process], error=error))
    if event is not None:
        log(tmp_path, event)
        os.utime(run / "training.jsonl", (written, written))
    (one,) = list_jobs(tmp_path)
    assert one.state == expected
    killed = "the process ended without a word: it was killed, or the machine was switched off; it can be resumed"
    reason = {"lost": killed, "failed": error}.get(expected, "")
    told = one.to_dict()
    assert (told["name"], told["state"], told["reason"], told["asked"]) == ("one", expected, reason, asked)


def test_a_process_is_known_by_its_creation_time_to_two_seconds_and_a_dead_one_is_none() -> None:
    with sleeper() as other:
        created = psutil.Process(other.pid).create_time()
        for apart, found in ((0.0, True), (-1.75, True), (1.75, True), (2.0, False), (-2.0, False)):
            assert (Process(other.pid, created + apart).found() is not None) == found
        other.kill()
        until(lambda: psutil.Process(other.pid).status() == psutil.STATUS_ZOMBIE)
        assert Process(other.pid, created).found() is None


def test_a_job_has_the_whole_command_and_its_own_data_if_it_asks_for_them(
    root: Path, data: Path, random_runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(random_runs)
    training = Training(recipe="debug", data=data, assignments=("training.seed=3",), initial=Path("search-words"))
    one = add(root, "two", training, by="me", own_data=True)
    run = root.resolve() / "two"
    assert one.job.command == (
        *("train", "debug", "--data", str(run / "data"), "--run", str(run), "--set", "training.seed=3"),
        *("--init-from", str(random_runs.resolve() / "search-words")),
    )
    assert sorted(path.name for path in (run / "data").iterdir()) == sorted(path.name for path in data.iterdir())
    assert one == find(root, "two")
    assert (one.name, one.state, one.job.by) == ("two", "queued", "me")
    assert not (find(root, "one").run / "data").exists()
    with pytest.raises(InputError, match="there is no run folder nowhere"):
        add(root, "three", replace(training, initial=Path("nowhere")), by="me")
    for name in ("data", "config.json"):
        (root / "four").mkdir()
        (root / "four" / name).mkdir()
        with pytest.raises(InputError, match="already contains a run"):
            add(root, "four", training, by="me")
        shutil.rmtree(root / "four")


def test_a_name_stays_free_if_the_data_cannot_be_copied(
    root: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    training = Training(recipe="debug", data=data)

    def full(source: Path, place: Path) -> None:
        place.mkdir()
        (place / "manifest.json").write_bytes(b"half")
        raise OSError("no space left")

    with monkeypatch.context() as patched:
        patched.setattr(shutil, "copytree", full)
        with pytest.raises(OSError, match="no space left"):
            add(root, "two", training, by="me", own_data=True)
    assert add(root, "two", training, by="me", own_data=True).state == "queued"


def test_what_a_job_runs_depends_on_what_it_has_saved(root: Path) -> None:
    """It begins anew, without the settings of the first attempt, as long as nothing was saved. The weights to begin
    with are its own once it goes on."""
    run, job = (
        root / "one",
        replace(read_job(root / "one"), command=("train", "debug", "--init-from", "a", "--set", "b")),
    )
    for saved, stays in (("model.safetensors", True), ("last.safetensors", True), ("", False)):
        (run / "config.json").touch()
        if saved:
            (run / saved).touch()
        assert arguments(run, job) == [*job.command]
        assert (run / "config.json").exists() == stays
        if saved:
            (run / saved).unlink()
    (run / "resume.safetensors").touch()
    assert arguments(run, job) == ["train", "debug", "--set", "b", "--resume"]
    assert arguments(run, replace(job, command=("train", "debug"))) == ["train", "debug", "--resume"]
    assert shown(["train", "a b"]) == "jointly train 'a b'"


def test_a_note_is_cut_to_what_a_job_may_hold(root: Path) -> None:
    write_note(root, "one", "x" * 2001)
    assert find(root, "one").job.note == "x" * 2000


def test_a_stopped_job_waits_again_at_the_end_of_the_queue(root: Path, data: Path) -> None:
    ask(root, "two", data)
    stop(root, "one")
    assert state(root, "one") == "stopped"
    with pytest.raises(InputError, match="two is queued, so it cannot be resumed"):
        resume(root, "two")
    resume(root, "one")
    assert [(one.name, one.state) for one in list_jobs(root)] == [("two", "queued"), ("one", "queued")]


def test_a_running_job_cannot_be_removed_and_a_removed_one_leaves_nothing(root: Path) -> None:
    own = psutil.Process()
    begun(root, own.pid, own.create_time())
    with pytest.raises(InputError, match="one is running; stop it first"):
        remove(root, "one")
    begun(root, own.pid, 1.0)
    remove(root, "one")
    assert not (root / "one").exists()
    for name in ("one", "../one", "", "."):
        with pytest.raises(InputError, match="there is no job"):
            remove(root, name)


def test_only_so_many_jobs_wait(root: Path, data: Path) -> None:
    for number in range(MOST_WAITING - 1):
        ask(root, f"more-{number}", data)
    with pytest.raises(InputError, match="10 jobs wait already, which is the limit"):
        ask(root, "last", data)
    assert not (root / "last").exists()


def test_room_on_the_disk_stays_free(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage, root = namedtuple("usage", "total used free"), tmp_path / "new" / "runs"
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(0, 0, 6_200_000_000))
    training = Training(recipe="debug", data=data, device="cpu")
    told = f"the disk of {root} has 6.2 GB free and 1.2 GB are needed; 5 GB have to stay free"
    with pytest.raises(InputError, match=re.escape(told)):
        add(root, "one", training, by="a test", needs=1_200_000_001)
    (root / "one").mkdir()  # a folder without a run will do
    assert add(root, "one", training, by="a test", needs=1_200_000_000).state == "queued"
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(0, 0, 5_000_000_000))
    with pytest.raises(InputError, match="5 GB have to stay free"):
        ask(root, "two", data)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(0, 0, 5_100_000_000))
    assert ask(root, "two", data).state == "queued"
    stop(root, "two")
    resume(root, "two")
    assert state(root, "two") == "queued"


def test_what_cannot_be_trained_is_refused_at_once(root: Path, data: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="already contains a run"):
        ask(root, "one", data)
    for name in ("", "..", "a/b", "-x"):
        with pytest.raises(InputError, match="cannot be the name of a run"):
            ask(root, name, data)
    with pytest.raises(InputError, match="there is no setting"):
        ask(root, "two", data, "training.none=1")
    with pytest.raises(InputError):
        ask(root, "two", tmp_path / "nowhere")
    assert [one.name for one in list_jobs(root)] == ["one"]


def test_a_broken_file_is_a_failed_job_that_says_so(root: Path, cli: Commands) -> None:
    (root / "one" / JOB).write_text('{"format": 1, "command": 3}')
    told = cli.printed("jobs", "--runs", str(root), "list")
    (one,) = list_jobs(root)
    assert one.job == Job(command=(), by="", queued=0, error=one.reason), "before all others"
    assert told == f"one  failed: {one.reason}\n"
    assert main(["jobs", "--runs", str(root), "stop", "one"]) == 2


def test_commands_add_list_stop_and_remove(root: Path, data: Path, cli: Commands) -> None:
    runs = ["--runs", str(root)]
    words = ["train", "debug", "--data", str(data), "--run", "two", "--set", "training.keep=2,4"]
    assert main(["jobs", *runs, "add", *words]) == 0
    cli.printed("jobs", *runs, "stop", "one")
    assert cli.printed("jobs", *runs, "list") == "one  stopped\ntwo  queued\n"
    jobs = json.loads(cli.printed("jobs", *runs, "list", "--json"))["jobs"]
    assert [(job["name"], job["state"]) for job in jobs] == [("one", "stopped"), ("two", "queued")]
    assert jobs[1]["command"][-2:] == ["--set", "training.keep=2,4"]
    assert main(["jobs", *runs, "remove", "two"]) == 0
    assert main(["jobs", *runs, "add", *words, "--resume"]) == 2


@pytest.mark.parametrize("number", [-1, 2**31, 2**70, 1.5])
def test_a_process_that_cannot_be_is_a_broken_file(root: Path, number: float) -> None:
    data = json.loads((root / "one" / JOB).read_text("utf-8")) | {"process": {"id": number, "created": 0}}
    (root / "one" / JOB).write_text(json.dumps(data), encoding="utf-8")
    (one,) = list_jobs(root)
    assert one.state == "failed"
    assert "job.json: process.id must be " in one.reason or "is too large a number" in one.reason
    assert main(["jobs", "--runs", str(root), "list"]) == 0
    assert main(["jobs", "--runs", str(root), "stop", "one"]) == 2


def test_whatever_is_listed_can_be_removed(root: Path, data: Path, tmp_path: Path) -> None:
    """A broken file, a name that is not plain, and a link, which leaves what it leads to."""
    (root / "one" / JOB).write_bytes(b"[")
    shutil.copytree(root / "one", root / "a b")
    ask(tmp_path / "elsewhere", "two", data)
    (root / "link").symlink_to(tmp_path / "elsewhere" / "two")
    (root / "three" / JOB).mkdir(parents=True)
    names = {one.name for one in list_jobs(root)}
    assert names == {"one", "a b", "link", "three"}
    for name in ("../elsewhere/two", ".", "", "*", "none"):
        with pytest.raises(InputError, match="there is no job"):
            remove(root, name)
    for name in names:
        remove(root, name)
    assert not list_jobs(root)
    assert not [path for path in root.iterdir() if path.name[0] != "."]
    assert state(tmp_path / "elsewhere", "two") == "queued"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not tell ticks")
def test_a_changed_clock_does_not_lose_a_training(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with sleeper() as other:
        process = Process.of(psutil.Process(other.pid))
        assert process.ticks
        real = psutil.Process.create_time
        monkeypatch.setattr(psutil.Process, "create_time", lambda self: real(self) + 3600)
        assert process.found() is not None
        assert replace(process, ticks="").found() is None, "as far as the clock tells"
        boot, _, ticks = process.ticks.rpartition(" ")
        for wrong in (f"{boot} {int(ticks) + 1}", f"other {ticks}"):
            assert replace(process, ticks=wrong).found() is None
        other.kill()


def test_a_job_needs_at_least_what_its_weights_take(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = 10_000_000_000
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))

    def asked(name: str, *assignments: str) -> None:
        training = Training(recipe="debug", data=data, assignments=assignments)
        add(tmp_path, name, training, by="a test", own_data=True)

    asked("one", "model.hidden=1000")
    with pytest.raises(InputError, match=r"320\.\d GB are needed"):
        asked("two", "model.hidden=100000")
    kept = "training.keep=" + ",".join(map(str, range(0, 400, 2)))
    asked("three", "model.hidden=1000")
    with pytest.raises(InputError, match="GB are needed"):
        asked("four", "model.hidden=3000", "training.max_updates=500", kept)
    asked("five", "model.hidden=3000", "training.max_updates=5", kept)
    with monkeypatch.context() as patch:
        patch.setattr(job, "size_of", lambda _: 6_000_000_000)
        with pytest.raises(InputError, match=r"6\.\d GB are needed"):
            asked("six")
    assert sorted(path.name for path in tmp_path.glob("[!.]*")) == ["five", "one", "three"]


def test_a_hundred_jobs_are_listed_at_once_and_keep_their_order(root: Path, data: Path) -> None:
    """Those that wait are at most ten, whatever has become of the others."""
    for number in range(100):
        run = root / f"job-{number:02}"
        run.mkdir()
        done = Process(2**22 + 1, 1.0)
        write_job(
            run, replace(read_job(root / "one"), queued=float(100 - number), process=done if number % 3 else None)
        )
        if number % 3 == 1:
            (run / "training.jsonl").write_text(json.dumps(STOP) + "\n")
        if number % 3 == 0 and number > 20:
            stop(root, run.name)
    began = time.process_time()
    jobs = list_jobs(root)
    assert time.process_time() - began < 2
    assert [one.name for one in jobs] == [*(f"job-{number:02}" for number in reversed(range(100))), "one"]
    states = Counter(one.state for one in jobs)
    assert states == {"done": 33, "lost": 33, "queued": 8, "stopped": 27}
    assert [one.name for one in waiting(root)][-2:] == ["job-00", "one"]
    ask(root, "more-1", data)
    ask(root, "more-2", data)
    with pytest.raises(InputError, match="10 jobs wait already"):
        ask(root, "more-3", data)
    for one in jobs:
        remove(root, one.name)
    assert {one.name for one in list_jobs(root)} == {"more-1", "more-2"}
