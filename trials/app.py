"""The app of this checkout on a free port, and the Chromium that opens it."""

import os
import shutil
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from playwright.sync_api import Error, Page, sync_playwright

from trials.started import free_port, started
from trials.trial import NotRun
from trials.window import DEEP, Window, WindowError

ROOT = Path(__file__).parents[1]


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


@contextmanager
def chromium_page(**settings: Any) -> Iterator[Page]:
    """A page of Chromium, open while the block runs. Raises NotRun where there is no Chromium."""
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
    with sync_playwright() as driver:
        installed = filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
        path = next(installed, driver.chromium.executable_path)
        if not Path(path).is_file():
            raise NotRun("there is no Chromium")
        browser = driver.chromium.launch(executable_path=path, args=arguments)
        yield browser.new_page(**settings)
        browser.close()


@contextmanager
def chromium_window(folder: Path) -> Iterator[Window]:
    """A window of Chromium, open while the block runs. It needs no folder, unlike that of Firefox."""
    del folder
    with chromium_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce") as page:
        yield _Chromium(page)


class _Chromium(Window):
    def __init__(self, page: Page) -> None:
        self._page, self.faults = page, []
        page.on("pageerror", lambda fault: self.faults.append(str(fault)))

    def open(self, address: str) -> None:
        self._page.goto(address, timeout=90_000)  # on a machine that is busy

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
        if click:
            self._page.mouse.click(*places[-1])


@contextmanager
def served(folder: Path | None = None) -> Iterator[Server]:
    """Serve the app of this checkout while the block runs.

    Args:
        folder: of the app's cache, and of its checkpoints, in ``runs``; None for those of the user.

    Raises RuntimeError if it does not start, or ends before the block does.
    """
    own = {} if folder is None else {"JOINTLY_RUNS": str(folder / "runs"), "JOINTLY_CACHE": str(folder / "cache")}
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    address = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        with suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=1) as answer:
            return bool(answer.read() == b"ok")
        return False

    with started([*command, "--server.headless", "true"], ROOT, os.environ | own, answers) as process:
        yield Server(address, psutil.Process(process.pid))
        if process.poll() is not None:
            raise RuntimeError(f"the app ended by itself with status {process.returncode}")
