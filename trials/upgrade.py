"""Upgrade of a clone of an older version, with everything that a user made in it: is all of it still found?

A clone of the old commit prepares a corpus, trains a run, stops and keeps its state, evaluates it, records an external
system, receives an uploaded run and writes a file of alignments. Then the same folder is moved to the new commit, and
everything is used again: by the commands, and in the app at the addresses that the old version wrote. Caches may be
lost; nothing else.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from urllib.parse import urlencode

from trials.app import AppServer, browser_path
from trials.trial import Cases, NotRun, Trial, must

ROOT = Path(__file__).parents[1]
OLD = "16cec12"
SENTENCE = "three small words"
_WORDS = "one two three four five small large red green words and of".split()
_UPDATES = 30
_STOPPED_AT = 20


@dataclass(frozen=True, kw_only=True)
class OldAddress:
    """Page with parameters, as the old version wrote them into the address.

    Attributes:
        page: path of the page; "" is the first one, Translate.
        asked: the parameters.
        shows: a text that the page must show; "" where it stands in a table, which a browser draws as a picture.
    """

    page: str
    asked: dict[str, str | list[str]]
    shows: str

    def __str__(self) -> str:
        return f"/{self.page}?{', '.join(self.asked)}"


ADDRESSES = (
    OldAddress(page="", asked={"s": SENTENCE, "models": ["mine", "theirs"]}, shows="theirs"),
    OldAddress(page="explore", asked={"s": SENTENCE, "models": ["mine", "theirs"], "pin": "0.1.1"}, shows="theirs"),
    OldAddress(page="explore", asked={"take": json.dumps({"s": SENTENCE, "models": ["mine"]})}, shows="mine"),
    OldAddress(page="lengths", asked={"sets": "toy", "systems": ["mine", "moses"], "metric": "chrF"}, shows="moses"),
    OldAddress(page="stress", asked={"set": "jointly-300", "models": ["mine"]}, shows="mine"),
    OldAddress(page="learning", asked={"run": "mine", "s": SENTENCE}, shows="mine"),
    OldAddress(page="checkpoints", asked={"show": "One by one", "runs": ["uploaded"]}, shows="uploaded"),
    OldAddress(page="scores", asked={}, shows=""),
)


@dataclass(frozen=True)
class Clone:
    """A clone of the repository, with commands run in it."""

    folder: Path
    cache: Path

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("JOINTLY_")}
        return kept | {"XDG_CACHE_HOME": str(self.cache), "PYTHONPATH": str(self.folder)}

    def checkout(self, commit: str) -> None:
        subprocess.run(["git", "checkout", "--quiet", commit], cwd=self.folder, check=True)

    def nmt(self, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "nmt", *arguments]
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, input=given, capture_output=True, text=True, check=False
        )

    def snapshot(self) -> str:
        """Translate with weights from the middle of the training, by the Python interface."""
        code = f"import nmt; print(nmt.load('runs/mine', weights={_STOPPED_AT}).translate({SENTENCE!r}).text)"
        command = [sys.executable, "-c", code]
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=True
        ).stdout

    def must(self, *arguments: str, given: str = "") -> str:
        """Run a command that has to succeed, and return its output."""
        done = self.nmt(*arguments, given=given)
        if done.returncode:
            raise SystemExit(f"nmt {' '.join(arguments)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
        return done.stdout


def _sentences(count: int, seed: int) -> list[str]:
    """Make sentences of three to eight words by a fixed rule."""
    return [
        " ".join(_WORDS[(seed + 7 * number + 5 * place) % len(_WORDS)] for place in range(3 + number % 6))
        for number in range(count)
    ]


def _write_corpus(folder: Path) -> None:
    folder.mkdir()
    for name, count, seed in (("train", 300, 1), ("dev", 40, 2), ("test", 40, 3)):
        lines = _sentences(count, seed)
        (folder / f"{name}.en").write_text("".join(f"{line}\n" for line in lines))
        (folder / f"{name}.fr").write_text("".join(" ".join(reversed(line.split())) + "\n" for line in lines))


def make_with_old(clone: Clone) -> None:
    """Make one of everything that a user keeps."""
    corpus = clone.folder / "toy"
    _write_corpus(corpus)
    data = [f"{corpus}/train.en", f"{corpus}/train.fr", "--dev", f"{corpus}/dev.en", f"{corpus}/dev.fr"]
    clone.must("prepare", "--corpus", *data, "--source-lang", "en", "--target-lang", "fr", "--out", "data/toy")
    updates = ["--set", f"training.max_updates={_UPDATES}", "--set", f"training.keep=10,{_STOPPED_AT}"]
    clone.must("train", "debug", "--data", "data/toy", "--run", "mine", *updates)
    shutil.copytree(clone.folder / "runs" / "mine", clone.folder / "runs" / "theirs")
    stopped = ["--set", f"training.max_updates={_UPDATES}", "--set", "training.max_minutes=0.001"]
    clone.must("train", "debug", "--data", "data/toy", "--run", "stopped", *stopped)
    test = ["--source", f"{corpus}/test.en", "--reference", f"{corpus}/test.fr", "--name", "toy"]
    clone.must("evaluate", "runs/mine", *test, "--table-1")
    clone.must("evaluate", "--system", "moses", "--hypothesis", f"{corpus}/test.en", *test, "--out", "systems")
    uploads = clone.cache / "jointly" / "uploads"
    uploads.mkdir(parents=True, exist_ok=True)
    shutil.copytree(clone.folder / "runs" / "mine", uploads / "uploaded")
    translated = clone.must("translate", "runs/mine", "--json", given=f"{SENTENCE}\n")
    (clone.folder / "alignments.jsonl").write_text(translated)


def answers(clone: Clone) -> dict[str, str]:
    """Ask what must be the same before and after: a translation, a score, a comparison."""
    corpus = clone.folder / "toy"
    compared = json.loads(clone.must("compare", "runs/mine", "systems/moses", "--on", "toy", "--json"))
    return {
        "translate runs/mine": clone.must("translate", "runs/mine", given=f"{SENTENCE}\n"),
        "translate checkpoints/rnnsearch-50": clone.must(
            "translate", "checkpoints/rnnsearch-50", given="A dog runs.\n"
        ),
        "score runs/mine": clone.must(
            "score", "runs/mine", "--source", f"{corpus}/test.en", "--target", f"{corpus}/test.fr"
        ),
        "compare, scores": json.dumps(compared["scores"], sort_keys=True),
    }


def check_commands(clone: Clone, before: dict[str, str], cases: Cases) -> None:
    after = answers(clone)
    for name, answer in after.items():
        with cases.case(name):
            must(before[name] == answer, f"another answer: {answer[:500]!r}, not {before[name][:500]!r}")
    for folder in ("runs/mine", "runs/theirs", "runs/stopped", str(clone.cache / "jointly" / "uploads" / "uploaded")):
        with cases.case(f"inspect {Path(folder).name}"):
            must((done := clone.nmt("inspect", folder)).returncode == 0, done.stderr[-1000:])
    with cases.case("a snapshot translates as before"):
        must(clone.snapshot() == before["snapshot"], "another translation")
    with cases.case("resume a training that the old version stopped"):
        resumed = clone.nmt(
            "train", "debug", "--data", "data/toy", "--run", "stopped", "--resume", "--set", "training.max_minutes=1"
        )
        must(resumed.returncode == 0, resumed.stderr[-1000:])


def check_app(clone: Clone, cases: Cases) -> None:
    """Open every old address; its run must be on the page and no error."""
    with AppServer(clone.folder, clone.environment) as server:
        for address in ADDRESSES:
            with cases.case(f"{address}"):
                opened = server.open(f"{address.page}?{urlencode(address.asked, doseq=True)}")
                must(opened.holds, opened.summary)
                must(address.shows in opened.text, f"it does not show {address.shows}")


def _run(_: Random, cases: Cases, folder: Path) -> None:
    known = subprocess.run(["git", "cat-file", "-e", f"{OLD}^{{commit}}"], cwd=ROOT, capture_output=True, check=False)
    if known.returncode:
        raise NotRun(f"the history has no commit {OLD}")
    if browser_path() is None:
        raise NotRun("there is no Chromium")
    clone = Clone(folder / "jointly", folder / "cache")
    new = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=ROOT, text=True).strip()
    subprocess.run(["git", "clone", "--quiet", "--no-checkout", str(ROOT), str(clone.folder)], check=True)
    clone.checkout(OLD)
    make_with_old(clone)
    before = answers(clone) | {"snapshot": clone.snapshot()}
    clone.checkout(new)
    check_commands(clone, before, cases)
    check_app(clone, cases)


TRIAL = Trial(
    name="upgrade",
    tried=f"a folder in which version {OLD} prepared, trained, stopped, evaluated and received an upload, used with "
    "the last commit, by commands and at old addresses in Chromium",
    holds="the same answers; everything is found",
    run=_run,
    pieces=1,
    ci=0,
    seconds=3000,
    case_seconds=300,
)
