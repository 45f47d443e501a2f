"""The whole suite of tests, as ``make test TIER=all`` runs it, ten times: a test that passes by luck fails once."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from random import Random
from xml.etree import ElementTree

from trials.trial import Cases, Trial, must

_ROOT = Path(__file__).parents[1]
_RUNS, _SECONDS = 10, 3600
_LAST_LINES = 2000
"""Characters kept of what was printed."""


def count(report: Path, cases: Cases) -> None:
    """Count the tests of pytest's report in XML; one that failed or was skipped is lost."""
    for test in ElementTree.parse(report).iter("testcase"):
        cases.tried += 1
        for outcome in test:
            if outcome.tag in ("failure", "error", "skipped"):
                name = f"{test.get('classname')}::{test.get('name')}"
                cases.lose(name, f"{outcome.tag}: {outcome.get('message')}\n{(outcome.text or '')[-_LAST_LINES:]}")


def _run(_: Random, cases: Cases, folder: Path) -> None:
    report = folder / "report.xml"
    with cases.case("make test TIER=all"):
        done = subprocess.run(
            ["make", "test", "TIER=all"],
            cwd=_ROOT,
            env=os.environ | {"PYTEST_ADDOPTS": f"--junitxml={report}"},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
        must(report.exists(), f"make test wrote no report: {done.stdout[-_LAST_LINES:]}{done.stderr[-_LAST_LINES:]}")
        must(done.returncode == 0, f"make test ended with {done.returncode}: {done.stdout[-_LAST_LINES:]}")
    if report.exists():
        count(report, cases)


TRIAL = Trial(
    name="suite",
    tried="`make test TIER=all`: the whole suite of tests, ten times in a row",
    holds="every test passes, none is skipped",
    run=_run,
    pieces=_RUNS,
    ci=0,
    seconds=_SECONDS + 60,
    case_seconds=_SECONDS,
    megabytes=8000,
    by_name=True,
)
