"""What the memory allocator does between the minibatches of a training."""

from __future__ import annotations

import ctypes
import platform

_M_TRIM_THRESHOLD, _M_MMAP_MAX = -1, -4
"""Names and numbers of glibc's malloc.h."""


def keep_freed_memory() -> bool:
    """Let this process keep memory that it frees, for the next allocation; returns whether that could be set.

    Otherwise glibc hands every large tensor back to the system and gets zeroed pages for the next one, at a fault
    each: a tenth of the time of a training in bf16 (docs/log.md). The process stays as large as it once was, so
    this is for trainings and not for a server. Other C libraries are left as they are.
    """
    if platform.libc_ver()[0] != "glibc":
        return False
    mallopt = ctypes.CDLL(None).mallopt
    return bool(mallopt(_M_MMAP_MAX, 0)) and bool(mallopt(_M_TRIM_THRESHOLD, 2**31 - 1))
