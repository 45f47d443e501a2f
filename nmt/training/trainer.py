"""The training loop. It yields events, which the caller prints, collects or draws: reports of updates, measurements on
the development set, and sample translations by the model.
"""

from __future__ import annotations

import dataclasses
import math
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import sacrebleu
import torch

from nmt.config import ONLY_IN_TRAINING, Config, SearchSettings
from nmt.data.batching import Position, TrainingOrder, in_order
from nmt.data.prepared import Prepared, Split
from nmt.data.text import Tokenizer
from nmt.data.vocabulary import WORD_COUNTS, vocabulary_files
from nmt.errors import InputError
from nmt.evaluation.metrics import bleu_tokeniser
from nmt.files import read_toml
from nmt.inference.checkpoint import find_device, load_model
from nmt.inference.text_codec import TextCodec
from nmt.inference.translator import Translator
from nmt.model import TranslationModel, build_model
from nmt.results import Event, Likelihood, SampleEvent, StopEvent, UpdateEvent, ValidationEvent
from nmt.runs.checksums import check_all_files, drop_checksums
from nmt.runs.folder import BEST, CONFIG, LAST, RESUME, read_settings, snapshot_file, write_settings
from nmt.training.optimizer import build_optimizer, learning_rate
from nmt.training.saving import (
    RunWriter,
    TrainingProgress,
    check_only_limits,
    load_state,
    settings_of,
    start_random_numbers,
)
from nmt.training.update import Diverged, Updater, to_device, updates


