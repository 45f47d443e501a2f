"""From an aligner's folder to an aligner that is ready."""

from __future__ import annotations

from pathlib import Path

from nmt.aligners.aligner import Aligner
from nmt.aligners.settings import find_run, read_aligner
from nmt.loading import load


def load_aligner(path: str | Path, runs: str | Path | None = None, device: str = "cpu") -> Aligner:
    """Load an aligner and the runs that it names.

    Args:
        path: its folder, such as aligners/en-fr.
        runs: the folder that the runs lie in; None for ``checkpoints`` beside the folder of aligners.
        device: where to compute, "cpu" or "cuda".

    Raises:
        InputError: aligner.json is missing or broken, a run is missing, broken or has other weights than the aligner
            was made with, or there is no such device; says which.
    """
    settings = read_aligner(path)
    found = {run: find_run(path, run, runs) for run in settings.runs}
    forward, reverse = (
        [load(info.path, device=device) for run, info in found.items() if run.direction == direction]
        for direction in ("forward", "reverse")
    )
    return Aligner(Path(path).resolve().name, settings, forward, reverse)
