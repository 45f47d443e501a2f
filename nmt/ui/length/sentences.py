"""A table of the sentences in a chosen range of lengths, and one sentence with its translations."""

import html
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from nmt.evaluation.metrics import corpus_metric, sentence_scores
from nmt.evaluation.score_files import probably_cut
from nmt.results import LengthCurves
from nmt.results.difference import changes, gained_ngrams, places_of
from nmt.tables.table import NOTHING
from nmt.texts import CHARTS, LENGTH, counted, listed
from nmt.ui.address import BACK, ask_number, choose_one, fill, link_to, set_choice
from nmt.ui.components import offer
from nmt.ui.compute import NamedTask, offer_work
from nmt.ui.formatting import escaped, signed
from nmt.ui.length import choose
from nmt.ui.length.choose import KnownSets
from nmt.ui.length.select import Selection, Sentence, Translations, select
from nmt.ui.length.significance import SystemPair
from nmt.ui.length.tasks import DivergenceTask
from nmt.ui.resources import compute_service
from nmt.ui.tasks import TextTask

_SORT, _ORDER, _EVERY = "sort", "order", "all"
"""Parameters of the address for the sorting of the table, and the name of all lengths in the address."""
PICTURE = "length-picture"
"""Key of the fragment with the curve and the sentences."""

_CUT = "✂"
"""Mark before a sentence that the metric of another program probably cut."""
NUMBER, WORDS, TEXT, DIFFERENCE, RATIO = "no", "words", "sentence", "difference", "length-ratio"
UNKNOWN, COVERAGE, ENTROPY, ATTENTION = "unknown-words", "least-coverage", "entropy", "attention-apart"
"""Columns by their names in the address. Their names for readers are ``length.table_columns``."""
_SORTS = (DIFFERENCE, RATIO, UNKNOWN, COVERAGE, ENTROPY, ATTENTION, NUMBER, WORDS)
"""Columns by which sentences can be sorted."""
_TABLE, _RANGE, _LARGEST = "sentence-table", "length-range", "largest"
_TABLE_HEIGHT, _NARROW, _SCORE, _TEXT_WIDTH = 212, 48, 88, 230
"""Pixels. Number, difference and two scores, the first columns, are visible beside the curve without scrolling."""
_MOST_SHOWN = 60


@st.fragment
def show_sentences(selection: Selection, curves: LengthCurves, sets: KnownSets, pair: SystemPair) -> None:
    """Show the sentences of the range that was clicked: a table, and below it the chosen sentence. If only the
    statistics of a test set are here, say so and offer a set whose sentences are here."""
    requested = choose.asked_range()
    span = choose.named_span(curves, requested)
    _show_head(curves, requested if span is not None else _EVERY)
    if span is None and requested != _EVERY:
        notice = LENGTH.no_such_range.format(name=escaped(requested[:_MOST_SHOWN]))
        st.caption(f":material/link_off: {notice}")
    _say_what_is_not_here(selection, sets)
    shown = selection.within(span)
    if not shown:
        st.info(LENGTH.no_such_length, icon=":material/info:")
        return
    written = selection.translations(shown)
    divergence = _divergence_task(selection, pair, shown)
    frame = sentence_table(selection, pair, shown, written, divergence)
    by_number = {sentence.number: sentence for sentence in selection.sentences}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key, hints = choose.SENTENCE, {"placeholder": LENGTH.sentence_placeholder, "help": LENGTH.sentence_help}
        number = ask_number(st.number_input, LENGTH.sentence, 1, max(by_number), None, key=key, width=110, **hints)
        ways = st.container(horizontal=True, vertical_alignment="bottom", width="content")
        with st.popover(LENGTH.order, icon=":material/sort:"):
            frame = _sorted(frame, selection.view.analysis.metric)
            _offer_translations(selection.to_translate(shown, written), "range")
            _offer_divergence(pair, divergence)
    numbers = [int(value) for value in frame[NUMBER]]
    sentence = None if number is None else by_number.get(number)  # None: the first one of the table
    with ways:
        _show_ways(numbers, None if sentence is None else sentence.number)
    _show_table(frame, numbers, selection.view.analysis.metric, pair)
    sentence = sentence or by_number[numbers[0]]
    if sentence not in shown:
        written = selection.translations([sentence])  # the sentence is not in the shown range
    _show_sentence(selection, pair, sentence, written)


