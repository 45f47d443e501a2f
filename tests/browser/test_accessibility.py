"""axe-core finds no serious or critical fault on any page, in light and in dark, with everything open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")

pytestmark = pytest.mark.browser

SENTENCE = "the cat has never seen the zorp ."
VIEWS: dict[str, dict[str, Any]] = {
    "translate": {"s": SENTENCE, "models": ["search", "encdec"], "nbest": "3"},
    "text": {"mode": "Text or file", "text": "She reads. A cat.", "models": ["search", "encdec"]},
    "together": {"view": "together", "k": "3", "models": ["rnnsearch-50", "rnnencdec-50"]},
    "own together": {"view": "together", "own": "She reads.", "k": "2", "models": ["search", "encdec"]},
    "length": {},
    "sentences": {"sets": "jointly-300", "bucket": "21-30"},
    "sentence": {"sets": "jointly-300", "bucket": "21-30", "sentence": "4", "then": "tables"},
    "no such set": {"sets": "captions"},
    "models": {},
    "cards": {"runs": ["search", "encdec"], "show": "cards"},
    "compared": {"show": "settings", "all": "true"},
    "trainings": {"show": "trainings"},
    "scores": {"show": "scores"},
    "upload": {"show": "upload"},
    "how": {"s": SENTENCE},
    "beam": {"view": "beam", "s": SENTENCE, "beam": "4"},
    "explanation": {"view": "explanation", "s": SENTENCE},
    "training": {"view": "training"},
    "empty": {},
    "both": {"s": SENTENCE, "models": ["search", "encdec"], "show": "Both", "with": ["Bars", "Difference"]},
    "explain": {"s": SENTENCE, "models": ["search"], "do": "Explain a cell", "pin": "0.1.2"},
    "what if": {"s": SENTENCE, "models": ["search"], "do": "What if", "wprefix": "la", "pin": "0.1.2"},
    "gold": {"s": SENTENCE, "models": ["search"], "do": "Gold links", "gold": "0-0 1p1"},
    "unknown": {"s": SENTENCE, "models": ["search"], "do": "Unknown words"},
    "table": {"s": SENTENCE, "models": ["search"], "do": "Table"},
    "take away": {"s": SENTENCE, "models": ["search"], "do": "Take away"},
}
PICTURES = {"how": ".drawing", "beam": ".tree", "explanation": ".js-plotly-plot", "training": ".strip canvas"}
"""What must be there before a view is looked at."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_no_serious_fault(server: str, page: Any, visit: Callable[..., None], view: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    registry = dict.fromkeys(("models", "trainings", "cards", "compared", "scores", "upload"), "/models")
    lengths = ("together", "own together", "length", "sentences", "sentence", "no such set")
    own = dict.fromkeys(lengths, "/length")
    learn = dict.fromkeys(("how", "beam", "explanation", "training"), "/learn")
    path = {"translate": "", "text": "", **own, **learn, **registry}.get(view, "/explore")
    visit(f"{server}{path}", **VIEWS[view])
    if view in PICTURES:
        page.locator(PICTURES[view]).first.wait_for()
    found = axe.Axe().run(page).response["violations"]
    serious = [
        (fault["id"], [node["html"][:300] for node in fault["nodes"]])
        for fault in found
        if fault["impact"] in ("serious", "critical")
    ]
    assert serious == []
