"""A training as a job. In the run folder, job.json has the request, and training.jsonl has the events. The state of a
job follows from the two files, and from whether the process in job.json still runs. It is stored nowhere else.

Every change of a job.json is made under one lock of the folder of runs.
"""

from __future__ import annotations

import shlex
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import portalocker
import psutil
from pydantic import Field

from nmt.data.prepared import open_prepared
from nmt.errors import InputError
from nmt.files import is_plain_name, read_record, size_of, write_json
from nmt.recipes import recipe
from nmt.records import parse_object, to_data
from nmt.results import Event, StopEvent, event_from_dict
from nmt.runs.folder import BEST, CONFIG, LAST, RESUME, TRAINING, read_run
from nmt.texts import say, term

JOB, LOG = "job.json", "job.log"
MOST_WAITING = 10
"""Largest number of jobs that may wait at one time."""
LEAST_FREE = 5_000_000_000
"""Number of bytes of the disk that a job must leave free."""
_LAST_BYTES = 8192
_SAME_PROCESS = 2.0
"""Largest difference, in seconds, between two readings of the creation time of one process. Linux counts this time from
the start of the machine, but knows the time of that start only to a second."""

State = Literal["queued", "running", "stopping", "stopped", "done", "failed", "lost"]


@dataclass(frozen=True)
class Process:
    """A process, identified by its id and its creation time. Another process may later get its id.

    Attributes:
        created: time of creation in seconds since 1970, by the clock at that time.
        ticks: id of the machine's boot, and ticks from boot to creation, which no change of the clock affects. "" if
            the system does not tell them. If it does, ``created`` is not compared.
    """

    id: Annotated[int, Field(ge=0, lt=2**31)]
    created: float
    ticks: str = ""

    @classmethod
    def of(cls, process: psutil.Process) -> Process:
        return cls(process.pid, process.create_time(), _ticks(process.pid))

    def found(self) -> psutil.Process | None:
        """The running process. None if it has ended, even if another process has its id."""
        try:
            process = psutil.Process(self.id)
            same = abs(process.create_time() - self.created) < _SAME_PROCESS
            if self.ticks:
                same = _ticks(self.id) == self.ticks
            return process if same and process.status() != psutil.STATUS_ZOMBIE else None
        except psutil.Error:
            return None


def _ticks(process: int) -> str:
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        after_name = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
        return f"{boot} {int(after_name[19])}"
    return ""


@dataclass(frozen=True, kw_only=True)
class Job:
    """Content of job.json.

    Attributes:
        command: words after ``jointly``, without ``--resume``.
        queued: time at which the job was added or resumed, in seconds since 1970.
        asked: the user's last request, to run or to stop.
        process: the process that trains or trained the job. None while the job waits.
        error: reason of a failure, one sentence. "" without a failure.
    """

    command: tuple[str, ...]
    by: str
    queued: float
    asked: Literal["run", "stop"] = "run"
    process: Process | None = None
    error: str = ""
    note: Annotated[str, Field(max_length=2000)] = ""


@dataclass(frozen=True)
class Listed:
    """A job with its run folder and its current state."""

    run: Path
    job: Job
    state: State

    @property
    def name(self) -> str:
        return self.run.name

    @property
    def reason(self) -> str:
        """Why the job failed or was lost, one sentence. "" in any other state."""
        if self.state == "lost":
            return "the process ended without a word: it was killed, or the machine was switched off; it can be resumed"
        return self.job.error if self.state == "failed" else ""

    def to_dict(self) -> dict[str, Any]:
        return {"name": self.name, "state": self.state, "reason": self.reason, **to_data(self.job)}