def _show_head(curves: LengthCurves, shown: str) -> None:
    """Show the name of the range, which can be changed, and a button that closes the panel."""
    texts = {span.name: LENGTH.range.format(range=span.text) for span in curves.spans}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.session_state[_RANGE] = shown
        st.selectbox(
            LENGTH.sentences_by.format(side=CHARTS.by_key.sides[curves.side]),
            [_EVERY, *texts],
            format_func=lambda name: texts.get(name, LENGTH.all_lengths),
            key=_RANGE,
            on_change=lambda: _change_range(st.session_state[_RANGE]),
        )
        offer(LENGTH.close, "close", _change_range, "", key="close-range")


def _change_range(name: str) -> None:
    """Show another range, and mark it in the curve. Curve and sentences run again, the rest of the page does not."""
    choose.show_range(name)
    st.rerun(PICTURE)


def _show_ways(numbers: Sequence[int], shown: int | None) -> None:
    """Show buttons that lead from a sentence to its neighbours in the table."""
    place = numbers.index(shown) if shown in numbers else 0 if shown is None else None
    before = numbers[place - 1] if place else None
    after = numbers[place + 1] if place is not None and place + 1 < len(numbers) else None
    for label, icon, number in ((LENGTH.previous, "arrow_back", before), (LENGTH.next, "arrow_forward", after)):
        there = {"disabled": number is None, "help": label, "key": f"to-{icon}"}
        offer("", icon, fill, choose.SENTENCE, number, **there)


def _say_what_is_not_here(selection: Selection, sets: KnownSets) -> None:
    """Name the test sets whose sentences are not here, and offer a test set whose sentences are here."""
    lacking = [name for name in selection.view.sets if selection.sentences_of(name) is None]
    for name in lacking:
        if selection.tests[name] is None:
            notice = LENGTH.only_statistics.format(test_set=escaped(name), how_to_get=choose.how_to_get(name))
        else:
            notice = LENGTH.not_the_measured.format(test_set=escaped(name))
        st.caption(f":material/visibility_off: {notice}")
    other = _set_with_sentences(selection, sets) if len(lacking) == len(selection.view.sets) else None
    if other is not None:
        label = escaped(LENGTH.show_other_set.format(test_set=other))
        offer(label, "swap_horiz", _take_set, other, key="another-set")


def _take_set(name: str) -> None:
    set_choice(choose.SETS, name)
    st.rerun()  # the whole page, not only this fragment


def _set_with_sentences(selection: Selection, sets: KnownSets) -> str | None:
    """Find a test set with sentences here on which the same systems were measured. None if there is none."""
    measured = [system.evaluated.evaluations.keys() for system in selection.systems.values()]
    for name, place in sets.items():
        if place is None or not all(name in names for names in measured):
            continue
        view = replace(selection.view, sets=(name,), systems=tuple(selection.systems))
        another = select(view, selection.systems, sets, selection.languages)
        if another.statistics.keys() == selection.statistics.keys() and another.sentences_of(name) is not None:
            return name
    return None


