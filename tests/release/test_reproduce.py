"""``reproduce``: the commands of its plan, kept as they were read and found right, and how it goes through a plan of
short ones."""

import lzma
import subprocess
import sys
from pathlib import Path

import pytest

from nmt.files import CHECKOUT
from release.plan import Plan, PlannedCommand
from tests.kept import compare_with_kept
from tests.programs import Commands, main

RUNS = (
    *("rnnsearch-50-guided", "rnnsearch-multi30k", "rnnsearch-en-fr", "rnnsearch-fr-en", "rnnencdec-30"),
    *("scrubber-128", "rnnsearch-en-de", "rnnsearch-ko-en"),
)
"""Runs of every kind: with links of an aligner, in several parts, of both directions, without attention, without a test
set, of another language pair, and those of which the aligner is made."""


@pytest.mark.parametrize("kind", ["whole", "trial"])
def test_the_plan_is_as_it_was_found_right(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest, cli: Commands
) -> None:
    """Links of words by others are used where they lie beside the corpora, or as ``corpus get`` writes them."""
    for gold in ("alignment-gold/hansards.gold", "gold-europarl-de/gold"):
        (tmp_path / "data" / gold).parent.mkdir(parents=True)
        (tmp_path / "data" / gold).touch()
    only = RUNS if kind == "whole" else RUNS[1:]
    words = ["--data", str(tmp_path / "data"), "--out", str(tmp_path / "out"), "--only", *only, "--dry-run"]
    printed = cli.printed("release", "reproduce", *words, *([] if kind == "whole" else ["--budget", "100"])).replace(
        f"{tmp_path}/", ""
    )
    compare_with_kept(Path(__file__).parent / "kept" / f"reproduce-{kind}.txt", printed, request, exact=True)


def test_from_another_folder_the_test_sets_of_the_checkout_have_whole_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Commands
) -> None:
    monkeypatch.chdir(tmp_path)
    assert f" --gold {CHECKOUT}/testsets/jointly-150/gold " in cli.printed(
        "release", "reproduce", "--data", "data", "--out", "out", "--only", "rnnsearch-30", "--dry-run"
    )


