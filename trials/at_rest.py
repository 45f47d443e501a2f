"""When a page of the app is at rest."""

from __future__ import annotations

SETTLED = """() => {
  const app = document.querySelector("[data-testid=stApp]");
  const views = [...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")].map(host => host.shadowRoot);
  const undrawn = ".panels:empty, .systems:empty, .figure:empty, .place:empty, .strip:empty";
  return app && app.dataset.testScriptState === "notRunning" && app.dataset.testConnectionState === "CONNECTED"
    && !document.querySelector("[data-testid=stSkeleton]")
    && views.every(view => view && view.childElementCount && !view.querySelector(undrawn));
}"""
"""A JavaScript function that tells whether a page of the app is at rest and all its views are drawn, which happens a
moment after the server is done."""
