"""Sentences put together one by one: the words that each checkpoint keeps of its translations, and those it loses."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmt.alignments.measures import summary
from nmt.answers.sentences import CONCATENATED
from nmt.charts.alignment_view import Panel, view_data
from nmt.data.line_words import UNSPACED, word_counter
from nmt.evaluation.kept_words import KeptWords, WordFate, kept_words
from nmt.reproduce.test_sets import LANGUAGES
from nmt.results import Hypothesis, Languages
from nmt.runs.folder import RunInfo
from nmt.ui import strings as shared
from nmt.ui.address import link_to
from nmt.ui.checkpoints import NARROWEST, Checkpoints, show_head
from nmt.ui.components import alignment_view
from nmt.ui.compute import answer_to
from nmt.ui.formatting import counted, escaped, language, listed, nats, words_written
from nmt.ui.inputs import MOST_CHARACTERS, MOST_WORDS
from nmt.ui.language_pair import pairs_of
from nmt.ui.length.together import strings
from nmt.ui.length.together.form import TogetherView
from nmt.ui.panels import alignment_panel
from nmt.ui.tasks import TranslateTask, shipped_texts


@dataclass(frozen=True, eq=False, kw_only=True)
class _Translated:
    """Translations of the sentences by a checkpoint.

    Attributes:
        alone: translation of each.
        together: translation of all as one.
        best: the same with alpha, if it was computed by this server.
    """

    alone: tuple[str, ...]
    together: str
    best: Hypothesis | None

    def kept(self, language: str) -> KeptWords:
        return kept_words(self.alone, self.together, language)


def show_kept(view: TogetherView, *, large: bool = False) -> None:
    """Show what every checkpoint keeps when the first of the sentences are put together. ``large``: in the type of a
    presentation, with nothing but the sentences and their translations."""
    if not view.sentences:
        st.info(strings.TYPE_SENTENCES.format(language=language(view.languages.source)), icon=":material/edit:")
        return
    sentences = taken(view.sentences, view.number)
    text = joined_text(sentences, view.languages.source)
    words = word_counter(view.languages.source)(text)
    if words > MOST_WORDS or len(text) > MOST_CHARACTERS:
        st.warning(
            strings.TOO_LONG.format(
                words=words, characters=len(text), most_words=MOST_WORDS, most_characters=MOST_CHARACTERS
            ),
            icon=":material/short_text:",
        )
        return
    place = st.container(gap="xsmall")
    place.text(text)
    grid = st.grid(min(3, len(view.runs)), min_column_width=NARROWEST, gap="medium")
    cards: dict[str, DeltaGenerator] = {}
    for name in view.runs:
        with grid.cell():
            cards[name] = st.container(border=True, key=f"own-{name}", gap="xsmall")
    by_checkpoint = {}
    for name, run in view.runs.items():
        with cards[name]:
            show_head(name, run, languages=not large)
            answer = _find(view, run, sentences, text)
            if answer is not None:
                by_checkpoint[name] = answer
                _show_card(answer, run, large)
    if large:
        return
    with place:
        st.markdown(
            what_is_kept(
                {name: each.kept(view.languages.target) for name, each in by_checkpoint.items()}, len(sentences)
            )
        )
    _show_alignments(view, text, by_checkpoint)


def taken(sentences: Sequence[str], number: int) -> tuple[str, ...]:
    """Take the first sentences; a single one as often as is asked.

    >>> taken(["A."], 3), taken(["A.", "B."], 1)
    (('A.', 'A.', 'A.'), ('A.',))
    """
    return tuple([*sentences] * number if len(sentences) == 1 else sentences[:number])


def joined_text(sentences: Sequence[str], language: str = "") -> str:
    """Concatenate sentences, without a space between them where the language has none.

    >>> joined_text(["A.", "B."]), joined_text(["雨だ。", "寒い。"], "ja")
    ('A. B.', '雨だ。寒い。')
    """
    return ("" if language in UNSPACED else " ").join(sentences)


def what_is_kept(kept: dict[str, KeptWords], number: int) -> str:
    """Say in Markdown how many words each checkpoint keeps.

    >>> print(what_is_kept({"a": kept_words(["x y"], "x y"), "b": kept_words(["x y"], "x")}, 2))
    2 sentences as one, against the same one by one: **a** keeps all 2 words, **b** 1 of 2.
    """
    if not kept:
        return ""
    parts: list[str] = []
    for name, each in kept.items():
        everything = each.kept == each.words
        if parts:
            template = strings.NEXT_KEEPS_ALL if everything else strings.NEXT_KEEPS
        else:
            template = strings.FIRST_KEEPS_ALL if everything else strings.FIRST_KEEPS
        parts.append(template.format(name=escaped(name), kept=each.kept, words=each.words))
    return counted(number, strings.AS_ONE, kept=", ".join(parts))


def kept_markup(kept: KeptWords) -> str:
    """HTML of the translations one by one, lost words struck out.

    >>> kept_markup(kept_words(["La <b> lit.", "Oui !"], "La oui"))
    '<p class="kept-words">La <del>&lt;b&gt;</del> <del>lit.</del> Oui !</p>'
    """
    space = " " if kept.spaced else ""
    words = [_marked(fate) for sentence in kept.sentences for fate in sentence]
    return f'<p class="kept-words">{space.join(words)}</p>'


def _marked(fate: WordFate) -> str:
    word = html.escape(fate.word)
    return f"<del>{word}</del>" if fate.kept is False else word


def _find(view: TogetherView, run: RunInfo, sentences: Sequence[str], text: str) -> _Translated | None:
    """Look the translations up, or compute them; None after saying why there are none."""
    settings = run.config.search.changed(beam=view.beam, n_best=1)
    shipped = {} if view.own else shipped_texts(run, settings, {*sentences, text})
    wait, alone = st.empty(), {}
    best: Hypothesis | None = None
    for source in dict.fromkeys([*sentences, text]):
        known = shipped.get(source)
        if known is None:
            answer = answer_to(TranslateTask(run, source, settings), wait)
            if answer is None:
                return None
            known = answer.result.best.text
            best = answer.result.best if source == text else best
        alone[source] = known
    return _Translated(alone=tuple(alone[source] for source in sentences), together=alone[text], best=best)


def _show_card(translated: _Translated, run: RunInfo, large: bool) -> None:
    kept = translated.kept(run.target_language)
    template = strings.KEEPS_SHORT if large else strings.KEEPS
    st.markdown(template.format(kept=kept.kept, words=kept.words))
    st.html(kept_markup(kept))
    if len(translated.alone) > 1:
        st.caption(strings.TRANSLATED_AS_ONE)
        st.text(translated.together or shared.NOTHING_WRITTEN)
    if translated.best is not None and not large:
        st.caption(_numbers(translated.best, run))


def _numbers(best: Hypothesis, run: RunInfo) -> str:
    """The log-probability, and what alpha covers."""
    words = words_written(best.tokens, run.target_vocabulary.kind)
    line = strings.LOG_P.format(nats=nats(best.log_probability / max(1, words)))
    covered = None if best.alignment is None else summary(best.alignment)
    if covered is None:
        return f"{line} {strings.NO_COVERAGE}"
    return f"{line} {strings.COVERAGE.format(least=covered.least_coverage, mean=covered.mean_coverage)}"


def _show_alignments(view: TogetherView, text: str, translated: dict[str, _Translated]) -> None:
    panels = [
        panel
        for name, each in translated.items()
        if each.best is not None and (panel := _panel(name, view.runs[name], each.best)) is not None
    ]
    if panels:
        alignment_view(view_data(panels), key="own-view")
    attending = [name for name in translated if view.runs[name].has_alignment]
    if attending:
        query: dict[str, str | list[str]] = {"s": text, "models": list(view.runs), "beam": str(view.beam)}
        link_to(
            "pages/look.py", strings.WHERE_THEY_LOOKED.format(names=listed(attending)), query, icon=":material/grid_on:"
        )


def _panel(name: str, run: RunInfo, best: Hypothesis) -> Panel | None:
    if best.alignment is None:
        return None
    return replace(alignment_panel(best.alignment.merged(), name, run), text=best.text)


def show_together_scene(checkpoints: Checkpoints, number: int) -> None:
    """Show what the checkpoints that the app opens with keep of the first ``number`` stored sentences."""
    sentences = CONCATENATED[LANGUAGES[0]]
    pair = next((pair for pair in pairs_of(checkpoints) if pair.source == LANGUAGES[0]), Languages("", ""))
    runs = {name: checkpoints.usable[name] for name in checkpoints.first_choice(pair)}
    if not runs:
        st.info(strings.NO_CHECKPOINT_READS, icon=":material/translate:")
        return
    show_kept(
        TogetherView(
            runs=runs,
            sentences=sentences,
            number=number,
            own=False,
            test_set="",
            words=0,
            most=0,
            beam=12,
            numbers={name: k for k, name in enumerate(runs)},
        ),
        large=True,
    )
