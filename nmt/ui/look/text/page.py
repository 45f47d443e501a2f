"""Whole texts from top to bottom: the form, a card for each checkpoint with its text, and every sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from nmt.results import FinishedTranslation
from nmt.tables.table import as_tsv
from nmt.ui import strings as shared
from nmt.ui.checkpoints import NARROWEST, Checkpoints, show_head
from nmt.ui.compute import NamedJob, show_progress, start, watch_jobs
from nmt.ui.formatting import escaped, language, nats
from nmt.ui.glossary import explained
from nmt.ui.inputs import on_one_line
from nmt.ui.look import strings
from nmt.ui.look.checkpoint_row import take_sentence_mode
from nmt.ui.look.explore.form import take_sentences
from nmt.ui.look.text.form import TextState, TextView, ask_text, forget_button, text_states, too_long

Translations = Mapping[str, FinishedTranslation]
"""Translations by source."""

_SHOWN = 20_000
"""Characters of a text that a card shows; the file has all."""
_HIGHEST = 420
"""Pixels of a card's text, before it scrolls."""
_LONG = 1200
"""Number of characters from which a text may need this height."""
_ON_A_SHEET = 10
"""Number of sentences listed at a time."""
_NARROWEST = 240


def show_text(view: TextView, state: TextState) -> None:
    """Show the assembled text if all of it is translated, its figures, and the files."""
    translated = state.translations
    done = [translated[sentence] for sentence in view.sentences if sentence in translated]
    tokens = sum(translation.tokens for translation in done)
    text = put_together(view, translated, state.run.target_language)
    if state.complete:
        with st.container(height=_HIGHEST if len(text) > _LONG else "content", border=False, key=f"text-{state.name}"):
            st.text(text[:_SHOWN])
        if len(text) > _SHOWN:
            st.caption(strings.FIRST_CHARACTERS.format(shown=f"{_SHOWN:,}", total=f"{len(text):,}"))
    with st.container(horizontal=True):
        st.metric(
            strings.LOG_PROBABILITY,
            nats(sum(translation.log_probability for translation in done) / max(1, tokens)),
            width="content",
            help=strings.LOG_PROBABILITY_HELP + "\n\n" + explained("nats"),
        )
        st.metric(strings.SENTENCES, f"{len(done):,}", width="content")
    with st.container(horizontal=True):
        name = f"{view.name}.{state.run.target_language}"
        if state.complete:
            st.download_button(
                strings.SAVE_TEXT,
                text,
                file_name=f"{name}.txt",
                mime="text/plain",
                icon=":material/download:",
                on_click="ignore",
                key=f"txt-{state.name}",
            )
        st.download_button(
            strings.SAVE_TSV,
            lambda: as_tsv(done),
            file_name=f"{name}.tsv",
            mime="text/tab-separated-values",
            icon=":material/download:",
            on_click="ignore",
            key=f"tsv-{state.name}",
            help=strings.SAVE_TSV_HELP,
        )


def put_together(view: TextView, translations: Translations, language: str) -> str:
    """The text with its paragraphs in the target language; sentences without a translation stay as they were."""
    texts = [translations[s].text if s in translations else s for s in view.split.sentences]
    return view.split.together(texts, language)


def show_sentences(view: TextView, by_checkpoint: Mapping[str, Translations]) -> None:
    """Show each sentence beside its translations by the checkpoints, a sheet at a time.

    Args:
        by_checkpoint: the translations of each checkpoint.
    """
    st.subheader(strings.BY_SENTENCE, anchor=False)
    sentences = view.split.sentences
    sheets = -(-len(sentences) // _ON_A_SHEET)
    sheet = 1
    if sheets > 1:
        sheet = min(sheets, max(1, st.pagination(sheets, key="sheet", bind="query-params")))
    first = (sheet - 1) * _ON_A_SHEET
    source_language = language(next(iter(view.runs.values())).source_language)
    for number, sentence in enumerate(sentences[first : first + _ON_A_SHEET], first + 1):
        with st.container(border=True, key=f"sentence-{number}"):
            columns = st.grid(min(4, 1 + len(by_checkpoint)), min_column_width=_NARROWEST, gap="medium")
            with columns.cell():
                st.caption(strings.NUMBERED.format(number=number, language=source_language))
                st.text(sentence)
            for name, translations in by_checkpoint.items():
                with columns.cell():
                    _show_translation(name, translations.get(sentence), sentence)
            if not too_long(sentence):
                st.button(
                    strings.LOOK_CLOSER,
                    key=f"look-{number}",
                    type="tertiary",
                    icon=":material/grid_on:",
                    on_click=_look_at,
                    args=(sentences[number - 1 :],),
                )


def _show_translation(name: str, translation: FinishedTranslation | None, sentence: str) -> None:
    if translation is None:
        st.caption(escaped(name))
        st.caption(strings.LEFT_AS_IT_IS if too_long(sentence) else strings.NOT_TRANSLATED)
        return
    each = translation.log_probability / max(1, translation.tokens)
    st.caption(strings.PER_WORD.format(name=escaped(name), nats=nats(each)))
    st.text(translation.text or shared.NOTHING_WRITTEN)


def _look_at(sentences: Sequence[str]) -> None:
    """Go on with one sentence, to which those after it can be added: languages, checkpoints, beam and the treatment of
    [UNK] stay as they are."""
    take_sentences([on_one_line(sentence) for sentence in sentences])
    take_sentence_mode()


def show_texts(checkpoints: Checkpoints) -> None:
    """Ask, translate in the background, show."""
    view = ask_text(checkpoints)
    if view is None:
        forget_button()
        return
    states = text_states(view)
    grid = st.grid(min(3, len(states)), min_column_width=NARROWEST, gap="medium")
    for each in states:
        with grid.cell(), st.container(border=True, key=f"text-card-{each.name}"):
            show_head(each.name, each.run)
            if not each.complete and each.job is not None and not each.job.state.over:
                # the button, pressed while the page was busy, would begin all again after a cancellation
                watch_jobs([NamedJob("", each.job)], f"text-{each.name}", on_cancel=forget_button)
                st.caption(strings.PROGRESS_IS_SAVED)
                continue
            _offer_to_go_on(each)
            if each.translations:
                show_text(view, each)
    runs_of_texts = {
        each.name: each.translations for each in states if each.complete or each.job is None or each.job.state.over
    }
    if any(runs_of_texts.values()):
        show_sentences(view, runs_of_texts)


def _offer_to_go_on(each: TextState) -> None:
    """Show the progress of a text that is not completely translated, and a button that continues."""
    if each.complete:
        return
    if each.job is not None:
        show_progress(each.job.state)
    total = len(set(each.task.sentences))
    done = len(each.translations)
    if done:
        st.caption(strings.PARTLY_DONE.format(done=f"{done:,}", total=f"{total:,}"))
    label = strings.GO_ON if done else strings.TRANSLATE
    st.button(label, key=f"go-{each.name}", icon=":material/play_arrow:", on_click=start, args=([each.task],))
