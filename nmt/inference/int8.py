"""Quantisation of weights to 8-bit integers with one scale per row.

Matrices are stored as ``round_rows`` rounds them. Vectors are small and are stored in fp16.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from nmt.errors import InputError
from nmt.model.integer_products import round_rows
from nmt.runs.folder import ROW_SCALE


def quantised(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Quantise matrices to int8, with scales, float32 [rows], under ``NAME.row_scale``; convert the rest to fp16."""
    result = {}
    for name, tensor in tensors.items():
        if tensor.dim() != 2:
            result[name] = tensor.half()
            continue
        result[name], result[name + ROW_SCALE] = round_rows(tensor.float())
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
