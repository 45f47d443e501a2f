"""A command run in this process, with what it wrote."""

import contextlib
import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from tests.programs import main
from trials.trial import must

_LONGEST = 2000


@dataclass(frozen=True)
class Done:
    """Exit status and output of a command."""

    status: int
    out: str
    err: str


def command(arguments: Sequence[str], given: str = "") -> Done:
    """Run a command. Any exception but the exit of the options' parser is the caller's to report."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="surrogateescape") for _ in range(2)]
    text = io.TextIOWrapper(io.BytesIO(given.encode("utf-8", "surrogatepass")), encoding="utf-8")
    before = sys.stdin
    sys.stdin = text
    try:
        with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
            try:
                status = main(arguments)
            except SystemExit as left:
                status = left.code if isinstance(left.code, int) else 2
    finally:
        sys.stdin = before
    written = []
    for stream in streams:
        stream.flush()
        buffer = stream.detach()
        assert isinstance(buffer, io.BytesIO)
        written.append(buffer.getvalue().decode("utf-8", "surrogateescape"))
    return Done(status, *written)


def answered(done: Done, allowed: Sequence[int] = (0, 2)) -> None:
    """Check that a command ended in one of the documented ways: with a result, or with a sentence."""
    must(done.status in allowed, f"status {done.status}: {done.err[-_LONGEST:]}")
    must("Traceback" not in done.err, done.err[-_LONGEST:])
    must(done.status == 0 or bool(done.err.strip()), f"status {done.status} without a word")
