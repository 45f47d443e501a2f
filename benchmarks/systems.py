"""The workers of a run: ours and those of the peers that could be set up."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from typing import Any

from benchmarks.measure import OURS
from benchmarks.process import WorkerFailed, WorkerProcess
from release.environments import ROOT, NotInstalled, Peer, environment

_HOME = ROOT / "benchmarks"
JOEYNMT = Peer("JoeyNMT", "joeynmt", _HOME, "joeynmt.txt")
OPENNMT = Peer("OpenNMT-py", "opennmt", _HOME, "opennmt.txt", "opennmt-alone.txt")
MARIAN = Peer("Marian", "marian", _HOME, "marian.txt")
PEERS = (JOEYNMT, OPENNMT, MARIAN)
WITHOUT_COMPILER = f"{OURS} without a compiler"
"""The name of our second worker, in which torch computes what the native engine does otherwise."""
AVX2 = {
    "ATEN_CPU_CAPABILITY": "avx2",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "MKL_ENABLE_INSTRUCTIONS": "AVX2",
    "CC": "cc -mno-avx512f -mno-avxvnni",
}
"""What holds torch, its libraries and the native engine to AVX2 on a processor that has more."""


class Systems:
    """Workers of all systems, started by ``start`` and ended with ``stack``.

    Attributes:
        threads, device, variables: of every worker.
        workers: by name of the system.
        described: what each worker said of itself: versions, threads, precisions.
        failed: why a system takes no part, by name.
    """

    def __init__(
        self,
        stack: ExitStack,
        say: Callable[[str], None],
        threads: int,
        device: str = "cpu",
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self._stack, self._say = stack, say
        self.threads, self.device, self.variables = threads, device, dict(variables or {})
        self.workers: dict[str, WorkerProcess] = {}
        self.described: dict[str, dict[str, Any]] = {}
        self.failed: dict[str, str] = {}

    def start(self, peers: Iterable[Peer], install: bool = True, without_compiler: bool = False) -> None:
        """Start our worker, then those of the peers. A peer that cannot be installed is left out, and ``failed`` says
        why.

        without_compiler: also start a worker of ours that computes as on a machine without a C compiler.
        """
        self._start(OURS, sys.executable, "jointly")
        if without_compiler:
            self._start(WITHOUT_COMPILER, sys.executable, "jointly", {"JOINTLY_NATIVE": "off"})
        for peer in peers:
            try:
                python = str(environment(peer, install))
            except NotInstalled as error:
                self.failed[peer.name] = f"not installed: {error}"
                self._say(f"{peer.name} is left out; {self.failed[peer.name]}")
                continue
            self._start(peer.name, python, peer.module)

    def precisions(self, system: str, work: str) -> list[str]:
        found: list[str] = self.described[system]["precisions"][work]
        return found

    def _start(self, name: str, python: str, module: str, further: Mapping[str, str] | None = None) -> None:
        command, variables = [python, "-m", f"benchmarks.workers.{module}"], self.variables | dict(further or {})
        worker = self._stack.enter_context(WorkerProcess(command, self.threads, self.device, variables))
        try:
            self.described[name] = worker.ask({"work": "describe"})
        except WorkerFailed as error:
            self.failed[name] = str(error)
            self._say(f"{name} is left out; its worker failed: {error}")
            return
        self.workers[name] = worker
        self._say(f"{name} {self.described[name]['version']}, torch {self.described[name]['torch']}")


def cores() -> int:
    """Number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
