"""How the driver and a worker talk: one JSON request a line on stdin, one JSON answer a line on stdout.

An answer holds "seconds" and "units" (tokens or sentences) of the portion of work, and "parameters" of the model.
An answer to what went wrong holds "error" alone.
Between requests a worker sleeps, so only one of them computes at a time. Threads and device are given by the
environment variables BENCHMARK_THREADS and BENCHMARK_DEVICE.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from benchmarks.batches import Minibatch, load_minibatches, sentences_to_translate
from benchmarks.limits import SQUARE, measure_limits
from benchmarks.sizes import SIZES, Size

WORDS = 20
"""Length of the sentences that are decoded, and of the outputs."""


class Worker(ABC):
    """One system. A subclass says how its model is built, trained for a minibatch, and searched.

    Only one model is in memory: that of the last request's size and kind of work.
    """

    name: str
    version: str

    def __init__(self) -> None:
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
        """In which precisions the system can do ``train`` or ``decode``."""
        return ["fp32", "bf16"]

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Do the portion of work that a request describes."""
        if request["work"] == "describe":
            return self._describe()
        if request["work"] == "train":
            return self._train(request)
        if request["work"] == "decode":
            return self._decode(request)
        if request["work"] == "limits":
            return measure_limits(self.device, request.get("square", SQUARE))
        return self.other(request)

    def other(self, request: dict[str, Any]) -> dict[str, Any]:
        """Work that only some systems can do."""
        raise ValueError(f"{self.name} knows no work called {request['work']!r}")

    def _describe(self) -> dict[str, Any]:
        return {
            "system": self.name,
            "torch": torch.__version__,
            "version": self.version,
            "threads": torch.get_num_threads(),
            "device": torch.cuda.get_device_name(self.device) if self.device.type == "cuda" else "cpu",
            "precisions": {work: self.precisions(work) for work in ("train", "decode")},
        }

    def _ready(self, request: dict[str, Any]) -> Size:
        size, kind = SIZES[request["size"]], request["work"]
        if self._key != (size.name, kind):
            self._key = None
            torch.manual_seed(1)
            self.model = self.build(size, training=kind == "train")
            self.parameters = sum(p.numel() for p in self.model.parameters())
            self._key = (size.name, kind)
        return size

    def _train(self, request: dict[str, Any]) -> dict[str, Any]:
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

    def _decode(self, request: dict[str, Any]) -> dict[str, Any]:
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
        self._wait()
        began = time.perf_counter()
        work()
        self._wait()
        return time.perf_counter() - began

    def _wait(self) -> None:
        """Until the device has done all that was asked of it."""
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)


def serve(make: Callable[[], Worker]) -> None:
    """Answer requests until stdin ends. Whatever a library prints goes to stderr."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    torch.set_flush_denormal(True)
    torch.set_num_threads(int(os.environ.get("BENCHMARK_THREADS", os.cpu_count() or 1)))
    worker = make()
    for line in sys.stdin:
        try:
            answer = worker.answer(json.loads(line))
        except Exception as error:
            traceback.print_exc()
            answer = {"error": f"{type(error).__name__}: {(str(error).splitlines() or [''])[-1]}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
