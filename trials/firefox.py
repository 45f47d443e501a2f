"""Firefox without a window, driven over WebDriver BiDi, which it speaks itself: no driver has to be installed.

Source: https://www.w3.org/TR/webdriver-bidi/
"""

import json
import os
import shutil
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect

from trials.started import free_port, started
from trials.trial import NotRun
from trials.window import DEEP, Window, WindowError

_EVENTS = ("log.entryAdded", "network.beforeRequestSent", "browsingContext.downloadEnd")
_WIDTH, _HEIGHT = 1440, 1600
_SECONDS = 90
_LEFT = "status=2152398850"
"""NS_BINDING_ABORTED: a font that had not come when the page was left, which Firefox calls an error of the page."""
_KEYS = {
    "Control": "\ue009", "Backspace": "\ue003", "Enter": "\ue007", "Escape": "\ue00c", "Home": "\ue011",
    "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015",
}  # fmt: skip
"""Code points of WebDriver's list for the keys without a character."""


class Firefox(Window):
    """A window of Firefox.

    Args:
        connection: to a Firefox that has just been started.
        folder: for downloads.

    Attributes:
        hosts: names of the hosts that the pages asked for something.
        downloads: files that were downloaded, in order.
    """

    def __init__(self, connection: ClientConnection, folder: Path) -> None:
        self._numbers = count(1)
        self._connection = connection
        self.faults = []
        self.hosts: set[str] = set()
        self.downloads: list[Path] = []
        self.send("session.new", capabilities={})
        allowed = {"type": "allowed", "destinationFolder": str(folder)}
        self.send("browser.setDownloadBehavior", downloadBehavior=allowed)
        self.send("session.subscribe", events=list(_EVENTS))
        self._context = self.send("browsingContext.create", type="tab")["context"]
        self.resize(_WIDTH, _HEIGHT)

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Give a command of BiDi and return its result; events that come before it are kept.

        Raises WindowError if Firefox refuses or does not answer.
        """
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


@contextmanager
def firefox_window(folder: Path) -> Iterator[Firefox]:
    """A window of Firefox, open while the block runs. Raises NotRun where there is no Firefox.

    Args:
        folder: empty folder for a fresh profile and downloads.
    """
    path, port = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None), free_port()
    if path is None:
        raise NotRun("there is no Firefox")
    for name in ("profile", "downloads"):
        (folder / name).mkdir(parents=True)
    command = [path, "--headless", "--no-remote", "--profile", "profile", "--remote-debugging-port", str(port)]

    def answers() -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
        return False

    with (
        started(command, folder, os.environ | {"HOME": str(folder)}, answers),
        connect(f"ws://127.0.0.1:{port}/session", max_size=None) as connection,
    ):
        yield Firefox(connection, folder / "downloads")
