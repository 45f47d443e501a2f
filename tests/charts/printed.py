"""Figures for print of alignments by hand."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from nmt.alignments.policy import Policy
from nmt.charts import figure3
from nmt.charts.figure3 import PrintSettings
from nmt.charts.print_figure import PrintFigure
from nmt.results import Alignment
from nmt.results.record import ALPHA, GoldLinks, record_of_map
from nmt.texts import INSTRUMENT


def drawn(one: Alignment, kind: str = ALPHA, gold: GoldLinks | None = None, **settings: Any) -> PrintFigure:
    """The figure of the tokens of an alignment."""
    pieces: dict[str, Any] = {"policy": Policy(subwords="pieces")} | settings
    return figure3(replace(record_of_map(one, kind=kind), gold=gold), settings=PrintSettings(**pieces))


def drawn_difference(first: Alignment, second: Alignment, kind: str = ALPHA, **settings: Any) -> PrintFigure:
    """The figure of the difference of two alignments."""
    records = [record_of_map(one, kind=kind) for one in (first, second)]
    return figure3(*records, settings=PrintSettings(difference=True, **settings))


def links(sure: Sequence[tuple[int, int]], possible: Sequence[tuple[int, int]] = ()) -> GoldLinks:
    return GoldLinks(source=(), target=(), sure=tuple(sure), possible=tuple(possible))


NOT_ATTENTION = INSTRUMENT.not_alpha.format(values=INSTRUMENT.by_key.maps["leave-one-out"])
