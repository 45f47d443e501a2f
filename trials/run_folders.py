"""Run folders with every kind of damage, read by the commands and by ``nmt.load``."""

import shutil
from pathlib import Path
from random import Random

from nmt.inference.translator import load
from trials.command import Done, answered, command
from trials.trial import Cases, Trial, must
from trials.whole_run import damage, whole_run

_NUMBER = 60
_SENTENCE = "the girl has never seen the sea ."
_NOT_COVERED = ("training.jsonl", "provenance.json", "evaluation", "checksums.json")
"""Files without checksums: damage to them changes no translation."""


def _commands(run: Path, folder: Path) -> list[list[str]]:
    return [
        ["translate", str(run), "--beam", "2"],
        ["score", str(run), "--source", str(folder / "s"), "--target", str(folder / "t")],
        ["align", str(run), "--source", str(folder / "s"), "--target", str(folder / "t")],
        ["inspect", str(run), "--json"],
        ["release", "card", str(run)],
        ["release", "checksums", str(run)],
        ["release", "overview", str(run.parent)],
        ["release", "publish", str(run), str(folder / "released")],
        ["compare", str(run), str(folder / "runs" / "other"), "--on", "set", "--resamples", "20"],
        ["page", str(run), "--out", str(folder / "page.html")],
    ]


def _run(random: Random, cases: Cases, folder: Path) -> None:
    kept, other = whole_run(folder / "whole"), whole_run(folder / "runs" / "other", "bpe")
    (folder / "s").write_text(f"{_SENTENCE}\n", encoding="utf-8")
    (folder / "t").write_text("la fille dort .\n", encoding="utf-8")
    expected = command(["translate", str(kept), "--beam", "2"], f"{_SENTENCE}\n")
    must(expected.status == 0, expected.err)
    run = folder / "runs" / "mine"
    for _ in range(_NUMBER):
        shutil.copytree(kept, run)
        done = damage(random, run, other)
        before = expected.out if not done.startswith(_NOT_COVERED) else ""
        for arguments in random.sample(_commands(run, folder), 3):
            with cases.case(f"{done}; {' '.join(arguments[:2])}"):
                found = command(arguments, f"{_SENTENCE}\n")
                cases.refused += found.status == 2
                answered(found)
                _unchanged(found, arguments, before)
                if arguments[1] == "checksums" and found.status == 0:
                    before = ""  # the user has accepted the damaged file
        with cases.case(f"{done}; nmt.load"):
            text = load(run).translate(_SENTENCE).text
            whole = load(kept).translate(_SENTENCE).text
            must(not before or text == whole, f"another translation in silence: {text!a}, not {whole!a}")
        shutil.rmtree(run)
        shutil.rmtree(folder / "released", ignore_errors=True)


def _unchanged(done: Done, arguments: list[str], expected: str) -> None:
    """Check that a run with checksums translates as before or not at all."""
    if arguments[0] == "translate" and done.status == 0 and expected:
        must(done.out == expected, f"another translation in silence: {done.out!a}")


TRIAL = Trial(
    name="runs",
    tried="run folders with a file missing, cut, flipped, swapped, of another type or of a gigabyte, headers of "
    "100,000 entries, deep JSON, other values: through ten commands and `nmt.load`",
    holds="a result or a sentence; the same translation as before or none",
    run=_run,
    pieces=40,
    ci=1,
    seconds=1200,
    case_seconds=60,
    megabytes=3000,
)
