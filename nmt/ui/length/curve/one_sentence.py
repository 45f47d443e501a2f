"""One sentence: its translations against the reference, word by word, and the way to its alignments."""

from __future__ import annotations

import html
import json

import streamlit as st

from nmt.evaluation.sentence_scores import sentence_scores
from nmt.results.difference import changes
from nmt.ui.address import BACK, link_to
from nmt.ui.formatting import escaped
from nmt.ui.length.curve import strings
from nmt.ui.length.curve.form import address
from nmt.ui.length.curve.selection import Selection
from nmt.ui.length.curve.translations import (
    missing_translations,
    offer_translations,
    search_settings_of,
    translations_of,
)

_STYLE = """<style>
.word-diff { line-height: 1.7; overflow-wrap: anywhere; }
.word-diff ins { text-decoration: underline; text-decoration-thickness: 2px; background: rgba(0, 158, 115, .22); }
.word-diff del { text-decoration: line-through; background: rgba(213, 94, 0, .2); }
</style>"""


def show_sentence(
    selection: Selection, index: int, test_set: str, row: int, source: str | None, reference: str | None
) -> None:
    """Show the sentence with its translations; if its text is not available, only its place in the test set."""
    with st.container(border=True, gap="xsmall"):
        st.markdown(strings.LINE.format(test_set=escaped(test_set), line=row + 1))
        if source is None or reference is None:
            st.caption(strings.SENTENCE_NOT_HERE)
            return
        st.caption(strings.SOURCE)
        st.text(source)
        st.caption(strings.REFERENCE)
        st.text(reference)
        sources = {test_set: {row: source}}
        translations = translations_of(selection, sources)
        for name in selection.systems:
            score = sentence_scores(selection.statistics[name].take([index]), selection.view.metric)[0]
            st.caption(strings.SENTENCE_SCORE.format(name=escaped(name), metric=selection.view.metric, score=score))
            translation = translations[name].get(source)
            if translation is None:
                st.caption(strings.NOT_KEPT)
            else:
                st.html(_STYLE + word_diff(reference, translation.text))
        if any(translations.values()):
            st.caption(strings.MARKS)
        offer_translations(missing_translations(selection, sources, translations), "sentence")
        _link_to_explore(selection, test_set, source)


def word_diff(reference: str, translation: str) -> str:
    """HTML of the words of the translation and, in their places, of the words that only the reference has.

    >>> word_diff("la fille lit", "la <b> lit")
    '<div class="word-diff">la <del>fille</del> <ins>&lt;b&gt;</ins> lit</div>'
    """
    tags = {"kept": "{}", "deleted": "<del>{}</del>", "inserted": "<ins>{}</ins>"}
    words = [
        tags[change.kind].format(html.escape(change.word)) for change in changes(reference.split(), translation.split())
    ]
    return f'<div class="word-diff">{" ".join(words)}</div>'


def _link_to_explore(selection: Selection, test_set: str, source: str) -> None:
    runs = [name for name, system in selection.systems.items() if system.run is not None]
    if not runs:
        return
    settings = search_settings_of(selection.systems[runs[0]].evaluated.evaluations[test_set], selection.view.no_unk)
    query: dict[str, str | list[str]] = {
        "s": source,
        "models": runs,
        "beam": str(min(20, settings.beam)),
        "unk": "Forbid" if selection.view.no_unk else "Keep",
        BACK: json.dumps(address(), ensure_ascii=False),
    }
    link_to("pages/look.py", strings.WHERE_THEY_LOOKED, query, icon=":material/grid_on:")
