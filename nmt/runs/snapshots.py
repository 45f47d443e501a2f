"""Weights saved during a training, RUN/steps/UPDATE.safetensors: how a model came to be what it is."""

from __future__ import annotations

from pathlib import Path

from nmt.errors import InputError
from nmt.runs.folder import WeightsInfo, read_weights_info

SNAPSHOTS = "steps"
"""Folder of the kept weights, in a run folder."""
_ENDING = ".safetensors"


def snapshot_file(update: int) -> str:
    """Where a run folder has the weights of an update."""
    return f"{SNAPSHOTS}/{update}{_ENDING}"


def list_snapshots(run: str | Path) -> list[WeightsInfo]:
    """What is told of each, in the order of the training; empty for most runs. InputError if one is broken, or is of
    another update than its name says."""
    numbered = [path for path in (Path(run) / SNAPSHOTS).glob(f"*{_ENDING}") if path.stem.isdecimal()]
    found = sorted((read_weights_info(path) for path in numbered), key=lambda weights: weights.update)
    for weights in found:
        if weights.path.name != Path(snapshot_file(weights.update)).name:
            raise InputError(f"{weights.path} holds the weights of update {weights.update}")
    return found
