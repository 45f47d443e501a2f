"""The app of a checkout on a free port, and what a browser sees of its pages."""

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil
from playwright.sync_api import Browser, TimeoutError, sync_playwright

from trials.at_rest import SETTLED

CHROMIUM_ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
_START_SECONDS, _PAGE_SECONDS = 60, 60


@dataclass(frozen=True, kw_only=True)
class PageOpened:
    """What a browser saw at an address.

    Attributes:
        settled: whether the page came to rest in time.
        exceptions: texts of the exceptions on it.
        not_found: whether the app has no such page.
        text: all of its text, that of inputs included.
    """

    settled: bool
    exceptions: tuple[str, ...]
    not_found: bool
    text: str

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong with the page."""
        return self.settled and not self.exceptions and not self.not_found

    @property
    def summary(self) -> str:
        if self.not_found:
            return "no such page"
        if self.exceptions:
            return self.exceptions[0].splitlines()[0]
        return "settled" if self.settled else "did not come to rest"


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


class AppServer:
    """The app of a checkout and a Chromium that opens it, while the block runs.

    Args:
        folder: the checkout.
        environment: variables for the server.

    Raises RuntimeError if the server does not start, or no Chromium is found.
    """

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._folder, self._environment = folder, environment
        self._stack = ExitStack()
        self._browser: Browser | None = None
        self.address = ""

    def __enter__(self) -> Self:
        with self._stack as stack:
            self.address = stack.enter_context(served(self._folder, self._environment)).address
            driver = stack.enter_context(sync_playwright())
            self._browser = driver.chromium.launch(executable_path=browser_path(), args=[*CHROMIUM_ARGUMENTS])
            stack.callback(self._browser.close)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def open(self, path: str) -> PageOpened:
        """Open an address in a fresh browser profile, and wait until the page is at rest."""
        assert self._browser is not None
        context = self._browser.new_context(viewport={"width": 1440, "height": 900})
        try:
            page = context.new_page()
            page.goto(f"{self.address}/{path}")
            try:
                page.wait_for_function(SETTLED, timeout=1000 * _PAGE_SECONDS)
                settled = True
            except TimeoutError:
                settled = False
            body = page.locator("body")
            values = page.eval_on_selector_all("input, textarea", "all => all.map(one => one.value).join(' ')")
            return PageOpened(
                settled=settled,
                exceptions=tuple(page.locator("[data-testid=stException]").all_inner_texts()),
                not_found="Page not found" in body.inner_text(),
                text=f"{body.inner_text()} {values}",
            )
        finally:
            context.close()
