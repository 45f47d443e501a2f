"""Panels of the alignment view, all made here: an alignment with its measures, or the difference of two."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from nmt.alignments.difference import AlphaDifference
from nmt.alignments.measures import Measures, measures
from nmt.charts.alignment_view import Bars, Panel
from nmt.results import Alignment
from nmt.runs.folder import RunInfo
from nmt.ui import strings
from nmt.ui.formatting import language, nats


def alignment_panel(
    alignment: Alignment,
    title: str,
    run: RunInfo | None = None,
    *,
    bars: bool = True,
    log_probability: Sequence[float] = (),
) -> Panel:
    """Make the panel of an alignment, over the words or subwords that it is over.

    Args:
        run: the checkpoint, whose languages are the titles of the axes; None = unknown languages.
        bars: whether coverage and entropy stand beside the matrix; the read-out has them in any case.
        log_probability: of each target word, nats; empty = unknown.
    """
    measured = measures(alignment)
    entropies = [strings.ENTROPY.format(bits=f"{bits:.2f}") for bits in measured.entropy]
    if log_probability:
        values = [strings.WORD_LOG_PROBABILITY.format(value=nats(value)) for value in log_probability]
        entropies = [f"{one}, {other}" for one, other in zip(values, entropies, strict=True)]
    return Panel(
        alignment=alignment,
        title=title,
        source_title=strings.SOURCE
        if run is None
        else strings.SOURCE_IN.format(language=language(run.source_language)),
        target_title=strings.TARGET
        if run is None
        else strings.TARGET_IN.format(language=language(run.target_language)),
        coverage=_coverage_bars(measured) if bars else None,
        entropy=_entropy_bars(measured, len(alignment.source)) if bars else None,
        log_probability=log_probability,
        said_of_source=[strings.COVERAGE.format(value=f"{value:.2f}") for value in measured.coverage],
        said_of_target=entropies,
    )


def difference_panel(delta: AlphaDifference, title: str, note: str, like: Panel, least: float) -> Panel:
    """Make the panel of a difference, with the axes of ``like``; links of at least ``least``, either way, are drawn."""
    mean = delta.mean_divergence
    return Panel(
        alignment=Alignment(source=delta.source, target=delta.target, weights=delta.delta),
        title=title,
        kind="" if math.isnan(mean) else strings.MEAN_DIVERGENCE.format(bits=f"{mean:.3f}"),
        values=strings.DIFFERENCE_VALUES,
        note=note,
        letter=strings.DIFFERENCE_LETTER,
        spoken_letter=strings.DIFFERENCE_SPOKEN,
        source_title=like.source_title,
        target_title=like.target_title,
        shown=[(i, j) for i, j in np.argwhere(np.abs(delta.delta) >= max(least, 0.05)).tolist()],
        said_of_source=[""] * len(delta.source),
        said_of_target=[
            "" if math.isnan(value) else strings.DIVERGENCE.format(bits=f"{value:.3f}") for value in delta.divergence
        ],
        is_difference=True,
    )


def empty_panel(title: str, note: str) -> Panel:
    """Make a panel without words that says why there is no difference."""
    nothing = Alignment(source=(), target=(), weights=np.zeros((0, 0), dtype=np.float32))
    return Panel(alignment=nothing, title=title, note=note, is_difference=True)


def _coverage_bars(measured: Measures) -> Bars:
    values = measured.coverage.tolist()
    return Bars(
        title=strings.COVERAGE_BARS,
        explained=strings.COVERAGE_BARS_HELP,
        values=values,
        most=max(2.0, *values) if values else 2.0,
        line=1.0,
        texts=[strings.COVERAGE.format(value=f"{value:.2f}") for value in values],
    )


def _entropy_bars(measured: Measures, columns: int) -> Bars:
    """Entropy of each row; the hatched part is the share of its weight on the end of the sentence and punctuation."""
    shares = np.minimum(measured.end_share + measured.punctuation_share, 1.0)
    most = math.log2(max(2, columns))
    return Bars(
        title=strings.ENTROPY_BARS,
        explained=strings.ENTROPY_BARS_HELP.format(most=f"{most:.1f}"),
        values=measured.entropy.tolist(),
        most=most,
        second=(measured.entropy * shares).tolist(),
        texts=[
            strings.ENTROPY_WITH_SHARE.format(bits=f"{bits:.2f}", share=f"{share:.0%}")
            for bits, share in zip(measured.entropy, shares, strict=True)
        ],
    )
