"""Jointly itself, through the same calls as its own training and translation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from benchmarks.batches import Minibatch
from benchmarks.sizes import Size
from benchmarks.workers.protocol import WORDS, serve
from benchmarks.workers.torch_worker import TorchWorker
from nmt.config import ModelConfig, TrainingConfig
from nmt.data.batching import BEGINNING, Batch, Examples, Update
from nmt.data.subwords import load_vocabulary
from nmt.data.text import Tokenizer
from nmt.data.vocabulary import Encoded
from nmt.inference.checkpoint import load_model
from nmt.inference.text_codec import PaddedTokens, TextCodec
from nmt.inference.text_search import PreparedSteps
from nmt.model import LinkBatch, TranslationModel, build_model
from nmt.model.native_steps import NativeSteps
from nmt.runs.folder import BEST, read_run
from nmt.search.beam import BeamSettings, beam_search
from nmt.search.history import Candidate
from nmt.search.stepwise import END
from nmt.training.machine import keep_freed_memory
from nmt.training.optimizer import build_optimizer
from nmt.training.update import TensorUpdate, Updater

ROOT = Path(__file__).resolve().parents[2]
DTYPES = {"fp32": None, "bf16": torch.bfloat16, "int8": torch.int8}


class Jointly(TorchWorker):
    name = "Jointly"
    version = "this"

    def build(self, size: Size, training: bool) -> nn.Module:
        config = ModelConfig(embedding=size.embedding, hidden=size.hidden, alignment=size.alignment, maxout=size.maxout)
        self.translator: TranslationModel = build_model(config, size.vocabulary, size.vocabulary).to(self.device)
        self.translator.train(training)
        self.steps = {name: PreparedSteps(self.translator, dtype) for name, dtype in DTYPES.items()}
        settings = TrainingConfig()
        self.updates = 0
        self.updater: Updater | None = None
        if training:
            keep_freed_memory()
            optimizer = build_optimizer(self.translator, settings)
            self.updater = Updater(self.translator, optimizer, settings)
        return self.translator

    def precisions(self, work: str) -> list[str]:
        on_a_processor = ["int8"] if work == "decode" and self.device.type == "cpu" else []
        return [*super().precisions(work), *on_a_processor]

    def prepare(self, batch: Minibatch) -> TensorUpdate:
        (source, source_mask), (target, target_mask) = (
            self._ended(torch.from_numpy(batch.source)),
            self._ended(torch.from_numpy(batch.target)),
        )
        examples = Examples.single(np.arange(len(batch.target)))
        tensors = Batch[Tensor, LinkBatch](
            source=source,
            source_mask=source_mask,
            target=target,
            target_mask=target_mask,
            examples=examples,
            words=batch.target_tokens,
        )
        return Update(tensors, BEGINNING)

    def _ended(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """Ids with an end mark after the last word of each, and their mask."""
        lengths = (ids >= 0).sum(dim=1, keepdim=True)
        ids = torch.cat([ids, torch.full_like(ids[:, :1], -1)], dim=1)
        mask = torch.arange(ids.shape[1], device=ids.device) <= lengths
        return ids.masked_fill(ids < 0, END).to(self.device), mask.to(self.device)

    def train(self, prepared: object, precision: str) -> None:
        assert isinstance(prepared, Update)
        assert self.updater is not None
        self.translator.precision = DTYPES[precision]
        self.updates += 1
        self.updater.make(prepared, self.updates, 1.0)

    def read(self, sources: Tensor) -> list[Encoded]:
        return [Encoded(ids=(*ids, END), tokens=(), words=(), unknown=()) for ids in sources.tolist()]

    def decode(self, prepared: object, beam: int, precision: str) -> int:
        assert isinstance(prepared, list)
        settings = BeamSettings(beam=beam, min_length=WORDS, max_length=WORDS, alpha=False)
        found = _search(self.steps[precision], prepared, settings)
        return sum(len(best.ids) == WORDS + 1 for best in found)

    def other(self, request: dict[str, Any]) -> dict[str, Any]:
        """ "real": sentences of a file, evenly spread over it, those of similar length together, by a released model:
        finished hypotheses leave the beam; or ("forced") all run on to the length of the longest."""
        if request["work"] != "real":
            return super().other(request)
        run = read_run(ROOT / request["run"], BEST)
        model = load_model(run, run.weights.path).to(self.device)
        self._key = None
        steps = PreparedSteps(model, DTYPES[request["precision"]])
        side = TextCodec(Tokenizer(run.source_language), load_vocabulary(run.path, "source"))
        lines = (ROOT / request["text"]).read_text(encoding="utf-8").splitlines()
        number, at_once = request["sentences"], request["at_once"]
        encoded = sorted(
            (side.encode(lines[k * len(lines) // number]) for k in range(number)), key=lambda e: len(e.ids)
        )
        parts = [encoded[start : start + at_once] for start in range(0, number, at_once)]
        settings = BeamSettings(beam=request["beam"], alpha=False)

        def work(chosen: Sequence[Sequence[Encoded]]) -> int:
            """Length of the longest output, in words."""
            longest = 0
            for part in chosen:
                found = _search(steps, part, settings)
                longest = max(longest, *(len(best.ids) for best in found))
            return longest - 1

        longest = work(parts if request["forced"] else parts[:1])  # and a warm-up
        if request["forced"]:
            settings = BeamSettings(beam=request["beam"], min_length=longest, max_length=longest, alpha=False)
        seconds = self._timed(lambda: work(parts))
        return {"seconds": seconds, "units": number, "parameters": sum(p.numel() for p in model.parameters())}


def _search(steps: PreparedSteps, sentences: Sequence[Encoded], settings: BeamSettings) -> list[Candidate]:
    """The best output of each sentence, as ``TextSearch.translate`` finds it."""
    with torch.inference_mode(), steps.threads(len(sentences) * settings.beam):
        model = steps.steps()
        if isinstance(model, NativeSteps) and model.searches(settings, len(sentences)):
            return model.search_all([sentence.ids for sentence in sentences], settings)
        batch = PaddedTokens(sentences, steps.device)
        return [best[0] for best in beam_search(model, batch.ids, batch.mask, settings)]


if __name__ == "__main__":
    serve(Jointly)
