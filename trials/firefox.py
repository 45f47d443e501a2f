"""Firefox without a window, driven over WebDriver BiDi, which it speaks itself: no driver has to be installed.

Source: https://www.w3.org/TR/webdriver-bidi/
"""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect

_EVENTS = ("log.entryAdded", "network.beforeRequestSent", "browsingContext.downloadEnd")
_WIDTH, _HEIGHT = 1440, 1600
_START_SECONDS, _SECONDS, _POLL_SECONDS, _END_SECONDS = 120, 90, 0.1, 20
_LEFT = "status=2152398850"
"""NS_BINDING_ABORTED: a font that had not come when the page was left, which Firefox calls an error of the page."""
_DEEP = """
const deep = (selector, root = document) => {
  const found = [...root.querySelectorAll(selector)];
  for (const element of root.querySelectorAll("*"))
    if (element.shadowRoot) found.push(...deep(selector, element.shadowRoot));
  return found;
};
"""
"""``deep("canvas")`` lists the elements of a selector, also in the shadow trees, where the app has its own views."""


class FirefoxError(RuntimeError):
    """Firefox did not start, refused a command, or something did not come in time."""


def firefox_path() -> str | None:
    """Find Firefox."""
    return next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)


@dataclass(frozen=True, kw_only=True)
class Box:
    """Where an element is in the window, in pixels from its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2


class Firefox:
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
            raise FirefoxError("no Firefox found")
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

        Raises FirefoxError if Firefox refuses or does not answer.
        """
        assert self._connection is not None
        number = next(self._numbers)
        self._connection.send(json.dumps({"id": number, "method": method, "params": parameters}))
        end = time.monotonic() + _SECONDS
        while True:
            try:
                answer = json.loads(self._connection.recv(max(0.0, end - time.monotonic())))
            except TimeoutError:
                raise FirefoxError(f"no answer to {method} in {_SECONDS} s") from None
            if answer.get("type") == "event":
                self._keep(answer["method"], answer["params"])
            elif answer.get("id") == number:
                if answer["type"] == "error":
                    raise FirefoxError(f"{method}: {answer['message']}")
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
        """Open an address; returns when its document is there, which may be before the page is at rest."""
        self.send("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression, which may use ``deep`` and must be one that JSON can hold."""
        script = f"(() => {{ {_DEEP} return JSON.stringify({expression}); }})()"
        answer = self.send("script.evaluate", expression=script, target={"context": self._context}, awaitPromise=False)
        if answer["type"] == "exception":
            raise FirefoxError(f"{expression}: {answer['exceptionDetails']['text']}")
        text = answer["result"].get("value")
        return None if text is None else json.loads(text)

    def wait(self, what: str, holds: Callable[[], bool], seconds: float = _SECONDS) -> None:
        """Wait until something holds; FirefoxError, which names it, if it does not in time."""
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                raise FirefoxError(f"not within {seconds:g} s: {what}")
            time.sleep(_POLL_SECONDS)

    def wait_for(self, expression: str) -> None:
        """Wait until a JavaScript expression is true."""
        self.wait(expression, lambda: bool(self.evaluate(f"Boolean({expression})")))

    def hover(self, x: float, y: float) -> None:
        """Move the pointer to a place of the window, in pixels, as a hand does: not in one jump."""
        self._point([(x - 3, y), (x, y)], [])

    def click(self, expression: str) -> None:
        """Click the middle of the element that a JavaScript expression gives, once it no longer moves."""
        self.show(expression)
        self.wait(f"at rest: {expression}", lambda: self.box(expression) == self.box(expression))
        x, y = self.box(expression).middle
        self._point([(x - 3, y), (x, y)], [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}])

    def show(self, expression: str) -> None:
        """Scroll the element that a JavaScript expression gives into the middle of what it is in."""
        self.evaluate(f"({expression}).scrollIntoView({{block: 'center'}}) ?? null")

    def box(self, expression: str) -> Box:
        """Return where the element is that a JavaScript expression gives."""
        found = self.evaluate(f"({expression}).getBoundingClientRect()")
        return Box(x=found["x"], y=found["y"], width=found["width"], height=found["height"])

    def keys(self, text: str) -> None:
        """Press keys, one after the other; the keys without a character are code points of WebDriver's list."""
        pressed = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        self.send(
            "input.performActions",
            context=self._context,
            actions=[{"type": "key", "id": "keys", "actions": pressed}],
        )

    def downloaded(self, number: int) -> Path:
        """Wait until there are so many downloads; return the last of them."""
        self.wait(f"download {number}", lambda: self._has_downloads(number))
        return self.downloads[number - 1]

    def _has_downloads(self, number: int) -> bool:
        self.send("session.status")  # events are read with the answer to a command
        return len(self.downloads) >= number

    def _point(self, places: list[tuple[float, float]], then: list[dict[str, Any]]) -> None:
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y)} for x, y in places]
        self.send(
            "input.performActions",
            context=self._context,
            actions=[{"type": "pointer", "id": "mouse", "actions": [*moves, *then]}],
        )


def _wait_for(process: subprocess.Popen[bytes], port: int) -> None:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(_POLL_SECONDS)
    raise FirefoxError("Firefox did not start")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
