"""``train``: train a model by a recipe on prepared data."""

from __future__ import annotations

import argparse
import errno
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from tqdm import tqdm

from nmt.cli.options import JSON, Commands, print_json
from nmt.data.prepared import Prepared, open_prepared
from nmt.errors import InputError
from nmt.recipes import recipe
from nmt.results import Event, SampleEvent, StopEvent, UpdateEvent, ValidationEvent, event_to_dict
from nmt.runs.folder import read_settings, trainings_folder
from nmt.runs.provenance import Session, commit, initial_weights, record_session

if TYPE_CHECKING:
    from nmt.training.trainer import Trainer


def register(commands: Commands) -> None:
    parser = commands.add_parser("train", parents=[JSON])
    parser.add_argument("recipe", metavar="RECIPE", help="see `jointly recipes`")
    parser.add_argument("--data", required=True, metavar="PREPARED", help="a folder made by `prepare`")
    parser.add_argument(
        "--run", required=True, dest="run_name", metavar="NAME", help="the run folder: a name under runs/, or a path"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="assignments",
        metavar="SECTION.KEY=VALUE",
        help="change a setting, e.g. training.batch_size=32 (repeatable); training.keep=100,400 saves the weights "
        "after these updates as steps/UPDATE.safetensors in the run folder",
    )
    parser.add_argument(
        "--init-from",
        type=Path,
        metavar="RUN",
        help="initialise from the best weights of this run; the data must use its vocabularies (`prepare "
        "--vocabularies-from RUN`). The optimizer starts from scratch, so lower the learning rate with --set",
    )
    parser.add_argument("--resume", action="store_true", help="continue a run that was stopped or killed")
    parser.add_argument("--device", default=None, help="cpu or cuda (default: cuda if available)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    import torch

    from nmt.training.machine import keep_freed_memory
    from nmt.training.saving import SaveFailed
    from nmt.training.update import Diverged

    device = options.device or ("cuda" if torch.cuda.is_available() else "cpu")
    keep_freed_memory()
    try:
        return _train(options, device)
    except Diverged as error:
        print(f"jointly train: {error}", file=sys.stderr)
        return 1
    except SaveFailed as error:
        folder = _folder(options.run_name)
        print(f"jointly train: saving failed ({error}); the last good state is in {folder}", file=sys.stderr)
        return 1


def _train(options: argparse.Namespace, device: str) -> int:
    from nmt.training.trainer import Trainer

    folder = _folder(options.run_name)
    config = recipe(options.recipe)
    prepared = open_prepared(Path(options.data))
    if options.resume and options.init_from is not None:
        raise InputError("--init-from starts a new run, so it cannot be combined with --resume")
    if options.resume:
        begun_with = read_settings(folder).config.recipe
        if begun_with != config.recipe:
            raise InputError(f"{folder} was started with the recipe {begun_with}, not {config.recipe}")
        trainer = Trainer.resume(folder, prepared, device, options.assignments)
    else:
        config = config.override(options.assignments)
        trainer = Trainer.create(folder, config, prepared, device, options.init_from)

    def on_signal(number: int, _frame: FrameType | None) -> None:
        trainer.stop(f"interrupted by {signal.Signals(number).name}")

    numbers = {signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}  # Windows has no SIGHUP
    wanted = [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]  # nohup ignores it
    handlers = {number: signal.signal(number, on_signal) for number in wanted}
    try:
        return _follow(trainer, options.json, lambda: _record(trainer, options, prepared, device))
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _record(trainer: Trainer, options: argparse.Namespace, prepared: Prepared, device: str) -> None:
    """Record the provenance of this training after its first update, without paths of this machine."""
    import torch

    from nmt.training.machine import machine

    data, run = Path(options.data).name, Path(options.run_name).name
    words = [f"jointly train {options.recipe} --data {data} --run {run}"]
    words += [f"--set {assignment}" for assignment in options.assignments] + ["--resume"] * options.resume
    if options.init_from is not None:
        words += [f"--init-from {options.init_from.resolve().name}"]
    session = Session(
        command=" ".join(words),
        commit=commit(),
        device=device,
        threads=torch.get_num_threads(),
        from_update=trainer.update - 1,
        machine=machine(device),
    )
    initial = None if options.init_from is None else initial_weights(options.init_from)
    record_session(trainer.run_folder, prepared.manifest, session, initial)


def _folder(name: str) -> Path:
    """The folder of a run name, under runs/. A name with a slash is a path. Raises InputError for an invalid name."""
    path = Path(name)
    if path.name in ("", "..") or not name.strip():
        raise InputError(f"{name!r} is not a valid run name")
    return path if any(mark in name for mark in (os.sep, os.altsep) if mark) else trainings_folder() / path


def _follow(trainer: Trainer, as_json: bool, on_start: Callable[[], None]) -> int:
    """Run the training, and return the exit status: 0, or 130 if it was interrupted. Print the events and a progress
    bar, and call ``on_start`` after the first update."""
    event: Event | None = None
    started = False
    with tqdm(initial=trainer.update, unit=" updates", file=sys.stderr, disable=None) as bar:

        def on_update() -> None:
            nonlocal started
            if not started:
                started = True
                on_start()
            bar.total = trainer.updates_planned
            bar.update(trainer.update - bar.n)

        for event in trainer.run(on_update):
            try:
                if as_json:
                    print_json(event_to_dict(event))
                else:
                    bar.write(describe(event), file=sys.stdout)
                sys.stdout.flush()
            except OSError as error:
                if error.errno not in (errno.EPIPE, errno.EIO):
                    raise
                # the reader closed the output: save, and end
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                trainer.stop("interrupted: the output was closed")
    return 130 if isinstance(event, StopEvent) and event.reason.startswith("interrupted") else 0


def describe(event: Event) -> str:
    """Format an event as one human-readable line."""
    match event:
        case UpdateEvent():
            return (
                f"update {event.update:>8,}  epoch {event.epoch:7.3f}  NLL {event.nll_per_word:7.4f} nats per word, "
                f"{event.nll_per_sentence:8.3f} per sentence  {event.words_per_second:9,.0f} words/s  "
                f"gradient {event.gradient_norm:8.3g}  rate {event.learning_rate:.3g}"
            )
        case ValidationEvent():
            bleu = "" if event.bleu is None else f"  BLEU {event.bleu:.2f}"
            return (
                f"update {event.update:>8,}  dev NLL {event.nll_per_word:.4f} nats per word, "
                f"{event.nll_per_sentence:.3f} per sentence{bleu}{'  saved' if event.best else ''}"
            )
        case SampleEvent():
            return f"    {event.source}\n    -> {event.translation}"
        case StopEvent():
            return f"stopped after {event.update:,} updates and {event.seconds / 60:.1f} minutes: {event.reason}"
