"""On a GPU the same training to rounding, and nothing that waits in the loop. Left out where there is no GPU."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from nmt.config import Config
from nmt.data.batching import BEGINNING, TrainingOrder
from nmt.data.prepared import Prepared
from nmt.results import UpdateEvent, ValidationEvent
from nmt.training.trainer import Trainer
from nmt.training.update import Diverged, updates

pytestmark = pytest.mark.gpus(1)


def plain(config: Config, **training: Any) -> Config:
    model = replace(config.model, dropout=0.0)
    return replace(config, model=model, training=replace(config.training, **training))


def train(run: Path, config: Config, prepared: Prepared, device: str) -> list[list[float]]:
    return [
        [event.update, event.nll_per_word, event.nll_per_sentence]
        for event in Trainer.create(run, config, prepared, device).run()
        if isinstance(event, UpdateEvent | ValidationEvent)
    ]


@pytest.mark.parametrize("optimizer", ["adam", "adadelta"])
@pytest.mark.parametrize("architecture", ["rnnsearch", "rnnencdec"])
def test_the_losses_are_those_of_the_cpu(
    architecture: str, optimizer: str, tmp_path: Path, config: Config, prepared: Prepared
) -> None:
    rate = 1e-2 if optimizer == "adam" else 1.0
    config = plain(config, optimizer=optimizer, learning_rate=rate)
    config = replace(config, model=replace(config.model, architecture=architecture))
    cpu = train(tmp_path / "cpu", config, prepared, "cpu")
    cuda = train(tmp_path / "cuda", config, prepared, "cuda")
    for one, other in zip(cpu, cuda, strict=True):
        assert one == pytest.approx(other, rel=1e-4)


def test_resumed_bit_for_bit_with_dropout(tmp_path: Path, config: Config, prepared: Prepared) -> None:
    torch.use_deterministic_algorithms(True, warn_only=True)
    try:
        weights = []
        for name, stop in (("whole", 0), ("parts", 7)):
            trainer = Trainer.create(tmp_path / name, config, prepared, "cuda")

            def on_update(trainer: Trainer = trainer, stop: int = stop) -> None:
                if trainer.update == stop:
                    trainer.stop("interrupted by a test")

            list(trainer.run(on_update))
            if stop:
                trainer = Trainer.resume(tmp_path / name, prepared, "cuda")
                list(trainer.run())
            weights.append(trainer.model.state_dict())
    finally:
        torch.use_deterministic_algorithms(False)
    for name, value in weights[0].items():
        torch.testing.assert_close(weights[1][name], value, rtol=0, atol=1e-6)


@pytest.mark.parametrize("optimizer", ["adam", "adadelta"])
def test_updates_wait_for_nothing(optimizer: str, run: Path, config: Config, prepared: Prepared) -> None:
    config = plain(config, optimizer=optimizer)
    trainer = Trainer.create(run, config, prepared, "cuda")
    work = updates(TrainingOrder(prepared.train, config.training), BEGINNING, torch.device("cuda"))
    for number in range(1, 4):  # memory is reserved, kernels are loaded
        trainer._updater.make(next(work), number, 0.01)
    trainer._updater.read()
    ready = [next(work) for _ in range(3)]
    torch.cuda.synchronize()
    torch.cuda.set_sync_debug_mode("error")
    try:
        for number, portion in enumerate(ready, 4):
            trainer._updater.make(portion, number, 0.01)
    finally:
        torch.cuda.set_sync_debug_mode("default")
    work.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("optimizer", ["adam", "adadelta"])
def test_what_is_not_finite_updates_nothing(optimizer: str, run: Path, config: Config, prepared: Prepared) -> None:
    trainer = Trainer.create(run, plain(config, optimizer=optimizer), prepared, "cuda")
    events = trainer.run()
    next(events)  # update 4 of 4 between two reports
    state = [value for values in trainer.optimizer.state.values() for value in values.values()]
    everything = [torch.as_tensor(value) for value in (*trainer.model.parameters(), *state)]
    before = [value.detach().clone() for value in everything]
    trainer.model.decoder.W_s.register_hook(lambda gradient: gradient * float("inf"))
    with pytest.raises(Diverged, match=r"update 5: .*gradient"):
        list(events)
    for value, old in zip(everything, before, strict=True):
        assert torch.equal(value, old)
