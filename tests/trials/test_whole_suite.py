"""What the trial of the whole suite counts, and that it runs only where it is named."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from trials import __main__ as program
from trials.registry import TRIALS
from trials.trial import Cases
from trials.whole_suite import TRIAL, count

TESTS = """
import pytest

def test_good():
    pass

def test_wrong():
    assert 1 + 1 == 3

@pytest.mark.skip(reason="no time")
def test_left_out():
    pass

@pytest.fixture
def broken():
    raise RuntimeError("broken")

def test_over_a_broken_fixture(broken):
    pass
"""


def test_a_test_that_fails_or_is_skipped_is_lost(tmp_path: Path) -> None:
    tests, report = tmp_path / "test_some.py", tmp_path / "report.xml"
    tests.write_text(TESTS, encoding="utf-8")
    options = ["-q", "-p", "no:cacheprovider", f"--rootdir={tmp_path}", "-c", "/dev/null", f"--junitxml={report}"]
    subprocess.run([sys.executable, "-m", "pytest", *options, str(tests)], capture_output=True, check=False)
    cases = Cases(at=tmp_path / "at", errors=io.StringIO(), seconds=60)
    count(report, cases)
    assert (cases.tried, cases.lost) == (4, 3)
    found = {fault.case.rsplit("::")[-1]: fault.fault for fault in cases.faults}
    assert found.keys() == {"test_wrong", "test_left_out", "test_over_a_broken_fixture"}
    assert found["test_left_out"].startswith("skipped: no time")
    assert "1 + 1" in found["test_wrong"]


def test_it_runs_only_where_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [trial for trial in TRIALS if trial.by_name] == [TRIAL]
    chosen: list[set[str]] = []
    monkeypatch.setattr(program, "planned", lambda trials, *_: chosen.append({trial.name for trial in trials}) or [])
    for only in ([], ["--only", "suite", "pins"]):
        program.main(["--results", str(tmp_path / "results"), *only])
    assert chosen == [{trial.name for trial in TRIALS} - {"suite"}, {"suite", "pins"}]
