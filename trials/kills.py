"""SIGKILL at random moments of preparation, training, release and evaluation, which are then repeated or resumed."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from trials import workshop
from trials.children import completed, kill_after, start_command
from trials.trial import Cases, Trial, must

_KILLS = 5
"""Kills of each kind in a piece."""


@dataclass(frozen=True, kw_only=True)
class Work:
    """Something that is killed and done again.

    Attributes:
        name: of it.
        first: the command; again: the command after a kill, None for the same one.
        out: the folder that it makes.
        place: the folder in which nothing else may be left.
        seconds: how long it takes.
        expected: contents of the folder in the end.
        clear: makes everything as before it.
    """

    name: str
    first: list[str]
    again: list[str] | None
    out: Path
    place: Path
    seconds: float
    expected: dict[str, str]
    clear: Callable[[], None]


def _run(random: Random, cases: Cases, folder: Path) -> None:
    corpus, whole, place = workshop.write_corpus(folder / "corpus"), folder / "whole", folder / "place"
    log = folder / "log"
    whole.mkdir()
    place.mkdir()
    data, run, out = whole / "data", whole / "run", whole / "released"
    seconds = [
        workshop.make(log, workshop.prepare(corpus, data)),
        workshop.make(log, workshop.train(data, run)),
        workshop.make(log, workshop.release(run, out)),
    ]
    shutil.copytree(out, place / "released")
    before = workshop.content(out)
    seconds.append(workshop.make(log, workshop.evaluate(corpus, out)))
    evaluated = workshop.content(out)

    def clear() -> None:
        shutil.rmtree(place)
        place.mkdir()

    def clear_evaluation() -> None:
        shutil.rmtree(place / "released" / "evaluation", ignore_errors=True)
        shutil.rmtree(folder.parent / "cache", ignore_errors=True)
        workshop.same(workshop.content(place / "released"), before)

    works = [
        Work(name="evaluation", first=workshop.evaluate(corpus, place / "released"), again=None,
             out=place / "released", place=place, seconds=seconds[3], expected=evaluated, clear=clear_evaluation),
        Work(name="preparation", first=workshop.prepare(corpus, place / "data"), again=None,
             out=place / "data", place=place, seconds=seconds[0], expected=workshop.content(data), clear=clear),
        Work(name="release", first=workshop.release(run, place / "released"), again=None,
             out=place / "released", place=place, seconds=seconds[2], expected=before, clear=clear),
        Work(name="training", first=workshop.train(data, place / "run"),
             again=workshop.train(data, place / "run", resume=True),
             out=place / "run", place=place, seconds=seconds[1], expected=workshop.content(run), clear=clear),
    ]  # fmt: skip
    for work in works:
        work.clear()
        _kill_often(random, cases, work, log)
        work.clear()


def _kill_often(random: Random, cases: Cases, work: Work, log: Path) -> None:
    """Kill the work again and again, a training always in the same folder; then let it end."""
    moments = []
    for _ in range(_KILLS):
        moment = round(random.uniform(0, 1.1 * work.seconds), 3)
        moments.append(moment)
        begun = work.out.exists()
        with cases.case(f"{work.name} killed after {moment} of {work.seconds:.2f} s"):
            command = work.again if begun and work.again is not None else work.first
            if not kill_after(start_command(log, command), moment):
                work.clear()  # it had ended before
                continue
            if work.again is None:
                try:
                    _end(work, log)
                finally:
                    work.clear()
    if work.again is not None:
        with cases.case(f"{work.name} goes on to its end after kills at {moments}"):
            _end(work, log)


def _end(work: Work, log: Path) -> None:
    """Let the work end, and compare what it made, and what else there is, with what there has to be."""
    resumed = work.again is not None and work.out.exists()
    status, _ = completed(log, work.again if resumed and work.again is not None else work.first)
    said = log.read_text(encoding="utf-8")
    if status == 2 and resumed:  # killed before it had saved anything, which a sentence says
        must("Traceback" not in said, said[-1500:])
        shutil.rmtree(work.out)
        status, _ = completed(log, work.first)
        said = log.read_text(encoding="utf-8")
    # Killed when the folder was whole, which its contents then show.
    whole = status == 2 and work.again is None and f"{work.out} already " in said
    must(status == 0 or whole, f"status {status}: {said[-1500:]}")
    workshop.same(workshop.content(work.out), work.expected)
    left = sorted(path.name for path in work.place.iterdir() if path != work.out)
    must(not left, f"left over: {left}")


TRIAL = Trial(
    name="kills",
    tried="kill -9 at random moments of preparation, training, release and evaluation, which are then done again or "
    "resumed",
    holds="the same files as without a kill, weights and losses to the last bit; nothing left over",
    run=_run,
    pieces=40,
    ci=1,
    seconds=1800,
    case_seconds=300,
)
