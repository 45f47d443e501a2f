"""Gold links over alpha: precision, recall and AER of what a threshold leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from zlib import crc32

import pandas as pd
import streamlit as st

from nmt.charts.alignment_view import Panel
from nmt.charts.curves import threshold_chart
from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import Gold, gold_of, threshold_curve
from nmt.results import END
from nmt.results.links import LinkSet
from nmt.ui import strings as shared
from nmt.ui.app_shell import dark_page
from nmt.ui.formatting import as_sentence
from nmt.ui.glossary import explained
from nmt.ui.look.explore import strings
from nmt.ui.look.explore.draw import DrawnPanel
from nmt.ui.look.explore.form import GOLD

_MEGABYTES = 1
_PER_CENT = (shared.PRECISION, shared.RECALL, strings.LOWEST_COLUMN)


@dataclass(frozen=True)
class GoldLinks:
    """Gold links given by the reader.

    Attributes:
    gold: links of words (source, target), from 0; None if none were given, or they cannot be read.
    problem: why they cannot, as a sentence.
    names: of the panels that are held against them.
    """

    gold: Gold | None
    problem: str = ""
    names: frozenset[str] = frozenset()


def ask_gold(sentence: str) -> GoldLinks:
    """Ask for the gold links of a sentence: typed, or the first line of a file."""
    typed = st.text_input(
        strings.GOLD,
        key=GOLD,
        bind="query-params",
        placeholder=strings.GOLD_PLACEHOLDER,
        max_chars=4000,
        help=strings.GOLD_HELP,
    )
    uploaded = st.file_uploader(
        strings.GOLD_FILE, key=f"gold-file-{crc32(sentence.encode())}", max_upload_size=_MEGABYTES
    )
    text = typed or ""
    if uploaded is not None:
        data = uploaded.getvalue()
        if len(data) > _MEGABYTES * 1_000_000:
            return GoldLinks(None, strings.GOLD_TOO_LARGE.format(megabytes=_MEGABYTES))
        try:
            text = next(iter(data.decode("utf-8-sig").splitlines()), "")
        except UnicodeDecodeError:
            return GoldLinks(None, strings.GOLD_NO_TEXT)
        if not text.strip():
            return GoldLinks(None, strings.GOLD_NO_LINKS)
    if not text.strip():
        return GoldLinks(None)
    try:
        return GoldLinks(gold_of(text))
    except InputError as error:
        return GoldLinks(None, as_sentence(str(error)))


def with_gold(drawn: Sequence[DrawnPanel], gold: Gold) -> list[DrawnPanel]:
    """The panels with the gold links that lie between words that are shown; they say nothing of maps that are not
    attention, and of differences."""
    return [
        each if each.shown is None or each.shown.stands_in else replace(each, panel=_with_gold(each.panel, gold))
        for each in drawn
    ]


def _with_gold(panel: Panel, gold: Gold) -> Panel:
    rows, columns = _places(panel.alignment.target_words), _places(panel.alignment.source_words)

    def cells(links: LinkSet) -> list[tuple[int, int]]:
        return sorted((i, j) for x, y in links for j in columns.get(x, ()) for i in rows.get(y, ()))

    return replace(panel, sure=cells(gold.sure), possible=cells(gold.possible - gold.sure))


def _places(words: Sequence[int]) -> dict[int, list[int]]:
    """Return the positions of each word: one, or several if it is shown in pieces."""
    places: dict[int, list[int]] = {}
    for position, word in enumerate(words):
        places.setdefault(word, []).append(position)
    return places


def beyond(drawn: Sequence[DrawnPanel], gold: Gold) -> str:
    """A sentence if links name words that some checkpoint's sentences do not have; "" otherwise."""
    for each in drawn:
        if each.shown is None or each.shown.weights is None or each.shown.stands_in:
            continue
        merged = each.shown.weights.merged()
        source, target = (len(side) - (side[-1:] == (END,)) for side in (merged.source, merged.target))
        outside = sorted((x, y) for x, y in gold.possible if x >= source or y >= target)
        if outside:
            x, y = outside[0]
            return strings.GOLD_BEYOND.format(source=x, target=y, sources=source, targets=target, name=each.panel.title)
    return ""


def show_rates(drawn: Sequence[DrawnPanel], gold: Gold, threshold: float) -> None:
    """Show the error rates of the links of at least this weight, and over all thresholds."""
    rows, curves = [], {}
    for each in drawn:
        if each.shown is None or each.shown.weights is None or each.shown.stands_in:
            continue
        try:
            curve = threshold_curve(each.shown.weights, gold)
        except InputError as error:
            st.caption(as_sentence(str(error)))
            return
        nearest = curve[min(curve, key=lambda least: abs(least - max(threshold, 0.01)))]
        best, lowest = min(curve.items(), key=lambda point: point[1].aer)
        rows.append(
            {
                strings.PANEL_COLUMN: each.panel.title,
                strings.LINKS_COLUMN: nearest.links,
                shared.PRECISION: 100 * nearest.precision,
                shared.RECALL: 100 * nearest.recall,
                shared.AER: 100 * nearest.aer,
                strings.LOWEST_COLUMN: 100 * lowest.aer,
                strings.AT_WEIGHT_COLUMN: best,
            }
        )
        curves[each.panel.title] = {least: 100 * error.aer for least, error in curve.items()}
    number = st.column_config.NumberColumn
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        column_config=dict.fromkeys(_PER_CENT, number(format="%.1f"))
        | {
            shared.AER: number(format="%.1f", help=explained("AER")),
            strings.AT_WEIGHT_COLUMN: number(format="%.2f"),
        },
    )
    st.caption(
        strings.RATES.format(
            least=f"{max(threshold, 0.01):.2f}", sure=len(gold.sure), possible=len(gold.possible - gold.sure)
        )
    )
    figure = threshold_chart(curves, max(threshold, 0.01), dark=dark_page())
    st.plotly_chart(figure, key="gold-curves", config={"displayModeBar": False})