class Trainer:
    """A training run in its folder: a new one (``create``), or an interrupted one (``resume``). ``run`` trains.
    ``stop`` ends the training, for example from a signal handler. The current update is then finished and saved.

    Paper: 4.2, B.2
    """

    @classmethod
    def create(
        cls,
        run: Path,
        config: Config,
        prepared: Prepared,
        device: str = "cpu",
        initial: Path | None = None,
    ) -> Trainer:
        """Create a run in a new folder, with newly initialised weights or with the best weights of the run ``initial``.
        If the data have no sentence of ``max_length`` words, the run's ``max_length`` is that of the data. Raises the
        errors of ``load_initial``. InputError also if ``run`` already contains a run, or the data lack a development
        set or the links that ``guided`` needs."""
        if (run / CONFIG).exists():
            raise InputError(f"{run} already contains a run; continue it with --resume, or choose another name")
        if len(prepared.dev) == 0:
            raise InputError(f"{prepared.folder} was prepared without --dev, which training needs to select weights")
        longest, asked = prepared.manifest.max_length, config.training
        if longest is not None and not asked.concatenate and (asked.max_length or longest) >= longest:
            config = dataclasses.replace(config, training=dataclasses.replace(asked, max_length=longest))
        trainer = cls(run, config, prepared, device)
        if initial is not None:
            load_initial(trainer.model, initial, config, prepared)
        run.mkdir(parents=True, exist_ok=True)
        prepared.source_vocabulary.save(run, "source")
        prepared.target_vocabulary.save(run, "target")
        if (prepared.folder / WORD_COUNTS).is_file():
            shutil.copyfile(prepared.folder / WORD_COUNTS, run / WORD_COUNTS)
        write_settings(run, settings_of(config, prepared))
        return trainer

    @classmethod
    def resume(cls, run: Path, prepared: Prepared, device: str = "cpu", overrides: list[str] | None = None) -> Trainer:
        """Resume a run. ``overrides`` may change what ``check_only_limits`` allows. Raises InputError for other
        changes, for other data, and if the run has weights but no state."""
        settings = read_settings(run)
        if settings.data != settings_of(settings.config, prepared).data:
            raise InputError(f"{prepared.folder} is not the prepared data that {run} was trained on")
        config = settings.config.override(overrides or [])
        check_only_limits(settings.config.training, config.training)
        if config.model != settings.config.model:
            raise InputError("model settings cannot be changed on resuming")
        trainer = cls(run, config, prepared, device)
        if (run / RESUME).exists():
            seed = config.training.seed
            trainer._progress = load_state(run / RESUME, trainer.model, trainer.optimizer, seed)
        elif (run / LAST).exists() or (run / BEST).exists():  # a new run saves its state before any weights
            raise InputError(f"{run / RESUME} does not exist, so this run cannot be resumed")
        drop_checksums(run)
        write_settings(run, settings_of(config, prepared))
        return trainer

    def __init__(self, run: Path, config: Config, prepared: Prepared, device: str) -> None:
        torch.set_flush_denormal(True)
        self.run_folder, self.config, self._prepared = run, config, prepared
        self._device = find_device(device)
        self._settings = config.training
        self.model = build_model(
            config.model, len(prepared.source_vocabulary), len(prepared.target_vocabulary), config.training.seed
        ).to(self._device)
        if config.training.precision == "bf16":
            self.model.precision = torch.bfloat16
        self.optimizer = build_optimizer(self.model, config.training)
        self._updater = Updater(self.model, self.optimizer, config.training)
        if config.training.guided and not prepared.train.has_links:
            raise InputError(f"training.guided needs word links, and {prepared.folder} was prepared without --links")
        self._order = TrainingOrder(prepared.train, config.training)
        self._progress = TrainingProgress()
        self._writer = RunWriter(run)
        self._asked_to_stop: str | None = None
        start_random_numbers(config.training.seed, 0)

    @property
    def update(self) -> int:
        """Number of updates made so far."""
        return self._progress.update

    @property
    def updates_planned(self) -> int | None:
        """Number of updates at which max_updates or max_epochs ends the training. None without these limits. max_epochs
        counts from the first update on, which tells how many pairs an update has."""
        limits = []
        if self._settings.max_updates is not None:
            limits.append(self._settings.max_updates)
        if self._settings.max_epochs is not None and self._progress.update and self._progress.pairs:
            per_update = self._progress.pairs / self._progress.update
            limits.append(math.ceil(self._settings.max_epochs * self._order.pairs_per_epoch / per_update))
        return min(limits) if limits else None

    def stop(self, reason: str) -> None:
        """End the training after the current update, and save the state. ``reason`` is for the log."""
        self._asked_to_stop = reason

    def run(self, on_update: Callable[[], None] = lambda: None) -> Iterator[Event]:
        """Train until a limit is reached. Every event is also appended to training.jsonl. ``on_update`` is called after
        every update, for a progress bar.

        Raises:
            Diverged: a loss or gradient is not finite.
            SaveFailed: a file could not be written. The last good state is on disk.
            InputError: another process trains this run.
        """
        with self._writer.opened(self._progress.log_bytes):
            if not (self.run_folder / RESUME).exists():
                self._save_state()
            for event in self._events(on_update):
                self._progress.log_bytes = self._writer.append(event)
                if isinstance(event, StopEvent):
                    self._save()
                yield event

    def _events(self, on_update: Callable[[], None]) -> Iterator[Event]:
        p, s = self._progress, self._settings
        self._updater.begin(p.nll, p.norm)
        work = updates(self._order, Position(p.pool, p.within), self._device)
        self.model.train()
        if p.update == 0:
            self._keep()
        while (reason := self._ending()) is None:
            began = time.perf_counter()
            portion = next(work)
            rate = learning_rate(s, p.update + 1)
            self._updater.make(portion, p.update + 1, rate)
            p.add(portion)
            if p.update in s.keep or any(p.update % n == 0 for n in (s.log_every, s.validate_every, s.save_every)):
                self._read_sums()
            elapsed = time.perf_counter() - began
            p.seconds, p.window_seconds = p.seconds + elapsed, p.window_seconds + elapsed
            on_update()
            self._keep()  # before the save: a resumed run does not repeat this update
            if p.update % s.log_every == 0:
                yield self._report(rate)
            if p.update % s.validate_every == 0:
                yield from self._validate()
            if p.update % s.save_every == 0:
                self._save()
        self._read_sums()
        if p.validated < p.update and reason != self._asked_to_stop:  # an interrupted run must resume as if it went on
            yield from self._validate(closing=True)
        yield StopEvent(p.update, reason, p.seconds)

    def _read_sums(self) -> None:
        """Wait for the device, and read the sums from it. Reporting and saving are then safe. Raises Diverged."""
        self._progress.nll, self._progress.norm = self._updater.read()

    def _report(self, rate: float) -> UpdateEvent:
        event = self._progress.report(self._order.pairs_per_epoch, rate)
        self._updater.begin()
        return event

    def translator(self) -> Translator:
        """Make a translator with the current weights, for one validation: ``PreparedSteps`` may miss later updates."""
        return Translator(
            self.run_folder.name,
            self.config,
            self.model,
            TextCodec(Tokenizer(self._prepared.source_language), self._prepared.source_vocabulary),
            TextCodec(Tokenizer(self._prepared.target_language), self._prepared.target_vocabulary, reads_output=True),
        )

    def _validate(self, closing: bool = False) -> Iterator[Event]:
        """Validate, and save the weights if the run is to have them. ``closing``: True for the extra validation at the
        end, which does not count for patience."""
        p, s = self._progress, self._settings
        p.validated = p.update
        translator = self.translator()
        began = time.perf_counter()
        nll = measure_nll(self.model, self._prepared.dev)
        bleu = measure_bleu(translator, self._prepared) if s.validate_bleu else None
        examples = list(samples(translator, p.update))
        if not math.isfinite(nll.nll_per_token):
            raise Diverged(f"update {p.update}: the loss on the development set is not finite")
        best = p.best is None or nll.nll_per_token < p.best
        if best:
            p.best, p.bad_validations = nll.nll_per_token, 0
        elif not closing:
            p.bad_validations += 1
        if saved := best or s.weights == "last":
            info = self._info() | {
                "dev_nll_per_word": nll.nll_per_token,
                "dev_nll_per_sentence": nll.nll_per_sentence,
                "dev_bleu": bleu,
            }
            self._writer.save_weights(BEST, self.model, info)
        p.seconds += time.perf_counter() - began
        yield ValidationEvent(
            update=p.update,
            nll_per_word=nll.nll_per_token,
            nll_per_sentence=nll.nll_per_sentence,
            bleu=bleu,
            best=saved,
            seconds=p.seconds,
        )
        yield from examples

    def _keep(self) -> None:
        if self._progress.update in self._settings.keep:
            self._writer.save_weights(snapshot_file(self._progress.update), self.model, self._info())

    def _save(self) -> None:
        self._writer.save_weights(LAST, self.model, self._info())
        self._save_state()

    def _save_state(self) -> None:
        self._writer.save_state(self._progress, self.model, self.optimizer)

    def _info(self) -> dict[str, float | None]:
        return {"update": self._progress.update, "epoch": self._progress.pairs / self._order.pairs_per_epoch}

    def _ending(self) -> str | None:
        """Why the training ends now, or None to continue. After ``stop``, its reason, and the run is unfinished."""
        p, s = self._progress, self._settings
        if self._asked_to_stop is not None:
            return self._asked_to_stop
        if s.max_updates is not None and p.update >= s.max_updates:
            return f"{p.update} updates were made"
        if s.max_epochs is not None and p.pairs >= s.max_epochs * self._order.pairs_per_epoch:
            return f"{s.max_epochs:g} epochs were made"
        if s.max_minutes is not None and p.seconds >= 60 * s.max_minutes:
            return f"{s.max_minutes:g} minutes have passed"
        if s.patience is not None and p.bad_validations >= s.patience:
            return f"no better on the development set for {p.bad_validations} validations"
        return None


