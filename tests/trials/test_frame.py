"""The frame of the trials: what is lost is found and told, and a run that was killed goes on."""

import faulthandler
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tqdm import tqdm

from nmt.errors import InputError
from trials import __main__ as program
from trials import results
from trials.children import start, wait
from trials.load import memory_levels
from trials.piece import run_piece
from trials.registry import TRIALS, trials
from trials.report import BEGIN, END, interval, table, write_table
from trials.results import PieceResult, summarised
from trials.trial import Cases, Fault, NotRun, Trial, drawn_bytes, must

Body = Callable[[Random, Cases, Path], None]


def trial(run: Body, *, name: str = "toy", seconds: float = 60, case: float = 0.5, megabytes: int = 8000) -> Trial:
    return Trial(
        name=name,
        tried="t",
        holds="h",
        run=run,
        pieces=3,
        ci=1,
        seconds=seconds,
        case_seconds=case,
        megabytes=megabytes,
    )


def of_all_kinds(_: Random, cases: Cases, folder: Path) -> None:
    assert not list(folder.iterdir())
    with cases.case("good"):
        pass
    with cases.case("refused"):
        raise InputError("this is not a file")
    with cases.case("refused in two lines"):
        raise InputError("this\nthat")
    with cases.case("broken"):
        raise ZeroDivisionError("no")
    with cases.case("ended"):
        raise SystemExit(0)
    with cases.case("wrong"):
        must(False, "two is not three")


def test_every_kind_of_loss_is_counted_and_described() -> None:
    found = run_piece(trial(of_all_kinds), 0, "c")
    assert (found.tried, found.refused, found.lost) == (6, 2, 4)
    assert [fault.case for fault in found.faults] == ["refused in two lines", "broken", "ended", "wrong"]
    assert "ZeroDivisionError: no" in found.faults[1].fault
    assert found.faults[3].fault == "two is not three"


def _hangs(_: Random, cases: Cases, __: Path) -> None:
    with cases.case("slow"):
        time.sleep(60)


def _computes(_: Random, cases: Cases, __: Path) -> None:
    with cases.case("long"):
        end = time.process_time() + 0.6
        while time.process_time() < end:
            pass


def _crashes(_: Random, cases: Cases, __: Path) -> None:
    with cases.case("crash"):
        faulthandler.disable()  # else the stack of this crash, which is meant, stands among the results of the tests
        os.kill(os.getpid(), signal.SIGSEGV)


def _breaks(_: Random, __: Cases, ___: Path) -> None:
    raise ValueError("outside of a case")


def _eats(_: Random, cases: Cases, __: Path) -> None:
    with cases.case("much"):
        bytearray(300_000_000)[::4096] = b"x" * 73243


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "case", "fault"),
    [
        (_hangs, "slow", "in _hangs"),
        (_computes, "long", "the bound is 0.5 s"),
        (_crashes, "crash", "status 11"),
        (_breaks, "before the first case", "outside of a case"),
    ],
)
def test_a_process_that_hangs_or_dies_is_a_loss(body: Body, case: str, fault: str) -> None:
    found = run_piece(trial(body), 0, "c")
    assert found.lost == 1
    assert found.faults[0].case == case
    assert fault in found.faults[0].fault


def test_a_process_that_grows_is_a_loss() -> None:
    found = run_piece(trial(_eats, case=60, megabytes=250), 0, "c")
    assert found.lost == 1
    assert found.faults[0].case == "the whole piece"
    assert "the bound is 250 MB" in found.faults[0].fault


def test_a_process_that_ends_with_the_lock_of_bars_stops_no_other(tmp_path: Path) -> None:
    """Ctrl-C can come between taking the lock and drawing."""
    with tqdm(disable=True):  # its default lock is made with the first bar, and shared by all copies of a process
        pass

    def take() -> int:
        tqdm.get_lock().acquire()  # type: ignore[no-untyped-call]
        return 0

    assert wait(start(tmp_path / "log", take)) == 0
    taken = threading.Thread(target=tqdm.get_lock().acquire, daemon=True)  # type: ignore[no-untyped-call]
    taken.start()
    taken.join(5)
    assert not taken.is_alive()
    tqdm.set_lock(threading.RLock())  # that of the thread is never released


