"""The allocator's settings, in a process of their own."""

import platform
import subprocess
import sys

import pytest

PROGRAM = """
import resource, torch
from nmt.training.memory import keep_freed_memory
assert keep_freed_memory() is KEEPS
for _ in range(3):
    torch.zeros(2**25)  # 128 MB, written to
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    torch.zeros(2**25)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be told")
def test_memory_that_was_freed_costs_no_page_faults_again() -> None:
    program = PROGRAM.replace("KEEPS", "True")
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    assert int(found.stdout) < 4096  # once through one such tensor; otherwise all twenty are faulted in anew


@pytest.mark.skipif(platform.libc_ver()[0] == "glibc", reason="glibc can be told")
def test_another_c_library_is_left_alone() -> None:
    subprocess.run([sys.executable, "-c", PROGRAM.replace("KEEPS", "False")], check=True, timeout=120)
