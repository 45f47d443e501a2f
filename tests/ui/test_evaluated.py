"""Files of a run that are links to nowhere are named in a sentence, or do not matter."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from nmt.errors import InputError
from nmt.runs.folder import TRAINING, RunInfo, read_run
from nmt.ui.checkpoints import evaluated
from nmt.ui.resources import fingerprint


@pytest.mark.parametrize("target", ["nowhere", "set.json"])
def test_an_evaluation_that_is_a_link_to_nowhere_is_named(random_runs: Path, tmp_path: Path, target: str) -> None:
    run = shutil.copytree(random_runs / "search-words", tmp_path / "mine")
    (run / "evaluation").mkdir(exist_ok=True)
    (run / "evaluation" / "set.json").symlink_to(target)
    with pytest.raises(InputError, match=r"set\.json"):
        evaluated(run)


def test_a_file_that_translations_do_not_depend_on_may_be_a_link_to_itself(random_runs: Path, tmp_path: Path) -> None:
    run = shutil.copytree(random_runs / "search-words", tmp_path / "mine")
    (run / TRAINING).unlink(missing_ok=True)
    before = read_run(run)
    assert isinstance(before, RunInfo)
    expected = fingerprint(before)
    (run / TRAINING).symlink_to(TRAINING)
    assert fingerprint(before) == expected
