"""Estimate of the cost of a training on this machine, from twenty seconds of its command in a temporary folder."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from nmt.errors import InputError
from nmt.jobs.job import Training
from nmt.jobs.runner import last_line, start
from nmt.recipes import recipe
from nmt.results import StopEvent, UpdateEvent
from nmt.runs.folder import BEST, RESUME, read_events
from nmt.texts import say

SECONDS = 20
_MINUTES = f"training.max_minutes={SECONDS / 60}"
_ALONE = "training.log_every=1", "training.keep=", "training.save_every=1000000", _MINUTES


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """An estimate of the cost of a training.

    Attributes:
        updates, words: planned updates, and target words in all of them.
        minutes: time of the training, validations included.
        disk, memory: size of the finished run folder, and largest memory of the process during the probe, in bytes.
    """

    updates: int
    words: float
    minutes: float
    disk: float
    memory: float


def probe(training: Training, on_second: Callable[[int], None]) -> Estimate:
    """Train for ``SECONDS``, and extrapolate. An exception of ``on_second`` ends the probe. Raises InputError with the
    reason if the training fails, or if its settings have no max_updates."""
    settings = recipe(training.recipe).override(list(training.assignments)).training
    if settings.max_updates is None:
        raise InputError(say("errors.estimate_needs_updates"))
    with TemporaryDirectory() as place:
        run = Path(place) / "run"
        words = replace(training, assignments=(*training.assignments, *_ALONE)).words(str(run))
        memory = 0
        with start(words, Path(place) / "log") as process:
            try:
                began = time.monotonic()
                while process.poll() is None:
                    on_second(int(time.monotonic() - began))
                    with suppress(psutil.Error):
                        memory = max(memory, psutil.Process(process.pid).memory_info().rss)
                    time.sleep(0.5)
            finally:
                process.kill()
        events = read_events(run)
        steps = [event for event in events if isinstance(event, UpdateEvent)]
        ends = [event for event in events if isinstance(event, StopEvent)]
        if process.returncode or not steps or not ends:
            raise InputError(say("errors.probe_failed", reason=last_line(Path(place) / "log")))
        weights, state = (run / BEST).stat().st_size, (run / RESUME).stat().st_size
    # leave out the first update, a warm-up, and updates after a validation, whose seconds include the validation
    pairs = [(b, b.seconds - a.seconds) for a, b in pairwise(steps) if a.update % settings.validate_every]
    alone = pairs or [(steps[0], steps[0].seconds)]
    times = settings.max_updates / len(alone)
    seconds = times * sum(seconds for _, seconds in alone)
    seconds += (settings.max_updates // settings.validate_every + 1) * (ends[-1].seconds - steps[-1].seconds)
    return Estimate(
        updates=settings.max_updates,
        words=times * sum(step.words_per_second * seconds for step, seconds in alone),
        minutes=seconds / 60,
        disk=state + weights * (3 + len(settings.keep)),
        memory=memory,
    )
