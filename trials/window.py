"""A window of a browser in which a trial uses the app: what is there, and what a hand does."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

_SECONDS, _POLL_SECONDS, _TRAVEL_SECONDS = 90, 0.1, 5
DEEP = """
const deep = (selector, root = document) => {
  const found = [...root.querySelectorAll(selector)];
  for (const element of root.querySelectorAll("*"))
    if (element.shadowRoot) found.push(...deep(selector, element.shadowRoot));
  return found;
};
const named = (selector, name) => deep(selector).find((one) => (
  one.checkVisibility() && [one.ariaLabel, one.innerText].some((text) => text?.trim().split("\\n").includes(name))
));
"""
"""``deep("canvas")`` lists the elements of a selector, also in the shadow trees, where the app has its own views.
``named("button", "Reset")`` is the first visible one with this name, beside which there may be icons."""


class WindowError(RuntimeError):
    """The browser did not start, refused a command, or something did not come in time."""


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


class Window(ABC):
    """A window of a browser.

    Attributes:
        faults: errors of scripts on the pages.
    """

    faults: list[str]

    @abstractmethod
    def open(self, address: str) -> None:
        """Open an address; returns when its document is there, which may be before the page is at rest."""

    @abstractmethod
    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression, which may use ``DEEP`` and must be one that JSON can hold."""

    @abstractmethod
    def press(self, *keys: str) -> None:
        """Press keys, one after the other: characters, or names such as Enter and Control+z."""

    @abstractmethod
    def point(self, places: Sequence[tuple[float, float]], *, click: bool) -> None:
        """Move the pointer to places of the window, in pixels, and click the last."""

    def wait(self, what: str, holds: Callable[[], bool], seconds: float = _SECONDS) -> None:
        """Wait until something holds; WindowError, which names it, if it does not in time. While a page is left, its
        scripts may fail."""
        end, fault = time.monotonic() + seconds, ""
        while True:
            try:
                if holds():
                    return
            except WindowError as error:
                fault = f", {error}"
            if time.monotonic() > end:
                raise WindowError(f"not within {seconds:g} s: {what}{fault}")
            time.sleep(_POLL_SECONDS)

    def wait_for(self, expression: str, seconds: float = _SECONDS) -> None:
        """Wait until a JavaScript expression is true."""
        self.wait(expression, lambda: bool(self.evaluate(f"Boolean({expression})")), seconds)

    def travel(self, by: int) -> None:
        """Go so far in the history, where there may be no place, or, by 0, load the page anew."""
        self.evaluate(f"(document.former = location.href, history.go({by})) ?? null")
        with suppress(WindowError):
            self.wait_for("document.former !== location.href", _TRAVEL_SECONDS)

    def hover(self, x: float, y: float) -> None:
        """Move the pointer to a place of the window, in pixels, as a hand does: not in one jump."""
        self.point([(x - 3, y), (x, y)], click=False)

    def click(self, expression: str) -> None:
        """Click the middle of the element that a JavaScript expression gives, once it is there and no longer moves."""
        self.wait_for(expression)
        self.show(expression)
        self.wait(f"at rest: {expression}", lambda: self.box(expression) == self.box(expression))
        x, y = self.box(expression).middle
        self.point([(x - 3, y), (x, y)], click=True)

    def write(self, expression: str, text: str) -> None:
        """Type a text in place of that of the field that a JavaScript expression gives, and press Enter."""
        self.click(expression)
        self.evaluate(f"({expression}).select() ?? null")
        self.press("Backspace", *text, "Enter")

    def show(self, expression: str) -> None:
        """Scroll the element that a JavaScript expression gives into the middle of what it is in."""
        self.evaluate(f"({expression}).scrollIntoView({{block: 'center'}}) ?? null")

    def box(self, expression: str) -> Box:
        """Return where the element is that a JavaScript expression gives."""
        found = self.evaluate(f"({expression}).getBoundingClientRect()")
        return Box(x=found["x"], y=found["y"], width=found["width"], height=found["height"])
