"""Where a training writes, what it tells while it runs, and how it ends."""

import argparse
import errno
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from nmt.cli import main
from nmt.cli.train import _folder, _follow, describe
from nmt.errors import InputError
from nmt.results import Event, SampleEvent, StopEvent, event_to_dict
from nmt.runs.folder import read_events
from nmt.training.saving import SaveFailed
from nmt.training.trainer import Trainer
from nmt.training.update import Diverged
from tests.cli.test_progress import Stream, bars
from tests.oracles.toy_corpus import toy_corpus


def test_a_name_is_a_folder_under_runs_and_a_path_is_itself() -> None:
    assert _folder("mine") == Path("runs/mine")
    assert _folder("else/mine") == Path("else/mine")
    assert _folder("./mine") == Path("mine")
    assert _folder("/tmp/mine") == Path("/tmp/mine")


@pytest.mark.parametrize("name", ["", " ", "..", "a/.."])
def test_no_name_is_refused(name: str) -> None:
    with pytest.raises(InputError):
        _folder(name)


@dataclass
class Steps:
    """A training that was resumed after three updates and makes four more."""

    end: str
    update: int = 3
    updates_planned: int = 7
    begun: list[int] = field(default_factory=list)

    def events(self) -> list[Event]:
        return [SampleEvent(update=5, source="the cat", translation="le chat"), StopEvent(7, self.end, 60.0)]

    def run(self, on_update: Callable[[], None]) -> Iterator[Event]:
        for update in range(4, 8):
            self.update = update
            on_update()
            if update == 5:
                yield self.events()[0]
        yield self.events()[1]


@pytest.mark.parametrize("as_json", [True, False])
@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize(("end", "status"), [("enough", 0), ("interrupted by SIGINT", 130)])
def test_a_training_tells_what_happens(
    as_json: bool, terminal: bool, end: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps, stdout, stderr = Steps(end), Stream(False), Stream(terminal)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", stdout)
        patch.setattr(sys, "stderr", stderr)
        trainer: Any = steps
        assert _follow(trainer, as_json, lambda: steps.begun.append(steps.update)) == status
    lines = [
        json.dumps({"format": 1} | event_to_dict(event)) if as_json else describe(event) for event in steps.events()
    ]
    assert stdout.text() == "".join(f"{line}\n" for line in lines)
    assert steps.begun == [4]
    assert bars(stderr.text()) == (["work 7/7 updates"] if terminal else [])


ENDS: list[tuple[Callable[[str], Exception], str]] = [
    (Diverged, "on {device}"),
    (SaveFailed, "saving failed (on {device}); the last good state is in runs/r"),
]


@pytest.mark.parametrize(("error", "told"), ENDS)
@pytest.mark.parametrize(
    ("gpu", "asked", "device"), [(False, None, "cpu"), (True, None, "cuda"), (True, "cpu", "cpu"), (False, "x", "x")]
)
def test_a_failure_is_status_1_and_one_sentence_and_the_device_is_the_gpu_if_there_is_one(
    error: Callable[[str], Exception],
    told: str,
    gpu: bool,
    asked: str | None,
    device: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(options: argparse.Namespace, on: str) -> None:
        raise error(f"on {on}")

    monkeypatch.setattr("nmt.cli.train._train", fail)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: gpu)
    given = [] if asked is None else ["--device", asked]
    assert main(["train", "debug", "--data", "d", "--run", "r", *given]) == 1
    assert capsys.readouterr() == ("", f"jointly train: {told.format(device=device)}\n")


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="Windows has no SIGHUP")
@pytest.mark.parametrize("nohup", [False, True])
def test_a_closed_terminal_lets_a_training_save_unless_its_signal_is_ignored(
    nohup: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, run, update = str(toy_corpus(tmp_path, pairs=32).folder), tmp_path / "run", Trainer._keep

    def hang_up(trainer: Trainer) -> None:
        if trainer.update == 2:
            os.kill(os.getpid(), signal.SIGHUP)
        update(trainer)

    monkeypatch.setattr(Trainer, "_keep", hang_up)
    handler = signal.SIG_IGN if nohup else signal.SIG_DFL
    before = signal.signal(signal.SIGHUP, handler)
    try:
        sets = ["--set", "training.max_updates=6", "--set", "model.hidden=8"]
        status = main(["train", "debug", "--data", data, "--run", str(run), "--device", "cpu", *sets])
        assert signal.getsignal(signal.SIGHUP) == handler
    finally:
        signal.signal(signal.SIGHUP, before)
    last = read_events(run)[-1]
    assert isinstance(last, StopEvent)
    if nohup:
        assert (status, last.update) == (0, 6)
    else:
        assert (status, last.update, last.reason) == (130, 2, "interrupted by SIGHUP")
    assert (run / "resume.safetensors").is_file()


@pytest.mark.parametrize(("number", "stops"), [(errno.EIO, True), (errno.EPIPE, True), (errno.ENOSPC, False)])
def test_a_training_whose_terminal_is_closed_saves(
    number: int, stops: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A terminal that is gone is an input/output error. A full disk is told at once."""
    reasons: list[str] = []
    steps: Any = SimpleNamespace(
        update=0, updates_planned=7, stop=reasons.append, run=lambda _: Steps("enough").events()
    )
    with (tmp_path / "out").open("w", encoding="utf-8") as out, monkeypatch.context() as patch:

        def fails(*_: object) -> int:
            raise OSError(number, os.strerror(number))

        patch.setattr(sys, "stdout", SimpleNamespace(write=fails, flush=fails, fileno=out.fileno))
        if stops:
            assert _follow(steps, True, lambda: None) == 0
        else:
            with pytest.raises(OSError, match="No space"):
                _follow(steps, True, lambda: None)
    assert bool(reasons) is stops
