"""The view of whole texts, from top to bottom: the form, the tasks that translate, a card with each checkpoint's text,
and every sentence. The address holds the whole form except an uploaded file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import PurePath
from typing import TYPE_CHECKING

import streamlit as st

from nmt.answers.shipped import GALLERY, SENTENCES
from nmt.charts.style import line_style
from nmt.data.line_words import count_words
from nmt.data.uploads import Limits, Upload, text_of
from nmt.instrument import About, texts_and_scales
from nmt.instrument.remarks import doubted
from nmt.results import FinishedTranslation, Translation
from nmt.results.alignment import joined
from nmt.results.inspection import may_doubt
from nmt.tables.table import as_tsv
from nmt.texts import APP, LOOK, counted, nats
from nmt.ui import inputs
from nmt.ui.address import choose_one, choose_text, chosen_now, refill, set_choice, write_address
from nmt.ui.app_shell import dark_page
from nmt.ui.checkpoints import NARROWEST, Checkpoints, show_head
from nmt.ui.components import offer, offer_file
from nmt.ui.compute import NamedTask, errors_shown, poll, show_progress, start, subscribe, watch_jobs
from nmt.ui.formatting import escaped, explained, language
from nmt.ui.instrument import show_field, show_instrument
from nmt.ui.look.checkpoint_row import MODE, MOST_TYPED, TEXT, ask_checkpoint_row
from nmt.ui.look.form import offered_examples, take_sentences
from nmt.ui.look.page import introduce
from nmt.ui.resources import compute_service, reader_language
from nmt.ui.tasks import DoubtTask, TextTask, TranslateTask, chosen_settings

if TYPE_CHECKING:
    from nmt.data.sentences import SplitText

LIMITS = Limits(size=2_000_000)
"""Limits of a file: some 350,000 words."""

_WANTED, _FIELD, _EXAMPLES, _FILE = "texts-wanted", "look-text", "text-examples", "file"
_NAMED = 5
"""Number of too long sentences that are named."""


@dataclass(frozen=True, kw_only=True)
class TextView:
    """A text to translate.

    Attributes:
        name: name of the file without its ending, or "text".
        tasks: by the names of the checkpoints, at least one. They leave out sentences that are too long.
        wanted: whether the button was pressed since the last call of ``forget_button``.
    """

    name: str
    split: SplitText
    tasks: dict[str, TextTask]
    from_file: bool
    wanted: bool

    @property
    def source_language(self) -> str:
        """Code of the language of the text."""
        return next(iter(self.tasks.values())).checkpoint.source_language


@errors_shown("error")
def ask_text(checkpoints: Checkpoints) -> TextView | None:
    """Show the form. If there is nothing to translate yet, say why and return None."""
    introduce()
    if not inputs.any_checkpoint(checkpoints):
        return None
    with (row := inputs.first_row()):
        pair, runs = ask_checkpoint_row(checkpoints)
    with inputs.ask_settings(row):
        cut = choose_one(st.segmented_control, LOOK.split, LOOK.by_key.splits, key="cut", help=LOOK.split_help)
        beam = inputs.ask_beam()
        unknown = inputs.ask_unknown()
        inputs.name_broken(checkpoints)
    with st.container(horizontal=True, vertical_alignment="top", key="sentence-row"):
        sentence = "".join(chosen_now([inputs.SENTENCE]).get(inputs.SENTENCE, ()))
        shown = {scene.sentence for scene in (*SENTENCES, *GALLERY)}
        own = "" if sentence in shown else sentence  # what the reader typed on Look
        typed = choose_text(TEXT, own)[:MOST_TYPED]
        texts = texts_and_scales(reader_language())["texts"] | {"sentence_in": LOOK.text_in}
        texts["placeholder"] = LOOK.text_placeholder.format(language="{language}", most=f"{MOST_TYPED:,}")
        show_field(_FIELD, typed, pair.source, _take, {"field": MOST_TYPED, "texts": texts})
        examples = {LOOK.example_title: LOOK.example_text} if pair.source == "en" else {}
        if offered := dict.fromkeys(offered_examples(pair).values()):
            examples |= {LOOK.examples_as_text: "\n".join(offered)}

        def take() -> None:
            refill(_FIELD, **{TEXT: examples[st.session_state[_EXAMPLES]]})

        if examples:
            st.menu_button(APP.example_menu, list(examples), key=_EXAMPLES, on_click=take)
    chosen = st.session_state.get(_FILE)
    with st.popover(LOOK.open_file if chosen is None else escaped(chosen.name), icon=":material/upload_file:"):
        uploaded = st.file_uploader(LOOK.file, key=_FILE, max_upload_size=LIMITS.size // 1_000_000)
    if len(typed.encode("utf-16-le", "replace")) // 2 >= MOST_TYPED:  # a browser counts in units of UTF-16
        st.caption(f":material/warning: {LOOK.cut_off.format(most=f'{MOST_TYPED:,}')}")
    text = typed if uploaded is None else text_of(Upload(uploaded.name, uploaded.getvalue()), LIMITS, pair.source)
    if not text.strip():
        st.caption(LOOK.no_text)
        return None
    if not inputs.some_chosen(runs):
        return None
    if uploaded is not None and typed.strip():
        st.caption(LOOK.file_first)
    with st.spinner(LOOK.splitting):
        split = _split(text, next(iter(runs.values())).source_language, cut == "lines")
    sentences = tuple(sentence for sentence in split.sentences if not inputs.too_long(sentence))
    view = TextView(
        name="text" if uploaded is None else PurePath(uploaded.name).stem,
        split=split,
        tasks={name: TextTask(run, sentences, chosen_settings(run, beam, unknown)) for name, run in runs.items()},
        from_file=uploaded is not None,
        wanted=st.session_state.get(_WANTED, False),
    )
    _say_what_it_is(view)
    inputs.show_notices(" ".join(split.sentences[: inputs.ENOUGH]), runs, unknown_words=False)
    return view if sentences else None


def _take(asked: Mapping[str, object]) -> None:
    """Write the text that the reader entered into the address, and translate it."""
    if isinstance(text := asked.get("typed"), str):
        write_address(**{TEXT: [text[:MOST_TYPED]]})
        st.session_state[_WANTED] = True


def forget_button() -> None:
    """Forget that the button was pressed."""
    st.session_state.pop(_WANTED, None)


@st.cache_data(max_entries=16, show_spinner=False)
def _split(text: str, language: str, lines: bool) -> SplitText:
    from nmt.data.sentences import split_lines, split_text

    return split_lines(text) if lines else split_text(text, language)


def _say_what_it_is(view: TextView) -> None:
    sentences = view.split.sentences
    st.caption(
        LOOK.read_text.format(
            sentences=counted(len(sentences), LOOK.forms.sentence_count),
            words=counted(sum(map(count_words, sentences)), LOOK.forms.word_count),
            language=language(view.source_language),
        )
    )
    left_out = [(number, sentence) for number, sentence in enumerate(sentences, 1) if inputs.too_long(sentence)]
    if left_out:
        named = ", ".join(
            LOOK.long_sentence.format(number=number, words=f"{count_words(sentence):,}")
            for number, sentence in left_out[:_NAMED]
        )
        if len(left_out) > _NAMED:
            named = LOOK.and_more.format(named=named, count=f"{len(left_out) - _NAMED:,}")
        notice = LOOK.left_as_they_are.format(
            numbers=named, most_words=inputs.MOST_WORDS, most_characters=f"{inputs.MOST_CHARACTERS:,}"
        )
        st.warning(notice, icon=":material/short_text:")


Translations = Mapping[str, FinishedTranslation]
"""Translations by source."""


@dataclass(frozen=True, eq=False, kw_only=True)
class TextState(NamedTask):
    """How far one checkpoint's translation of the text is.

    Attributes:
        translations: by source sentence. All if complete, those stored before if no job is under way, else empty.
    """

    translations: Translations
    complete: bool


def text_states(view: TextView) -> list[TextState]:
    """Start and cancel tasks of the view, and return the state of each, in the order of the checkpoints.

    A typed text is translated at once, a file when the button is pressed. Earlier tasks of this reader are cancelled
    unless another session watches them. Their finished sentences stay on disk.
    """
    subscribe("texts", view.tasks.values())
    states = [_state(view, name, task) for name, task in view.tasks.items()]
    forget_button()
    return states


def _state(view: TextView, name: str, task: TextTask) -> TextState:
    job = compute_service().job(task)  # before the next line, which finds the answer of a job that ends now
    answer = compute_service().find(task)
    translated: Translations = {}
    if answer is not None:
        translated = {translation.source: translation for translation in answer}
    elif view.wanted or (job is None and not view.from_file):
        start([task])
    elif job is None or job.state.over:
        translated = task.partial()
    return TextState(name=name, task=task, translations=translated, complete=answer is not None)


_SHOWN = 20_000
"""Largest number of characters that a card shows. The saved file has the whole text."""
_HIGHEST = 420
"""Height of a card's text before it scrolls, in pixels."""
_LONG = 1200
"""Number of characters from which a text may need the height ``_HIGHEST``."""
_ON_A_SHEET = 10
"""Number of sentences listed at a time."""
_NARROWEST = 240
_EVERY = 0.5  # seconds between two checks whether all doubts are computed