def test_what_cannot_run_here_says_so() -> None:
    def body(_: Random, __: Cases, ___: Path) -> None:
        raise NotRun("there is no disk")

    found = run_piece(trial(body), 0, "c")
    assert (found.tried, found.lost, found.not_run) == (0, 0, "there is no disk")
    row = table([trial(body)], results.summarised([found])).splitlines()[-1]
    assert "not run: there is no disk" in row


def test_a_run_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "results.jsonl"
    trials = [trial(of_all_kinds, name=name) for name in ("one", "two")]
    plan = program.planned(trials, "all", None)
    assert [(each.name, number) for each, number in plan][:3] == [("one", 0), ("two", 0), ("one", 1)]
    monkeypatch.setattr(program, "commit", lambda each: f"c of {each.name}")
    program.run(plan[:3], path, None)
    with path.open("a") as file:
        file.write('{"trial": "two", "pie')  # killed while it wrote
    before = path.read_text(encoding="utf-8").splitlines()
    done = program.run(plan, path, None)
    after = path.read_text(encoding="utf-8").splitlines()
    assert after[:4] == before
    assert len(after) == 4 + 3
    assert [(result.trial, result.piece) for result in done] == [(each.name, number) for each, number in plan]
    assert len(results.read(path)) == 6
    monkeypatch.setattr(program, "commit", lambda each: f"{'c' if each.name == 'two' else 'another'} of {each.name}")
    program.run(plan[:2], path, None)
    assert len(results.read(path)) == 7


def test_a_piece_counts_until_what_its_trial_tries_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*arguments: str) -> str:
        author = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        return subprocess.check_output(["git", *author, *arguments], cwd=tmp_path, text=True).strip()

    monkeypatch.setattr(program, "ROOT", tmp_path)
    git("init", "-q")
    commits = []
    for name in ("engine.c", "other.py"):
        (tmp_path / name).write_text("1")
        git("add", name)
        git("commit", "-q", "-m", name)
        commits.append(git("log", "-1", "--abbrev=7", "--format=%h"))
    engine, both = (replace(trial(of_all_kinds), tries=tries) for tries in (("engine.c",), ("engine.c", "other.py")))
    assert [program.commit(engine), program.commit(both)] == commits
    (tmp_path / "other.py").write_text("2")
    assert [program.commit(engine), program.commit(both)] == [commits[0], f"{commits[1]}+"]
    assert all((Path(__file__).parents[2] / each).exists() for known in TRIALS for each in known.tries)


def test_sums_are_of_one_commit_and_count_a_piece_once() -> None:
    old = PieceResult(trial="one", piece=0, commit="a", tried=100, lost=5)
    new = PieceResult(trial="one", piece=0, commit="b", tried=10, slowest=2.5, megabytes=7)
    last = PieceResult(trial="one", piece=1, commit="b", tried=20, lost=1, faults=(Fault(case="x", fault="y"),))
    found = results.summarised([old, new, last, last])["one"]
    assert (found.commit, found.pieces, found.tried, found.lost) == ("b", 2, 30, 1)
    assert (found.slowest, found.megabytes, found.faults) == (2.5, 7, last.faults)


def test_cases_of_a_group_are_counted_together() -> None:
    found = [
        PieceResult(trial="one", piece=piece, commit="c", tried=10, lost=piece % 2, group=f"group {piece % 2}")
        for piece in range(6)
    ]
    lines = table([trial(of_all_kinds, name="one")], results.summarised(found)).splitlines()
    assert lines[-3:] == [
        "- `one`: group 0: 30 of 30, 100% [89%, 100%].",
        "- `one`: group 1: 27 of 30, 90% [74%, 97%].",
        "- `one`: all: 57 of 60, 95% [86%, 98%].",
    ]


