"""The machine used for training: a description of the machine, and a setting of the memory allocator."""

import ctypes
import os
import platform
from importlib.metadata import version
from pathlib import Path

import psutil

from nmt.runs.provenance import Machine


def machine(device: str = "cpu") -> Machine:
    """Describe this machine for a training on ``device``, "cpu" or "cuda"."""
    accelerator = ""
    if device.partition(":")[0] == "cuda":
        import torch

        accelerator = torch.cuda.get_device_name(device)
    return Machine(
        processor=_processor(),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        memory_gb=round(psutil.virtual_memory().total / 1.024e9),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        torch=version("torch"),
        accelerator=accelerator,
    )


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    values = {key.strip(): value.strip() for key, value in fields.items()}
    name = values.get("model name", platform.machine())
    units = [flag for flag in ("avx2", "avx512f", "avx512_bf16", "amx_bf16") if flag in values.get("flags", "").split()]
    return f"{name} ({', '.join(units)})" if units else name


_M_TRIM_THRESHOLD, _M_MMAP_MAX = -1, -4
"""Numbers of parameters of mallopt, from glibc's malloc.h."""


def keep_freed_memory() -> bool:
    """Let this process keep freed memory for the next allocation, if the C library is glibc. Returns True if it does.

    By default glibc returns the memory of every large tensor to the system, and each page of the next tensor costs a
    page fault. These faults take a tenth of the time of training in bf16 (docs/log.md). The process keeps its peak
    size, which suits training but no server.
    """
    if platform.libc_ver()[0] != "glibc":
        return False
    mallopt = ctypes.CDLL(None).mallopt
    return bool(mallopt(_M_MMAP_MAX, 0)) and bool(mallopt(_M_TRIM_THRESHOLD, 2**31 - 1))