@dataclass(frozen=True, kw_only=True)
class Training:
    """Arguments of ``jointly train``, without the name of the run."""

    recipe: str
    data: Path
    assignments: Sequence[str] = ()
    initial: Path | None = None
    device: str | None = None

    def words(self, run: str) -> tuple[str, ...]:
        """Words of the command after ``jointly``."""
        words = ["train", self.recipe, "--data", str(self.data), "--run", run]
        words += [word for assignment in self.assignments for word in ("--set", assignment)]
        words += [] if self.initial is None else ["--init-from", str(self.initial)]
        return (*words, *([] if self.device is None else ["--device", self.device]))

    def least_bytes(self) -> int:
        """Lower bound of the bytes that the training writes: four sets of weights, and one per snapshot, in fp32. The
        size of a set is a lower bound for all models with these vocabularies and these settings m and n."""
        config = recipe(self.recipe).override(list(self.assignments))
        prepared, m, n = open_prepared(self.data), config.model.embedding, config.model.hidden
        words = len(prepared.source_vocabulary) + len(prepared.target_vocabulary)
        most = config.training.max_updates
        snapshots = sum(most is None or update <= most for update in config.training.keep)
        return 4 * (words * m + 2 * n * (n + m)) * (4 + snapshots)

    def checked(self) -> Training:
        """The same training with absolute paths. Raises InputError for invalid settings, data or initial run,
        and for data without a development set."""
        recipe(self.recipe).override(list(self.assignments))
        prepared = open_prepared(self.data)
        if not len(prepared.dev):
            raise InputError(f"{self.data} was prepared without --dev, which training needs to select weights")
        if self.initial is not None:
            read_run(self.initial)
        initial = None if self.initial is None else self.initial.resolve()
        return replace(self, data=self.data.resolve(), initial=initial)


def list_jobs(root: Path) -> list[Listed]:
    """All jobs of a folder of runs, the oldest first. A job whose job.json is broken is listed as failed."""
    listed = []
    for path in root.glob(f"*/{JOB}"):
        try:
            job = read_job(path.parent)
            listed.append(Listed(path.parent, job, _state(path.parent, job)))
        except InputError as error:
            listed.append(Listed(path.parent, Job(command=(), by="", queued=0, error=str(error)), "failed"))
    return sorted(listed, key=lambda one: (one.job.queued, one.name))


def read_job(run: Path) -> Job:
    """Read job.json. Raises InputError if it is missing or broken."""
    return read_record(Job, run / JOB)


def _state(run: Path, job: Job) -> State:
    if job.process is None:
        return "queued" if job.asked == "run" else "stopped"
    if job.process.found() is not None:
        return "running" if job.asked == "run" else "stopping"
    last = _last_event(run)
    interrupted = isinstance(last, StopEvent) and last.reason.startswith("interrupted")
    if isinstance(last, StopEvent) and not interrupted:
        return "done"
    if job.error:
        return "failed"
    recent = interrupted and (run / TRAINING).stat().st_mtime >= job.process.created
    return "stopped" if job.asked == "stop" or recent else "lost"


def _last_event(run: Path) -> Event | None:
    """The event in the last complete line of training.jsonl. None if there is no such line, or it is broken."""
    with suppress(OSError, InputError), (run / TRAINING).open("rb") as file:
        file.seek(max(0, file.seek(0, 2) - _LAST_BYTES))
        whole = file.read().rpartition(b"\n")[0]
        return event_from_dict(parse_object(whole.rpartition(b"\n")[2], "the line"))
    return None


@contextmanager
def changing(root: Path) -> Iterator[None]:
    """Hold the lock for changes of jobs during the block, which should be short."""
    root.mkdir(parents=True, exist_ok=True)
    with (root / ".jobs.lock").open("w") as file:
        portalocker.lock(file, portalocker.LockFlags.EXCLUSIVE)
        yield


def write_job(run: Path, job: Job) -> None:
    write_json(run / JOB, to_data(job))


def add(root: Path, name: str, training: Training, *, by: str, own_data: bool = False, needs: float = 0) -> Listed:
    """Add a training to the queue, in the new run folder ``root/name``.

    Args:
        own_data: whether to copy the prepared data into the run folder, since the original may be deleted.
        needs: estimated bytes that the training will write. 0 if unknown. ``least_bytes`` is the minimum.

    Raises InputError for an invalid training, a taken name, too many waiting jobs, and too little room on the disk.
    """
    if not is_plain_name(name):
        raise InputError(say("errors.bad_run_name", name=name))
    run = root.resolve() / name
    checked = training.checked()
    placed = replace(checked, data=run / "data") if own_data else checked
    needs = max(needs, checked.least_bytes()) + own_data * size_of(checked.data)
    job = Job(command=placed.words(str(run)), by=by, queued=time.time())
    with changing(root):
        if any((run / file).exists() for file in (JOB, CONFIG, "data")):
            raise InputError(say("errors.run_taken", run=run))
        _check_room(root, needs)
        run.mkdir(exist_ok=True)
        if own_data:
            try:
                shutil.copytree(checked.data, placed.data)
            except BaseException:
                shutil.rmtree(placed.data, ignore_errors=True)  # so that the name stays free
                raise
        write_job(run, job)
    return Listed(run, job, "queued")