def sentence_table(
    selection: Selection,
    pair: SystemPair,
    shown: Sequence[Sentence],
    written: Translations,
    divergence: DivergenceTask | None = None,
) -> pd.DataFrame:
    """Make a table with a row per sentence: scores and possible causes of differences. Empty columns are left out."""
    rows, metric = [item.index for item in shown], selection.view.analysis.metric
    first = selection.statistics[pair.first].take(rows)
    scores = sentence_scores(first, metric)
    columns: dict[str, object] = {NUMBER: [item.number for item in shown], WORDS: selection.lengths[rows]}
    columns[f"{metric} {pair.first}"] = scores
    if pair.second:
        others = sentence_scores(selection.statistics[pair.second].take(rows), metric)
        better = others - scores if corpus_metric(metric, first).lower_is_better else scores - others
        columns |= {f"{metric} {pair.second}": others, DIFFERENCE: better}
        for name, gained in zip(pair, _gained(pair, shown, written), strict=True):
            if any(gained):
                columns[LENGTH.only.format(name=name)] = gained
    if selection.documents:
        columns[LENGTH.document] = [selection.document(sentence) for sentence in shown]
    reference = first.pairs.reference_length
    columns[RATIO] = np.where(reference > 0, first.hypotheses.length / np.maximum(reference, 1), np.nan)
    if first.pairs.source_unknown is not None:
        columns[UNKNOWN] = first.pairs.source_unknown
    mine = [written[pair.first].get(index) for index in rows]
    summaries = [None if translation is None else translation.alignment for translation in mine]
    if any(summary is not None for summary in summaries):
        columns[COVERAGE] = [None if s is None else s.least_coverage for s in summaries]
        columns[ENTROPY] = [None if s is None else s.entropy for s in summaries]
    answer = None if divergence is None else compute_service().find(divergence)
    if answer is not None:
        by_number = dict(zip(_comparable(shown), answer, strict=True))
        columns[ATTENTION] = [by_number.get(item.number) for item in shown]
    if any(item.source is not None for item in shown):
        columns[TEXT] = [_marked(item, written, metric) if selection.imported else item.source for item in shown]
    return pd.DataFrame(columns)


def _marked(one: Sentence, written: Translations, metric: str) -> str | None:
    """The source sentence. It has a mark if another program's metric probably read only the beginning of the texts
    (`probably_cut`). None if the source text is not available."""
    longest = max((texts[one.index].text for texts in written.values() if one.index in texts), key=len, default="")
    cut = one.source and probably_cut([one.source, one.reference or "", longest], metric)
    return f"{_CUT} {one.source}" if cut else one.source


def _gained(pair: SystemPair, shown: Sequence[Sentence], written: Translations) -> tuple[list[str], list[str]]:
    """First result: by sentence, the n-grams of the reference that only the first translation has. Second result: those
    that only the second translation has. A sentence without such n-grams has ""."""
    gained: tuple[list[str], list[str]] = [], []
    for sentence in shown:
        first, second = (written[name].get(sentence.index) for name in pair)
        for column, mine, other in ((gained[0], first, second), (gained[1], second, first)):
            ngrams: tuple[tuple[str, ...], ...] = ()
            if sentence.reference is not None and mine is not None and other is not None:
                ngrams = gained_ngrams(sentence.reference.split(), mine.text.split(), other.text.split())
            column.append(LENGTH.ngrams.join(map(" ".join, ngrams)))
    return gained


