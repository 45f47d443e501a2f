"""How the driver and a worker talk: one JSON request a line on stdin, one JSON answer a line on stdout.

An answer holds "seconds" and "units" (tokens or sentences) of the portion of work, and "parameters" of the model.
An answer to a request that failed holds "error" alone. Between requests a worker sleeps, so only one of them computes
at a time. Threads and device are given by the environment variables BENCHMARK_THREADS and BENCHMARK_DEVICE.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

WORDS = 20
"""Length of the sentences that are decoded, and of the outputs."""


class Worker(ABC):
    """One system. A subclass says what the system is and how it does a portion of work.

    Attributes:
        name, version: as the table has them.
        threads: that it may use.
    """

    name: str
    version: str

    def __init__(self) -> None:
        self.threads = int(os.environ.get("BENCHMARK_THREADS", os.cpu_count() or 1))

    @abstractmethod
    def precisions(self, work: str) -> list[str]:
        """In which precisions the system can do ``train`` or ``decode``."""

    @abstractmethod
    def train_portion(self, request: dict[str, Any]) -> dict[str, Any]:
        """Train on some minibatches."""

    @abstractmethod
    def decode_portion(self, request: dict[str, Any]) -> dict[str, Any]:
        """Beam search of exactly ``WORDS`` words for each sentence."""

    def describe(self) -> dict[str, Any]:
        """Return what the table says of the system; "torch" is the version that it uses, "" for none."""
        return {
            "system": self.name,
            "torch": "",
            "version": self.version,
            "threads": self.threads,
            "device": "cpu",
            "precisions": {work: self.precisions(work) for work in ("train", "decode")},
        }

    def other(self, request: dict[str, Any]) -> dict[str, Any]:
        """Work that only some systems can do."""
        raise ValueError(f"{self.name} knows no work called {request['work']!r}")

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Do the portion of work that a request describes."""
        if request["work"] == "describe":
            return self.describe()
        if request["work"] == "train":
            return self.train_portion(request)
        if request["work"] == "decode":
            return self.decode_portion(request)
        return self.other(request)


def serve(make: Callable[[], Worker]) -> None:
    """Answer requests until stdin ends. Whatever a library prints goes to stderr."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    worker = make()
    for line in sys.stdin:
        try:
            answer = worker.answer(json.loads(line))
        except Exception as error:
            traceback.print_exc()
            answer = {"error": f"{type(error).__name__}: {(str(error).splitlines() or [''])[-1]}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
