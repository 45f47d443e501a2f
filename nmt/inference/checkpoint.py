"""Reading and writing of weights in a run folder, as safetensors. Nothing is ever unpickled."""

import ctypes
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import Tensor, nn

from nmt.errors import InputError
from nmt.files import cache_folder, replacing
from nmt.model import TranslationModel, build_model
from nmt.model.kernels import round_rows, threads_for
from nmt.records import FORMAT_VERSION
from nmt.runs.folder import LAST, ROW_SCALE, RunInfo, RunSettings, list_snapshots, opened_weights, parse_info
from nmt.texts import say

_LEAVE = 4
"""MADV_DONTNEED of Linux: the system may drop pages from memory. A shared mapping of a file loses no content."""
_ALIGNED = 16
"""In a mapped file each tensor begins at a multiple of this many numbers."""


def save_tensors(path: Path, tensors: Mapping[str, Tensor], info: Mapping[str, Any]) -> None:
    """Write tensors and ``info``, of JSON types, to one safetensors file. Raises OSError for a failed write, and then
    leaves the previous file intact."""
    contiguous = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    text = json.dumps({"format": FORMAT_VERSION} | dict(info))
    with replacing(path) as temporary:
        try:
            save_file(contiguous, temporary, metadata={"nmt": text})
        except SafetensorError as error:
            raise OSError(f"{path} could not be written: {error}") from None


def read_tensors(path: Path) -> dict[str, Tensor]:
    """Read all tensors of a safetensors file. InputError for a missing or broken file."""
    with opened_weights(path, "pt") as file:
        return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118


def read_info(path: Path) -> dict[str, Any]:
    """Read the ``info`` saved with the tensors. InputError if the file is missing, broken or in another format."""
    with opened_weights(path) as file:
        text = (file.metadata() or {}).get("nmt")
    return parse_info(text, path)


def find_device(name: str) -> torch.device:
    """Return the device called ``name``, such as "cpu" or "cuda". InputError for a device that this machine lacks."""
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError):
        raise InputError(f"there is no device {name!r} on this machine; cpu is always available") from None
    return device


def save_weights(path: Path, model: nn.Module, info: Mapping[str, Any], dtype: torch.dtype | None = None) -> None:
    """Write a model's weights in the type ``dtype``, for int8 by ``quantised``. None = the model's type."""
    tensors: Mapping[str, Tensor] = model.state_dict()
    if dtype == torch.int8:
        tensors = quantised(tensors)
    elif dtype is not None:
        tensors = {name: value.to(dtype) for name, value in tensors.items()}
    save_tensors(path, tensors, info)