@pytest.mark.parametrize(("held", "tried"), [(30, 30), (57, 60), (1, 9)])
def test_the_interval_is_where_a_share_would_be_drawn_by_chance(held: int, tried: int) -> None:
    """Wilson's ends are the shares from which the one seen is 1.96 standard errors away."""
    for end in interval(held, tried):
        if 0 < end < 1:
            assert abs(held / tried - end) == pytest.approx(1.959964 * (end * (1 - end) / tried) ** 0.5, rel=1e-5)


def test_the_table_is_written_between_its_marks(tmp_path: Path) -> None:
    path = tmp_path / "reliability.md"
    path.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    two = [trial(of_all_kinds, name=name) for name in ("one", "other")]
    summary = results.summarised([PieceResult(trial="one", piece=0, commit="c", tried=3, figures="12 MB")])
    write_table(path, two, summary)
    assert path.read_text(encoding="utf-8") == f"before\n{BEGIN}\n\n{table(two, summary)}\n\n{END}\nafter\n"
    path.write_text("no marks\n", encoding="utf-8")
    with pytest.raises(InputError, match=path.name):
        write_table(path, two, summary)


def test_outcomes_of_trials_that_were_not_repeated_stay_in_the_table(tmp_path: Path) -> None:
    path = tmp_path / "reliability.md"
    path.write_text(f"{BEGIN}{END}", encoding="utf-8")
    two = [trial(of_all_kinds, name=name) for name in ("one", "other")]
    first = [
        PieceResult(trial=name, piece=0, commit="c", tried=3, figures=f"{name} 12 MB") for name in ("one", "other")
    ]
    write_table(path, two, results.summarised(first))
    again = [PieceResult(trial="other", piece=0, commit="d", tried=4, figures="13 MB")]
    write_table(path, two, results.summarised(again))
    both = results.summarised([first[0], *again])
    assert path.read_text(encoding="utf-8") == f"{BEGIN}\n\n{table(two, both)}\n\n{END}"


def test_names_are_given_once_and_ci_is_part_of_all() -> None:
    assert len({each.name for each in TRIALS}) == len(TRIALS)
    assert all(0 <= each.ci <= each.pieces and each.case_seconds < each.seconds for each in TRIALS)


def test_seeds_and_damage_are_the_same_again() -> None:
    one, data = TRIALS[0], bytes(range(200))
    again = [[drawn_bytes(one.random(piece), data) for piece in range(30)] for _ in range(2)]
    assert again[0] == again[1]
    assert len({result for _, result in again[0]}) > 10


@pytest.mark.parametrize(("per_minute", "grows"), [(0.0, False), (200.0, True)])
def test_memory_counts_from_the_level_it_has_after_the_beginning(per_minute: float, grows: bool) -> None:
    memory = [(float(at), 500.0 + 4 * min(at, 60) + per_minute * max(0, at - 60) / 60) for at in range(600)]
    first, last = memory_levels(memory, 60)
    assert (last > first) == grows
    assert first >= 740


def test_a_short_measurement_has_levels_too() -> None:
    assert memory_levels([(0.0, 5.0), (1.0, 6.0), (2.0, 7.0)], 60) == (6.0, 7.0)


def test_readers_and_seconds_change_the_load_alone() -> None:
    changed = trials(1, 2)
    assert [trial.name for trial in changed] == [trial.name for trial in TRIALS]
    assert [new.name for new, old in zip(changed, TRIALS, strict=True) if new is not old] == ["load"]


def test_figures_stand_below_the_table() -> None:
    result = PieceResult(trial="load", piece=0, commit="c", tried=3, figures="two readers, 12 MB")
    lines = table(TRIALS, summarised([result])).splitlines()
    assert lines[-2:] == ["", "- `load`: two readers, 12 MB."]
