"""Commands in processes that can be killed: copies of this one, so that nothing has to be imported again."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tqdm import tqdm

from tests.programs import main

_POLL_SECONDS = 0.005


def start(log: Path, work: Callable[[], int]) -> int:
    """Start a function in a copy of this process; returns its id. Its exit status is what the function returns."""
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        status = 70
        tqdm.set_lock(threading.RLock())  # its own lock is one of all copies: who is interrupted holding it stops all
        try:
            with log.open("w", encoding="utf-8", errors="backslashreplace") as file:
                os.dup2(file.fileno(), 1)
                os.dup2(file.fileno(), 2)
            status = work()
            sys.stdout.flush()
            sys.stderr.flush()
        except BaseException:
            sys.excepthook(*sys.exc_info())
            sys.stderr.flush()
        finally:
            os._exit(status)
    return child


def start_command(log: Path, arguments: Sequence[str]) -> int:
    return start(log, lambda: main(arguments))


def wait(child: int) -> int:
    """Wait for the end; returns the exit status, negative for a signal."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def kill_after(child: int, seconds: float) -> bool:
    """Kill a process, with no chance to tidy up, after so many seconds; returns whether it still ran then."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if os.waitpid(child, os.WNOHANG)[0]:
            return False
        time.sleep(_POLL_SECONDS)
    os.kill(child, signal.SIGKILL)
    return wait(child) == -signal.SIGKILL


def completed(log: Path, arguments: Sequence[str]) -> tuple[int, float]:
    """Run a command to its end; returns its exit status and the seconds that it took."""
    began = time.monotonic()
    status = wait(start_command(log, arguments))
    return status, time.monotonic() - began
