"""Where a training writes."""

from pathlib import Path

import pytest

from nmt.cli.train import _folder
from nmt.errors import InputError


def test_a_name_is_a_folder_under_runs_and_a_path_is_itself() -> None:
    assert _folder("mine") == Path("runs/mine")
    assert _folder("else/mine") == Path("else/mine")
    assert _folder("/tmp/mine") == Path("/tmp/mine")


@pytest.mark.parametrize("name", ["", " ", "..", "a/.."])
def test_no_name_is_refused(name: str) -> None:
    with pytest.raises(InputError):
        _folder(name)
