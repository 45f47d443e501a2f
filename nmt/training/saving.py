"""Files that training writes into the run folder: events, weights, and the state from which an interrupted run resumes
exactly, with the same settings and data. One process at a time writes, and each file is replaced atomically."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import portalocker
import torch
from torch import Tensor, nn

from nmt.config import Config, TrainingConfig
from nmt.data.batching import Update
from nmt.data.prepared import MANIFEST, Prepared
from nmt.errors import InputError
from nmt.inference.checkpoint import read_info, read_tensors, save_tensors, save_weights
from nmt.jobs.job import JOB, check_free
from nmt.records import as_record
from nmt.results import Event, StopEvent, UpdateEvent, event_to_dict
from nmt.runs.fingerprint import owner
from nmt.runs.folder import RESUME, TRAINING, RunSettings, VocabularyInfo, read_events, read_settings


class SaveFailed(OSError):  # noqa: N818
    """Raised if a file could not be written. The existing files are then intact."""


@contextmanager
def _saving(run: Path, needs: int = 0) -> Iterator[None]:
    """Turn each OSError in this block into a SaveFailed. For a job, raise SaveFailed also if ``needs`` more bytes
    would leave too little of the disk free (``check_free``)."""
    try:
        if needs and (run / JOB).is_file():
            check_free(run, needs)
        yield
    except InputError as error:
        raise SaveFailed(errno.ENOSPC, str(error)) from error
    except OSError as error:
        raise SaveFailed(error.errno, error.strerror or str(error)) from error


@contextmanager
def only_one(run: Path) -> Iterator[None]:
    """Lock the run in this block. Raises InputError if another process trains it. The lock ends with the process."""
    with (run / ".lock").open("w") as file:
        try:
            portalocker.lock(file, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)
        except portalocker.LockException:
            raise InputError(f"{run} is being trained by another process") from None
        yield


class RunWriter:
    """Writer of the events, weights and states of a training run."""

    def __init__(self, run: Path) -> None:
        self._run = run
        self._log: BinaryIO | None = None
        self._stopped: tuple[int, str] | None = None

    @contextmanager
    def opened(self, log_bytes: int) -> Iterator[None]:
        """Lock the run, and cut its log to ``log_bytes``. Raises InputError if another process trains the run."""
        with only_one(self._run), (self._run / TRAINING).open("ab") as self._log:
            self._log.truncate(min(log_bytes, os.fstat(self._log.fileno()).st_size))
            self._log.seek(0, os.SEEK_END)
            self._stopped = _last_stop(self._run)
            yield

    def append(self, event: Event) -> int:
        """Log one event, and return the length of the log in bytes. If a finished run is resumed, it stops at once, and
        this second stop is not logged."""
        assert self._log is not None, "the run is opened"
        if isinstance(event, StopEvent) and (event.update, event.reason) == self._stopped:
            return self._log.tell()
        with _saving(self._run):
            self._log.write(json.dumps(event_to_dict(event), ensure_ascii=False).encode() + b"\n")
            self._log.flush()
        return self._log.tell()

    def save_weights(self, name: str, model: nn.Module, info: Mapping[str, float | None]) -> None:
        whole = dict(info) | {"owner": owner(self._run, read_settings(self._run))}
        with _saving(self._run, _bytes(model)):
            path = self._run / name
            path.parent.mkdir(exist_ok=True)
            save_weights(path, model, whole)

    def save_state(self, progress: TrainingProgress, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
        """Save the state for resuming. First flush the log to disk, since the state has the length of the log."""
        assert self._log is not None, "the run is opened"
        with _saving(self._run, 3 * _bytes(model)):
            os.fsync(self._log.fileno())
            save_state(self._run / RESUME, progress, model, optimizer)


def _bytes(model: nn.Module) -> int:
    return sum(weight.nbytes for weight in model.parameters())


def _last_stop(run: Path) -> tuple[int, str] | None:
    """Update and reason of the stop event that ends the log. None if no stop event ends it, or if it is unreadable."""
    last = None
    with suppress(InputError):
        last = next(reversed(read_events(run)), None)
    return (last.update, last.reason) if isinstance(last, StopEvent) else None


@dataclass(kw_only=True)
class TrainingProgress:
    """Progress of a training run.

    Attributes:
        update: number of updates made.
        pool, within: position of the next minibatch (``Position``).
        pairs: number of training pairs in all updates so far. A pair counts each time.
        seconds: wall time spent so far.
        best: lowest NLL per word on the development set so far, in nats. None before a validation.
        validated: number of the update last validated.
        bad_validations: number of validations since the best validation.
        log_bytes: length of training.jsonl.
        nll, words, sentences, norm, updates, window_seconds: sums since the last logged ``UpdateEvent``.
    """

    update: int = 0
    pool: int = 0
    within: int = 0
    pairs: int = 0
    seconds: float = 0.0
    best: float | None = None
    validated: int = 0
    bad_validations: int = 0
    log_bytes: int = 0
    nll: float = 0.0
    words: int = 0
    sentences: int = 0
    norm: float = 0.0
    updates: int = 0
    window_seconds: float = field(default=0.0)

    def add(self, portion: Update[Any, Any]) -> None:
        """Add the words, pairs and sentences of an update that was made."""
        self.pool, self.within = portion.next
        self.update += 1
        self.updates += 1
        self.words += portion.batch.words
        self.sentences += len(portion.batch.examples)
        self.pairs += len(portion.batch.pairs)

    def report(self, pairs_per_epoch: float, rate: float) -> UpdateEvent:
        """Summarise the updates since the last event, and begin new sums. ``rate``: the learning rate."""
        event = UpdateEvent(
            update=self.update,
            epoch=self.pairs / pairs_per_epoch,
            nll_per_word=self.nll / self.words,
            nll_per_sentence=self.nll / self.sentences,
            words_per_second=self.words / self.window_seconds,
            gradient_norm=self.norm / self.updates,
            learning_rate=rate,
            seconds=self.seconds,
        )
        self.nll, self.words, self.sentences, self.norm, self.updates, self.window_seconds = 0.0, 0, 0, 0.0, 0, 0.0
        return event


def start_random_numbers(seed: int, update: int) -> None:
    """Seed the random numbers of this process. Each first ``update`` gives another stream."""
    fresh = np.random.SeedSequence([seed, update, 0]).generate_state(1, np.uint64)
    torch.manual_seed(seed if update == 0 else int(fresh[0]))


def save_state(path: Path, progress: TrainingProgress, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    """Write weights, optimizer, progress and the state of the random numbers. Raises OSError if the file cannot be
    written. An older file at ``path`` is then intact."""
    tensors: dict[str, Tensor] = {f"model.{name}": value for name, value in model.state_dict().items()}
    names = [name for name, _ in model.named_parameters()]
    for number, values in optimizer.state_dict()["state"].items():
        for key, value in values.items():
            tensors[f"optimizer.{names[number]}.{key}"] = torch.as_tensor(value)
    device = _device(model)
    state = torch.cuda.get_rng_state(device) if device.type == "cuda" else torch.get_rng_state()
    tensors[f"random.{device.type}"] = state
    save_tensors(path, tensors, {"progress": asdict(progress)})


def _device(model: nn.Module) -> torch.device:
    return next(model.parameters()).device


def load_state(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer, seed: int) -> TrainingProgress:
    """Restore model and optimizer from the state that ``save_state`` wrote, and return the progress. Random numbers
    continue if the kind of device is unchanged, else they begin anew. Raises InputError if the file is missing or does
    not fit the model."""
    if not path.is_file():
        raise InputError(f"{path} does not exist, so there is nothing to resume")
    tensors = read_tensors(path)
    names = [name for name, _ in model.named_parameters()]
    state: dict[int, dict[str, Any]] = {number: {} for number in range(len(names))}
    weights: dict[str, Tensor] = {}
    for key, value in tensors.items():
        kind, _, rest = key.partition(".")
        if kind == "model":
            weights[rest] = value
        elif kind == "optimizer":
            name, _, slot = rest.rpartition(".")
            if name not in names:
                raise InputError(f"{path} is the state of another model: it contains {name}")
            state[names.index(name)][slot] = value
    try:
        model.load_state_dict(weights)
    except RuntimeError:
        raise InputError(f"{path} is the state of another model") from None
    groups = optimizer.state_dict()["param_groups"]
    optimizer.load_state_dict({"state": {k: v for k, v in state.items() if v}, "param_groups": groups})
    progress = as_record(TrainingProgress, read_info(path).get("progress"), f"{path}, progress", unknown="ignore")
    device = _device(model)
    random = tensors.get(f"random.{device.type}")
    if random is not None and random.numel() == random.shape[-1]:  # several rows: of a training by several processes
        state_of_device = random.flatten().clone()
        if device.type == "cuda":
            torch.cuda.set_rng_state(state_of_device, device)
        else:
            torch.set_rng_state(state_of_device)
    else:
        start_random_numbers(seed, progress.update)
    return progress


def settings_of(config: Config, prepared: Prepared) -> RunSettings:
    """The content of config.json, in which the checksum of the manifest identifies the data."""
    return RunSettings(
        config=config,
        source_language=prepared.source_language,
        target_language=prepared.target_language,
        source_vocabulary=VocabularyInfo(prepared.source_vocabulary.kind, len(prepared.source_vocabulary)),
        target_vocabulary=VocabularyInfo(prepared.target_vocabulary.kind, len(prepared.target_vocabulary)),
        data=hashlib.sha256((prepared.folder / MANIFEST).read_bytes()).hexdigest(),
    )


def check_only_limits(old: TrainingConfig, new: TrainingConfig) -> None:
    """Raise InputError if settings differ. Exceptions are keep, max_epochs, max_minutes, patience and, unless the
    learning rate depends on it, max_updates."""
    may_change = {"max_epochs", "max_minutes", "patience", "keep"}
    if old.schedule == "constant":
        may_change.add("max_updates")
    for name in old.__dataclass_fields__:
        if name not in may_change and getattr(old, name) != getattr(new, name):
            raise InputError(
                f"training.{name} cannot be changed on resuming: the result would differ from an uninterrupted run"
            )
