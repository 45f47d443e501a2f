"""The app of a checkout on a free port, and the Chromium that opens it."""

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from playwright.sync_api import Error, Page, sync_playwright

from trials.window import DEEP, Window, WindowError

CHROMIUM_ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
_START_SECONDS = 60


@dataclass(frozen=True)
class Server:
    """A running app."""

    address: str
    process: psutil.Process

    def megabytes(self) -> float:
        """Resident memory of the server and its children, 10^6 bytes."""
        total = 0
        for process in (self.process, *self.process.children(recursive=True)):
            with suppress(psutil.Error):
                total += process.memory_info().rss
        return total / 1e6


def browser_path() -> str | None:
    """Find Chromium or Chrome."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class _Chromium(Window):
    """A page of Playwright."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def open(self, address: str) -> None:
        self._page.goto(address)

    def evaluate(self, expression: str) -> Any:
        try:
            return self._page.evaluate(f"() => {{ {DEEP} return {expression}; }}")
        except Error as error:
            raise WindowError(f"{expression}: {error}") from None

    def press(self, *keys: str) -> None:
        for key in keys:
            self._page.keyboard.press(key)

    def point(self, places: Sequence[tuple[float, float]], *, click: bool) -> None:
        for place in places:
            self._page.mouse.move(*place)
        for act in (self._page.mouse.down, self._page.mouse.up) if click else ():
            act()


@contextmanager
def chromium() -> Iterator[Window]:
    """A window of Chromium, open while the block runs."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=browser_path(), args=[*CHROMIUM_ARGUMENTS])
        yield _Chromium(browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce"))
        browser.close()


@contextmanager
def served(folder: Path, environment: dict[str, str]) -> Iterator[Server]:
    """Serve the app of a checkout while the block runs.

    Args:
        folder: the checkout.
        environment: variables for the server.

    Raises RuntimeError if it does not start, or ends before the block does.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    process = subprocess.Popen(
        [*command, "--server.headless", "true"],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(address, process, folder)
        yield Server(address, psutil.Process(process.pid))
        if process.poll() is not None:
            raise RuntimeError(f"the app ended by itself with status {process.returncode}")
    finally:
        process.terminate()
        process.wait(20)


def _wait_for(address: str, process: subprocess.Popen[bytes], folder: Path) -> None:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        with suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=1) as answer:
            if answer.read() == b"ok":
                return
        time.sleep(0.1)
    raise RuntimeError(f"the app in {folder} did not start")