def _sorted(frame: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Sort the rows as the reader asks, by default by difference. Missing values come last, and equal values keep their
    order. The columns with the number, the sorted values, the scores and the sentence come first."""
    names = {key: LENGTH.by_key.table_columns[key] for key in _SORTS if key in frame.columns}
    line, about = LENGTH.column_explained, LENGTH.by_key.columns_explained
    help_texts = [line.format(column=name, explained=about[key]) for key, name in names.items()]
    by = choose_one(st.selectbox, LENGTH.sorted_by, names, key=_SORT, help="\n".join(help_texts))
    order = choose_one(st.segmented_control, LENGTH.direction, LENGTH.by_key.directions, key=_ORDER)
    frame = frame.sort_values(by, ascending=order != _LARGEST, kind="stable", na_position="last")
    scores = [name for name in frame.columns if name.startswith(f"{metric} ")]
    first = dict.fromkeys([NUMBER, by, *scores, TEXT, *frame.columns])
    return frame[[name for name in first if name in frame.columns]]


def _show_table(frame: pd.DataFrame, numbers: Sequence[int], metric: str, pair: SystemPair) -> None:
    number, bar = st.column_config.NumberColumn, st.column_config.ProgressColumn
    scores = [f"{metric} {name}" for name in pair if name]
    names, explained = LENGTH.by_key.table_columns, LENGTH.by_key.columns_explained
    config: dict[str, Any] = {
        name: number(name.removeprefix(f"{metric} "), format="%.1f", width=_SCORE, help=name) for name in scores
    }
    config |= {
        NUMBER: number(names[NUMBER], format="%d", width=_NARROW),
        WORDS: number(names[WORDS], format="%d", width=_NARROW),
        TEXT: st.column_config.TextColumn(names[TEXT], width=_TEXT_WIDTH),
        DIFFERENCE: number(names[DIFFERENCE], help=explained[DIFFERENCE], width=_SCORE),
        UNKNOWN: number(names[UNKNOWN], format="%d", help=explained[UNKNOWN]),
    }
    config |= {LENGTH.only.format(name=name): st.column_config.TextColumn(help=LENGTH.only_help) for name in pair}
    for key, most in {RATIO: 2, COVERAGE: 1, ENTROPY: 4, ATTENTION: 1}.items():
        config[key] = bar(names[key], format="%.2f", min_value=0, max_value=most, help=explained[key], width=_SCORE)
    signs: dict[Any, Any] = {DIFFERENCE: signed} if DIFFERENCE in frame.columns else {}
    st.dataframe(
        frame.style.format(signs, na_rep=NOTHING) if signs else frame,  # with minus signs, and sorted by number
        hide_index=True,
        key=_TABLE,
        placeholder=NOTHING,
        height=_TABLE_HEIGHT,
        on_select=lambda: _take_row(numbers),
        selection_mode="single-row",
        column_config={name: config[name] for name in frame.columns if name in config},
    )
    cut = TEXT in frame and frame[TEXT].str.startswith(_CUT).any()
    shown = counted(len(frame), LENGTH.forms.sentences_shown, metric=metric)
    st.caption(f"{shown} {LENGTH.cut}" if cut else shown, help=LENGTH.sentences_help)


def _take_row(numbers: Sequence[int]) -> None:
    state: Any = st.session_state.get(_TABLE)
    rows = state["selection"]["rows"] if state else []
    if rows and 0 <= rows[0] < len(numbers):
        st.session_state[choose.SENTENCE] = numbers[rows[0]]


def _show_sentence(selection: Selection, pair: SystemPair, one: Sentence, written: Translations) -> None:
    """Show the sentence and its translations against the reference. If its text is not here, show only its place."""
    metric, texts = selection.view.analysis.metric, {name: rows.get(one.index) for name, rows in written.items()}
    with st.container(border=True, gap="xsmall", key="one-sentence"):
        st.markdown(LENGTH.line.format(test_set=escaped(one.test_set), line=one.row + 1))
        if one.source is None or one.reference is None:
            st.caption(LENGTH.sentence_not_here)
            return
        for caption, line in ((LENGTH.source, one.source), (LENGTH.reference, one.reference)):
            st.caption(caption)
            st.text(line)
        rivals = {pair.first: pair.second, pair.second: pair.first}
        for name in dict.fromkeys([*filter(None, pair), *selection.systems]):
            score = sentence_scores(selection.statistics[name].take([one.index]), metric)[0]
            st.caption(LENGTH.sentence_score.format(name=escaped(name), metric=metric, score=score))
            text = texts[name]
            if text is None:
                st.caption(LENGTH.not_kept)
            else:
                rival = texts.get(rivals.get(name, ""))
                st.html(word_diff(one.reference, text.text, None if rival is None else rival.text))
                if text.segments:
                    st.caption(LENGTH.segments)
                    st.text(text.segments.replace(" ||| ", "\n"))
        if any(texts.values()):
            about = LENGTH.marks_help.format(first=pair.first, second=pair.second) if pair.second else None
            st.caption(LENGTH.marks, help=about)
        _offer_translations(selection.to_translate([one], written), "sentence")
        _link_to_look(selection, one, one.source)


def word_diff(reference: str, translation: str, rival: str | None = None) -> str:
    """HTML of the translation's words. Words of the reference that it lacks are shown where they are missing.

    Args:
        rival: another translation. N-grams of the reference that only this translation has are marked as gained, and
            n-grams that only the rival has as lost.

    >>> word_diff("la fille lit", "la <b> lit")
    '<div class="word-diff">la <del>fille</del> <ins>&lt;b&gt;</ins> lit</div>'
    >>> word_diff("la fille lit", "la fille dort", "la femme lit")
    '<div class="word-diff">la <span class="gained">fille</span> <del class="lost">lit</del> <ins>dort</ins></div>'
    """
    expected, words = reference.split(), translation.split()
    gained, lost = set[int](), set[int]()
    if rival is not None:
        gained = places_of(gained_ngrams(expected, words, rival.split()), words)
        lost = places_of(gained_ngrams(expected, rival.split(), words), expected)
    parts = []
    for change in changes(expected, words):
        word = html.escape(change.word)
        if change.kind == "deleted":
            parts.append(f'<del class="lost">{word}</del>' if change.before in lost else f"<del>{word}</del>")
        else:
            marked = f'<span class="gained">{word}</span>' if change.after in gained else word
            parts.append(f"<ins>{marked}</ins>" if change.kind == "inserted" else marked)
    return f'<div class="word-diff">{" ".join(parts)}</div>'


def _link_to_look(selection: Selection, one: Sentence, source: str) -> None:
    runs = [name for name, system in selection.systems.items() if system.run is not None]
    if not runs:
        return
    query: dict[str, str | list[str]] = {
        "s": source,
        "models": runs,
        "beam": str(min(20, selection.search_of(selection.systems[runs[0]], one.test_set).beam)),
        "unk": "forbid" if selection.view.analysis.no_unk else "keep",
        BACK: json.dumps(choose.address(), ensure_ascii=False),
    }
    link_to("pages/look.py", LENGTH.where_they_looked, query, icon=":material/grid_on:")


def _offer_translations(missing: Sequence[tuple[str, TextTask]], key: str) -> None:
    """Offer to compute the missing translations."""
    work = [NamedTask(name, task) for name, task in missing]
    idle = [item for item in work if item.idle]
    names = listed(list(dict.fromkeys(item.name for item in idle)))
    sentences = len({sentence for item in idle for sentence in item.task.sentences})
    label = escaped(counted(sentences, LENGTH.forms.translate_sentences, names=names))
    offer_work(work, label, key=f"translate-{key}", icon=":material/translate:", help=LENGTH.translate_help)


def _comparable(shown: Sequence[Sentence]) -> dict[int, tuple[str, str]]:
    """Source and reference, by number, of the sentences with both texts. Attention can be compared on these."""
    return {s.number: (s.source, s.reference) for s in shown if s.source and s.reference and s.reference.strip()}


def _divergence_task(selection: Selection, pair: SystemPair, shown: Sequence[Sentence]) -> DivergenceTask | None:
    """Return the task that compares attention. None unless two checkpoints attend and a sentence has both texts."""
    systems = [selection.systems[name] for name in pair if name]
    runs = [system.run for system in systems if system.run is not None and system.attends]
    pairs = tuple(_comparable(shown).values())
    return DivergenceTask(runs[0], runs[1], pairs) if len(runs) == 2 and pairs else None


def _offer_divergence(pair: SystemPair, divergence: DivergenceTask | None) -> None:
    if divergence is None:
        return
    work = NamedTask(LENGTH.two.format(first=pair.first, second=pair.second), divergence)
    about = LENGTH.compare_attention_help.format(explained=LENGTH.by_key.columns_explained[ATTENTION])
    offer_work([work], LENGTH.compare_attention, key="attention", icon=":material/compare:", help=about)
