"""A small Transformer (Vaswani et al. 2017) on the pairs, shortlists and minibatches of rnnsearch-50: Marian's form of
it, by transformers, so that the folder opens wherever a Marian model does.

    python -m experiments transformer --data PREPARED --out FOLDER

FOLDER gets model/ (the weights of the best validation), steps/N/ (those after the updates of ``SETTINGS.keep``) and
training.jsonl, with the events of a run. The same command resumes a training that was stopped or killed. Each folder of
weights has Jointly's vocabularies and languages, so that it opens as a system.

An id is that of Jointly's vocabulary. One more, behind the last, is the padding of the source and y_0 of the target.
"""

import argparse
import math
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn
from transformers import MarianConfig, MarianMTModel

from nmt.cli.options import Commands
from nmt.config import TrainingConfig
from nmt.data.batching import Position, TrainingOrder, in_order
from nmt.data.prepared import Prepared, open_prepared
from nmt.model.translation import LinkBatch, LossOutput
from nmt.results import Event, StopEvent, UpdateEvent, ValidationEvent
from nmt.runs.folder import RESUME
from nmt.training.optimizer import build_optimizer, learning_rate
from nmt.training.saving import RunWriter, TrainingProgress, load_state, start_random_numbers
from nmt.training.update import Updater, to_device, updates

SETTINGS = TrainingConfig(
    optimizer="adam",
    learning_rate=0.001,
    beta2=0.98,
    epsilon=1e-9,
    schedule="cosine",
    warmup=400,
    hold=0.5,
    batch_tokens=4000,
    loss_per="word",
    precision="bf16",
    max_updates=5500,
    validate_every=500,
    save_every=100,
    keep=(250, 500, 1000, 2000, 4000, 5500),
)
"""Minibatches, longest sentence, loss per word and precision are those of rnnsearch-50. As many updates made its
weights."""
UNITS, LAYERS, HEADS, DROPOUT = 256, 3, 4, 0.1
"""d, the layers of each side, the heads of each layer, and the share of units that dropout sets to zero."""


class Transformer(nn.Module):
    """Marian's model over Jointly's ids, with the loss of Jointly's models."""

    def __init__(self, source_size: int, target_size: int, seed: int = 1) -> None:
        """Initialise for vocabularies of K_x and K_y entries: matrices as Glorot and Bengio 2010, embeddings
        Gaussian(0, 1/d)."""
        super().__init__()
        self.extra = max(source_size, target_size)  # transformers has one padding for both sides
        torch.manual_seed(seed)
        config = MarianConfig(
            vocab_size=self.extra + 1,
            decoder_vocab_size=self.extra + 1,
            share_encoder_decoder_embeddings=False,
            d_model=UNITS,
            encoder_layers=LAYERS,
            decoder_layers=LAYERS,
            encoder_attention_heads=HEADS,
            decoder_attention_heads=HEADS,
            encoder_ffn_dim=4 * UNITS,
            decoder_ffn_dim=4 * UNITS,
            dropout=DROPOUT,
            attention_dropout=0.0,
            activation_dropout=0.0,
            activation_function="relu",
            scale_embedding=True,
            max_position_embeddings=512,
            pad_token_id=self.extra,
            eos_token_id=0,
            bos_token_id=0,
            decoder_start_token_id=self.extra,
            forced_eos_token_id=None,
            tie_word_embeddings=True,
        )
        whole = MarianMTModel(config)
        with torch.no_grad():
            for name, weight in whole.named_parameters():
                if "embed_tokens" in name:
                    nn.init.normal_(weight, 0, UNITS**-0.5)
                    weight[-1] = 0
                elif weight.dim() == 2 and "embed_positions" not in name:
                    nn.init.xavier_uniform_(weight)
        whole.tie_weights()
        self._whole = (whole,)  # not a part of this module: its output layer is the target's embedding once more
        self.network = whole.model
        self.decoder = SimpleNamespace(E=whole.model.decoder.embed_tokens.weight)
        self.low = False
        """Whether the factors of products are bf16 in training mode."""

    @property
    def marian(self) -> MarianMTModel:
        """The model with its output layer, as transformers saves it."""
        return self._whole[0]

    def loss(
        self,
        source: Tensor,
        source_mask: Tensor,
        target: Tensor,
        target_mask: Tensor,
        label_smoothing: float = 0.0,
        words: int | None = None,
        links: LinkBatch | None = None,
        guided: float = 0.0,
    ) -> LossOutput:
        """Negative log-likelihood of a minibatch, as ``TranslationModel.loss`` computes it; alpha is never guided."""
        assert links is None
        assert not guided
        start = torch.full_like(target[:, :1], self.extra)
        with torch.autocast("cpu", torch.bfloat16, enabled=self.low and self.training):
            states = self.network(
                input_ids=source.masked_fill(~source_mask, self.extra),
                attention_mask=source_mask.long(),
                decoder_input_ids=torch.cat([start, target[:, :-1]], dim=1),
                use_cache=False,
            ).last_hidden_state
            logits = F.linear(states[target_mask], self.decoder.E)
        y, logits = target[target_mask], logits.float()
        total = F.cross_entropy(logits, y, reduction="sum", label_smoothing=label_smoothing)
        nll = total if not label_smoothing else F.cross_entropy(logits, y, reduction="sum")
        return LossOutput(total, nll.detach(), len(y))


