"""Comparison of the training of runs.

Paper: Table 2
"""

from __future__ import annotations

from collections.abc import Iterable

from nmt.runs.training_summary import TrainingSummary
from nmt.tables.table import Table


def training_table(rows: Iterable[TrainingSummary]) -> Table:
    """Table 2 of the paper for our runs."""

    def number(value: float | None, digits: int) -> str:
        return "–" if value is None else f"{value:.{digits}f}"

    cells = [
        [
            row.run,
            f"{row.updates:,}",
            f"{row.epochs:.2f}",
            number(row.hours, 2),
            row.device or "–",
            number(row.train_nll, 1),
            number(row.dev_nll, 1),
        ]
        for row in rows
    ]
    head = ["", "updates", "epochs", "hours", "machine", "NLL train", "NLL dev"]
    return Table(title="Training (Table 2); NLL in nats per sentence, on train with dropout", head=head, rows=cells)
