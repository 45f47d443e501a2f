"""Summary of a run's training in a few numbers, from its own files.

Paper: Table 2
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nmt.results import StopEvent, UpdateEvent, ValidationEvent
from nmt.runs.folder import CONFIG, RunSettings, read_events, read_run
from nmt.runs.provenance import read_provenance


@dataclass(frozen=True, kw_only=True)
class TrainingSummary:
    """Training of one run in numbers.

    Attributes:
        run: name of the folder.
        updates, epochs: number made so far.
        weights_from: the update of the best weights by the development set.
        ended: why the training ended; "" if it is running, was killed, or was interrupted and can be resumed.
        hours: time of training and validation; None if the training has not ended.
        device: "cpu" or "cuda", with the number of threads; "" if not recorded.
        words_per_second: median target tokens per second; None if never reported.
        train_nll, dev_nll: nats per sentence at ``weights_from``; None if not measured. ``train_nll`` is with dropout.
        train_nll_per_word, dev_nll_per_word: the same in nats per target token.
    """

    run: str
    updates: int
    epochs: float
    weights_from: int
    ended: str
    hours: float | None
    device: str
    words_per_second: float | None
    train_nll: float | None
    dev_nll: float | None
    train_nll_per_word: float | None
    dev_nll_per_word: float | None


def training_summaries(folders: Iterable[str | Path]) -> list[TrainingSummary]:
    """Summarise the training of every folder that is a run, each once. InputError if a run is broken."""
    return [training_summary(Path(f)) for f in dict.fromkeys(map(str, folders)) if (Path(f) / CONFIG).is_file()]


def training_summary(run: Path) -> TrainingSummary:
    """Summarise the training of a run. InputError if it is broken."""
    info, events, provenance = read_run(run), read_events(run), read_provenance(run)
    update = info.weights.update
    updates = [event for event in events if isinstance(event, UpdateEvent)]
    near = min(updates, key=lambda event: abs(event.update - update), default=None)
    dev = next((e for e in events if isinstance(e, ValidationEvent) and e.update == update), None)
    stop = next((e for e in events[-1:] if isinstance(e, StopEvent) and not e.reason.startswith("interrupted")), None)
    speeds = sorted(event.words_per_second for event in updates)
    device = ""
    if provenance is not None and provenance.sessions:
        session = provenance.sessions[-1]
        threads = session.processes * session.threads
        device = f"{session.device}, {threads} thread{'s' if threads > 1 else ''}"
    return TrainingSummary(
        run=info.name,
        updates=max((event.update for event in events), default=update),
        epochs=updates[-1].epoch if updates else info.weights.epoch,
        weights_from=update,
        ended="" if stop is None else stop.reason,
        hours=None if stop is None else stop.seconds / 3600,
        device=device,
        words_per_second=speeds[len(speeds) // 2] if speeds else None,
        train_nll=None if near is None else near.nll_per_sentence,
        dev_nll=None if dev is None else dev.nll_per_sentence,
        train_nll_per_word=None if near is None else near.nll_per_word,
        dev_nll_per_word=None if dev is None else dev.nll_per_word,
    )


@dataclass(frozen=True)
class SettingPair:
    """Values of one setting in two runs.

    Attributes:
        name: as in ``--set``, such as "training.batch_size".
        first, second: JSON-ready.
    """

    name: str
    first: Any
    second: Any

    @property
    def differs(self) -> bool:
        return bool(self.first != self.second)


def compare_settings(first: RunSettings, second: RunSettings) -> list[SettingPair]:
    """Pair all settings in the order of config.json; a setting missing from a run's file has its default."""
    first_values, second_values = (dict(_flat(settings.settings_dict())) for settings in (first, second))
    return [SettingPair(name, value, second_values[name]) for name, value in first_values.items()]


def _flat(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
