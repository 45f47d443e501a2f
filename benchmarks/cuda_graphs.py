"""Training on one GPU with the forward and backward pass of each shape of minibatch captured as a CUDA graph.

    python -m benchmarks.cuda_graphs RECIPE --data PREPARED --run NAME …    (the arguments of `jointly train`)

A step of the recurrences is some forty small operations, so a GPU waits for the processor that launches them: on an
H100 an update of 12,000 padded tokens took 106 ms, of which most was launching (docs/log/speed.md). A graph launches
them all at once. Minibatches are enlarged to a few shapes, so that each shape is captured once: lengths to a multiple
of 8 (from 64 on of 16), rows to a multiple of 16, 32 or 64; what is added has no loss. Model, optimizer, order of the
pairs and saving are those of `jointly train`. Minibatches are made in processes of their own.

Products are in TF32 if TORCH_ALLOW_TF32_CUBLAS_OVERRIDE=1 is set. Guided attention is not supported.
"""

import multiprocessing
import os
import sys
from collections.abc import Iterator
from functools import partial
from multiprocessing.queues import Queue
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from nmt.cli import main, train
from nmt.data.batching import Batch, Position, TrainingOrder, Update, make_batch
from nmt.data.vocabulary import END_ID
from nmt.model import TranslationModel
from nmt.training import trainer, update

_PRODUCERS = 2
"""Number of processes that make minibatches."""

Arrays = Batch[Any, Any]


def enlarged(batch: Arrays) -> Arrays:
    """The minibatch in one of a few shapes. An added row has a source of one token and no target."""
    count = len(batch.source)
    rows = _multiple(count, 64 if count > 256 else 32 if count > 96 else 16)

    def filled(array: Any, value: Any) -> Any:
        larger = np.full((rows, _length(array.shape[1])), value, dtype=array.dtype)
        larger[:count, : array.shape[1]] = array
        return larger

    source_mask = filled(batch.source_mask, False)
    source_mask[count:, 0] = True
    return Batch(
        source=filled(batch.source, END_ID),
        source_mask=source_mask,
        target=filled(batch.target, END_ID),
        target_mask=filled(batch.target_mask, False),
        examples=batch.examples,
        words=batch.words,
    )


