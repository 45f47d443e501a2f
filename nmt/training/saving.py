"""Files that training writes into the run folder, by one process at a time; every failure is a SaveFailed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import portalocker
import torch
from torch import Tensor, nn

from nmt.errors import InputError
from nmt.inference.checkpoint import save_weights
from nmt.results import Event, StopEvent, event_to_dict
from nmt.runs.folder import RESUME, TRAINING, read_events
from nmt.training.state import TrainingProgress, save_state


class SaveFailed(OSError):  # noqa: N818
    """A file could not be written; the existing files are intact."""


@contextmanager
def _saving() -> Iterator[None]:
    """Turn each OSError in this block into a SaveFailed."""
    try:
        yield
    except OSError as error:
        raise SaveFailed(error.errno, error.strerror or str(error)) from error


@contextmanager
def only_one(run: Path) -> Iterator[None]:
    """Lock the run; InputError if another process trains it. The lock is released however the process ends."""
    with (run / ".lock").open("w") as file:
        try:
            portalocker.lock(file, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)
        except portalocker.LockException:
            raise InputError(f"{run} is being trained by another process") from None
        yield


class RunWriter:
    """Writer of the events, weights and states of a training run. ``writes``: True for the first of its processes; the
    calls of the others do nothing."""

    def __init__(self, run: Path, writes: bool) -> None:
        self._run, self._writes = run, writes
        self._log: BinaryIO | None = None
        self._stopped: tuple[int, str] | None = None

    @contextmanager
    def opened(self, log_bytes: int) -> Iterator[None]:
        """Lock the run, and continue its log after ``log_bytes``. Raises InputError if another process trains it."""
        if not self._writes:
            yield
            return
        with only_one(self._run), (self._run / TRAINING).open("ab") as self._log:
            self._log.truncate(min(log_bytes, os.fstat(self._log.fileno()).st_size))
            self._log.seek(0, os.SEEK_END)
            self._stopped = _last_stop(self._run)
            yield

    def append(self, event: Event) -> int:
        """Log one event; returns the length of the log in bytes. A run that had ended stops at once when it is resumed;
        this second stop is not logged."""
        if self._log is None:
            return 0
        if isinstance(event, StopEvent) and (event.update, event.reason) == self._stopped:
            return self._log.tell()
        with _saving():
            self._log.write(json.dumps(event_to_dict(event), ensure_ascii=False).encode() + b"\n")
            self._log.flush()
        return self._log.tell()

    def save_weights(self, name: str, model: nn.Module, info: Mapping[str, float | None]) -> None:
        if self._writes:
            with _saving():
                path = self._run / name
                path.parent.mkdir(exist_ok=True)
                save_weights(path, model, info)

    def save_state(
        self, progress: TrainingProgress, model: nn.Module, optimizer: torch.optim.Optimizer, random: Sequence[Tensor]
    ) -> None:
        """Save the state that resuming needs; the log is flushed first, since the state refers to its length."""
        if self._log is not None:
            with _saving():
                os.fsync(self._log.fileno())
                save_state(self._run / RESUME, progress, model, optimizer, random)


def _last_stop(run: Path) -> tuple[int, str] | None:
    """Return update and reason of the stop that ends the log; None if it ends otherwise, or cannot be read."""
    try:
        events = read_events(run)
    except InputError:
        return None
    last = events[-1] if events else None
    return (last.update, last.reason) if isinstance(last, StopEvent) else None
