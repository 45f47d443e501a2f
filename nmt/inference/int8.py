"""Quantisation of weights to 8-bit integers with one scale per row.

A row w of a matrix is stored as q = round(w / scale) with scale = max |w| / 127, so that no weight is off by more than
half a scale. Vectors are small and are stored in fp16.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from nmt.errors import InputError
from nmt.runs.folder import ROW_SCALE

_MOST = 127


def quantised(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Quantise matrices to int8, with scales, float32 [rows], under ``NAME.row_scale``; convert the rest to fp16."""
    result = {}
    for name, tensor in tensors.items():
        if tensor.dim() != 2:
            result[name] = tensor.half()
            continue
        scale = tensor.float().abs().amax(dim=1) / _MOST
        steps = torch.where(scale > 0, scale, 1.0).unsqueeze(1)
        result[name] = (tensor.float() / steps).round().to(torch.int8)
        result[name + ROW_SCALE] = scale
    return result


def restored(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Convert stored weights to fp32, both quantised and plain ones. InputError if a scale is missing or does not
    fit."""
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
