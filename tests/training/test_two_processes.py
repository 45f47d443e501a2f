"""Two processes train, validate and resume as one does with the joined minibatches."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from nmt.config import Config
from nmt.data.prepared import Prepared, open_prepared
from nmt.distributed import ALONE, Processes
from nmt.inference.checkpoint import read_tensors
from nmt.results import Event, StopEvent, UpdateEvent, ValidationEvent
from nmt.runs.folder import CONFIG, LAST, RESUME, read_events
from nmt.training.trainer import Trainer, measure_bleu, measure_nll
from nmt.training.update import Diverged
from tests.oracles.two_processes import TwoProcesses

pytestmark = pytest.mark.slow  # each starts two processes

PARTS = {
    "odd minibatches": {"batch_size": 9},
    "of one sentence": {"batch_size": 1, "loss_per": "word"},
    "by tokens": {"batch_tokens": 30, "optimizer": "adadelta", "learning_rate": 1.0, "label_smoothing": 0.1},
}


def begin(processes: Processes, run: Path, config: Config, prepared: Path) -> Trainer:
    """A new training, or the next part of one."""
    data = open_prepared(prepared)
    if not (run / CONFIG).exists():
        return Trainer.create(run, config, data, "cpu", processes)
    overrides = [f"training.max_updates={config.training.max_updates}"]
    return Trainer.resume(run, data, "cpu", overrides, processes)


def train(processes: Processes, run: Path, config: Config, prepared: Path) -> dict[str, Tensor]:
    trainer = begin(processes, run, config, prepared)
    for _ in trainer.run():
        pass
    return {name: value.clone() for name, value in trainer.model.state_dict().items()}


def train_in_double(processes: Processes, run: Path, config: Config, prepared: Path) -> dict[str, Tensor]:
    """So that rounding, which Adam makes large where gradients are small, hides nothing."""
    torch.set_default_dtype(torch.float64)
    try:
        return train(processes, run, config, prepared)
    finally:
        torch.set_default_dtype(torch.float32)


def changed(config: Config, dropout: float = 0.0, **training: Any) -> Config:
    model = replace(config.model, dropout=dropout)
    return replace(config, model=model, training=replace(config.training, **training))


def figures(events: list[Event]) -> list[float]:
    return [
        figure
        for event in events
        if isinstance(event, UpdateEvent | ValidationEvent)
        for figure in (event.update, event.nll_per_word, event.nll_per_sentence)
    ]


@pytest.mark.parametrize("parts", PARTS)
def test_two_make_the_updates_of_one(
    parts: str, tmp_path: Path, config: Config, prepared: Prepared, two_processes: TwoProcesses
) -> None:
    config = changed(config, max_updates=12, validate_bleu=True, **PARTS[parts])
    expected = train_in_double(ALONE, tmp_path / "one", config, prepared.folder)
    first, second = two_processes(train_in_double, tmp_path / "two", config, prepared.folder)
    for name, value in expected.items():
        torch.testing.assert_close(first[name], value, rtol=0, atol=1e-9)
        assert torch.equal(first[name], second[name])
    one, two = read_events(tmp_path / "one"), read_events(tmp_path / "two")
    assert [type(event) for event in one] == [type(event) for event in two]
    assert figures(one) == pytest.approx(figures(two), abs=1e-9)
    assert {path.name for path in (tmp_path / "one").iterdir()} == {path.name for path in (tmp_path / "two").iterdir()}


@pytest.mark.parametrize(("precision", "rounding"), [("fp32", 1e-6), ("bf16", 3e-3)])
def test_the_losses_are_the_same_to_rounding(
    precision: str,
    rounding: float,
    tmp_path: Path,
    config: Config,
    prepared: Prepared,
    two_processes: TwoProcesses,
) -> None:
    config = changed(config, max_updates=12, batch_size=9, precision=precision)
    train(ALONE, tmp_path / "one", config, prepared.folder)
    first, second = two_processes(train, tmp_path / "two", config, prepared.folder)
    assert all(torch.equal(first[name], second[name]) for name in first)
    one, two = read_events(tmp_path / "one"), read_events(tmp_path / "two")
    assert figures(one) == pytest.approx(figures(two), rel=rounding)


def train_apart(processes: Processes, runs: list[Path], config: Config, prepared: Path) -> None:
    train(processes, runs[processes.rank], config, prepared)


def test_only_the_first_writes(tmp_path: Path, config: Config, prepared: Prepared, two_processes: TwoProcesses) -> None:
    runs = [tmp_path / "first", tmp_path / "second"]
    two_processes(train_apart, runs, changed(config, max_updates=10), prepared.folder)
    assert (runs[0] / LAST).is_file()
    assert not runs[1].exists()


@pytest.mark.parametrize("counts", [(2, 1, 2), (1, 2, 1)])
def test_resumed_with_another_number_of_processes(
    counts: tuple[int, ...], tmp_path: Path, config: Config, prepared: Prepared, two_processes: TwoProcesses
) -> None:
    config = changed(config, max_updates=18)
    expected = train_in_double(ALONE, tmp_path / "whole", config, prepared.folder)
    for part, count in enumerate(counts, 1):
        limited = changed(config, max_updates=6 * part)
        found = (
            train_in_double(ALONE, tmp_path / "parts", limited, prepared.folder)
            if count == 1
            else two_processes(train_in_double, tmp_path / "parts", limited, prepared.folder)[0]
        )
    for name, value in expected.items():
        torch.testing.assert_close(found[name], value, rtol=0, atol=1e-9)


def train_until_stopped(processes: Processes, run: Path, config: Config, prepared: Path) -> Event:
    """The second process is asked to stop in its fifth update."""
    trainer = begin(processes, run, config, prepared)

    def on_update() -> None:
        if processes.rank == 1 and trainer.update == 5:
            trainer.stop("interrupted by a test")

    return list(trainer.run(on_update))[-1]


def test_all_stop_where_one_is_asked_to_and_go_on_bit_for_bit(
    tmp_path: Path, config: Config, prepared: Prepared, two_processes: TwoProcesses
) -> None:
    config = changed(config, dropout=0.3, max_updates=12)
    expected, _ = two_processes(train, tmp_path / "whole", config, prepared.folder)
    for event in two_processes(train_until_stopped, tmp_path / "parts", config, prepared.folder):
        assert event == StopEvent(5, "interrupted by a test", event.seconds)
    random = read_tensors(tmp_path / "parts" / RESUME)["random.cpu"]
    assert len(random) == 2
    assert not torch.equal(random[0], random[1])
    found, _ = two_processes(train, tmp_path / "parts", config, prepared.folder)
    for name, value in expected.items():
        assert torch.equal(found[name], value)


def test_other_processes_drop_other_units_on_resuming(
    tmp_path: Path, config: Config, prepared: Prepared, two_processes: TwoProcesses
) -> None:
    two_processes(train, tmp_path / "run", changed(config, dropout=0.3, max_updates=6), prepared.folder)
    random = read_tensors(tmp_path / "run" / RESUME)["random.cpu"]
    alone = [Trainer.resume(tmp_path / "run", prepared) and torch.get_rng_state() for _ in range(2)]
    assert torch.equal(alone[0], alone[1])
    assert all(not torch.equal(alone[0], other) for other in random)


def diverge(processes: Processes, run: Path, config: Config, prepared: Path) -> str:
    trainer = begin(processes, run, config, prepared)
    if processes.rank == 1:
        trainer.model.decoder.W_s.register_hook(lambda gradient: gradient * float("inf"))
    before = {name: value.clone() for name, value in trainer.model.state_dict().items()}
    with pytest.raises(Diverged) as raised:
        list(trainer.run())
    for name, value in trainer.model.state_dict().items():
        assert torch.equal(value, before[name])
    return str(raised.value)


def test_what_is_not_finite_in_one_stops_both(
    tmp_path: Path, config: Config, prepared: Prepared, two_processes: TwoProcesses
) -> None:
    first, second = two_processes(diverge, tmp_path / "run", config, prepared.folder)
    assert first == second
    assert re.match(r"update 1: .*\bgradient\b", first)
    assert len(first.rpartition("pairs ")[2].split(", ")) == config.training.batch_size


def measure(processes: Processes, run: Path, config: Config, prepared: Path) -> list[float]:
    """What the development set says of a model with random weights that writes something."""
    trainer = begin(processes, run, config, prepared)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for parameter in trainer.model.parameters():
            parameter.copy_(torch.empty(parameter.shape).normal_(0, 0.5, generator=generator))
    data = trainer._prepared
    nll = measure_nll(trainer.model, data.dev, processes)
    return [nll.nll_per_token, nll.nll_per_sentence, measure_bleu(trainer.translator(), data, processes)]


def test_validation_shared_out(tmp_path: Path, config: Config, prepared: Prepared, two_processes: TwoProcesses) -> None:
    one = measure(ALONE, tmp_path / "one", config, prepared.folder)
    first, second = two_processes(measure, tmp_path / "two", config, prepared.folder)
    assert first == second
    assert first[:2] == pytest.approx(one[:2], rel=1e-6)
    assert first[2] == one[2] > 0
