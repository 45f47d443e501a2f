"""The loop: what it does in one update, when it stops, what it leaves on disk."""

import errno
import json
import math
import re
import shutil
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import nmt
from nmt.config import Config
from nmt.data.batching import BEGINNING, Examples, Update, make_batch
from nmt.data.prepared import Prepared, open_prepared
from nmt.errors import InputError
from nmt.inference.checkpoint import read_tensors
from nmt.jobs.job import Job, write_job
from nmt.results import Likelihood, StopEvent, UpdateEvent, ValidationEvent
from nmt.runs.checksums import CHECKSUMS
from nmt.runs.folder import (
    BEST,
    LAST,
    RESUME,
    TRAINING,
    list_snapshots,
    read_events,
    read_run,
    read_settings,
    snapshot_file,
)
from nmt.training.saving import RunWriter, SaveFailed, TrainingProgress
from nmt.training.trainer import Trainer, measure_bleu, measure_nll
from nmt.training.update import Diverged, TensorUpdate, to_device
from release.checksums import write_checksums


def changed(config: Config, **training: Any) -> Config:
    return replace(config, training=replace(config.training, **training))


def portion(prepared: Prepared, pairs: NDArray[np.int64]) -> TensorUpdate:
    examples = Examples.single(pairs)
    batch = make_batch(prepared.train, examples)
    return Update(to_device(batch, torch.device("cpu")), BEGINNING)


def test_a_run_leaves_events_weights_and_a_state(run: Path, config: Config, prepared: Prepared) -> None:
    events = list(Trainer.create(run, config, prepared).run())
    assert read_events(run) == events
    updates = [event for event in events if isinstance(event, UpdateEvent)]
    assert [event.update for event in updates] == [4, 8, 12, 16, 20, 24, 28]
    assert updates[-1].nll_per_word < updates[0].nll_per_word
    validations = [event for event in events if isinstance(event, ValidationEvent)]
    assert [event.update for event in validations] == [10, 20, 30]
    assert isinstance(events[-1], StopEvent)
    best = min(validations, key=lambda event: event.nll_per_word)
    info = read_run(run)
    assert info.weights.update == best.update
    assert info.weights.dev_nll_per_word == best.nll_per_word
    assert nmt.load(run).translate("a b").source == "a b"
    assert (run / LAST).is_file()
    assert (run / RESUME).is_file()


def test_the_updates_of_so_many_epochs_follow_from_those_made(run: Path, config: Config, prepared: Prepared) -> None:
    trainer = Trainer.create(run, changed(config, max_updates=None, max_epochs=1.5, log_every=3), prepared)
    assert trainer.updates_planned is None
    events = trainer.run()
    next(events)
    pairs = trainer._progress.pairs / 3
    assert trainer.updates_planned == math.ceil(1.5 * trainer._order.pairs_per_epoch / pairs)
    trainer._settings = replace(trainer._settings, max_updates=2)
    assert trainer.updates_planned == 2
    *_, stop = events
    assert stop == StopEvent(3, "3 updates were made", stop.seconds)


def test_a_training_begins_with_nothing_done() -> None:
    begun = asdict(TrainingProgress())
    assert begun.pop("best") is None
    assert set(begun.values()) == {0}


@pytest.mark.parametrize(
    ("of_data", "asked", "concatenate", "written"),
    [(7, 50, 0.0, 7), (7, None, 0.0, 7), (7, 5, 0.0, 5), (None, 50, 0.0, 50), (7, 50, 0.5, 50), (7, None, 0.5, None)],
)
def test_a_run_says_up_to_which_length_its_data_go(
    run: Path,
    config: Config,
    prepared: Prepared,
    of_data: int | None,
    asked: int | None,
    concatenate: float,
    written: int | None,
) -> None:
    """Figure 2 has a line there, and --seen-in counts the sentences up to there."""
    shutil.copytree(prepared.folder, run.parent / "data")
    manifest = run.parent / "data" / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text("utf-8")) | {"max_length": of_data}), "utf-8")
    data = open_prepared(run.parent / "data")
    trainer = Trainer.create(run, changed(config, max_length=asked, concatenate=concatenate), data)
    assert trainer.config.training.max_length == read_settings(run).config.training.max_length == written


def test_a_run_folder_is_not_overwritten(run: Path, config: Config, prepared: Prepared) -> None:
    """A folder without a run is one to train in, and so is one that is not there."""
    run.mkdir()
    for folder in (run, run / "more" / "deep"):
        list(Trainer.create(folder, changed(config, max_updates=1), prepared).run())
        with pytest.raises(InputError, match="--resume"):
            Trainer.create(folder, config, prepared)


