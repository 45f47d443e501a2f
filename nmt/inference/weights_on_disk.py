"""Weights in a file that the system reads again when they are needed.

The engine searches with integers of its own, so the weights in fp32 are mostly idle: 40 to 55 MB of each model. A
mapped file without a name holds these weights. Once the integers are made, ``leave_memory`` gives the pages of the
weights back; a later reader of a weight has its page read again. If no such file can be made, weights stay in memory.
"""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
from collections.abc import Mapping

import torch
from torch import Tensor, nn

from nmt.files import cache_folder

_LEAVE = 4
"""MADV_DONTNEED of Linux: of a shared mapping of a file no content is lost."""
_ALIGNED = 16
"""Numbers, to a multiple of which each tensor begins."""


def on_disk(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Copies of tensors of fp32 in one mapped file, which ends with the last of them; the tensors themselves where that
    cannot be."""
    if sys.platform != "linux":
        return dict(tensors)
    sizes = {name: -(-tensor.numel() // _ALIGNED) * _ALIGNED for name, tensor in tensors.items()}
    try:
        whole = _mapped(sum(sizes.values()))
    except (OSError, RuntimeError):
        return dict(tensors)
    placed, begin = {}, 0
    for name, tensor in tensors.items():
        placed[name] = whole[begin : begin + tensor.numel()].view(tensor.shape)
        placed[name].copy_(tensor)
        begin += sizes[name]
    return placed


def _mapped(numbers: int) -> Tensor:
    """Numbers in a mapped file whose whole room is reserved on the disk; OSError or RuntimeError if it cannot be."""
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, prefix="weights-") as file:
        os.posix_fallocate(file.fileno(), 0, 4 * max(1, numbers))
        return torch.from_file(file.name, shared=True, size=numbers, dtype=torch.float32)


def leave_memory(model: nn.Module) -> None:
    """Give the pages of a model's weights back where they can be read again."""
    if sys.platform != "linux":
        return
    storages = {p.untyped_storage().data_ptr(): p.untyped_storage() for p in model.parameters()}
    for address, storage in storages.items():
        if storage.filename is not None:
            ctypes.CDLL(None).madvise(ctypes.c_void_p(address), ctypes.c_size_t(storage.nbytes()), _LEAVE)
