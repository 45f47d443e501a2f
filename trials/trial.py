"""A trial: many cases of one kind, drawn from a seed, in pieces that are run and recorded one by one."""

import faulthandler
import os
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TextIO

from nmt.errors import InputError

_LONGEST_SENTENCE = 1000
"""Characters of a message, which may contain a long path."""
_LAST_FRAMES, _PATIENCE = 6, 10
_MOST_FAULTS = 20
"""Faults of a piece that are described; the others are counted."""


class Lost(Exception):  # noqa: N818  it says what happened
    """What had to hold and did not, in one sentence."""


class NotRun(Exception):  # noqa: N818  nothing is wrong
    """A trial cannot run here; the sentence says why."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A case that was lost.

    Attributes:
        case: what was done, so that it can be done again.
        fault: what happened.
    """

    case: str
    fault: str


def must(holds: bool, sentence: str) -> None:
    """Raise Lost unless something holds."""
    if not holds:
        raise Lost(sentence)


@dataclass(kw_only=True)
class Cases:
    """The cases of a piece, counted.

    Attributes:
        at: file that names the case under way, to be read if this process dies.
        errors: stream for the stack of a case that does not end.
        seconds: processor time that a case may take; after ten times as long by the clock the process is ended, as a
            machine may be busy with other things.
        tried: number of cases.
        refused: number of cases that were answered with a sentence, an InputError.
        lost: number of cases in which something did not hold.
        faults: the first cases that were lost.
        slowest: seconds of processor time of the longest case, with those of the processes that it started.
        figures: what was measured, in a few words.
        piece: number of the piece.
        group: the group that the cases are counted with, where a trial has some.
    """

    at: Path
    errors: TextIO
    seconds: float
    tried: int = 0
    refused: int = 0
    lost: int = 0
    faults: list[Fault] = field(default_factory=list)
    slowest: float = 0.0
    figures: str = ""
    piece: int = 0
    group: str = ""

    @contextmanager
    def case(self, name: str) -> Iterator[None]:
        """Run a case: an InputError in the block is a refusal, any other exception a loss."""
        self.tried += 1
        self.at.write_text(name, encoding="utf-8", errors="backslashreplace")
        faulthandler.dump_traceback_later(_PATIENCE * self.seconds, exit=True, file=self.errors)
        began = _processor_seconds()
        try:
            yield
        except InputError as error:
            self.refuse(name, str(error))
        except Lost as error:
            self.lose(name, str(error))
        except NotRun:
            raise
        except BaseException as error:  # SystemExit and KeyboardInterrupt, too: nothing may end a command but its end
            frames = "".join(traceback.format_tb(error.__traceback__)[-_LAST_FRAMES:])
            self.lose(name, f"{type(error).__name__}: {error}\n{frames}")
        finally:
            faulthandler.cancel_dump_traceback_later()
            taken = _processor_seconds() - began
            self.slowest = max(self.slowest, taken)
            if taken > self.seconds:
                self.lose(name, f"took {taken:.1f} s of processor time; the bound is {self.seconds:g} s")

    def refuse(self, name: str, sentence: str) -> None:
        """Count a refusal, which must be one line that can be printed."""
        self.refused += 1
        try:
            sentence.encode("utf-8")
        except UnicodeEncodeError:
            self.lose(name, f"a message that cannot be printed: {sentence!a}")
            return
        if not sentence or "\n" in sentence or len(sentence) > _LONGEST_SENTENCE:
            self.lose(name, f"a message that is not one short line: {sentence[:2000]!a}")

    def lose(self, name: str, fault: str) -> None:
        self.lost += 1
        if len(self.faults) < _MOST_FAULTS:
            self.faults.append(Fault(case=name, fault=fault))


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One kind of trial.

    Attributes:
        name: short name for options and results.
        tried: what is tried, for the table.
        holds: what must hold in every case, for the table.
        run: runs one piece with random numbers of its own, in an empty folder that is removed afterwards.
        pieces: number of pieces in all.
        ci: number of these that are part of the tier ci: the first ones.
        seconds: time that a piece has.
        case_seconds: processor time that a case may take.
        megabytes: largest memory of the process that runs a piece.
        tries: what decides the result, from the root: a piece counts until one of these paths changes.
    """

    name: str
    tried: str
    holds: str
    run: Callable[[Random, Cases, Path], None]
    pieces: int
    ci: int
    seconds: float
    case_seconds: float
    megabytes: int = 2000
    tries: tuple[str, ...] = ("nmt", "trials", "app.py", "pages")

    def random(self, piece: int) -> Random:
        """The random numbers of a piece: the same on every machine."""
        return Random(f"{self.name} {piece}")


def _processor_seconds() -> float:
    return sum(os.times()[:4])


def drawn_bytes(random: Random, data: bytes) -> tuple[str, bytes]:
    """Damage a file's content in one of the ways in which files are damaged; returns what was done, and the result."""
    if not data:
        return "a byte in an empty file", b"\0"
    place = random.randrange(len(data))
    match random.randrange(7):
        case 0:
            return f"cut at byte {place}", data[:place]
        case 1:
            bit = random.randrange(8)
            return f"bit {bit} of byte {place} flipped", _with(data, place, bytes([data[place] ^ (1 << bit)]))
        case 2:
            noise = random.randbytes(random.choice((1, 4, 64)))
            return f"{len(noise)} random bytes at {place}", _with(data, place, noise)
        case 3:
            length = min(random.choice((1, 8, 512, 4096)), len(data) - place)
            return f"{length} zero bytes at {place}", _with(data, place, bytes(length))
        case 4:
            end = min(place + random.choice((1, 3, 100)), len(data))
            return f"bytes {place} to {end} removed", data[:place] + data[end:]
        case 5:
            end = min(place + random.choice((1, 30, 1000)), len(data))
            return f"bytes {place} to {end} doubled", data[:end] + data[place:]
        case _:
            return "emptied", b""


def _with(data: bytes, place: int, new: bytes) -> bytes:
    return data[:place] + new + data[place + len(new) :]


def environment(folder: Path) -> dict[str, str]:
    """The environment of a command that a trial starts: one thread, and a cache in ``folder``.

    Settings of pytest and coverage are left out, since the command would write over the reports of a test that runs it.
    """
    others = ("JOINTLY_", "PYTEST_", "COVERAGE_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(others)}
    root = str(Path(__file__).parents[1])
    return kept | {
        "JOINTLY_CACHE": str(folder / "cache"),
        "JOINTLY_RESULTS": str(folder / "results"),
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": root,
    }