def _check_room(root: Path, needs: float) -> None:
    waiting = sum(job.state == "queued" for job in list_jobs(root))
    if waiting >= MOST_WAITING:
        raise InputError(say("errors.too_many_jobs", jobs=waiting))
    check_free(root, needs)


def check_free(place: Path, needs: float) -> None:
    """Raise InputError if ``needs`` more bytes in a folder would leave fewer than LEAST_FREE bytes of its disk free."""
    free = shutil.disk_usage(place).free
    if free - needs < LEAST_FREE:
        raise InputError(
            say(
                "errors.disk_full",
                place=place,
                free=free / 1000000000.0,
                needed=needs / 1000000000.0,
                least=LEAST_FREE / 1000000000.0,
            )
        )


def find(root: Path, name: str) -> Listed:
    """The job of this name. Raises InputError if there is no such job, or if its job.json is broken."""
    run = root.resolve() / name
    if not is_plain_name(name) or not (run / JOB).is_file():
        raise InputError(say("errors.no_job", job=name, place=root))
    job = read_job(run)
    return Listed(run, job, _state(run, job))


def stop(root: Path, name: str) -> None:
    """Let a running job save and end, or take a waiting job out of the queue. Raises InputError in any other state.

    Only the process with the id and the creation time in job.json gets a signal."""
    with changing(root):
        listed = find(root, name)
        if listed.state not in ("queued", "running", "stopping"):
            raise InputError(say("errors.nothing_to_stop", job=name, state=term(listed.state)))
        write_job(listed.run, replace(listed.job, asked="stop"))
        process = None if listed.job.process is None else listed.job.process.found()
        if process is not None:
            with suppress(psutil.NoSuchProcess):
                process.terminate()


def resume(root: Path, name: str) -> None:
    """Put a stopped, failed or lost job into the queue again. It will resume from its last saved state. Raises
    InputError for a job in any other state, too many waiting jobs, and too little room on the disk."""
    with changing(root):
        listed = find(root, name)
        if listed.state not in ("stopped", "failed", "lost"):
            raise InputError(say("errors.cannot_be_resumed", job=name, state=term(listed.state)))
        _check_room(root, 0)
        write_job(listed.run, replace(listed.job, asked="run", process=None, error="", queued=time.time()))


def write_note(root: Path, name: str, note: str) -> None:
    with changing(root):
        listed = find(root, name)
        write_job(listed.run, replace(listed.job, note=note[:2000]))


def remove(root: Path, name: str) -> None:
    """Delete a job with its run folder, even if its job.json is broken. If the run folder is a link, delete only the
    link. Raises InputError if there is no such job, or while it runs."""
    with changing(root):
        listed = next((listed for listed in list_jobs(root.resolve()) if listed.name == name), None)
        if listed is None:
            raise InputError(say("errors.no_job", job=name, place=root))
        if listed.state in ("running", "stopping"):
            raise InputError(say("errors.stop_first", job=name, state=term(listed.state)))
        if listed.run.is_symlink():
            listed.run.unlink()
        else:
            shutil.rmtree(listed.run)


def arguments(run: Path, job: Job) -> list[str]:
    """The words of the command that resumes a job from its saved state or, without a state, starts it."""
    words = list(job.command)
    if (run / RESUME).exists():
        if "--init-from" in words:
            place = words.index("--init-from")
            del words[place : place + 2]
        return [*words, "--resume"]
    if not (run / BEST).exists() and not (run / LAST).exists():
        (run / CONFIG).unlink(missing_ok=True)
    return words


def shown(words: Sequence[str]) -> str:
    """A command in the form in which a user types it."""
    return shlex.join(["jointly", *words])