def show_text(view: TextView, state: TextState) -> None:
    """Show log-probability and number of translated sentences, files to save and, if complete, the translated text."""
    translated = state.translations
    done = [translated[sentence] for sentence in state.task.sentences if sentence in translated]
    tokens = sum(translation.tokens for translation in done)
    target_language = state.task.checkpoint.target_language
    texts = [translated[s].text if s in translated else s for s in view.split.sentences]
    text = view.split.together(texts, target_language)
    if state.complete:
        with st.container(height=_HIGHEST if len(text) > _LONG else "content", border=False, key=f"text-{state.name}"):
            st.text(text[:_SHOWN])
        if len(text) > _SHOWN:
            st.caption(LOOK.first_characters.format(shown=f"{_SHOWN:,}", total=f"{len(text):,}"))
    mean = nats(sum(translation.log_probability for translation in done) / max(1, tokens))
    said = f"{LOOK.log_probability}: {mean} · {counted(len(done), LOOK.forms.sentence_count)}"
    st.caption(said, help=LOOK.log_probability_help + "\n\n" + explained("nats"))
    with st.container(horizontal=True):
        name = f"{view.name}.{target_language}"
        if state.complete:
            offer_file(LOOK.text, text, f"{name}.txt", key=f"txt-{state.name}")
        about = LOOK.save_tsv_help
        offer_file(LOOK.save_tsv, lambda: as_tsv(done), f"{name}.tsv", key=f"tsv-{state.name}", help=about)


