"""A server for pages with uploads."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st

from nmt.ui.resources import compute_service


@pytest.fixture
def server_without_systems(
    random_runs: Path, tmp_path: Path, look_in: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Runs with random weights and no stored system. Nothing is cached before, and no computation goes on after."""
    look_in(random_runs)
    monkeypatch.setenv("JOINTLY_SYSTEMS", str(tmp_path / "systems"))
    st.cache_resource.clear()
    st.cache_data.clear()
    yield
    for job in compute_service().jobs.all():
        job.cancel()
        assert job.wait(60)
    st.cache_resource.clear()
