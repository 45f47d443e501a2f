"""Programs that answer at a port while a trial runs."""

import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

_START_SECONDS, _POLL_SECONDS, _END_SECONDS = 120, 0.02, 20


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def started(
    command: Sequence[str], folder: Path, environment: dict[str, str], answers: Callable[[], bool]
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program in a folder while the block runs, which begins once the program answers.

    Raises RuntimeError if the program does not answer in time, or ends before.
    """
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=quiet, stderr=quiet)
    end = time.monotonic() + _START_SECONDS
    try:
        while not answers():
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{command[0]} in {folder} did not start")
            time.sleep(_POLL_SECONDS)
        yield process
    finally:
        process.terminate()
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
