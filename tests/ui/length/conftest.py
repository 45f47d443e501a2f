"""A server for pages with uploads."""

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def server_without_systems(
    fresh_server: None, random_runs: Path, tmp_path: Path, look_in: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs with random weights and no stored system. Nothing is cached before, and no computation goes on after."""
    look_in(random_runs)
    monkeypatch.setenv("JOINTLY_SYSTEMS", str(tmp_path / "systems"))
