"""Two processes joined by gloo, which tests give work to; one thread each, over the loopback alone."""

from __future__ import annotations

import os
import socket
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import torch
from torch import multiprocessing

from nmt.distributed import joined

_SECONDS = 60


def loopback() -> dict[str, str]:
    """The environment in which processes of this machine find each other, whatever its name resolves to."""
    name = next(name for _, name in socket.if_nameindex() if name.startswith("lo"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    return {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "GLOO_SOCKET_IFNAME": name, "OMP_NUM_THREADS": "1"}


class TwoProcesses:
    """Two processes, started once, since importing torch takes seconds."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        environment = loopback()
        pipes = [context.Pipe() for _ in range(2)]
        self._ends = [pipe[0] for pipe in pipes]
        self._processes = [
            context.Process(target=_work, args=(rank, environment, pipes[rank][1]), daemon=True) for rank in range(2)
        ]
        for process in self._processes:
            process.start()

    def __call__(self, function: Callable[..., Any], *arguments: Any) -> list[Any]:
        """``function(processes, *arguments)`` in both: what they return, by rank. A function of a module."""
        for end in self._ends:
            end.send((function, arguments))
        results = []
        for end in self._ends:
            assert end.poll(_SECONDS), "a process hangs"
            results.append(end.recv())
        for result in results:
            assert not isinstance(result, _Failed), result
        return results

    def close(self) -> None:
        for end in self._ends:
            end.send(None)
        for process in self._processes:
            process.join(10)
            process.kill()


class _Failed(str):
    """A traceback."""


def _work(rank: int, environment: dict[str, str], end: Connection) -> None:
    torch.set_num_threads(1)
    os.environ |= environment | {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": "2"}
    with joined("cpu") as processes:
        while (task := end.recv()) is not None:
            function, arguments = task
            try:
                end.send(function(processes, *arguments))
            except Exception:
                end.send(_Failed(traceback.format_exc()))
