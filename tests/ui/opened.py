"""Pages of the app as tests open them, and what is computed behind them."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from nmt.ui.resources import compute_service

ROOT = Path(__file__).parents[2]


def opened(page: str = "look", state: Mapping[str, Any] | None = None, **address: str | list[str]) -> AppTest:
    """A page by its address, whose names have hyphens, in a session with this state; no exception has come up."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    if page != "look":
        at.switch_page(f"pages/{page}.py")
    for key, data in (state or {}).items():
        at.session_state[key] = data
    for name, value in address.items():
        at.query_params[name.replace("_", "-")] = value
    return again(at)


def again(at: AppTest) -> AppTest:
    """The page once more; no exception has come up."""
    at.run()
    assert not at.exception, at.exception
    return at


def settled(at: AppTest) -> AppTest:
    """The page when its jobs are over."""
    for job in compute_service().jobs.all():
        assert job.wait(120)
    return again(at)


@contextmanager
def busy() -> Iterator[None]:
    """The server does something else in the background."""
    end = threading.Event()
    job = compute_service().jobs.start("something else", lambda reporter: end.wait(60))
    try:
        yield
    finally:
        end.set()
        assert job.wait(20)