@dataclass(frozen=True, eq=False)
class _Judged:
    """A translation without alpha whose words a checkpoint with alpha may doubt. ``task``: its scores of the words.
    ``doubts``: which it doubts, or None if the scores are not computed yet."""

    written: Translation
    task: DoubtTask
    doubts: About | None


def _judged(states: Sequence[TextState], sentence: str) -> dict[str, _Judged]:
    """The translations of a sentence whose words a checkpoint may doubt, by the name of their checkpoint."""
    tasks = {state.name: state.task for state in states if sentence in state.translations}
    whole = {name: TranslateTask(task.checkpoint, sentence, task.settings).stored() for name, task in tasks.items()}
    judged: dict[str, _Judged] = {}
    for (name, written), (judge, theirs) in product(whole.items(), repeat=2):
        run, other = tasks[name].checkpoint, tasks[judge].checkpoint
        fits = other.has_alignment and not run.has_alignment and other.languages == run.languages
        if not (fits and written and theirs and theirs.encoded and theirs.best.encoded and written.best.encoded):
            continue
        if name not in judged and may_doubt(theirs.record().systems[0]):
            task = DoubtTask(other, theirs.encoded, written.best.encoded)
            scores = compute_service().find(task)
            words, others = (joined(side.tokens, side.words) for side in (task.output, theirs.best.encoded))
            doubts = None if scores is None else doubted(judge, scores.improbable(words, others))
            judged[name] = _Judged(written, task, doubts)
    return judged


