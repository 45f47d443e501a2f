"""How a run was trained, out of its own files.

Paper: Table 2
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nmt.provenance import read_provenance
from nmt.results import StopEvent, UpdateEvent, ValidationEvent
from nmt.run_folder import CONFIG, read_events, read_run


@dataclass(frozen=True)
class Trained:
    """Attributes:
    run: name of the folder.
    updates, epochs: over the whole training.
    weights_from: the update whose weights these are, the best on the development set.
    hours: of training and validation; None if the training has not ended.
    device: "cpu" or "cuda", with the number of threads; "" if not recorded.
    train_nll, dev_nll: nats a sentence, at ``weights_from``; None if not measured. That of train is with dropout.
    """

    run: str
    updates: int
    epochs: float
    weights_from: int
    hours: float | None
    device: str
    train_nll: float | None
    dev_nll: float | None


def trainings(folders: Iterable[str | Path]) -> list[Trained]:
    """Of those folders that are runs. InputError if one is broken."""
    return [_trained(Path(folder)) for folder in folders if (Path(folder) / CONFIG).is_file()]


def _trained(folder: Path) -> Trained:
    info, events, provenance = read_run(folder), read_events(folder), read_provenance(folder)
    update = info.weights.update
    updates = [event for event in events if isinstance(event, UpdateEvent)]
    near = min(updates, key=lambda event: abs(event.update - update), default=None)
    dev = next((e for e in events if isinstance(e, ValidationEvent) and e.update == update), None)
    last = next((e for e in reversed(events) if isinstance(e, StopEvent)), None)
    device = ""
    if provenance is not None and provenance.sessions:
        session = provenance.sessions[-1]
        device = f"{session.device}, {session.processes * session.threads} threads"
    return Trained(
        info.name,
        update if last is None else last.update,
        updates[-1].epoch if updates else info.weights.epoch,
        update,
        None if last is None else last.seconds / 3600,
        device.removesuffix("s") if device.endswith(" 1 threads") else device,
        None if near is None else near.nll_per_sentence,
        None if dev is None else dev.nll_per_sentence,
    )
