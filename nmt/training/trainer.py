"""The training loop: it yields events, and whoever runs it prints, collects or draws them."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn

from nmt.checkpoint import find_device, save_weights
from nmt.config import Config
from nmt.data.batching import Batch, TrainingOrder
from nmt.data.prepared import Prepared
from nmt.data.text import Tokenizer
from nmt.encoding import Side
from nmt.errors import InputError
from nmt.model import build_model
from nmt.results import Event, StopEvent, UpdateEvent, ValidationEvent, event_to_dict
from nmt.run_folder import (
    BEST,
    CONFIG,
    LAST,
    RESUME,
    TRAINING,
    read_settings,
    write_settings,
)
from nmt.training.optimizer import build_optimizer
from nmt.training.resuming import check_only_limits, settings_of
from nmt.training.saving import only_one, saving
from nmt.training.schedule import learning_rate
from nmt.training.state import Progress, load_state, save_state
from nmt.training.validation import measure_bleu, measure_nll, samples, to_device
from nmt.translator import Translator


class Diverged(RuntimeError):  # noqa: N818 - it is what happened, not what to call the class of it
    """The loss or the gradient is not finite; the message names the update and the minibatch. Nothing was
    updated with it."""


class Trainer:
    """One training in one run folder.

    ``Trainer.create`` begins a new one, ``Trainer.resume`` goes on with a killed or stopped one; ``run`` does the
    work. Stopping: call ``stop`` (from a signal handler, say); the update under way is finished and saved.

    Paper: 4.2, B.2
    """

    @classmethod
    def create(cls, run: Path, config: Config, prepared: Prepared, device: str = "cpu") -> Trainer:
        """Begin a run in a new folder. Raises InputError if the folder holds a run already, or if the data have
        no development set."""
        if (run / CONFIG).exists():
            raise InputError(f"{run} holds a run already; go on with it by --resume, or choose another name")
        if len(prepared.dev) == 0:
            raise InputError(f"{prepared.folder} was prepared without --dev, by which training chooses its weights")
        trainer = cls(run, config, prepared, device)
        run.mkdir(parents=True, exist_ok=True)
        prepared.source_vocabulary.save(run, "source")
        prepared.target_vocabulary.save(run, "target")
        write_settings(run, settings_of(config, prepared))
        return trainer

    @classmethod
    def resume(cls, run: Path, prepared: Prepared, device: str = "cpu", overrides: list[str] | None = None) -> Trainer:
        """Go on with a run. Only limits may be overridden: max_updates (unless the schedule depends on it),
        max_epochs, max_minutes and patience. Raises InputError if there is nothing to resume, or the data are
        not those of the run."""
        settings = read_settings(run)
        if settings.data != settings_of(settings.config, prepared).data:
            raise InputError(f"{prepared.folder} is not the prepared data that {run} was trained on")
        config = settings.config.override(overrides or [])
        check_only_limits(settings.config.training, config.training)
        if config.model != settings.config.model:
            raise InputError("a resumed training keeps its model settings")
        trainer = cls(run, config, prepared, device)
        if (run / RESUME).exists():
            trainer._progress = load_state(run / RESUME, trainer.model, trainer.optimizer)
        elif (run / LAST).exists() or (run / BEST).exists():  # a new run saves its state before anything else
            raise InputError(f"{run / RESUME} is gone, so this run cannot be resumed")
        write_settings(run, settings_of(config, prepared))
        return trainer

    def __init__(self, run: Path, config: Config, prepared: Prepared, device: str) -> None:
        torch.set_flush_denormal(True)
        self.run_folder, self.config, self._prepared = run, config, prepared
        self._device = find_device(device)
        self._settings = config.training
        torch.manual_seed(config.training.seed)
        self.model = build_model(
            config.model,
            len(prepared.source_vocabulary),
            len(prepared.target_vocabulary),
            config.training.seed,
        ).to(self._device)
        if config.training.precision == "bf16":
            self.model.precision = torch.bfloat16
        self.optimizer = build_optimizer(self.model, config.training)
        self._order = TrainingOrder(prepared.train, config.training)
        self._progress = Progress()
        self._translator = Translator(
            run.name,
            config,
            self.model,
            Side(Tokenizer(prepared.source_language), prepared.source_vocabulary),
            Side(Tokenizer(prepared.target_language), prepared.target_vocabulary),
        )
        self._stop_reason: str | None = None

    @property
    def update(self) -> int:
        """Updates made so far."""
        return self._progress.update

    @property
    def updates_planned(self) -> int | None:
        """Updates until a limit of number or epochs is reached; None if there is no such limit."""
        limits = []
        if self._settings.max_updates is not None:
            limits.append(self._settings.max_updates)
        if self._settings.max_epochs is not None and self._progress.update and self._progress.pairs:
            per_update = self._progress.pairs / self._progress.update
            limits.append(math.ceil(self._settings.max_epochs * self._order.pairs_per_epoch / per_update))
        return min(limits) if limits else None

    def stop(self, reason: str) -> None:
        """End after the update under way; everything is saved."""
        self._stop_reason = reason

    def run(self, on_update: Callable[[], None] = lambda: None) -> Iterator[Event]:
        """Train until a limit is reached. Every event is also appended to training.jsonl.

        ``on_update`` is called after every update, for a progress bar.

        Raises:
            Diverged: a loss or gradient is not finite.
            SaveFailed: the disk refused; the last good state is on it.
            InputError: another process is training this run.
        """
        with only_one(self.run_folder), self._log.open("ab") as file:
            file.truncate(min(self._progress.log_bytes, self._log.stat().st_size))
            if not (self.run_folder / RESUME).exists():
                self._save_state()
            for event in self._events(on_update):
                with saving():
                    file.write(json.dumps(event_to_dict(event), ensure_ascii=False).encode() + b"\n")
                    file.flush()
                self._progress.log_bytes = file.tell()
                if isinstance(event, StopEvent):
                    self._save()
                yield event

    def _events(self, on_update: Callable[[], None]) -> Iterator[Event]:
        p, s = self._progress, self._settings
        batches = self._order.batches(p.pool, p.within)
        self.model.train()
        while (reason := self._reason_to_stop()) is None:
            began = time.perf_counter()
            group = [next(batches) for _ in range(s.accumulation)]
            rate = learning_rate(s, p.update + 1) * p.decay
            done = self._update([placed.batch for placed in group], rate)
            p.pool, p.within = group[-1].next_pool, group[-1].next_within
            p.update += 1
            p.updates += 1
            p.nll, p.words, p.sentences = p.nll + done.nll, p.words + done.words, p.sentences + done.sentences
            p.norm += done.norm
            p.pairs += done.sentences
            elapsed = time.perf_counter() - began
            p.seconds, p.window_seconds = p.seconds + elapsed, p.window_seconds + elapsed
            on_update()
            if p.update % s.log_every == 0:
                yield self._report(rate)
            if p.update % s.validate_every == 0:
                yield from self._validate()
            if p.update % s.save_every == 0:
                self._save()
        if p.validated < p.update and self._stop_reason is None:  # an interrupted run is resumed as if it went on
            yield from self._validate(closing=True)
        yield StopEvent(p.update, reason, p.seconds)

    def _update(self, batches: list[Batch], rate: float) -> _Done:
        """One step of the optimizer over one or more minibatches."""
        sentences = sum(len(batch.pairs) for batch in batches)
        words = sum(batch.words for batch in batches)
        share = 1 / (sentences if self._settings.loss_per == "sentence" else words)
        self.optimizer.zero_grad(set_to_none=True)
        total = torch.zeros((), dtype=torch.float64, device=self._device)
        for batch in batches:
            b = to_device(batch, self._device)
            output = self.model.loss(b.source, b.source_mask, b.target, b.target_mask, self._settings.label_smoothing)
            torch.autograd.backward(output.total * share)
            total += output.nll.double()
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self._settings.clip_norm)
        nll, length = float(total), float(norm)
        if not (math.isfinite(nll) and math.isfinite(length)):
            pairs = ", ".join(str(i) for batch in batches for i in batch.pairs.tolist())
            raise Diverged(
                f"update {self._progress.update + 1}: the {'loss' if not math.isfinite(nll) else 'gradient'} is not "
                f"finite; nothing was updated; the minibatch holds the training pairs {pairs}"
            )
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.step()
        return _Done(nll, words, sentences, length)

    def _report(self, rate: float) -> UpdateEvent:
        p = self._progress
        event = UpdateEvent(
            p.update,
            p.pairs / self._order.pairs_per_epoch,
            p.nll / p.words,
            p.nll / p.sentences,
            p.words / p.window_seconds,
            p.norm / p.updates,
            rate,
            p.seconds,
        )
        p.nll, p.words, p.sentences, p.norm, p.updates, p.window_seconds = 0.0, 0, 0, 0.0, 0, 0.0
        return event

    def _validate(self, closing: bool = False) -> Iterator[Event]:
        """Measure, keep the best weights. ``closing``: out of turn, at the end, so it does not count for patience."""
        p, s = self._progress, self._settings
        p.validated = p.update
        began = time.perf_counter()
        nll = measure_nll(self.model, self._prepared.dev)
        bleu = measure_bleu(self.model, self._translator, self._prepared) if s.validate_bleu else None
        examples = list(samples(self.model, self._translator, p.update))
        if not math.isfinite(nll.per_word):
            raise Diverged(f"update {p.update}: the loss on the development set is not finite")
        figure = -bleu if s.early_stopping == "bleu" and bleu is not None else nll.per_word
        best = p.best is None or figure < p.best
        if best:
            p.best, p.bad_validations = figure, 0
            info = self._info() | {
                "dev_nll_per_word": nll.per_word,
                "dev_nll_per_sentence": nll.per_sentence,
                "dev_bleu": bleu,
            }
            with saving():
                save_weights(self.run_folder / BEST, self.model, info)
        elif not closing:
            p.bad_validations += 1
            if s.decay_patience is not None and p.bad_validations % s.decay_patience == 0:
                p.decay *= s.decay_factor
        p.seconds += time.perf_counter() - began
        yield ValidationEvent(p.update, nll.per_word, nll.per_sentence, bleu, best, p.seconds)
        yield from examples

    @property
    def _log(self) -> Path:
        return self.run_folder / TRAINING

    def _save(self) -> None:
        with saving():
            save_weights(self.run_folder / LAST, self.model, self._info())
        self._save_state()

    def _save_state(self) -> None:
        with saving():
            with self._log.open("r+b") as file:
                os.fsync(file.fileno())  # the state counts on the events up to here
            save_state(self.run_folder / RESUME, self._progress, self.model, self.optimizer)

    def _info(self) -> dict[str, float]:
        return {"update": self._progress.update, "epoch": self._progress.pairs / self._order.pairs_per_epoch}

    def _reason_to_stop(self) -> str | None:
        p, s = self._progress, self._settings
        if self._stop_reason is not None:
            return self._stop_reason
        if s.max_updates is not None and p.update >= s.max_updates:
            return f"{p.update} updates were made"
        if s.max_epochs is not None and p.pairs >= s.max_epochs * self._order.pairs_per_epoch:
            return f"{s.max_epochs:g} epochs were made"
        if s.max_minutes is not None and p.seconds >= 60 * s.max_minutes:
            return f"{s.max_minutes:g} minutes have passed"
        if s.patience is not None and p.bad_validations >= s.patience:
            return f"no better on the development set for {p.bad_validations} validations"
        return None


@dataclass(frozen=True)
class _Done:
    """Sums over the minibatches of one update; norm: of the gradient before clipping."""

    nll: float
    words: int
    sentences: int
    norm: float
