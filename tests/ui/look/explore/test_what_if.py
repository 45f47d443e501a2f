"""What a reader changes by hand."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nmt.ui.look.explore import what_if


@pytest.mark.parametrize(("source", "goal"), [(0, 2), (2, 0), (1, 3)])
def test_a_moved_weight_is_added_to_that_of_its_goal(source: int, goal: int, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = np.array([[0.5, 0.2, 0.25, 0.05], [0, 0, 0, 1]])
    taken: list[what_if.Change] = []
    monkeypatch.setattr(what_if, "add_change", taken.append)
    shown: Any = SimpleNamespace(title="mine", of_words=lambda _: SimpleNamespace(weights=weights))
    view: Any = None
    what_if.take_weights(view, shown, 0, source, goal)
    (change,) = taken
    expected = weights[0].copy()
    expected[goal] += expected[source]
    expected[source] = 0
    assert change.weights == pytest.approx(expected)
    assert sum(change.weights) == pytest.approx(1)
    assert (change.kind, change.row, change.name) == ("weights", 0, "mine")
