"""Requested work: what it is called, what is known of it already, and how it is done."""

from __future__ import annotations

import hashlib
import json
from typing import Protocol, TypeVar

from nmt.tasks.progress import ProgressReporter

Result = TypeVar("Result", covariant=True)


class Task(Protocol[Result]):
    """Work on request. It does not matter who asks, or where it is done."""

    @property
    def key(self) -> str:
        """Name of the work, the same in every process: equal keys have equal results."""

    def stored(self) -> Result | None:
        """Result that was saved on disk before; None if it has to be computed. Loads no model."""
        return None

    def run(self, progress: ProgressReporter) -> Result:
        """Do the work, and save on disk what may be asked for again. Raises InputError if it cannot be done, and
        whatever ``progress`` raises to end it."""


def task_key(kind: str, *parts: object) -> str:
    """Name a task by its kind and a checksum of all that determines its result, which must be of JSON types.

    >>> task_key("add", 1, 2) == task_key("add", 1, 2), task_key("add", 1, 2) == task_key("add", 12)
    (True, False)
    """
    text = json.dumps(parts, sort_keys=True)
    return f"{kind} {hashlib.sha256(text.encode()).hexdigest()}"
