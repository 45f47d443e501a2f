"""Alignment errors of runs as a table for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nmt.evaluation.measurement_files import MeasuredErrorRate
from nmt.tables.table import Table


def alignment_table(systems: Mapping[str, Mapping[str, Sequence[MeasuredErrorRate]]]) -> Table:
    """Tabulate error rates, sorted by gold set, the lowest error first. ``systems``: by name, the measurements by gold
    set."""
    rows = []
    for name, scores_of_run in systems.items():
        for gold, measured in scores_of_run.items():
            for one in measured:
                shares = [f"{100 * share:.1f}" for share in (one.aer, one.precision, one.recall)]
                rule = one.rule.removeprefix(f"{one.map} ")
                rows.append((gold, one.aer, [gold, name, one.map or "", rule, *shares, f"{one.sentences:,}"]))
    rows.sort(key=lambda row: row[:2])
    head = ["gold", "", "links from", "rule", "AER", "precision", "recall", "pairs"]
    return Table(
        title="Alignment against gold links, in per cent", head=head, rows=[cells for _, _, cells in rows], left=4
    )
