"""Behaviour of the memory allocator between minibatches."""

from __future__ import annotations

import ctypes
import platform

_M_TRIM_THRESHOLD, _M_MMAP_MAX = -1, -4
"""Parameters and their numbers in glibc's malloc.h."""


def keep_freed_memory() -> bool:
    """Let this process keep freed memory for the next allocation; returns True if the setting succeeded.

    By default glibc returns every large tensor to the system and gets zeroed pages for the next one, at one page fault
    each: a tenth of the time of training in bf16 (docs/log.md). The process keeps its peak size, so this is for
    training and not for a server. Other C libraries are not changed.
    """
    if platform.libc_ver()[0] != "glibc":
        return False
    mallopt = ctypes.CDLL(None).mallopt
    return bool(mallopt(_M_MMAP_MAX, 0)) and bool(mallopt(_M_TRIM_THRESHOLD, 2**31 - 1))
