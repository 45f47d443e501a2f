"""Alignment heads of loaded runs: their files, and the maps that they compute.

An alignment head is a small aligner that reads the model's states; it is not the model's attention.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import torch
from torch import Tensor

from nmt.aligners.settings import HeadFile
from nmt.errors import InputError
from nmt.inference.checkpoint import read_tensors, save_tensors
from nmt.inference.text_codec import PaddedTokens
from nmt.inference.translator import Translator
from nmt.inspection.given_pairs import maps_of
from nmt.model.alignment_head import AlignmentHead, head_of, read_by_head
from nmt.results import Alignment


def write_head(path: Path, head: AlignmentHead, run: str, info: dict[str, object]) -> HeadFile:
    """Write the weights in fp16, atomically. ``run``: the name of the run whose states the head reads."""
    tensors = {name: value.half() for name, value in head.state_dict().items()}
    save_tensors(path, tensors, info | {"run": run, "units": head.units})
    return HeadFile(path.name, hashlib.sha256(path.read_bytes()).hexdigest(), run)


def read_head(folder: Path, file: HeadFile, model: Translator) -> AlignmentHead:
    """Read a head from an aligner's folder, in fp32 on the model's device.

    InputError if the file is missing, broken or not the one named in aligner.json, or if it belongs to a model of other
    sizes.
    """
    path = folder / file.file
    tensors = read_tensors(path)
    if hashlib.sha256(path.read_bytes()).hexdigest() != file.sha256:
        raise InputError(f"{path} is not the alignment head that aligner.json names")
    units = len(tensors["v_h"]) if "v_h" in tensors else 0
    head = head_of(model.model, units)
    expected = {name: value.shape for name, value in head.state_dict().items()}
    if {name: value.shape for name, value in tensors.items()} != expected:
        raise InputError(f"{path} is not an alignment head for a model with the sizes of {model.name}")
    head.load_state_dict({name: value.float() for name, value in tensors.items()})
    return head.to(model.model.decoder.E.device).eval()


def head_maps(
    model: Translator, head: AlignmentHead, pairs: Iterable[tuple[str, str]], *, pretokenised: bool
) -> Iterator[Alignment]:
    """Compute a' of each pair, in order, [T_y, T_x]; rows sum to 1. Words as in ``Translator.align_stream``."""

    @torch.no_grad()
    def weigh(sources: PaddedTokens, targets: PaddedTokens) -> Tensor:
        log_weights = read_by_head(model.model, head, sources.ids, sources.mask, targets.ids, targets.mask)
        return log_weights.exp().transpose(0, 1)

    return maps_of(model, pairs, weigh, pretokenised=pretokenised)
