"""The allocator's settings, in a process of their own."""

import os
import platform
import subprocess
import sys

import pytest

from nmt.training.machine import machine

PROGRAM = """
import resource, sys, torch
from nmt.training.machine import keep_freed_memory

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(10):
        torch.zeros(2**25)  # 128 MB, written to
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

before, kept = faults(), keep_freed_memory()
faults()
print(int(kept), before, faults())
"""


@pytest.mark.parametrize(("number", "cores"), [(None, 1), (6, 6)])
def test_cores_where_the_system_does_not_say_which_a_process_may_use(
    number: int | None, cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on macOS, and where even their number is unknown."""
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: number)
    assert machine().cores == cores


@pytest.mark.slow
def test_memory_that_was_freed_is_not_faulted_in_again() -> None:
    found = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=120)
    kept, before, after = (int(number) for number in found.stdout.split())
    assert kept == (platform.libc_ver()[0] == "glibc")
    if kept:
        assert after < before / 5
