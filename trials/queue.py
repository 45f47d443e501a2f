"""Many sentences sent through the task queue of one process by several threads at once, as by readers of the app."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random

import psutil

from nmt.answers.request import Progress, ProgressReporter
from nmt.config import SearchSettings
from nmt.inference.translator import load
from nmt.runs.folder import read_run
from nmt.ui.resources import compute_service
from nmt.ui.tasks import TranslateTask
from tests.oracles.random_run import ENGLISH, random_run
from trials.trial import Cases, Trial, must

_SENTENCES = 98_000
_FIRST, _PART = 1000, 500
"""Sentences after which the memory has its level, and between two looks at it."""
_ASKING, _CHECKED = 16, 20
"""Threads that ask; every so many sentences are also translated alone."""
_GROWTH_MB = 20.0
_SETTINGS = SearchSettings(beam=2)


class _Unseen(ProgressReporter):
    """Progress reporter that discards everything."""

    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[Callable[[Progress], None]]:
        yield lambda progress: None

    def checkpoint(self) -> None:
        pass


def _megabytes() -> float:
    return psutil.Process(os.getpid()).memory_info().rss / 1e6


def _sentence(random: Random, number: int) -> str:
    """Draw a sentence that no other number has."""
    return " ".join([*random.choices(ENGLISH, k=random.randint(3, 10)), str(number)])


def _run(random: Random, cases: Cases, folder: Path) -> None:
    run = read_run(random_run(folder / "runs" / "words"))
    alone, service = load(run.path), compute_service()
    levels = []
    with ThreadPoolExecutor(_ASKING) as threads:
        for first in range(0, _SENTENCES, _PART):
            sentences = [_sentence(random, number) for number in range(first, first + _PART)]
            tasks = [TranslateTask(run, sentence, _SETTINGS) for sentence in sentences]
            answers = [threads.submit(service.compute, task, _Unseen()) for task in tasks]
            for number, (sentence, answer) in enumerate(zip(sentences, answers, strict=True)):
                with cases.case(sentence):
                    found = answer.result()
                    must(found.source == sentence, f"the answer to {found.source!a}")
                    if number % _CHECKED == 0:
                        expected = alone.translate(sentence, _SETTINGS).text
                        must(found.text == expected, f"in the queue {found.text!a}, alone {expected!a}")
            levels.append(_megabytes())
    level, last = levels[_FIRST // _PART - 1], max(levels[-2:])
    with cases.case("memory"):
        must(last <= level + _GROWTH_MB, f"{level:.0f} MB after {_FIRST:,} sentences, {last:.0f} MB at the end")
    cases.figures = (
        f"{_SENTENCES:,} sentences in one process: {level:.0f} MB after {_FIRST:,}, {last:.0f} MB at the end"
    )


TRIAL = Trial(
    name="queue",
    tried=f"{_SENTENCES:,} different sentences through the task queue of the app in one process, asked by {_ASKING} "
    "threads",
    holds=f"the translation of every {_CHECKED}th as alone, each answer its own; memory grows by at most "
    f"{_GROWTH_MB:g} MB after the first {_FIRST:,}",
    run=_run,
    pieces=1,
    ci=0,
    seconds=7200,
    case_seconds=60,
)
