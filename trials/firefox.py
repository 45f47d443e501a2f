"""Firefox without a window, driven over WebDriver BiDi, which it speaks itself: no driver has to be installed.

Source: https://www.w3.org/TR/webdriver-bidi/
"""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect

from trials.window import DEEP, Window, WindowError

_EVENTS = ("log.entryAdded", "network.beforeRequestSent", "browsingContext.downloadEnd")
_WIDTH, _HEIGHT = 1440, 1600
_START_SECONDS, _SECONDS, _POLL_SECONDS, _END_SECONDS = 120, 90, 0.1, 20
_LEFT = "status=2152398850"
"""NS_BINDING_ABORTED: a font that had not come when the page was left, which Firefox calls an error of the page."""
_KEYS = {
    "Control": "\ue009", "Backspace": "\ue003", "Enter": "\ue007", "Escape": "\ue00c", "Home": "\ue011",
    "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015",
}  # fmt: skip
"""Code points of WebDriver's list for the keys without a character."""


def firefox_path() -> str | None:
    """Find Firefox."""
    return next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)


class Firefox(Window):
    """A window of Firefox with a fresh profile, open while the block runs.

    Args:
        folder: empty folder for the profile and for downloads.

    Attributes:
        faults: errors of scripts on the pages.
        hosts: names of the hosts that the pages asked for something.
        downloads: files that were downloaded, in order.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count(1)
        self._stack = ExitStack()
        self._connection: ClientConnection | None = None
        self._context = ""
        self.faults: list[str] = []
        self.hosts: set[str] = set()
        self.downloads: list[Path] = []

    def __enter__(self) -> Self:
        path = firefox_path()
        if path is None:
            raise WindowError("no Firefox found")
        with self._stack as stack:
            for name in ("profile", "downloads"):
                (self._folder / name).mkdir()
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = probe.getsockname()[1]
            process = subprocess.Popen(
                [path, "--headless", "--no-remote", "--profile", "profile", "--remote-debugging-port", str(port)],
                cwd=self._folder,
                env=os.environ | {"HOME": str(self._folder)},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            stack.callback(_end, process)
            _wait_for(process, port)
            self._connection = stack.enter_context(connect(f"ws://127.0.0.1:{port}/session", max_size=None))
            self._begin()
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _begin(self) -> None:
        self.send("session.new", capabilities={})
        allowed = {"type": "allowed", "destinationFolder": str(self._folder / "downloads")}
        self.send("browser.setDownloadBehavior", downloadBehavior=allowed)
        self.send("session.subscribe", events=list(_EVENTS))
        self._context = self.send("browsingContext.create", type="tab")["context"]
        self.resize(_WIDTH, _HEIGHT)

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Give a command of BiDi and return its result; events that come before it are kept.

        Raises WindowError if Firefox refuses or does not answer.
        """
        assert self._connection is not None
        number = next(self._numbers)
        self._connection.send(json.dumps({"id": number, "method": method, "params": parameters}))
        end = time.monotonic() + _SECONDS
        while True:
            try:
                answer = json.loads(self._connection.recv(max(0.0, end - time.monotonic())))
            except TimeoutError:
                raise WindowError(f"no answer to {method} in {_SECONDS} s") from None
            if answer.get("type") == "event":
                self._keep(answer["method"], answer["params"])
            elif answer.get("id") == number:
                if answer["type"] == "error":
                    raise WindowError(f"{method}: {answer['message']}")
                result: dict[str, Any] = answer["result"]
                return result

    def _keep(self, event: str, parameters: dict[str, Any]) -> None:
        if event == "log.entryAdded":
            text = str(parameters["text"])
            if parameters["type"] == "javascript" and parameters["level"] == "error" and _LEFT not in text:
                self.faults.append(text)
        elif event == "network.beforeRequestSent":
            self.hosts.add(urlsplit(parameters["request"]["url"]).hostname or "")
        elif parameters["status"] == "complete":
            self.downloads.append(Path(parameters["filepath"]))

    def resize(self, width: int, height: int) -> None:
        """Give the window this size, in pixels."""
        size = {"width": width, "height": height}
        self.send("browsingContext.setViewport", context=self._context, viewport=size)

    def open(self, address: str) -> None:
        self.send("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        script = f"(() => {{ {DEEP} return JSON.stringify({expression}); }})()"
        answer = self.send("script.evaluate", expression=script, target={"context": self._context}, awaitPromise=False)
        if answer["type"] == "exception":
            raise WindowError(f"{expression}: {answer['exceptionDetails']['text']}")
        text = answer["result"].get("value")
        return None if text is None else json.loads(text)

    def press(self, *keys: str) -> None:
        pressed = []
        for key in keys:
            chord = [_KEYS.get(name, name) for name in (key.split("+") if len(key) > 1 else key)]
            pressed += [{"type": "keyDown", "value": value} for value in chord]
            pressed += [{"type": "keyUp", "value": value} for value in reversed(chord)]
        self._act("key", pressed)

    def point(self, places: Sequence[tuple[float, float]], *, click: bool) -> None:
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y)} for x, y in places]
        self._act("pointer", [*moves, *({"type": f"pointer{way}", "button": 0} for way in ("Down", "Up") if click)])

    def _act(self, device: str, actions: list[dict[str, Any]]) -> None:
        by = {"type": device, "id": device, "actions": actions}
        self.send("input.performActions", context=self._context, actions=[by])

    def downloaded(self, number: int) -> Path:
        """Wait until there are so many downloads; return the last of them."""
        self.wait(f"download {number}", lambda: self._has_downloads(number))
        return self.downloads[number - 1]

    def _has_downloads(self, number: int) -> bool:
        self.send("session.status")  # events are read with the answer to a command
        return len(self.downloads) >= number


def _wait_for(process: subprocess.Popen[bytes], port: int) -> None:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(_POLL_SECONDS)
    raise WindowError("Firefox did not start")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