def _multiple(number: int, step: int) -> int:
    return -(-number // step) * step


def _length(tokens: int) -> int:
    return _multiple(tokens, 8 if tokens <= 64 else 16)


def pass_loss(
    model: TranslationModel,
    inputs: list[Tensor],
    smoothing: float,
) -> tuple[Tensor, Tensor]:
    """The loss and the nll of ``TranslationModel.loss``, computed at every position, so that no size depends on the
    number of words. inputs: source, source mask, target and target mask."""
    source, source_mask, target, target_mask = inputs
    dtype = model._dtype()
    t = model._top_layer(model.teacher_force(source, source_mask, target, dtype), dtype)
    log_p = torch.log_softmax(t @ model.readout.W_o.t() + model.readout.b_o, dim=-1)  # [T_y, B, K_y]
    counts = target_mask.t().to(log_p.dtype)
    nll = -(log_p.gather(2, target.t().unsqueeze(2)).squeeze(2) * counts).sum()
    total = (1 - smoothing) * nll - smoothing * (log_p.mean(dim=2) * counts).sum()
    return total, nll.detach()


class GraphUpdater(update.Updater):
    """``Updater`` whose gradients come from a graph per shape; all share one pool of memory, as they run in turn."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._parameters = list(self._model.parameters())
        self._gradients_kept = [torch.zeros_like(parameter) for parameter in self._parameters]
        for parameter, gradient in zip(self._parameters, self._gradients_kept, strict=True):
            parameter.grad = gradient
        self._share = torch.zeros((), device=self._device)
        self._nll = torch.zeros(1, dtype=torch.float64, device=self._device)
        self._pool = torch.cuda.graph_pool_handle()
        self._graphs: dict[tuple[int, ...], tuple[torch.cuda.CUDAGraph, list[Tensor]]] = {}

    def _compute(self, inputs: list[Tensor]) -> None:
        total, nll = pass_loss(self._model, inputs, self._settings.label_smoothing)
        gradients = torch.autograd.grad(total * self._share, self._parameters)
        torch._foreach_copy_(self._gradients_kept, gradients)
        self._nll.copy_(nll.double().view(1))

    def _replay(self, batch: Arrays) -> None:
        b = update.to_device(batch, self._device)
        inputs = [b.source, b.source_mask, b.target, b.target_mask]
        shape = (*b.source.shape, b.target.shape[1])
        if shape not in self._graphs:
            kept = [each.clone() for each in inputs]
            if not self._graphs:  # cuBLAS and the like prepare themselves at their first use
                aside = torch.cuda.Stream()  # type: ignore[no-untyped-call]
                aside.wait_stream(torch.cuda.current_stream())
                with torch.cuda.stream(aside):
                    self._compute(kept)
                torch.cuda.current_stream().wait_stream(aside)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, pool=self._pool, capture_error_mode="thread_local"):
                self._compute(kept)
            self._graphs[shape] = graph, kept
        graph, kept = self._graphs[shape]
        for place, value in zip(kept, inputs, strict=True):
            place.copy_(value)
        graph.replay()

    def make(self, portion: Any, number: int, rate: float) -> None:
        batch = portion.batch
        assert self.skips, "the optimizer has to skip its step after a fault by itself"
        self._share.fill_(1 / (len(batch.examples) if self._settings.loss_per == "sentence" else batch.words))
        self._replay(batch)
        norm = nn.utils.clip_grad_norm_(self._parameters, self._settings.clip_norm)
        measured = torch.cat([self._nll, norm.double().view(1)])
        self._sums += measured
        self._faults = torch.where(self._faults > 0, self._faults, ~measured.isfinite() * number)
        self._unread[number] = batch.pairs
        self._optimizer.found_inf = self._faults.any().float()  # type: ignore[attr-defined]
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.step()


def updates(order: TrainingOrder, start: Position, *_: Any) -> Iterator[Any]:
    """``nmt.training.update.updates``, enlarged, as arrays, from several processes: each makes every other pool."""
    context = multiprocessing.get_context("fork")
    queues: list[Queue[Any]] = [context.Queue(40) for _ in range(_PRODUCERS)]
    producers = [
        context.Process(target=_produce, args=(order, start.pool + number, queue), daemon=True)
        for number, queue in enumerate(queues)
    ]
    for producer in producers:
        producer.start()
    pool, within = start
    try:
        while True:
            queue = queues[(pool - start.pool) % _PRODUCERS]
            number = 0
            while (made := queue.get()) is not None:
                if number >= within:
                    yield made
                number += 1
            pool, within = pool + 1, 0
    finally:
        for producer in producers:
            producer.kill()  # it has inherited the handler of `jointly train`, which does not end it at SIGTERM
            producer.join()


def _produce(order: TrainingOrder, pool: int, queue: "Queue[Any]") -> None:
    while True:
        plan = order.pool(pool)
        for number, examples in enumerate(plan):
            batch = make_batch(order._split, examples)
            following = Position(pool + 1, 0) if number + 1 == len(plan) else Position(pool, number + 1)
            queue.put(Update(enlarged(batch), following))
        queue.put(None)
        pool += _PRODUCERS


if __name__ == "__main__":
    setattr(trainer, "Updater", GraphUpdater)  # noqa: B010
    setattr(trainer, "updates", updates)  # noqa: B010
    setattr(trainer, "measure_nll", partial(trainer.measure_nll, tokens=30_000))  # noqa: B010
    if "COMMIT" in os.environ:  # where the program runs in a copy without its history
        setattr(train, "commit", lambda: os.environ["COMMIT"])  # noqa: B010
    sys.exit(main(["train", *sys.argv[1:], "--device", "cuda"]))
