"""How a training is started, and what a job says of one that failed; a short program stands in for the training."""

import json
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from nmt.errors import InputError
from nmt.files import CHECKOUT
from nmt.jobs import probe, runner
from nmt.jobs.job import Process, Training, list_jobs, read_job
from nmt.results import StopEvent, UpdateEvent, event_to_dict
from tests.jobs.toy import ask

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the program is a script of the shell")
PYTHON = sys.executable


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """``program(code)``: what Python runs from here on, whatever its arguments are."""

    def make(code: str) -> None:
        script = tmp_path / "python"
        script.write_text(f'#!/bin/sh\nexec {shlex.quote(PYTHON)} -c {shlex.quote(code)} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(script))

    return make


@pytest.mark.parametrize(
    ("cores", "given", "threads"), [(8, None, "7"), (2, None, "1"), (1, None, "1"), (None, None, "1"), (8, "5", "5")]
)
def test_a_command_has_its_own_session_and_leaves_a_core(
    cores: int | None,
    given: str | None,
    threads: str,
    tmp_path: Path,
    program: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    paths = [str(CHECKOUT), *([] if given is None else ["elsewhere"])]
    for name, value in (("OMP_NUM_THREADS", given), ("PYTHONPATH", None if given is None else "elsewhere")):
        monkeypatch.delenv(name, raising=False)
        if value is not None:
            monkeypatch.setenv(name, value)
    program(
        "import os, sys; e = os.environ; print(*sys.argv[1:], os.getsid(0) == os.getpid(), e['OMP_NUM_THREADS'],"
        " e['PYTHONPATH'], sys.stdin.read() == '', file=sys.stderr); print('not wanted')"
    )
    assert runner.start(["jobs", "run"], tmp_path / "log").wait() == 0
    assert (tmp_path / "log").read_text() == f"-m nmt jobs run True {threads} {os.pathsep.join(paths)} True\n"


@pytest.mark.parametrize(
    ("log", "told"),
    [
        (None, "it gave no reason"),
        ("", "it gave no reason"),
        ("\n  \n", "it gave no reason"),
        ("first\nsecond \n\n", "second"),
        ("jointly train: no room", "no room"),
        ("jointly: no room\n", "no room"),
        ("jointly jobs: no room\n", "jointly jobs: no room"),
    ],
)
def test_the_reason_is_the_last_line(log: str | None, told: str, tmp_path: Path) -> None:
    if log is not None:
        (tmp_path / "log").write_text(log, encoding="utf-8")
    assert runner.last_line(tmp_path / "log") == told


def test_a_job_that_cannot_be_started_has_failed_and_the_next_one_is_taken(
    tmp_path: Path, data: Path, program: Callable[[str], None]
) -> None:
    root = tmp_path / "new" / "runs"
    runner.run_jobs(root)  # there is nothing yet
    for name in ("one", "two"):
        ask(root, name, data)
    program("import sys; sys.exit(f'jointly: no {sys.argv[7]}')")
    runner.run_jobs(root)
    jobs = list_jobs(root)
    assert {one.name: (one.state, one.reason) for one in jobs} == {
        name: ("failed", f"it could not be started: no {name}") for name in ("one", "two")
    }
    for one in jobs:
        assert one.job.process is not None
        assert 0 <= one.job.process.created - one.job.queued < 60


@pytest.mark.parametrize(
    ("change", "left"),
    [
        ("job.remove(root, 'one')", {}),
        ("job.stop(root, 'one')", {"one": ("stopped", "")}),
        (
            "again = root / 'again'\nif not again.exists():\n    again.touch()\n    job.stop(root, 'one')\n"
            "    job.resume(root, 'one')\nelse: sys.exit('for good')",
            {"one": ("failed", "it could not be started: for good")},
        ),
    ],
    ids=["removed", "stopped", "begun once more"],
)
def test_what_was_changed_while_a_job_was_started_stays(
    change: str, left: dict[str, tuple[str, str]], tmp_path: Path, data: Path, program: Callable[[str], None]
) -> None:
    root = tmp_path / "runs"
    ask(root, "one", data)
    program(f"import sys\nfrom pathlib import Path\nfrom nmt.jobs import job\nroot = Path({str(root)!r})\n{change}")
    runner.run_jobs(root)
    assert {one.name: (one.state, one.reason) for one in list_jobs(root)} == left


def failing(words: list[str]) -> int:
    raise ValueError("no such thing")


@pytest.mark.parametrize(
    ("main", "log", "status", "error"),
    [
        (lambda words: 0, "a warning", 0, ""),
        (lambda words: 130, "interrupted", 130, ""),
        (lambda words: 1, "jointly train: no room", 1, "no room"),
        (lambda words: 2, "x" * 501, 2, "x" * 500),
        (failing, "", 1, "ValueError: no such thing"),
    ],
)
def test_a_training_in_this_process_leaves_its_reason(
    main: Callable[[list[str]], int],
    log: str,
    status: int,
    error: str,
    tmp_path: Path,
    data: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    one, own = ask(tmp_path, "one", data), psutil.Process()
    (one.run / "job.log").write_text(f"{log}\n", encoding="utf-8")
    given: list[list[str]] = []

    def kept(words: list[str]) -> int:
        job = read_job(one.run)
        assert job.process == Process.of(own)
        given.append(words)
        return main(words)

    for _ in range(2):  # the second time it does not wait any more
        assert runner.train_here(tmp_path, "one", kept) == (0 if given[1:] else status)
        status = 0
    assert given == [[*one.job.command]]
    assert read_job(one.run).error == error
    assert ("Traceback" in capsys.readouterr().err) == (main is failing)


SETTINGS = ("training.max_updates=105", "training.validate_every=10", "training.keep=5,50")
EVERY, LAST, END = 0.5, 23, 40.0


def events() -> list[UpdateEvent | StopEvent]:
    """Twenty-three updates of half a second, the first of 7 and the ones after a validation of 3 more, and the end."""
    seconds, found = 6.5, list[UpdateEvent | StopEvent]()
    for update in range(1, LAST + 1):
        seconds += EVERY + (3 if update % 10 == 1 and update > 1 else 0)
        found.append(UpdateEvent(update=update, epoch=1.0, nll_per_word=1.0, nll_per_sentence=1.0, seconds=seconds,
                                 words_per_second=1000.0 * update, gradient_norm=1.0, learning_rate=1.0))  # fmt: skip
    return [*found, StopEvent(update=LAST, seconds=END, reason="enough")]


def tried(
    made: list[UpdateEvent | StopEvent], ending: str, data: Path, program: Callable[[str], None], tmp_path: Path
) -> tuple[probe.Estimate, list[str]]:
    """The estimate of a training that writes some events, weights of 1,000 bytes and a state of 200, and ends."""
    lines = "".join(f"{json.dumps(event_to_dict(event))}\n" for event in made)
    (tmp_path / "events").write_text(lines, encoding="utf-8")
    program(
        "import sys, time, shutil\nfrom pathlib import Path\n"
        "run = Path(sys.argv[sys.argv.index('--run') + 1])\nrun.mkdir()\n"
        f"here = Path({str(tmp_path)!r})\nshutil.copy(here / 'events', run / 'training.jsonl')\n"
        "(here / 'words').write_text('\\n'.join(sys.argv))\n"
        "for name, size in (('model', 1000), ('resume', 200)): (run / f'{name}.safetensors').write_bytes(b'x' * size)\n"
        + ending
    )
    training = Training(recipe="debug", data=data, assignments=SETTINGS, device="cpu")
    seconds: list[int] = []
    found = probe.probe(training, seconds.append)
    assert seconds[0] == 0
    return found, (tmp_path / "words").read_text(encoding="utf-8").split("\n")


def test_the_estimate_is_that_of_the_updates_between_validations(
    data: Path, program: Callable[[str], None], tmp_path: Path
) -> None:
    """The first update, and those after a validation, are left out; 105 updates have eleven validations with the last,
    each as long as it takes from the last update to the end."""
    found, words = tried(events(), "time.sleep(0.7)", data, program, tmp_path)
    counted = [update for update in range(2, LAST + 1) if update % 10 != 1]
    assert found.updates == 105
    last = 6.5 + LAST * EVERY + 2 * 3
    assert found.minutes == pytest.approx((105 * EVERY + 11 * (END - last)) / 60)
    assert found.words == pytest.approx(105 * EVERY * 1000 * sum(counted) / len(counted))
    assert found.disk == 200 + 1000 * (3 + 2)
    assert sys.platform != "linux" or 1e6 < found.memory < 1e9
    alone = ["log_every=1", "keep=", "save_every=1000000", f"max_minutes={20 / 60}"]
    assert words[-10:-2] == [word for setting in alone for word in ("--set", f"training.{setting}")]
    one, _ = tried([events()[0], events()[-1]], "", data, program, tmp_path)
    assert one.words == pytest.approx(105 * 7.0 * 1000)
    assert one.minutes == pytest.approx((105 * 7.0 + 11 * (END - 7.0)) / 60)


@pytest.mark.parametrize("fault", ["status", "no update", "no end"])
def test_a_trial_that_did_not_end_well_has_failed(
    fault: str, data: Path, program: Callable[[str], None], tmp_path: Path
) -> None:
    made = {"status": events(), "no update": events()[-1:], "no end": events()[:-1]}[fault]
    ending = f"print('jointly train: too bad', file=sys.stderr)\nsys.exit({int(fault == 'status')})"
    with pytest.raises(InputError, match=r"^a trial of the training failed: too bad$"):
        tried(made, ending, data, program, tmp_path)


def test_whoever_watches_can_end_the_trial(data: Path, program: Callable[[str], None], tmp_path: Path) -> None:
    program("import time\ntime.sleep(60)")

    def enough(second: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        probe.probe(Training(recipe="debug", data=data, assignments=SETTINGS), enough)
    assert not [child for child in psutil.Process().children() if str(tmp_path) in " ".join(child.cmdline())]