def test_corpora_that_are_missing_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Those of the run that reads captions and everyday sentences only: train and dev of both, and no test set."""
    words = ["release", "reproduce", "--data", str(tmp_path), "--out", str(tmp_path / "out"), "--only", "scrubber-128"]
    files = [f"{corpus}/{part}.{side}.xz" for part in ("train", "dev") for corpus in ("tatoeba", "multi30k")
             for side in ("en", "fr")]  # fmt: skip
    for missing, told in ((files, f"{files[0]} and 7 more are"), (files[3:], f"{files[3]} and 4 more are"),
                          (files[6:], f"{files[6]} and 1 more are"),
                          (files[7:], f"{files[7]} is")):  # fmt: skip
        for file in {*files} - {*missing}:
            (tmp_path / file).parent.mkdir(exist_ok=True)
            (tmp_path / file).touch()
        assert main(words) == 2
        error = f"{tmp_path}/{told} missing; `python -m release corpus get` downloads the corpora"
        assert capsys.readouterr() == ("", f"python -m release reproduce: {error}\n")
    assert not (tmp_path / "out").exists()


FAILING = "import sys, pathlib; print('half'); sys.exit(0 if pathlib.Path(sys.argv[1]).exists() else 7)"
"""A program that prints, and succeeds only if there is a file."""


@pytest.fixture
def short_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A plan of three short commands in the place of the trainings: one whose output is an error unless a file exists,
    one that makes a folder, and one that prints the table."""
    (tmp_path / "program.py").write_text(FAILING, encoding="utf-8")
    (tmp_path / "make.py").write_text("import sys, os; os.mkdir(sys.argv[1]); print('made')", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    out = tmp_path / "out"

    class Short(Plan):
        def files(self) -> list[Path]:
            return [self.data / "mine" / f"{part}.en.xz" for part in ("train", "dev", "test")]

        def steps(self) -> list[PlannedCommand]:
            made, table = out / "made", out / "table.md"
            goal = str(tmp_path / "there")
            return [
                PlannedCommand(name="make", arguments=(str(made),), made=made, module="make"),
                PlannedCommand(name="table", arguments=(goal,), output=table, module="program"),
                PlannedCommand(name="end", arguments=(goal, *([] if self.minutes is None else ["short"])),
                               module="program"),
            ]  # fmt: skip

    monkeypatch.setattr("release.reproduce.Plan", Short)
    for part, count in (("train", 20_001), ("dev", 301), ("test", 61)):
        path = tmp_path / "data" / "mine" / f"{part}.en.xz"
        path.parent.mkdir(parents=True, exist_ok=True)
        with lzma.open(path, "wt", encoding="utf-8") as file:
            file.writelines(f"{number}\n" for number in range(count))
    return out


def test_what_failed_is_named_and_the_same_command_goes_on(
    short_plan: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    command = ["release", "reproduce", "--data", str(tmp_path / "data"), "--out", str(short_plan)]
    (short_plan / "made").mkdir(parents=True)  # by a call that was killed before it could note this
    assert main(command) == 7
    second = f"[2/3] python -m program {tmp_path}/there > {short_plan}/table.md"
    ended = "python -m release reproduce: table ended with status 7; the same command resumes"
    told = capfd.readouterr()
    assert told.out == ""
    assert told.err.splitlines() == [f"[1/3] python -m make {short_plan}/made", "made", second, ended]
    assert not (short_plan / "table.md").exists(), "half a table"
    assert not (short_plan / "corpora").exists()
    (tmp_path / "there").touch()
    assert main(command) == 0
    told = capfd.readouterr()
    assert told.err.splitlines() == [second, f"[3/3] python -m program {tmp_path}/there", "half"]
    assert told.out == "half\n"
    assert sorted(path.name for path in short_plan.iterdir()) == [".done", "made", "table.md"]
    assert main(command) == 0
    assert capfd.readouterr() == ("half\n", "")
    assert main([*command, "--budget", "5"]) == 2
    error = f"{short_plan} was started with other options; use another --out, or the same options"
    assert capfd.readouterr().err == f"python -m release reproduce: {error}\n"


def test_a_trial_reads_the_first_sentences_of_each_corpus(short_plan: Path, tmp_path: Path) -> None:
    (tmp_path / "there").touch()
    command = ["release", "reproduce", "--data", str(tmp_path / "data"), "--out", str(short_plan), "--budget", "5"]
    assert main(command) == 0
    short = short_plan / "corpora" / "mine"
    for part, count in (("train", 20_000), ("dev", 300), ("test", 60)):
        with lzma.open(short / f"{part}.en.xz", "rt") as file:
            assert file.read().split() == [str(number) for number in range(count)]
    (short / "dev.en.xz").unlink()
    assert main(command) == 0
    assert not (short / "dev.en.xz").exists(), "they are written once"


@pytest.mark.skipif(sys.platform == "win32", reason="has other signals")
def test_a_signal_to_end_is_passed_on_and_ctrl_c_is_left_to_the_training() -> None:
    """The program below ends by itself after both, and its status is taken over. The one that waits for it is a process
    of its own, as its signals are."""
    below = (
        "import signal, sys, time\n"
        "got = []\n"
        "signal.signal(signal.SIGTERM, lambda *_: got.append(1))\n"
        "print('ready', flush=True)\n"
        "for _ in range(1000): got or time.sleep(0.01)\n"
        "sys.exit(5 if got else 9)\n"
    )
    waits = (
        "import os, signal, subprocess, sys\n"
        "from release.reproduce import _wait\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "process = subprocess.Popen([sys.executable, '-c', sys.argv[1]], stdout=subprocess.PIPE)\n"
        "process.stdout.readline()\n"
        "signals, wait = [signal.SIGINT, signal.SIGTERM], process.wait\n"
        "def waiting():\n"
        "    if signals: os.kill(os.getpid(), signals.pop(0))\n"
        "    return wait()\n"
        "process.wait = waiting\n"
        "status = _wait(process)\n"
        "print(status, len(signals), signal.getsignal(signal.SIGTERM) == signal.SIG_DFL)\n"
    )
    done = subprocess.run([sys.executable, "-c", waits, below], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("5 0 True\n", "")