def load_initial(model: TranslationModel, run: Path, config: Config, prepared: Prepared) -> None:
    """Replace the weights of ``model`` by the best weights of ``run``, which may be int8. Raises InputError, which
    names the first difference, if the run has other languages, vocabularies or model settings. Raises InputError if a
    file of the run is missing, broken or changed."""
    settings = read_settings(run)
    languages = settings.source_language, settings.target_language
    if languages != (prepared.source_language, prepared.target_language):
        raise InputError(
            f"{run} translates from {languages[0]} to {languages[1]}, but {prepared.folder} is from "
            f"{prepared.source_language} to {prepared.target_language}"
        )
    for field in dataclasses.fields(config.model):
        theirs, ours = getattr(settings.config.model, field.name), getattr(config.model, field.name)
        if field.name not in ONLY_IN_TRAINING and theirs != ours:
            raise InputError(
                f"{run} has model.{field.name}={theirs}, but this training run has {ours}; "
                f"the recipe of {run} is {settings.config.recipe}"
            )
    for side in ("source", "target"):
        theirs, ours = (
            {path.name: path.read_bytes() for path in vocabulary_files(folder, side)}
            for folder in (run, prepared.folder)
        )
        if theirs != ours:
            raise InputError(
                f"{run} and {prepared.folder} have different {side} vocabularies; "
                f"prepare the data with --vocabularies-from {run}"
            )
    check_all_files(run)
    model.load_state_dict(load_model(settings, run / BEST).state_dict())


def measure_nll(model: TranslationModel, split: Split, tokens: int = 4000) -> Likelihood:
    """Measure the NLL of a split, in fp32, without dropout and label smoothing.

    Paper: Table 2
    """
    training = model.training
    model.eval()
    device = model.decoder.E.device
    total = torch.zeros(1, dtype=torch.float64, device=device)
    with torch.inference_mode():
        for batch in in_order(split, tokens):
            b = to_device(batch, device)
            total += model.loss(b.source, b.source_mask, b.target, b.target_mask).nll.double()
    model.train(training)
    nll = float(total)
    return Likelihood(nll / len(split), nll / int(split.target.lengths.sum()))


def measure_bleu(translator: Translator, prepared: Prepared) -> float:
    """Measure BLEU of greedy translations of the development set, in mixed case, with ``bleu_tokeniser``."""
    hypotheses = _greedy(translator, prepared.dev_source)
    tokeniser = bleu_tokeniser(prepared.target_language)
    return float(sacrebleu.corpus_bleu(hypotheses, [prepared.dev_target], tokenize=tokeniser, force=True).score)


def _greedy(translator: Translator, texts: Sequence[str]) -> list[str]:
    """Translate with a beam of 1. [UNK] stays in the translations."""
    training = translator.model.training
    translator.model.eval()
    translations = translator.translate([*texts], SearchSettings(beam=1), alpha=False)
    translator.model.train(training)
    return [translation.text for translation in translations]


def samples(translator: Translator, update: int) -> Iterator[SampleEvent]:
    """Translate the sample sentences of the source language greedily. If it has no samples, yield nothing."""
    sentences = SAMPLES.get(translator.source_language, ())
    for source, translation in zip(sentences, _greedy(translator, sentences), strict=True):
        yield SampleEvent(update, source, translation)


SAMPLES = read_toml(dict[str, tuple[str, ...]], Path(__file__).with_name("samples.toml"))
"""Sample sentences by language, from samples.toml."""
