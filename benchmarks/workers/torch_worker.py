"""A worker whose system is written in torch: what is timed, and when."""

from __future__ import annotations

import os
import time
from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from benchmarks.batches import Minibatch, load_minibatches, sentences_to_translate
from benchmarks.limits import SQUARE, has_bf16, measure_limits
from benchmarks.sizes import SIZES, Size
from benchmarks.workers.protocol import WORDS, Worker


class TorchWorker(Worker):
    """A system in torch. A subclass says how its model is built, trained for a minibatch, and searched.

    Only one model is in memory: that of the last request's size and kind of work.
    """

    def __init__(self) -> None:
        super().__init__()
        torch.set_flush_denormal(True)
        torch.set_num_threads(self.threads)
        self._key: tuple[str, str] | None = None
        self.device = torch.device(os.environ.get("BENCHMARK_DEVICE", "cpu"))

    @abstractmethod
    def build(self, size: Size, training: bool) -> torch.nn.Module:
        """A fresh model on ``self.device``, for training with its optimizer or for decoding."""

    @abstractmethod
    def prepare(self, batch: Minibatch) -> object:
        """The system's own minibatch, as tensors on the device; not timed."""

    @abstractmethod
    def train(self, prepared: object, precision: str) -> None:
        """Forward, backward, clip, step of the optimizer."""

    @abstractmethod
    def read(self, sources: torch.Tensor) -> object:
        """The system's own input for decoding, from ids [S, words] without marks; not timed."""

    @abstractmethod
    def decode(self, prepared: object, beam: int, precision: str) -> int:
        """Beam search of exactly ``WORDS`` words for each sentence; the number of outputs found."""

    def precisions(self, work: str) -> list[str]:
        return ["fp32", "bf16"] if has_bf16(self.device) else ["fp32"]

    def describe(self) -> dict[str, Any]:
        return super().describe() | {
            "torch": torch.__version__,
            "threads": torch.get_num_threads(),
            "device": torch.cuda.get_device_name(self.device) if self.device.type == "cuda" else "cpu",
        }

    def other(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["work"] == "limits":
            return measure_limits(self.device, request.get("square", SQUARE))
        return super().other(request)

    def _ready(self, request: dict[str, Any]) -> Size:
        size, kind = SIZES[request["size"]], request["work"]
        if self._key != (size.name, kind):
            self._key = None
            torch.manual_seed(1)
            self.model = self.build(size, training=kind == "train")
            self.parameters = sum(p.numel() for p in self.model.parameters())
            self._key = (size.name, kind)
        return size

    def train_portion(self, request: dict[str, Any]) -> dict[str, Any]:
        self._ready(request)
        every = load_minibatches(Path(request["minibatches"]))
        chosen = [every[number] for number in request["numbers"]]
        times = request.get("times", 1)
        prepared = [self.prepare(batch) for batch in chosen] * times
        precision = self._products(request["precision"])
        seconds = self._timed(lambda: [self.train(batch, precision) for batch in prepared])
        if not all(bool(parameter.isfinite().all()) for parameter in self.model.parameters()):
            raise RuntimeError("training made weights that are not finite")
        return {
            "seconds": seconds,
            "units": times * sum(batch.target_tokens for batch in chosen),
            "parameters": self.parameters,
        }

    def decode_portion(self, request: dict[str, Any]) -> dict[str, Any]:
        size = self._ready(request)
        number, at_once = request["sentences"], request["at_once"]
        sources = torch.from_numpy(sentences_to_translate(size.vocabulary, request["seed"], number, WORDS))
        prepared = [self.read(part.to(self.device)) for part in torch.split(sources, at_once)]
        precision = self._products(request["precision"])
        outputs = 0

        def work() -> None:
            nonlocal outputs
            outputs = sum(self.decode(part, request["beam"], precision) for part in prepared)

        seconds = self._timed(work)
        if outputs != number:
            raise RuntimeError(f"{number} sentences gave {outputs} outputs")
        return {"seconds": seconds, "units": number, "parameters": self.parameters}

    def _products(self, precision: str) -> str:
        """tf32 (on a GPU) is fp32 with products that round their factors to 10 bits."""
        torch.set_float32_matmul_precision("high" if precision == "tf32" else "highest")
        return "fp32" if precision == "tf32" else precision

    def _timed(self, work: Callable[[], object]) -> float:
        """Seconds of some work. With one thread on a CPU they are the process's own time, which other programs on the
        machine change less than time by the clock."""
        clock = time.process_time if self.threads == 1 and self.device.type == "cpu" else time.perf_counter
        self._wait()
        began = clock()
        work()
        self._wait()
        return clock() - began

    def _wait(self) -> None:
        """Wait until the device has done all its work."""
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)