class Training:
    """A training of a Transformer in its folder: the loop of ``nmt.training.trainer.Trainer`` for this model."""

    def __init__(self, prepared: Prepared, out: Path, settings: TrainingConfig = SETTINGS) -> None:
        """Begin, or go on with what the folder has."""
        self._prepared, self._out, self._settings = prepared, out, settings
        self.model = Transformer(len(prepared.source_vocabulary), len(prepared.target_vocabulary), settings.seed)
        self.model.low = settings.precision == "bf16"
        self._optimizer = build_optimizer(self.model, settings)
        self._updater = Updater(self.model, self._optimizer, settings)  # type: ignore[arg-type]
        self._order = TrainingOrder(prepared.train, settings)
        self._progress = TrainingProgress()
        self.stopped = False
        start_random_numbers(settings.seed, 0)
        if (out / RESUME).exists():
            self._progress = load_state(out / RESUME, self.model, self._optimizer, settings.seed)
        out.mkdir(parents=True, exist_ok=True)
        self._writer = RunWriter(out)

    def run(self) -> Iterator[Event]:
        """Train to the last update, or until ``stopped``; every event is also appended to training.jsonl."""
        with self._writer.opened(self._progress.log_bytes):
            for event in self._events():
                self._progress.log_bytes = self._writer.append(event)
                yield event
            self._save()

    def _events(self) -> Iterator[Event]:
        p, s = self._progress, self._settings
        assert s.max_updates is not None
        self._updater.begin(p.nll, p.norm)
        device = torch.device("cpu")
        work = updates(self._order, Position(p.pool, p.within), device)
        self.model.train()
        while p.update < s.max_updates and not self.stopped:
            began = time.perf_counter()
            portion = next(work)
            rate = learning_rate(s, p.update + 1)
            self._updater.make(portion, p.update + 1, rate)
            p.add(portion)
            elapsed = time.perf_counter() - began
            p.seconds, p.window_seconds = p.seconds + elapsed, p.window_seconds + elapsed
            if p.update in s.keep:
                self._write(self._out / "steps" / str(p.update))
            if p.update % s.log_every == 0:
                yield self._report(rate)
            if p.update % s.validate_every == 0 or p.update == s.max_updates:
                yield self._validate()
            if p.update % s.save_every == 0:
                self._save()
        if not self.stopped:
            yield StopEvent(p.update, f"{p.update} updates were made", p.seconds)

    def _report(self, rate: float) -> UpdateEvent:
        self._read_sums()
        event = self._progress.report(self._order.pairs_per_epoch, rate)
        self._updater.begin()
        return event

    def _validate(self) -> ValidationEvent:
        p, split, began = self._progress, self._prepared.dev, time.perf_counter()
        self.model.eval()
        total = 0.0
        with torch.inference_mode():
            for batch in in_order(split, 4000):
                b = to_device(batch, torch.device("cpu"))
                total += float(self.model.loss(b.source, b.source_mask, b.target, b.target_mask).nll)
        self.model.train()
        per_word = total / int(split.target.lengths.sum())
        best = p.best is None or per_word < p.best
        if best and math.isfinite(per_word):
            p.best = per_word
            self._write(self._out / "model")
        p.validated, p.seconds = p.update, p.seconds + time.perf_counter() - began
        return ValidationEvent(
            update=p.update,
            nll_per_word=per_word,
            nll_per_sentence=total / len(split),
            bleu=None,
            best=best,
            seconds=p.seconds,
        )

    def _write(self, folder: Path) -> None:
        prepared, model = self._prepared, self.model.marian
        languages = {"source_language": prepared.source_language, "target_language": prepared.target_language}
        model.config.update(languages)
        model.save_pretrained(folder)
        for side, vocabulary in (("source", prepared.source_vocabulary), ("target", prepared.target_vocabulary)):
            vocabulary.save(folder, side)

    def _read_sums(self) -> None:
        self._progress.nll, self._progress.norm = self._updater.read()

    def _save(self) -> None:
        self._read_sums()
        self._writer.save_state(self._progress, self.model, self._optimizer)


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "transformer",
        description="Train a small Transformer, in Marian's form, on the pairs and minibatches of rnnsearch-50; the "
        "same command resumes a training that was stopped.",
    )
    parser.add_argument("--data", required=True, type=Path, metavar="PREPARED", help="that of rnnsearch-50")
    parser.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="the folder of the training")
    parser.add_argument(
        "--precision",
        choices=("bf16", "fp32"),
        default=SETTINGS.precision,
        help="of the matrix products; without bf16 in the processor, bf16 is many times slower (default: %(default)s)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    torch.set_flush_denormal(True)
    settings = replace(SETTINGS, precision=options.precision)
    training = Training(open_prepared(options.data), options.out, settings)

    def stop(*_: object) -> None:
        training.stopped = True

    for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(name, stop)
    for event in training.run():
        print(event, file=sys.stderr, flush=True)
    return 130 if training.stopped else 0
