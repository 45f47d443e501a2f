"""A worker as the driver sees it: a process that answers requests."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 900
"""Seconds after which a worker that does not answer is ended."""


class WorkerFailed(RuntimeError):  # noqa: N818 - it is what happened
    """A worker died or hung; the message is the last line that it wrote."""


class WorkerProcess:
    """A worker program, started from the root of the repository with some further environment variables; a context
    manager that ends it."""

    def __init__(
        self, command: list[str], threads: int, device: str = "cpu", further: Mapping[str, str] | None = None
    ) -> None:
        self._errors = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115 - closed with the worker
        variables = {
            "BENCHMARK_THREADS": str(threads),
            "BENCHMARK_DEVICE": device,
            "OMP_NUM_THREADS": str(threads),
            "PYTHONWARNINGS": "ignore",
        }
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            cwd=ROOT,
            env=os.environ | variables | dict(further or {}),
        )

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Raises WorkerFailed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        clock = threading.Timer(PATIENCE, self._process.kill)
        clock.start()
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except OSError:
            line = ""
        finally:
            clock.cancel()
        if not line:
            self._process.wait()
            raise WorkerFailed(self._last_words())
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _last_words(self) -> str:
        self._errors.seek(0)
        lines = [line.strip() for line in self._errors if line.strip()]
        return lines[-1] if lines else f"ended with status {self._process.returncode}"

    def __enter__(self) -> WorkerProcess:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._errors.close()