def test_the_reported_loss_is_that_of_the_saved_model(run: Path, config: Config, prepared: Prepared) -> None:
    trainer = Trainer.create(run, config, prepared)
    *_, last = (event for event in trainer.run() if isinstance(event, ValidationEvent))
    model = nmt.load(run, weights="last")
    scored = model.score(prepared.dev_source, prepared.dev_target)
    words = sum(len(forced.tokens) for forced in scored)
    nll = -sum(forced.log_probability for forced in scored)
    assert last.nll_per_word == pytest.approx(nll / words, rel=1e-5)
    assert last.nll_per_sentence == pytest.approx(nll / len(scored), rel=1e-5)


def test_the_gradient_is_scaled_down_to_the_norm(run: Path, config: Config, prepared: Prepared) -> None:
    trainer = Trainer.create(run, changed(config, clip_norm=1e-3), prepared)
    trainer._updater.make(portion(prepared, np.arange(8)), 1, 0.01)
    after = torch.cat([p.grad.flatten() for p in trainer.model.parameters() if p.grad is not None]).norm()
    assert trainer._updater.read()[1] > 1e-3
    assert after == pytest.approx(1e-3, rel=1e-3)


@pytest.mark.parametrize("where", ["loss", "gradient"])
def test_a_non_finite_number_stops_before_the_update(where: str, run: Path, config: Config, prepared: Prepared) -> None:
    trainer = Trainer.create(run, config, prepared)
    events = trainer.run()
    next(events)
    before = {name: value.clone() for name, value in trainer.model.state_dict().items()}
    if where == "loss":
        with torch.no_grad():
            trainer.model.readout.b_o[3] = float("nan")
            before["readout.b_o"] = trainer.model.readout.b_o.clone()
    else:
        trainer.model.decoder.W_s.register_hook(lambda gradient: gradient * float("inf"))
    with pytest.raises(Diverged, match=rf"update 5: .*{where} .*training pairs \d+, \d+"):
        list(events)
    for name, value in trainer.model.state_dict().items():
        torch.testing.assert_close(value, before[name], rtol=0, atol=0, equal_nan=True)


