"""Where a training writes, what it tells while it runs, and how it ends."""

from __future__ import annotations

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
from nmt.cli.train import _folder, _follow, _restarted, describe
from nmt.distributed import ProcessLost
from nmt.errors import InputError
from nmt.results import Event, SampleEvent, StopEvent, event_to_dict
from nmt.runs.folder import read_events
from nmt.runs.provenance import read_provenance
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


@pytest.mark.parametrize("show", [True, False])
@pytest.mark.parametrize("as_json", [True, False])
@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize(("end", "status"), [("enough", 0), ("interrupted by SIGINT", 130)])
def test_the_first_process_tells_what_happens_and_the_others_nothing(
    show: bool, as_json: bool, terminal: bool, end: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps, stdout, stderr = Steps(end), Stream(False), Stream(terminal)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", stdout)
        patch.setattr(sys, "stderr", stderr)
        trainer: Any = steps
        assert _follow(trainer, as_json, show, lambda: steps.begun.append(steps.update)) == status
    lines = [
        json.dumps({"format": 1} | event_to_dict(event)) if as_json else describe(event) for event in steps.events()
    ]
    assert stdout.text() == ("".join(f"{line}\n" for line in lines) if show else "")
    assert steps.begun == ([4] if show else [])
    assert bars(stderr.text()) == (["work 7/7 updates"] if show and terminal else [])


@pytest.mark.parametrize(
    ("count", "group", "begun_by", "again"),
    [
        ("1", "a", "a", True),
        ("2", "a", "a", True),
        ("0", "a", "a", False),
        (None, "a", "a", False),
        ("1", "a", "b", False),
        ("1", "a", None, False),
        ("1", None, "a", False),
    ],
)
def test_a_run_is_gone_on_with_only_by_the_group_that_began_it(
    count: str | None,
    group: str | None,
    begun_by: str | None,
    again: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in (("TORCHELASTIC_RESTART_COUNT", count), ("TORCHELASTIC_RUN_ID", group)):
        monkeypatch.delenv(name, raising=False)
        if value is not None:
            monkeypatch.setenv(name, value)
    if begun_by is not None:
        (tmp_path / ".torchrun").write_text(begun_by, encoding="utf-8")
    assert _restarted(tmp_path) == again


def test_a_training_that_torchrun_starts_again_goes_on_where_it_last_saved_or_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same command, without --resume; of another group it is refused."""
    data, run = str(toy_corpus(tmp_path, pairs=32).folder), tmp_path / "run"

    def trained(updates: int, group: str, restarts: int) -> int:
        monkeypatch.setenv("TORCHELASTIC_RUN_ID", group)
        monkeypatch.setenv("TORCHELASTIC_RESTART_COUNT", str(restarts))
        sets = ["--set", f"training.max_updates={updates}", "--set", "model.hidden=8"]
        return main(["train", "debug", "--data", data, "--run", str(run), "--device", "cpu", *sets])

    def sessions() -> list[tuple[int, bool]]:
        provenance = read_provenance(run)
        assert provenance is not None
        return [(session.from_update, session.command.endswith(" --resume")) for session in provenance.sessions]

    assert trained(2, "a", 0) == 0
    assert (run / ".torchrun").read_text(encoding="utf-8") == "a"
    assert trained(4, "b", 1) == 2
    assert trained(4, "a", 0) == 2
    assert trained(4, "a", 1) == 0
    assert sessions() == [(0, False), (2, True)]
    for path in run.glob("*.safetensors"):  # as if it was lost before it saved anything
        path.unlink()
    (run / "provenance.json").unlink()
    assert trained(-1, "a", 2) == 2
    assert not (run / "config.json").exists()
    assert trained(2, "a", 3) == 0
    assert sessions() == [(0, False)]


ENDS: list[tuple[str, Callable[[str], Exception], str]] = [
    ("train", ProcessLost, "on {device}"),
    ("train", Diverged, "on {device}"),
    ("train", SaveFailed, "saving failed (on {device}); the last good state is in runs/r"),
    ("evaluate", ProcessLost, "on cpu"),
]


@pytest.mark.parametrize(("command", "error", "told"), ENDS)
@pytest.mark.parametrize(
    ("gpu", "asked", "device"), [(False, None, "cpu"), (True, None, "cuda"), (True, "cpu", "cpu"), (False, "x", "x")]
)
def test_a_failure_is_status_1_and_one_sentence_and_the_device_is_the_gpu_if_there_is_one(
    command: str,
    error: Callable[[str], Exception],
    told: str,
    gpu: bool,
    asked: str | None,
    device: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(on: str) -> None:
        raise error(f"on {on}")

    monkeypatch.setattr("nmt.distributed.joined", fail)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: gpu)
    words = ["debug", "--data", "d", "--run", "r"] if command == "train" else ["r", "--source", "s", "--reference", "s"]
    given = [] if asked is None or command == "evaluate" else ["--device", asked]
    assert main([command, *words, *given]) == 1
    assert capsys.readouterr() == ("", f"jointly {command}: {told.format(device=device)}\n")


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
            assert _follow(steps, True, True, lambda: None) == 0
        else:
            with pytest.raises(OSError, match="No space"):
                _follow(steps, True, True, lambda: None)
    assert bool(reasons) is stops
