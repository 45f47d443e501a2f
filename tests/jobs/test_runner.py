"""Runners and trainings that are killed, stopped and resumed, each a process of its own."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from nmt.errors import InputError
from nmt.jobs.job import JOB, find, resume, stop
from nmt.jobs.runner import ensure_runner, run_jobs
from tests.jobs.toy import LONG, ask, at_work, begin, kill, process_of, run, state, until, updates
from trials.workshop import content

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="needs kill -9")]


def files(run_folder: Path) -> dict[str, str]:
    """What training made: all but what the jobs add."""
    return {name: print_ for name, print_ in content(run_folder).items() if name not in (JOB, "job.log")}


@pytest.mark.thorough
def test_a_training_killed_and_stopped_and_resumed_ends_with_the_same_bytes(tmp_path: Path, data: Path) -> None:
    """The runner goes on with the next job after a kill, and a stop saves before it ends."""
    short = [*LONG[1:], "training.max_updates=400"]
    whole, often = tmp_path / "whole", tmp_path / "often"
    ask(whole, "one", data, *short)
    assert run(whole, "run") == 0
    assert state(whole, "one") == "done"

    ask(often, "one", data, *short)
    ask(often, "next", data, "training.max_updates=2")
    with begin(often):
        until(lambda: updates(often, "one") > 3)
        kill(process_of(often, "one"))
        until(lambda: state(often, "next") == "done")
    assert state(often, "one") == "lost"
    resume(often, "one")
    with begin(often):
        before = updates(often, "one")
        until(lambda: state(often, "one") == "running" and updates(often, "one") > before + 2)
        stop(often, "one")
        assert state(often, "one") in ("stopping", "stopped")
        until(lambda: state(often, "one") == "stopped")
    resume(often, "one")
    assert run(often, "run") == 0
    assert state(often, "one") == "done"

    found, expected = files(often / "one"), files(whole / "one")
    events = [json.loads(made.pop("training.jsonl")) for made in (found, expected)]
    assert found == expected
    assert [event for event in events[0] if "interrupted" not in event.get("reason", "")] == events[1]


@pytest.mark.thorough
def test_a_killed_runner_leaves_the_training_and_the_next_runner_waits_for_it(tmp_path: Path, data: Path) -> None:
    ask(tmp_path, "one", data, *LONG)
    ask(tmp_path, "two", data, "training.max_updates=2")
    first = begin(tmp_path)
    until(lambda: updates(tmp_path, "one") > 2)
    kill(first.pid)
    first.wait()
    assert state(tmp_path, "one") == "running"
    with begin(tmp_path):
        seen = updates(tmp_path, "one")
        until(lambda: updates(tmp_path, "one") > seen)
        assert state(tmp_path, "two") == "queued"
        until(lambda: at_work(tmp_path))
        with pytest.raises(InputError, match="another runner works"):
            run_jobs(tmp_path)
        stop(tmp_path, "one")
        until(lambda: state(tmp_path, "two") == "done")
    assert state(tmp_path, "one") == "stopped"


def test_whoever_asked_may_be_killed(tmp_path: Path, data: Path) -> None:
    """The process that asked, such as the app, and its whole group are killed; the job goes on."""
    ask(tmp_path, "one", data, *LONG)
    code = "import time\nfrom pathlib import Path\nfrom nmt.jobs.runner import ensure_runner\n"
    code += f"ensure_runner(Path({str(tmp_path)!r}))\ntime.sleep(600)"
    asking = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    until(lambda: state(tmp_path, "one") == "running")
    os.killpg(asking.pid, signal.SIGKILL)
    asking.wait()
    seen = updates(tmp_path, "one")
    until(lambda: updates(tmp_path, "one") > seen + 2)
    ensure_runner(tmp_path)  # another one is at work: nothing happens
    stop(tmp_path, "one")
    until(lambda: state(tmp_path, "one") == "stopped")


def test_what_fails_says_why_in_one_sentence(tmp_path: Path, data: Path) -> None:
    ask(tmp_path, "guided", data, "training.guided=0.5")
    ask(tmp_path, "next", data, "training.max_updates=2")
    assert run(tmp_path, "run") == 0
    one = find(tmp_path, "guided")
    assert one.state == "failed"
    assert one.reason.startswith("training.guided needs word links, and ")
    assert state(tmp_path, "next") == "done"


def test_a_runner_that_waits_takes_what_comes_later(tmp_path: Path, data: Path) -> None:
    command = [sys.executable, "-m", "nmt", "jobs", "--runs", str(tmp_path), "run", "--wait"]
    with subprocess.Popen(command) as service:
        until(lambda: (tmp_path / ".runner.lock").exists())
        ask(tmp_path, "one", data, "training.max_updates=2")
        until(lambda: state(tmp_path, "one") == "done")
        assert service.poll() is None
        service.terminate()
    time.sleep(0.1)
    assert not [child for child in psutil.Process().children(recursive=True) if "jobs" in child.cmdline()]