def show_sentences(view: TextView, states: Sequence[TextState], dots: Mapping[str, str]) -> None:
    """Show each sentence beside its translations by the checkpoints, a sheet at a time. ``dots``: the dot of each
    checkpoint, in HTML. Words that another checkpoint doubts are underlined. Their scores are computed in the
    background, once the translations of the sheet are shown. The page then runs again."""
    st.subheader(LOOK.by_sentence, anchor=False)
    sentences = view.split.sentences
    sheets = -(-len(sentences) // _ON_A_SHEET)
    sheet = 1
    if sheets > 1:
        sheet = min(sheets, max(1, st.pagination(sheets, key="sheet", bind="query-params")))
    first = (sheet - 1) * _ON_A_SHEET
    on_sheet = sentences[first : first + _ON_A_SHEET]
    judged = {sentence: _judged(states, sentence) for sentence in on_sheet}
    for number, sentence in enumerate(on_sheet, first + 1):
        with st.container(border=True, key=f"sentence-{number}"):
            columns = st.grid(min(4, 1 + len(states)), min_column_width=_NARROWEST, gap="medium")
            with columns.cell():
                st.caption(LOOK.numbered.format(number=number, language=language(view.source_language)))
                st.text(sentence)
            for state in states:
                with columns.cell():
                    _show_translation(state, sentence, dots[state.name], judged[sentence].get(state.name), number)
            if not inputs.too_long(sentence):
                key, following = f"look-{number}", sentences[number - 1 :]
                offer(LOOK.look_closer, "visibility", _look_at, following, key=key, type="tertiary")
    lacking = [entry.task for by_name in judged.values() for entry in by_name.values() if entry.doubts is None]
    subscribe("doubts", lacking)
    jobs = [(task, compute_service().job(task)) for task in lacking]
    started = [compute_service().start(task) for task, job in jobs if job is None or job.state.status != "failed"]
    if started:
        poll(lambda: None, lambda: all(job.state.over for job in started), _EVERY)


def _show_translation(state: TextState, sentence: str, dot: str, judged: _Judged | None, number: int) -> None:
    name, translation = state.name, state.translations.get(sentence)
    if translation is None:
        st.caption(f"{dot}{escaped(name)}", unsafe_allow_html=True)
        st.caption(LOOK.left_as_it_is if inputs.too_long(sentence) else LOOK.not_translated)
        return
    per_token = translation.log_probability / max(1, translation.tokens)
    st.caption(dot + LOOK.per_word.format(name=escaped(name), nats=nats(per_token)), unsafe_allow_html=True)
    if judged is None or not judged.doubts:
        st.text(translation.text or APP.nothing_written)
        return
    record = judged.written.record()
    shown = replace(record, systems=(replace(record.systems[0], name="", kind=""),))  # which the caption has
    show_instrument(shown, key=f"doubted-{number}-{name}", more={"parts": "ribbons", "about": {"": judged.doubts}})


def _look_at(sentences: Sequence[str]) -> None:
    """Show the first of some sentences on Look, where the reader can add the others. Languages, checkpoints, beam and
    the treatment of [UNK] do not change."""
    take_sentences([inputs.on_one_line(sentence) for sentence in sentences])
    set_choice(MODE, "sentence")


def show_texts(checkpoints: Checkpoints) -> None:
    """Ask for a text, translate it in the background, and show the translations."""
    view = ask_text(checkpoints)
    if view is None:
        forget_button()
        return
    states = text_states(view)
    styles = {name: line_style(number, dark=dark_page()) for number, name in enumerate(view.tasks)}  # as on Look
    dots = {name: f'<span class="dot" style="background: {style.colour}"></span>' for name, style in styles.items()}
    grid = st.grid(min(3, len(states)), min_column_width=NARROWEST, gap="medium")
    for state in states:
        with grid.cell(), st.container(border=True, key=f"text-card-{state.name}"):
            show_head(state.name, state.task.checkpoint, dots[state.name])
            if not state.complete and (job := state.job) is not None and not job.state.over:
                # else a button pressed while the page was busy would restart a cancelled job
                watch_jobs([("", job)], f"text-{state.name}", on_cancel=forget_button)
                st.caption(LOOK.progress_is_saved)
                continue
            _offer_to_go_on(state)
            if state.translations:
                show_text(view, state)
    settled = [state for state in states if state.complete or state.idle]
    if any(state.translations for state in settled):
        show_sentences(view, settled, dots)


def _offer_to_go_on(each: TextState) -> None:
    """Show the progress of a text that is not completely translated, and a button that continues."""
    if each.complete:
        return
    if each.job is not None:
        show_progress(each.job.state)
    total = len(set(each.task.sentences))
    done = len(each.translations)
    if done:
        st.caption(LOOK.partly_done.format(done=f"{done:,}", total=f"{total:,}"))
    label = APP.go_on if done else LOOK.translate
    offer(label, "play_arrow", start, [each.task], key=f"go-{each.name}")
