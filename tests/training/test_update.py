"""What is not finite never reaches weights or optimizer, also where nobody looks before the step."""

from pathlib import Path

import numpy as np
import pytest
import torch

from nmt.config import Config, TrainingConfig
from nmt.data.batching import BEGINNING, Examples, Update, make_batch
from nmt.data.prepared import Prepared
from nmt.distributed import ALONE
from nmt.model import TranslationModel
from nmt.training.optimizer import build_optimizer
from nmt.training.trainer import Trainer
from nmt.training.update import Diverged, TensorUpdate, Updater, to_update


def portion(prepared: Prepared, first: int) -> TensorUpdate:
    examples = Examples.single(np.arange(first, first + 3))
    batch = make_batch(prepared.train, examples)
    return to_update(
        Update(batches=[batch], examples=examples, words=batch.words, next=BEGINNING),
        torch.device("cpu"),
    )


def optimizer_of(model: TranslationModel, name: str) -> torch.optim.Optimizer:
    return build_optimizer(model, TrainingConfig(optimizer=name, learning_rate=0.01))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["adam", "adadelta"])
@pytest.mark.parametrize("where", ["loss", "gradient"])
def test_steps_are_skipped_from_the_first_fault_on(
    where: str, name: str, run: Path, config: Config, prepared: Prepared
) -> None:
    model = Trainer.create(run, config, prepared).model
    optimizer = optimizer_of(model, name)
    updater = Updater(model, optimizer, config.training, ALONE, skips=True)  # as on a GPU
    for number in (1, 2):
        updater.make(portion(prepared, 3 * number), number, 0.01)
    sums = updater.read()

    def everything() -> list[torch.Tensor]:
        state = [value for values in optimizer.state.values() for value in values.values()]
        return [value.detach().clone() for value in (*model.parameters(), *state)]

    before = everything()
    if where == "loss":
        with torch.no_grad():
            value = model.readout.b_o[3].clone()
            model.readout.b_o[3] = float("nan")
        updater.make(portion(prepared, 30), 3, 0.01)
        with torch.no_grad():
            model.readout.b_o[3] = value
    else:
        hook = model.decoder.W_s.register_hook(lambda gradient: gradient * float("inf"))
        updater.make(portion(prepared, 30), 3, 0.01)
        hook.remove()
    for number in (4, 5):
        updater.make(portion(prepared, 3 * number), number, 0.01)
    for value, old in zip(everything(), before, strict=True):
        assert torch.equal(value, old)
    assert sums.nll > 0
    with pytest.raises(Diverged, match=rf"^update 3: .*{where} .* training pairs 30, 31, 32$"):
        updater.read()


@pytest.mark.parametrize("name", ["adam", "adadelta"])
def test_looking_later_changes_nothing(name: str, tmp_path: Path, config: Config, prepared: Prepared) -> None:
    results = []
    for run, skips in (("each", False), ("later", True)):
        model = Trainer.create(tmp_path / run, config, prepared).model
        optimizer = optimizer_of(model, name)
        updater = Updater(model, optimizer, config.training, ALONE, skips=skips)
        for number in range(1, 6):
            updater.make(portion(prepared, 3 * number), number, 0.01)
        results.append((updater.read(), [parameter.detach().clone() for parameter in model.parameters()]))
    assert results[0][0] == results[1][0]
    assert all(torch.equal(a, b) for a, b in zip(results[0][1], results[1][1], strict=True))
