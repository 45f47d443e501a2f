"""Loading of an aligner and its runs from the aligner's folder."""

from __future__ import annotations

from pathlib import Path

from nmt.aligners.aligner import Aligner, RunWithHead
from nmt.aligners.heads import read_head
from nmt.aligners.settings import DIRECTIONS, Direction, find_run, read_aligner
from nmt.errors import InputError
from nmt.inference.translator import load


def load_aligner(
    path: str | Path, runs: str | Path | None = None, device: str = "cpu", precision: str = "fp32"
) -> Aligner:
    """Load an aligner and the runs that it names.

    Args:
        path: the aligner's folder, such as aligners/en-fr.
        runs: the folder that contains the runs; None for ``checkpoints`` beside the folder of aligners.
        device: device to compute on, "cpu" or "cuda".
        precision: of the matrix products of posteriors, "fp32", or "bf16" for speed and nearly the same links.

    Raises:
        InputError: aligner.json is missing or broken, a run or an alignment head is missing, broken or has weights
            other than those that the aligner was built with, or there is no such device.
    """
    if precision not in ("fp32", "bf16"):
        raise InputError(f'precision must be "fp32" or "bf16", not {precision!r}')
    settings = read_aligner(path)
    places = [find_run(path, run, runs).path for run in settings.runs]
    loaded = {run: load(place, device=device) for run, place in zip(settings.runs, places, strict=True)}
    forward, reverse = (
        [model for run, model in loaded.items() if run.direction == direction] for direction in DIRECTIONS
    )
    heads: dict[Direction, RunWithHead] = {}
    for head in settings.heads:
        model = next(model for run, model in loaded.items() if run.name == head.run)
        heads[settings.direction_of(head)] = RunWithHead(model, read_head(Path(path), head, model))
    return Aligner(Path(path).resolve().name, settings, forward, reverse, heads, bf16=precision == "bf16")
