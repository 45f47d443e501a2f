"""When a page of the app is at rest."""

from typing import Any

SETTLED = """() => {
  const app = document.querySelector("[data-testid=stApp]");
  const undrawn = ".panels:empty, .systems:empty, .figure:empty, .place:empty, .strip:empty";
  const drawn = (root) => root && root.childElementCount && !root.querySelector(undrawn)
    && [...root.querySelectorAll("*")].every(one => one.closest("[hidden]")
      || (one.shadowRoot ? drawn(one.shadowRoot) : !one.matches(".instrument")));
  return app && app.dataset.testScriptState === "notRunning" && app.dataset.testConnectionState === "CONNECTED"
    && !document.querySelector("[data-testid=stSkeleton]")
    && [...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")].every(host => drawn(host.shadowRoot));
}"""
"""A JavaScript function that tells whether a page of the app is at rest and all its views, and those within them, are
drawn, which happens a moment after the server is done."""


def field(page: Any) -> Any:
    """The field of Look and of the page that translates offline, on a page of Playwright."""
    return page.locator("textarea#sentence:visible")


def enter(page: Any, sentence: str) -> None:
    """Type a sentence, and press Enter."""
    field(page).fill(sentence)
    field(page).press("Enter")