def check_weights(settings: RunSettings, path: Path) -> None:
    """Raise InputError unless the tensors of a weights file have supported types, and the names and shapes of the model
    that ``settings`` describe. Only the header of the file is read."""
    try:
        expected = {name: tuple(value.shape) for name, value in _without_weights(settings).state_dict().items()}
    except (RuntimeError, OverflowError, TypeError):
        raise InputError("the settings describe a model that cannot be built") from None
    with opened_weights(path) as file:
        slices = {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118
        shapes = {name: tuple(piece.get_shape()) for name, piece in slices.items()}
        types = {name: piece.get_dtype() for name, piece in slices.items()}
    for name, kind in types.items():
        if kind == "I8" and len(shapes[name]) == 2:
            expected[name + ROW_SCALE] = expected.get(name, ())[:1]
        elif kind not in ("F32", "F16", "BF16"):
            raise InputError(f"{path}: the weights {name} are of the unsupported type {kind}")
    if shapes != expected:
        name = min(set(shapes.items()) ^ set(expected.items()))[0]
        raise InputError(
            f"{path}: {name} has {_shape(shapes.get(name))}, but the settings ask for {_shape(expected.get(name))}"
        )


def check_run_weights(run: RunInfo) -> None:
    """Apply ``check_weights`` to every weights file of a run: best, last (if it exists) and snapshots."""
    check_weights(run, run.weights.path)
    if (run.path / LAST).is_file():
        check_weights(run, run.path / LAST)
    for snapshot in list_snapshots(run.path):
        check_weights(run, snapshot.path)


def _shape(shape: tuple[int, ...] | None) -> str:
    return "no entry" if shape is None else f"the shape {shape}"


def _without_weights(settings: RunSettings) -> TranslationModel:
    with torch.device("meta"):
        return build_model(settings.config.model, settings.source_vocabulary.size, settings.target_vocabulary.size)


@threads_for(0)
def load_model(settings: RunSettings, path: Path, *, paged: bool = False) -> TranslationModel:
    """Build the model that ``settings`` describe, in evaluation mode, with its weights in fp32. ``paged``: keep the
    weights in a mapped file (``on_disk``).

    Raises InputError if the file is broken, a weight is not finite, or the tensors do not match the model.
    """
    check_weights(settings, path)
    try:
        tensors = restored(read_tensors(path))
    except InputError as error:
        raise InputError(say("errors.in_place", place=path, problem=error)) from None
    for name, tensor in tensors.items():
        extremes = torch.stack(tensor.aminmax())  # NaN if a weight is NaN, and far quicker than a test of each weight
        if not bool(extremes.isfinite().all()):
            raise InputError(say("errors.not_finite", file=path, weights=name))
    model = _without_weights(settings)
    model.load_state_dict(on_disk(tensors) if paged else tensors, assign=True)
    return model.eval()


def quantised(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Quantise each matrix NAME to int8, with scales NAME.row_scale, float32 [rows]. Convert the rest to fp16."""
    result = {}
    for name, tensor in tensors.items():
        if tensor.dim() != 2:
            result[name] = tensor.half()
            continue
        result[name], result[name + ROW_SCALE] = round_rows(tensor.float())
    return result


def restored(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Convert stored weights, quantised or not, to fp32. InputError if scales are missing, unused or do not fit."""
    scales = {name.removesuffix(ROW_SCALE): value for name, value in tensors.items() if name.endswith(ROW_SCALE)}
    result = {}
    for name, tensor in tensors.items():
        if name.endswith(ROW_SCALE):
            continue
        result[name] = tensor.float()
        scale = scales.pop(name, None)
        whole = tensor.dtype == torch.int8
        fits = scale is not None and tensor.dim() == 2 and scale.shape == tensor.shape[:1]
        if whole and not fits:
            raise InputError(f"the weights {name} are integers without one scale per row")
        if scale is not None and not whole:
            raise InputError(f"the weights {name} have scales but are not integers")
        if scale is not None:
            result[name] *= scale.float().unsqueeze(1)
    if scales:
        raise InputError(f"there are scales for missing weights: {', '.join(sorted(scales))}")
    return result


def on_disk(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Copy tensors of fp32 into one mapped file without a name. The system deletes the file with the last copy. Without
    Linux or without room on the disk, return the tensors themselves.

    The engine searches with integers, so the weights in fp32, 40 to 55 MB of each model, are mostly idle. Once the
    integers are computed, ``leave_memory`` returns the pages of the weights to the system. The next access to a weight
    reads its page again.
    """
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
    """A tensor in a mapped file, with all its space on the disk reserved. OSError or RuntimeError if this fails."""
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, prefix="weights-") as file:
        os.posix_fallocate(file.fileno(), 0, 4 * max(1, numbers))
        return torch.from_file(file.name, shared=True, size=numbers, dtype=torch.float32)


def leave_memory(model: nn.Module) -> None:
    """Return the pages of a model's weights to the system, if the weights are in a mapped file."""
    if sys.platform != "linux":
        return
    storages = {p.untyped_storage().data_ptr(): p.untyped_storage() for p in model.parameters()}
    for address, storage in storages.items():
        if storage.filename is not None:
            ctypes.CDLL(None).madvise(ctypes.c_void_p(address), ctypes.c_size_t(storage.nbytes()), _LEAVE)


def return_free_memory() -> None:
    """Let glibc return free memory to the system. Otherwise the process keeps the memory of dropped models, and memory
    freed after preparing a model."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
