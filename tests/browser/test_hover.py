"""A hover over a matrix of 50 x 60 words is answered within a frame."""

import statistics
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nmt.results import Alignment
from tests.charts.view_data import Panel, page_of_view, view_data

pytestmark = pytest.mark.browser

ROWS, COLUMNS = 50, 60
VISIBLE = 29
"""Rows that are seen before the matrix is scrolled."""
FRAME = 1000 / 60
"""Milliseconds."""
_MEASURE = """
() => {
  globalThis.hovers = [];
  const matrix = document.querySelector("[role=application]");
  document.addEventListener("pointermove", () => performance.mark("moved"), { capture: true });
  document.addEventListener("pointermove", () => {
    document.body.getBoundingClientRect();  // style and layout belong to the answer
    hovers.push(performance.measure("hover", "moved").duration);
  });
  const box = matrix.getBoundingClientRect();
  return [box.x, box.y, box.width, box.height];
}
"""


def test_a_hover_is_answered_within_a_frame(chromium: Any, tmp_path: Path) -> None:
    weights = np.random.default_rng(1).dirichlet(np.full(COLUMNS, 0.1), ROWS).astype(np.float32)
    alignment = Alignment(
        source=tuple(f"source{j}" for j in range(COLUMNS)),
        target=tuple(f"target{i}" for i in range(ROWS)),
        weights=weights,
    )
    path = tmp_path / "view.html"
    data = view_data([Panel(alignment=alignment, title="one")], show="both")
    path.write_text(page_of_view("alignment_view", data), "utf-8")
    window = chromium.new_page(viewport={"width": 1440, "height": 2400})
    window.goto(f"file://{path}")
    window.locator(".column-words .label").nth(COLUMNS - 1).wait_for()
    left, top, width, height = window.evaluate(_MEASURE)
    for k in range(120):
        i, j = (7 * k) % VISIBLE, (11 * k) % COLUMNS
        window.mouse.move(left + (j + 0.5) * width / COLUMNS, top + (i + 0.5) * height / ROWS)
        window.evaluate("new Promise(requestAnimationFrame)")
    readout = window.locator(".panel .readout").inner_text()
    hovers = window.evaluate("hovers")
    window.close()
    assert f"target{(7 * 119) % VISIBLE}" in readout
    assert len(hovers) >= 100
    assert statistics.median(hovers) < FRAME, f"longest {max(hovers):.1f} ms"
