"""The same sentences, one at a time, by command, Python, service and app, in int8."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from random import Random

from starlette.testclient import TestClient

from nmt.answers.request import Progress
from nmt.answers.shipped import ShippedAnswers
from nmt.config import search_precision
from nmt.inference.translator import load
from nmt.runs.folder import read_run
from nmt.serve.app import Service
from nmt.ui import tasks
from nmt.ui.tasks import TranslateTask
from trials.command import command
from trials.trial import Cases, NotRun, Trial, must

ROOT = Path(__file__).parents[1]
_SETS = (("rnnsearch-en-fr", "jointly-300", "en"), ("rnnencdec-30", "jointly-300", "en"))
"""Run, test set and language of its sentences, a piece for each."""


class _Silent:
    def stage(self, name: str, total: int) -> AbstractContextManager[Callable[[Progress], None]]:
        return nullcontext(lambda _: None)

    def checkpoint(self) -> None:
        pass

    wait = checkpoint


def _run(random: Random, cases: Cases, folder: Path) -> None:
    del random
    if search_precision() != "int8":
        raise NotRun("this processor is not fast at products of integers, so the app computes in fp32")
    os.environ["JOINTLY_TRANSLATIONS"] = "memory"
    name, test_set, language = _SETS[cases.piece]
    run = ROOT / "checkpoints" / name
    lines = (ROOT / "testsets" / test_set / f"sentences.{language}").read_text(encoding="utf-8").splitlines()
    model, info = load(run, precision="int8"), read_run(run)
    settings = tasks.resolved(info, info.config.search)
    vars(tasks)["shipped_answers"] = lambda: ShippedAnswers([])  # the app is to compute them
    different = 0
    with TestClient(Service([model]), base_url="http://localhost") as client:
        for number, line in enumerate(lines):
            with cases.case(line):
                done = command(["translate", str(run), "--precision", "int8", "--json"], line + "\n")
                answer = client.post("/translate", json={"sentences": [line]}).json()
                texts = {
                    "command": json.loads(done.out)["systems"][0]["text"],
                    "Python": model.translate(line).text,
                    "service": answer["translations"][0]["systems"][0]["text"],
                    "app": TranslateTask(info, line, settings).run(_Silent()).text,
                }
                different += len(set(texts.values())) > 1
                must(len(set(texts.values())) == 1, f"line {number + 1}: {texts}")
    cases.figures = f"{name} on {test_set} in int8: {different} of {len(lines)} texts differ"


TRIAL = Trial(
    name="same-texts",
    tried="the sentences of a test set, one at a time, by `jointly translate`, Python, service and app, in int8",
    holds="four times the same text",
    run=_run,
    pieces=len(_SETS),
    ci=0,
    seconds=3600,
    case_seconds=60,
    megabytes=4000,
)
