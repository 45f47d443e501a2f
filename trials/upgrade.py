"""Upgrade a clone of an older version, with everything a user made in it, and look whether all of it is found.

A clone of the old commit prepares a corpus, trains a run, stops and keeps its state, evaluates it, records an external
system, receives an uploaded run and writes a file of alignments. Then the same folder is moved to the new commit, and
everything is used again: by the commands, and in the app at the addresses that the old version wrote. Caches may be
lost; nothing else.

    python -m trials.upgrade                 # from commit 16cec12 to HEAD; needs the history and a Chromium
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from trials.app import AppServer

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
    OldAddress(page="checkpoints", asked={"show": "One by one"}, shows="uploaded"),
    OldAddress(page="scores", asked={}, shows=""),
)


@dataclass
class Findings:
    """What was tried: a line for each, and whether it held."""

    lines: list[tuple[bool, str]] = field(default_factory=list)

    def add(self, held: bool, line: str) -> None:
        self.lines.append((held, line))
        print(f"{'ok    ' if held else 'LOST  '} {line}", flush=True)

    @property
    def lost(self) -> int:
        return sum(not held for held, _ in self.lines)


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


def check_commands(clone: Clone, before: dict[str, str], findings: Findings) -> None:
    after = answers(clone)
    for name, answer in after.items():
        findings.add(before[name] == answer, f"{name}: the same answer")
    for folder in ("runs/mine", "runs/theirs", "runs/stopped", str(clone.cache / "jointly" / "uploads" / "uploaded")):
        findings.add(clone.nmt("inspect", folder).returncode == 0, f"inspect {Path(folder).name}")
    findings.add(clone.snapshot() == before["snapshot"], "a snapshot translates as before")
    resumed = clone.nmt(
        "train", "debug", "--data", "data/toy", "--run", "stopped", "--resume", "--set", "training.max_minutes=1"
    )
    findings.add(resumed.returncode == 0, "resume a training that the old version stopped")


def check_app(clone: Clone, findings: Findings) -> None:
    """Open every old address; its run must be on the page and no error."""
    with AppServer(clone.folder, clone.environment) as server:
        for address in ADDRESSES:
            opened = server.open(f"{address.page}?{urlencode(address.asked, doseq=True)}")
            findings.add(opened.holds, f"{address}: {opened.summary}")
            if address.shows:
                findings.add(address.shows in opened.text, f"{address} shows {address.shows}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--old", default=OLD, help=f"commit to start from (default {OLD})")
    parser.add_argument("--new", default="HEAD", help="commit to upgrade to (default HEAD)")
    options = parser.parse_args(arguments)
    findings = Findings()
    with tempfile.TemporaryDirectory(prefix="jointly-upgrade-") as place:
        clone = Clone(Path(place) / "jointly", Path(place) / "cache")
        new = subprocess.check_output(["git", "rev-parse", options.new], cwd=ROOT, text=True).strip()
        subprocess.run(["git", "clone", "--quiet", "--no-checkout", str(ROOT), str(clone.folder)], check=True)
        clone.checkout(options.old)
        make_with_old(clone)
        before = answers(clone) | {"snapshot": clone.snapshot()}
        clone.checkout(new)
        check_commands(clone, before, findings)
        check_app(clone, findings)
    print(f"{len(findings.lines)} checks, {findings.lost} lost")
    return 1 if findings.lost else 0


if __name__ == "__main__":
    sys.exit(main())