def test_a_full_disk_leaves_the_last_good_state(
    run: Path, config: Config, prepared: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = Trainer.create(run, config, prepared)
    events = trainer.run()
    while trainer.update < 14:
        next(events)
    good = {name: (run / name).read_bytes() for name in (LAST, RESUME)}

    def full(tensors: Any, path: Path, metadata: Any) -> None:
        Path(path).write_bytes(b"half of it")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("nmt.inference.checkpoint.save_file", full)
    with pytest.raises(OSError, match="No space"):
        list(events)
    monkeypatch.undo()
    assert {name: (run / name).read_bytes() for name in good} == good
    assert not list(run.glob("*tmp*"))
    resumed = Trainer.resume(run, prepared)
    assert resumed.update == 12
    assert isinstance(list(resumed.run())[-1], StopEvent)


def test_early_stopping_counts_validations_without_progress(
    run: Path, config: Config, prepared: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nmt.training import trainer as module

    figures = iter([3.0, 2.0, 2.5, 2.4, 1.9, 2.0, 2.0, 2.0])
    monkeypatch.setattr(module, "measure_nll", lambda *_: Likelihood(1.0, next(figures)))
    settings = changed(config, max_updates=100, validate_every=2, log_every=2, patience=3)
    events = list(Trainer.create(run, settings, prepared).run())
    validations = [event for event in events if isinstance(event, ValidationEvent)]
    assert [event.best for event in validations] == [True, True, False, False, True, False, False, False]
    assert isinstance(events[-1], StopEvent)
    assert events[-1].update == 16
    assert re.search(r"\b3 validations$", events[-1].reason)
    figures = iter([3.0, 2.0, 2.5])
    settings = changed(config, max_updates=6, validate_every=2, weights="last")  # those that were watched
    list(Trainer.create(run.with_name("last"), settings, prepared).run())
    assert read_run(run.with_name("last")).weights.dev_nll_per_word == 2.5


def test_bleu_is_measured_at_each_validation(run: Path, config: Config, prepared: Prepared) -> None:
    trainer = Trainer.create(run, changed(config, validate_bleu=True, max_updates=40), prepared)
    validations = [event for event in trainer.run() if isinstance(event, ValidationEvent)]
    assert validations[-1].bleu == measure_bleu(trainer.translator(), prepared)


def test_limits_of_epochs_and_time(tmp_path: Path, config: Config, prepared: Prepared) -> None:
    by_epochs = changed(config, max_updates=None, max_epochs=0.5)
    events = list(Trainer.create(tmp_path / "epochs", by_epochs, prepared).run())
    assert (events[-1].update - 1) * 8 < len(prepared.train) / 2 <= events[-1].update * 8
    by_time = changed(config, max_updates=None, max_minutes=1e-9)
    assert list(Trainer.create(tmp_path / "time", by_time, prepared).run())[-1].update == 1


def test_validation_leaves_no_trace_in_the_training(tmp_path: Path, config: Config, prepared: Prepared) -> None:
    losses = []
    for name, every in (("often", 1), ("never", 1000)):
        trainer = Trainer.create(tmp_path / name, changed(config, validate_every=every), prepared)
        losses.append([event.nll_per_word for event in trainer.run() if isinstance(event, UpdateEvent)])
    assert losses[0] == losses[1]


def test_measured_nll_does_not_depend_on_batching(run: Path, config: Config, prepared: Prepared) -> None:
    model = Trainer.create(run, config, prepared).model
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0, 0.3)
    one, many = (measure_nll(model, prepared.dev, tokens=tokens) for tokens in (1, 4000))
    assert one.nll_per_token == pytest.approx(many.nll_per_token, rel=1e-5)
    assert one.nll_per_sentence / one.nll_per_token == pytest.approx(
        sum(len(prepared.dev.target[i]) for i in range(len(prepared.dev))) / len(prepared.dev)
    )


def test_only_limits_change_on_resuming(run: Path, config: Config, prepared: Prepared) -> None:
    list(Trainer.create(run, changed(config, max_updates=6), prepared).run())
    with pytest.raises(InputError, match=r"training\.learning_rate"):
        Trainer.resume(run, prepared, overrides=["training.learning_rate=1"])
    with pytest.raises(InputError, match=r"\bmodel\b"):
        Trainer.resume(run, prepared, overrides=["model.hidden=13"])
    longer = Trainer.resume(run, prepared, overrides=["training.max_updates=9"])
    assert list(longer.run())[-1].update == 9
    assert json.loads((run / "config.json").read_text())["training"]["max_updates"] == 9
    (run / RESUME).unlink()
    with pytest.raises(InputError, match=re.escape(str(run / RESUME))):
        Trainer.resume(run, prepared)


def test_a_finished_training_that_is_resumed_stops_but_once_in_its_log(
    run: Path, config: Config, prepared: Prepared
) -> None:
    """As after a kill between the last event and the end of the process; an ending for another reason is logged."""
    events = list(Trainer.create(run, changed(config, max_updates=3), prepared).run())
    log = (run / TRAINING).read_bytes()
    (again,) = Trainer.resume(run, prepared).run()
    assert isinstance(again, StopEvent)
    assert (again.update, again.reason) == (events[-1].update, events[-1].reason)  # type: ignore[union-attr]
    assert (run / TRAINING).read_bytes() == log
    longer = list(Trainer.resume(run, prepared, overrides=["training.max_updates=4"]).run())
    assert (run / TRAINING).read_bytes() != log
    assert [event for event in read_events(run) if isinstance(event, StopEvent)] == [events[-1], longer[-1]]


def test_a_resumed_training_removes_the_checksums_of_its_files(run: Path, config: Config, prepared: Prepared) -> None:
    list(Trainer.create(run, changed(config, max_updates=1), prepared).run())
    write_checksums(run)
    list(Trainer.resume(run, prepared, overrides=["training.max_updates=2"]).run())
    assert not (run / CHECKSUMS).exists()


def test_weights_of_another_model_are_refused(tmp_path: Path, config: Config, prepared: Prepared) -> None:
    list(Trainer.create(tmp_path / "a", changed(config, max_updates=6), prepared).run())
    other = replace(config, model=replace(config.model, hidden=14))
    list(Trainer.create(tmp_path / "b", changed(other, max_updates=6), prepared).run())
    (tmp_path / "a" / RESUME).write_bytes((tmp_path / "b" / RESUME).read_bytes())
    with pytest.raises(InputError, match=re.escape(str(tmp_path / "a" / RESUME))):
        Trainer.resume(tmp_path / "a", prepared)
    (tmp_path / "a" / BEST).write_bytes((tmp_path / "b" / BEST).read_bytes())
    with pytest.raises(InputError, match=r"has the shape \(8, 28\), but the settings ask for the shape \(8, 24\)"):
        nmt.load(tmp_path / "a")
    assert read_tensors(tmp_path / "b" / BEST)["decoder.U"].shape == (14, 14)


def test_killed_between_the_first_weights_and_the_first_state(
    tmp_path: Path, config: Config, prepared: Prepared
) -> None:
    settings = changed(config, validate_every=5, save_every=20, max_updates=24, log_every=3)
    whole = list(Trainer.create(tmp_path / "whole", settings, prepared).run())
    events = Trainer.create(tmp_path / "killed", settings, prepared).run()
    while not (tmp_path / "killed" / BEST).exists():
        next(events)
    events.close()
    resumed = Trainer.resume(tmp_path / "killed", prepared)
    assert resumed.update == 0
    losses = [[e.nll_per_word for e in run if isinstance(e, UpdateEvent)] for run in (whole, list(resumed.run()))]
    assert losses[0] == losses[1]
    assert len(read_events(tmp_path / "killed")) == len(whole)


def test_kept_weights_are_those_of_their_update_also_after_a_kill(
    tmp_path: Path, config: Config, prepared: Prepared
) -> None:
    """What is kept at an update is what a training that ends there ends with, and a kill anywhere loses none."""
    settings = changed(config, validate_every=5, save_every=6, max_updates=14, log_every=7, keep=(0, 5, 9, 12, 14))
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    list(Trainer.create(whole, settings, prepared).run())
    assert [step.update for step in list_snapshots(whole)] == [0, 5, 9, 12, 14]
    for update in (5, 9, 12, 14):
        list(Trainer.create(tmp_path / str(update), changed(config, max_updates=update), prepared).run())
        ended = read_tensors(tmp_path / str(update) / LAST)
        for name, value in read_tensors(whole / snapshot_file(update)).items():
            assert torch.equal(value, ended[name])
    trainer = Trainer.create(killed, settings, prepared)
    for stop_at in (9, 12):
        events = trainer.run(lambda at=stop_at, t=trainer: raise_at(t, at))
        with pytest.raises(Killed):
            list(events)
        trainer = Trainer.resume(killed, prepared)
    list(trainer.run())
    for step in list_snapshots(whole):
        assert (killed / snapshot_file(step.update)).read_bytes() == step.path.read_bytes()


class Killed(Exception):  # noqa: N818
    pass


def raise_at(trainer: Trainer, update: int) -> None:
    if trainer.update == update:
        raise Killed


def test_what_is_kept_may_change_on_resuming(run: Path, config: Config, prepared: Prepared) -> None:
    list(Trainer.create(run, changed(config, max_updates=6), prepared).run())
    list(Trainer.resume(run, prepared, overrides=["training.max_updates=9", "training.keep=3,8"]).run())
    assert [step.update for step in list_snapshots(run)] == [8]


def test_a_lost_log_is_begun_anew(run: Path, config: Config, prepared: Prepared) -> None:
    events = Trainer.create(run, config, prepared).run()
    while not (run / LAST).exists():
        next(events)
    events.close()
    (run / "training.jsonl").unlink()
    rest = list(Trainer.resume(run, prepared).run())
    assert read_events(run) == rest


def test_resuming_a_finished_run_changes_nothing(run: Path, config: Config, prepared: Prepared) -> None:
    settings = changed(config, max_updates=12, validate_every=10)
    list(Trainer.create(run, settings, prepared).run())
    before = [e for e in read_events(run) if not isinstance(e, StopEvent)]
    weights = (run / LAST).read_bytes()
    for _ in range(2):
        assert [type(e) for e in Trainer.resume(run, prepared).run()] == [StopEvent]
    assert [e for e in read_events(run) if not isinstance(e, StopEvent)] == before
    assert (run / LAST).read_bytes() == weights


def test_one_process_at_a_time(run: Path, config: Config, prepared: Prepared) -> None:
    events = Trainer.create(run, config, prepared).run()
    next(events)
    with pytest.raises(InputError, match=rf"^{re.escape(str(run))} .*\bprocess\b"):
        next(Trainer.resume(run, prepared).run())
    events.close()
    assert isinstance(list(Trainer.resume(run, prepared).run())[-1], StopEvent)


def test_a_failed_start_leaves_the_name_free(run: Path, config: Config, prepared: Prepared) -> None:
    with pytest.raises(InputError, match="'nonsense'"):
        Trainer.create(run, config, prepared, "nonsense")
    assert not run.exists()


def test_a_job_leaves_room_on_the_disk_at_every_save(
    run: Path, config: Config, prepared: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weights, kept ones and states; a training that is no job takes what there is."""
    trainer = Trainer.create(run, config, prepared)
    events = trainer.run()
    while trainer.update < 14:
        next(events)
    good = {path: path.read_bytes() for path in run.rglob("*.safetensors")}
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=5_000_000_000))
    while trainer.update < 26:
        next(events)
    assert (run / LAST).read_bytes() != good[run / LAST]
    write_job(run, Job(command=("train",), by="a test", queued=1.0))
    good = {path: path.read_bytes() for path in run.rglob("*.safetensors")}
    with pytest.raises(SaveFailed, match=r"5\.0 GB free and 0\.0 GB are needed; 5 GB have to stay free"):
        list(events)
    assert {path: path.read_bytes() for path in run.rglob("*.safetensors")} == good
    writer = RunWriter(run)
    with pytest.raises(SaveFailed):
        writer.save_weights("steps/1.safetensors", trainer.model, {})
    assert not (run / "steps" / "1.safetensors").exists()
