"""The stress test as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from nmt.results import RetentionPoint, StressPoint
from nmt.tables.table import NOTHING, Table


def stress_table(curves: Mapping[str, Sequence[StressPoint]], test_set: str | None) -> Table:
    """Make a table of one row per system and number of concatenated sentences."""
    head = [
        "System",
        "Concatenated",
        "Sentences",
        "Words",
        "BLEU",
        "95 %",
        "One by one",
        "Log p",
        "Length",
        "Least",
        "Mean",
    ]
    rows, data = [], []
    for name, points in curves.items():
        for p in points:
            ends = NOTHING if p.interval is None else f"{p.interval.low:.1f}–{p.interval.high:.1f}"
            rows.append(
                [
                    name,
                    str(p.joined),
                    str(p.sentences),
                    f"{p.source_words:.1f}",
                    f"{p.bleu:.1f}",
                    ends,
                    f"{p.bleu_apart:.1f}",
                    f"{p.log_probability:.2f}",
                    f"{p.length_ratio:.2f}",
                    *(NOTHING if value is None else f"{value:.2f}" for value in (p.least_coverage, p.mean_coverage)),
                ]
            )
            fields = asdict(p)
            fields.pop("interval")
            low, high = (None, None) if p.interval is None else (p.interval.low, p.interval.high)
            data.append({"system": name} | fields | {"bleu_low": low, "bleu_high": high})
    title = "Concatenated sentences: BLEU, log-probability of the reference per word, length, coverage"
    return Table(title=f"{title} ({test_set})" if test_set else title, head=head, rows=rows, data=data)


def retention_table(curves: Mapping[str, Sequence[RetentionPoint]], test_set: str | None) -> Table:
    """A row for each system and range of lengths."""
    head = ["System", "Words", "Texts", "Sentences", "BLEU concatenated", "BLEU one by one", "Kept, %", "95 %"]
    rows, data = [], []
    for name, points in curves.items():
        for p in points:
            ends = NOTHING if p.interval is None else f"{100 * p.interval.low:.0f}–{100 * p.interval.high:.0f}"
            share = NOTHING if p.kept is None else f"{100 * p.kept:.0f}"
            counts = [p.span.text, str(p.texts), str(p.sentences)]
            rows.append([name, *counts, f"{p.bleu:.1f}", f"{p.bleu_apart:.1f}", share, ends])
            low, high = (None, None) if p.interval is None else (p.interval.low, p.interval.high)
            fields = asdict(p) | {"span": p.span.name, "kept_low": low, "kept_high": high}
            fields.pop("interval")
            data.append({"system": name} | fields)
    title = "The same sentences one by one and concatenated: BLEU, and the share that is kept"
    return Table(title=f"{title} ({test_set})" if test_set else title, head=head, rows=rows, data=data)
