"""What is not finite never reaches weights or optimizer, also where nobody looks before the step."""

import threading
import time
from collections.abc import Iterator
from itertools import count, islice, pairwise
from pathlib import Path

import numpy as np
import pytest
import torch

from nmt.config import Config, TrainingConfig
from nmt.data.batching import BEGINNING, Examples, Update, make_batch
from nmt.data.prepared import Prepared
from nmt.model import TranslationModel
from nmt.training.optimizer import CHUNK, Adadelta, build_optimizer, learning_rate
from nmt.training.trainer import Trainer
from nmt.training.update import Diverged, TensorUpdate, Updater, ahead, to_device


def portion(prepared: Prepared, first: int) -> TensorUpdate:
    examples = Examples.single(np.arange(first, first + 3))
    batch = make_batch(prepared.train, examples)
    return Update(to_device(batch, torch.device("cpu")), BEGINNING)


def optimizer_of(model: TranslationModel, name: str) -> torch.optim.Optimizer:
    return build_optimizer(model, TrainingConfig(optimizer=name, learning_rate=0.01))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["adam", "adadelta"])
@pytest.mark.parametrize("where", ["loss", "gradient"])
def test_steps_are_skipped_from_the_first_fault_on(
    where: str, name: str, run: Path, config: Config, prepared: Prepared
) -> None:
    model = Trainer.create(run, config, prepared).model
    optimizer = optimizer_of(model, name)
    updater = Updater(model, optimizer, config.training)
    updater.skips = True  # as on a GPU
    for number in (1, 2):
        updater.make(portion(prepared, 3 * number), number, 0.01)
    nll, _ = updater.read()

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
    assert nll > 0
    with pytest.raises(Diverged, match=rf"^update 3: .*{where} .* training pairs 30, 31, 32$"):
        updater.read()


@pytest.mark.parametrize("name", ["adam", "adadelta"])
def test_looking_later_changes_nothing(name: str, tmp_path: Path, config: Config, prepared: Prepared) -> None:
    results = []
    for run, skips in (("each", False), ("later", True)):
        model = Trainer.create(tmp_path / run, config, prepared).model
        optimizer = optimizer_of(model, name)
        updater = Updater(model, optimizer, config.training)
        updater.skips = skips
        for number in range(1, 6):
            updater.make(portion(prepared, 3 * number), number, 0.01)
        results.append((updater.read(), [parameter.detach().clone() for parameter in model.parameters()]))
    assert results[0][0] == results[1][0]
    assert all(torch.equal(a, b) for a, b in zip(results[0][1], results[1][1], strict=True))


def test_ahead_is_the_same_in_order_and_only_a_little_ahead() -> None:
    made: list[int] = []

    def items() -> Iterator[int]:
        for number in count():
            time.sleep(0.001)  # Python refuses a second thread meanwhile
            made.append(number)
            yield number

    coming = ahead(items())
    assert list(islice(coming, 20)) == list(range(20))
    coming.close()  # type: ignore[attr-defined]
    assert 20 <= len(made) <= 30
    assert not any("ThreadPool" in thread.name for thread in threading.enumerate())


def test_what_fails_in_the_thread_fails_where_it_is_asked_for() -> None:
    coming = ahead(1 // (3 - number) for number in count())
    assert list(islice(coming, 3)) == [0, 0, 1]
    with pytest.raises(ZeroDivisionError):
        next(coming)


@pytest.mark.parametrize("chunk", [CHUNK, 7])
def test_the_same_weights_and_averages_as_torch_has(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nmt.training.optimizer.CHUNK", chunk)
    generator = torch.Generator().manual_seed(1)
    start = [torch.randn(5, 6, generator=generator, dtype=torch.float64), torch.randn(11, dtype=torch.float64)]
    ours, theirs = ([torch.nn.Parameter(w.clone()) for w in start] for _ in range(2))
    never = torch.nn.Parameter(torch.ones(3, dtype=torch.float64))  # has no gradient
    mine = Adadelta([*ours, never], 0.7, 0.95, 1e-6)
    reference = torch.optim.Adadelta(theirs, lr=0.7, rho=0.95, eps=1e-6)
    for _ in range(20):
        for a, b in zip(ours, theirs, strict=True):
            b.grad = torch.randn(a.shape, generator=generator, dtype=torch.float64)
            a.grad = b.grad.t().contiguous().t() if a.dim() == 2 else b.grad.clone()  # in any layout
        mine.step()
        reference.step()
    for a, b in zip(ours, theirs, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-12, atol=1e-15)
        for key in ("square_avg", "acc_delta"):
            torch.testing.assert_close(mine.state[a][key], reference.state[b][key], rtol=1e-12, atol=1e-18)
    assert torch.equal(never, torch.ones(3, dtype=torch.float64))


def rates(**settings: object) -> list[float]:
    config = TrainingConfig(learning_rate=2.0, max_updates=100, **settings)  # type: ignore[arg-type]
    return [learning_rate(config, update) for update in range(1, 101)]


def test_warm_up_is_linear_to_the_peak() -> None:
    assert rates(warmup=10)[:10] == pytest.approx([0.2 * k for k in range(1, 11)])


def test_constant_stays() -> None:
    assert set(rates()) == {2.0}


def test_falls_from_the_peak_to_zero_after_the_hold() -> None:
    found = rates(schedule="cosine", warmup=20, hold=0.25)
    assert found[19:40] == pytest.approx([2.0] * 21)
    assert found[-1] == pytest.approx(0)
    assert found[69] == pytest.approx(1.0)  # half way down
    assert all(a >= b for a, b in pairwise(found[39:]))
