"""Intermediate weights saved during training, RUN/steps/UPDATE.safetensors, which show how a model developed."""

from __future__ import annotations

from pathlib import Path

from nmt.errors import InputError
from nmt.runs.folder import WeightsInfo, read_weights_info

SNAPSHOTS = "steps"
"""Name of the folder of snapshots in a run folder."""
_ENDING = ".safetensors"


def snapshot_file(update: int) -> str:
    """Return the path, inside a run folder, of the weights of an update."""
    return f"{SNAPSHOTS}/{update}{_ENDING}"


def _is_number(stem: str) -> bool:
    return stem.isascii() and stem.isdecimal()


def list_snapshots(run: str | Path) -> list[WeightsInfo]:
    """Read the header of every snapshot, in training order; empty for most runs. InputError if a snapshot is broken,
    or its update differs from its file name."""
    numbered = [path for path in (Path(run) / SNAPSHOTS).glob(f"*{_ENDING}") if _is_number(path.stem)]
    snapshots = sorted((read_weights_info(path) for path in numbered), key=lambda weights: weights.update)
    for weights in snapshots:
        if weights.path.name != Path(snapshot_file(weights.update)).name:
            raise InputError(
                f"{weights.path} is named after another update: it contains the weights of update {weights.update}"
            )
    return snapshots
