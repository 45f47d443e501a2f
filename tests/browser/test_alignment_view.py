"""The view of alignments in a browser, as the page that is exported: without the app, and as quick as drawing is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from nmt.charts.alignment_view import Panel, standalone_html, view_data
from nmt.results import Alignment

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

pytestmark = pytest.mark.browser

SOURCE = ("the", "cat", "sleeps", "</s>")
Open = Callable[..., Any]


def panel(title: str, target: tuple[str, ...] = ("le", "chat", "dort", "</s>"), **settings: Any) -> Panel:
    weights = np.random.default_rng(len(title)).dirichlet(np.ones(len(SOURCE)), len(target))
    return Panel(alignment=Alignment(source=SOURCE, target=target, weights=weights), title=title, **settings)


@pytest.fixture
def open_view(chromium: Any) -> Iterator[Open]:
    """``open_view(panels, width=1300, dark=False, **settings of view_data)`` shows panels and returns the window; the
    test fails if a script fails."""
    contexts, faults = [], []

    def show(panels: list[Panel], width: int = 1300, dark: bool = False, **settings: Any) -> Any:
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light"
        )
        contexts.append(context)
        window = context.new_page()
        window.on("pageerror", lambda fault: faults.append(str(fault)))
        window.set_content(standalone_html("view", view_data(panels, **settings)))
        window.locator(".panel").nth(len(panels) - 1).wait_for(state="attached")
        return window

    yield show
    for context in contexts:
        context.close()
    assert faults == []


@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize("show", ["matrix", "links", "both"])
def test_a_panel_without_words_says_why_and_the_others_are_drawn(open_view: Open, show: str, transpose: bool) -> None:
    nothing = Alignment(source=(), target=(), weights=np.zeros((0, 0)))
    empty = Panel(alignment=nothing, title="b − a", note="No difference: other words.", is_difference=True)
    window = open_view([panel("a"), panel("b"), empty], show=show, transpose=transpose)
    assert window.locator("canvas").count() == (0 if show == "links" else 2)
    assert window.locator("svg.lines").count() == (0 if show == "matrix" else 2)
    assert window.get_by_text("No difference: other words.").is_visible()
    window.set_viewport_size({"width": 700, "height": 900})
    window.locator(".readout").first.hover()
