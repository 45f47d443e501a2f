"""Gold links over alpha: precision, recall and AER of what a threshold leaves."""

from collections.abc import Mapping
from zlib import crc32

import streamlit as st

from nmt.alignments.formats import read, recognised
from nmt.alignments.formats.checks import Given, lines_of
from nmt.charts.curves import threshold_chart
from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import threshold_curve
from nmt.results import END, Alignment
from nmt.results.links import Gold, parse_links
from nmt.results.record import GoldLinks
from nmt.texts import APP, LOOK
from nmt.ui import address
from nmt.ui.app_shell import dark_page
from nmt.ui.components import show_figure, show_rows
from nmt.ui.compute import errors_shown
from nmt.ui.formatting import as_sentence, explained
from nmt.ui.look.explore.form import GOLD

_MEGABYTES = 1


@errors_shown()
def ask_gold(sentence: str) -> Gold | None:
    """Ask for the gold links of a sentence: typed, or the first of a file. None if none were given, or they cannot
    be read, which is said."""
    typed = st.text_input(
        APP.gold_links,
        key=GOLD,
        bind="query-params",
        placeholder=LOOK.gold_placeholder,
        max_chars=4000,
        help=LOOK.gold_help,
    )
    uploaded = st.file_uploader(LOOK.gold_file, key=f"gold-file-{crc32(sentence.encode())}", max_upload_size=_MEGABYTES)
    base = int(address.choose_one(st.segmented_control, LOOK.links_count_from, {"0": "0", "1": "1"}, key="gold-base"))
    if uploaded is not None:
        return _first_of(uploaded.getvalue(), Given(base=base, source=[sentence]))
    return Gold.of(parse_links(typed, base)) if typed and typed.strip() else None


def _first_of(data: bytes, given: Given) -> Gold:
    """The links of the first sentence of a file."""
    if len(data) > _MEGABYTES * 1_000_000:
        raise InputError(LOOK.gold_too_large.format(megabytes=_MEGABYTES))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(LOOK.gold_no_text) from None
    first = lines_of(text)[0]
    if not first.strip():
        raise InputError(LOOK.gold_no_links)
    if recognised(text) in ("pharaoh", ""):
        return Gold.of(parse_links(first, given.base))
    content = read(text, given=given)
    if not content.links:
        raise InputError(LOOK.gold_weights)
    return content.links[0]


def in_record(gold: Gold, alignment: Alignment) -> GoldLinks:
    """The links of a pair for its record. ``alignment``: of the pair, over tokens or words."""
    merged = alignment.merged()
    source, target = (side[: len(side) - (side[-1:] == (END,))] for side in (merged.source, merged.target))
    sure, possible = (tuple(sorted(links)) for links in (gold.sure, gold.possible - gold.sure))
    return GoldLinks(source=source, target=target, sure=sure, possible=possible)


def beyond(alignments: Mapping[str, Alignment], gold: Gold) -> str:
    """A sentence if links name words that some checkpoint's sentences do not have; "" otherwise."""
    for name, alignment in alignments.items():
        merged = alignment.merged()
        source, target = (len(side) - (side[-1:] == (END,)) for side in (merged.source, merged.target))
        outside = sorted((x, y) for x, y in gold.possible if x >= source or y >= target)
        if outside:
            x, y = outside[0]
            return LOOK.gold_beyond.format(source=x, target=y, sources=source, targets=target, name=name)
    return ""


def show_rates(alignments: Mapping[str, Alignment], gold: Gold, threshold: float) -> None:
    """Show the error rates of the links of at least this weight, and over all thresholds. ``alignments``: all weights
    of each panel."""
    rows, curves = [], {}
    threshold = max(threshold, 0.01)
    for name, alignment in alignments.items():
        try:
            curve = threshold_curve(alignment, gold)
        except InputError as error:
            st.caption(as_sentence(str(error)))
            return
        nearest = curve[min(curve, key=lambda least: abs(least - threshold))]
        best, lowest = min(curve.items(), key=lambda point: point[1].aer)
        rows.append(
            {
                LOOK.panel: name,
                APP.links: nearest.links,
                APP.precision: 100 * nearest.precision,
                APP.recall: 100 * nearest.recall,
                APP.aer: 100 * nearest.aer,
                LOOK.lowest_column: 100 * lowest.aer,
                LOOK.at_weight_column: best,
            }
        )
        curves[name] = {least: 100 * error.aer for least, error in curve.items()}
    number = st.column_config.NumberColumn
    columns = dict.fromkeys((APP.precision, APP.recall, LOOK.lowest_column), number(format="%.1f"))
    columns[APP.aer] = number(format="%.1f", help=explained("AER"))
    show_rows(rows, columns | {LOOK.at_weight_column: number(format="%.2f")}, key="gold-rates")
    sure, possible = len(gold.sure), len(gold.possible - gold.sure)
    st.caption(LOOK.rates.format(least=f"{threshold:.2f}", sure=sure, possible=possible))
    show_figure(threshold_chart(curves, threshold, dark=dark_page()), key="gold-curves")
