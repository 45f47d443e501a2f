"""Workers that share independent tasks, by dask.distributed, an optional package (``pip install 'jointly[cluster]'``).
Workers are processes of this machine, or the workers of a scheduler at an address.

A task is a function of a module of nmt with arguments that can be pickled. A worker that dies is replaced, and its task
is done again. If a task's workers die a few times, the work fails.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import ExitStack
from functools import lru_cache, partial
from importlib import import_module
from typing import Any

from nmt.errors import InputError

_RETRIES = 3
"""Number of retries of a failed task. A task with invalid input is not retried."""


def run_tasks(
    opens: Callable[..., Any],
    work: Callable[[Any, Any], Any],
    tasks: Sequence[tuple[tuple[Hashable, ...], Any]],
    workers: int | str,
) -> Iterator[tuple[int, Any]]:
    """Yield the number (from 0) and the result of each task when it is done. Workers of this machine have one thread.

    Args:
        opens: opens the resource of a task. A worker reuses the resource for the next task with the same arguments.
        work: called with the resource and the item of a task.
        tasks: for each task, the arguments of ``opens`` and the item.
        workers: number of processes to start on this machine, or the address of a scheduler, such as tcp://host:8786.

    Raises:
        InputError: dask.distributed is not installed, no scheduler answers at the address, a task raised InputError, or
            a task's workers died again and again.
    """
    try:
        distributed: Any = import_module("distributed")  # without annotations
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("distributed", "dask"):
            raise
        raise InputError("workers need dask.distributed: pip install 'jointly[cluster]'") from None
    with ExitStack() as closing:
        where = workers
        if isinstance(workers, int):
            options = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
            try:
                where = closing.enter_context(distributed.LocalCluster(**options, silence_logs=logging.ERROR))
            except RuntimeError as error:  # a worker ended meanwhile
                raise InputError(f"the workers could not be started: {error}; try again") from None
        try:
            client = closing.enter_context(distributed.Client(where, timeout=10))
        except (OSError, ValueError) as error:
            raise InputError(f"no scheduler answers at {workers}: {error}") from None
        futures = client.map(partial(_guarded, opens, work), tasks, retries=_RETRIES, pure=False)
        closing.callback(client.cancel, futures)
        numbers = {future.key: number for number, future in enumerate(futures)}
        for future in distributed.as_completed(futures):
            try:
                refused, result = future.result()
            except distributed.KilledWorker as error:
                raise InputError(f"a task ended its workers again and again: {error}") from None
            if refused:
                raise InputError(result)
            yield numbers[future.key], result


_opened = lru_cache(maxsize=1)(lambda opens, arguments: opens(*arguments))


def _guarded(
    opens: Callable[..., Any], work: Callable[[Any, Any], Any], task: tuple[tuple[Hashable, ...], Any]
) -> tuple[bool, Any]:
    """Do a task in a worker, and return False and the result. If the task raises InputError, return True and its
    message, so that dask does not retry the task."""
    try:
        return False, work(_opened(opens, task[0]), task[1])
    except InputError as error:
        return True, str(error)
