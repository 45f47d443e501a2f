"""A real Chromium, and the real app on a free port over tiny checkpoints with random weights."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from tests.oracles.random_run import random_run
from trials.at_rest import SETTLED

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the checkpoints search, encdec and endless."""
    folder = tmp_path_factory.mktemp("runs")
    random_run(folder / "search")
    random_run(folder / "encdec", "rnnencdec")
    random_run(folder / "endless", endless=True)
    return folder


@contextmanager
def serve(runs: Path, log: Path, address: str = "", **settings: str) -> Iterator[str]:
    """An app: its address, a free one unless one is given. ``settings``: of its environment."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", urlsplit(address).port or 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "tests.browser.patient_server", "run", "app.py"]
    command += ["--server.port", str(port), "--server.headless", "true"]
    with log.open("wb") as output:
        server = subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | {"JOINTLY_RUNS": str(runs)} | settings,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(address, server, log)
        yield address
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()


def _wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(1200):  # two minutes, on a machine that is busy
        with suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=1) as answer:
            if answer.read() == b"ok":
                return
        if server.poll() is not None:
            break
        time.sleep(0.1)
    pytest.fail(f"the server did not start:\n{log.read_text()}")


@pytest.fixture(scope="session")
def server(runs: Path, chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app."""
    with serve(runs, tmp_path_factory.mktemp("server") / "log") as address:
        yield address


@pytest.fixture
def fresh_server(runs: Path, chromium: Any, tmp_path: Path) -> Iterator[str]:
    """The address of an app that nobody has opened yet."""
    with serve(runs, tmp_path / "log") as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A browser; skips where there is none. Chromium's headless shell comes first: without windows and menus it takes
    half the processor time, and draws the same pages."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    names = ["chromium-headless-shell", "chromium", "chromium-browser"]
    names += ["google-chrome", "google-chrome-stable", "chrome"]
    found = next((path for path in map(shutil.which, names) if path), None)
    with playwright.sync_playwright() as driver:
        own = driver.chromium.executable_path
        if found is None and not Path(own).is_file():
            pytest.skip(f"no Chromium found: looked for {', '.join(names)} and Playwright's own")
        arguments = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            arguments.append("--no-sandbox")
        browser = driver.chromium.launch(executable_path=found or own, args=arguments)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def profile(chromium: Any) -> Iterator[Any]:
    """What all windows share: the scripts of the page that were loaded and compiled before."""
    context = chromium.new_context()
    yield context
    context.close()


@pytest.fixture
def page(profile: Any) -> Iterator[Any]:
    """A new window, of which nothing stays but the scripts that were loaded. Fails the test if the page asks any other
    host for anything, or if a script fails."""
    window = profile.new_page()
    window.set_viewport_size({"width": 1300, "height": 1000})
    window.set_default_timeout(90_000)  # on a machine that is busy
    hosts: set[str] = set()
    faults: list[str] = []
    window.on("request", lambda request: hosts.add(urlsplit(request.url).hostname or ""))
    window.on("websocket", lambda socket: hosts.add(urlsplit(socket.url).hostname or ""))
    window.on("pageerror", lambda fault: faults.append(str(fault)))
    window.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
    yield window
    if hosts:
        window.evaluate("localStorage.clear()")
    window.close()
    profile.clear_cookies()
    assert hosts - {""} == {"127.0.0.1"}  # "": data: and blob:
    assert faults == []


@pytest.fixture
def visit(page: Any) -> Callable[..., None]:
    """``visit(address, parameter=value)`` opens a link and waits until the app has nothing more to do."""

    def go(address: str, **parameters: str | list[str]) -> None:
        page.goto(f"{address}?{urlencode(parameters, doseq=True)}")
        settle(page)

    return go


FITS_IN_WIDTH = """['html', '[data-testid="stMain"]'].map(where => document.querySelector(where)).every(
  one => one === null || one.scrollWidth <= one.clientWidth)"""
"""JavaScript: true if the page cannot be scrolled sideways; in the app the main part scrolls, not the document."""


def wait_for_address(page: Any, **parameters: str | list[str]) -> None:
    """Wait until the address has these values, which it gets some time after a click; no list: the only value."""
    for name, values in parameters.items():
        page.wait_for_function(
            "([name, values]) => String(new URL(location).searchParams.getAll(name)) === String(values)",
            arg=[name, [values] if isinstance(values, str) else values],
        )


def settle(page: Any) -> None:
    page.wait_for_function(SETTLED)
    assert page.get_by_test_id("stException").count() == 0
    assert page.get_by_text("Page not found").count() == 0


@pytest.fixture(name="settle")
def _settle() -> Callable[[Any], None]:
    return settle
