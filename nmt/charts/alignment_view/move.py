"""Change of a weight that a reader made by dragging a cell in the view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nmt.charts.alignment_view.panel import Panel


@dataclass(frozen=True, kw_only=True)
class Move:
    """A cell that was dragged along its row, to another source word.

    Attributes:
        panel: number of the panel, from 0.
        target: number of its target word i.
        source: number of the source word that it was taken from.
        goal: number of the source word that it was left at.
    """

    panel: int
    target: int
    source: int
    goal: int

    @classmethod
    def checked(cls, data: object, panels: Sequence[Panel]) -> Move | None:
        """Parse a move from a browser; None unless it fits a panel that is movable."""
        if not isinstance(data, Mapping):
            return None
        numbers = [data.get(name) for name in ("panel", "i", "from", "to")]
        panel, i, source, goal = (number if type(number) is int else -1 for number in numbers)
        if not 0 <= panel < len(panels) or not panels[panel].movable:
            return None
        rows, columns = panels[panel].alignment.weights.shape
        within = 0 <= i < rows and 0 <= source < columns and 0 <= goal < columns
        return cls(panel=panel, target=i, source=source, goal=goal) if within and source != goal else None
