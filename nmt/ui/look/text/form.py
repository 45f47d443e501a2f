"""Settings of a whole text, and the tasks that translate it. All but an uploaded file lives in the address."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

import streamlit as st

from nmt.answers.jobs import Job
from nmt.data.line_words import count_words
from nmt.data.uploads import Limits, Upload, text_of
from nmt.errors import InputError
from nmt.results import FinishedTranslation
from nmt.runs.folder import RunInfo
from nmt.ui.address import choose_one
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.compute import subscribe
from nmt.ui.formatting import as_sentence, counted, language
from nmt.ui.inputs import MOST_CHARACTERS, MOST_WORDS, any_checkpoint, ask_beam, ask_unknown, name_broken, some_chosen
from nmt.ui.look import strings
from nmt.ui.look.checkpoint_row import MOST_TYPED, TEXT, ask_checkpoint_row
from nmt.ui.resources import compute_service
from nmt.ui.tasks import TextTask, Unknown, chosen_settings
from nmt.ui.text_notice import show_notices

if TYPE_CHECKING:
    from nmt.data.sentences import SplitText


LIMITS = Limits(size=2_000_000)
"""Of a file: some 350,000 words."""

_WANTED = "texts-wanted"
_ENOUGH = 50
"""Number of sentences by which the language of a text is recognised."""

_NAMED = 5
"""Number of too long sentences that are named."""


@dataclass(frozen=True, kw_only=True)
class TextView:
    """A text, and how it is to be translated.

    Attributes:
        name: of the file without its ending, or "text".
        split: the text as sentences.
        runs: name and checkpoint, in the order chosen; at least one.
        beam, unknown: as for one sentence.
        from_file: whether it was uploaded.
        wanted: whether the button was pressed, and nobody called ``forget_button`` since.
    """

    name: str
    split: SplitText
    runs: dict[str, RunInfo]
    beam: int
    unknown: Unknown
    from_file: bool
    wanted: bool

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences that are translated."""
        return tuple(sentence for sentence in self.split.sentences if not too_long(sentence))


def too_long(sentence: str) -> bool:
    """Return whether a sentence is longer than what the pages translate."""
    return len(sentence) > MOST_CHARACTERS or count_words(sentence) > MOST_WORDS


def ask_text(checkpoints: Checkpoints) -> TextView | None:
    """Show the form; None where there is nothing to translate (yet), after saying why."""
    if not any_checkpoint(checkpoints):
        return None
    megabytes = LIMITS.size // 1_000_000
    with st.container(horizontal=True, vertical_alignment="bottom", key="sentence-row"):
        typed = st.text_area(
            strings.TEXT,
            key=TEXT,
            bind="query-params",
            height=120,
            max_chars=MOST_TYPED,
            placeholder=strings.TEXT_PLACEHOLDER.format(most=f"{MOST_TYPED:,}"),
            label_visibility="collapsed",
        )
        st.button(strings.TRANSLATE, type="primary", shortcut="Ctrl+Enter", on_click=_want)
        st.button(strings.EXAMPLE, on_click=_take_example)
        with st.popover(strings.SETTINGS, icon=":material/tune:"):
            uploaded = st.file_uploader(strings.FILE, key="file", max_upload_size=megabytes)
            cut = choose_one(
                st.segmented_control,
                strings.SPLIT,
                strings.SPLITS,
                key="cut",
                help=strings.SPLIT_HELP,
            )
            beam = ask_beam()
            unknown = ask_unknown()
            name_broken(checkpoints)
    _, runs = ask_checkpoint_row(checkpoints)
    if len(typed or "") >= MOST_TYPED:
        st.caption(f":material/warning: {strings.CUT_OFF.format(most=f'{MOST_TYPED:,}')}")
    try:
        text = (typed or "") if uploaded is None else text_of(Upload(uploaded.name, uploaded.getvalue()), LIMITS)
    except InputError as error:
        st.error(as_sentence(str(error)), icon=":material/error:")
        return None
    if not text.strip():
        st.info(strings.NO_TEXT, icon=":material/subject:")
        return None
    if not some_chosen(runs):
        return None
    if uploaded is not None and (typed or "").strip():
        st.caption(strings.FILE_FIRST)
    split = _split(text, next(iter(runs.values())).source_language, cut == "lines")
    name = "text" if uploaded is None else PurePath(uploaded.name).stem
    view = TextView(
        name=name,
        split=split,
        runs=runs,
        beam=beam,
        unknown=unknown,
        from_file=uploaded is not None,
        wanted=st.session_state.get(_WANTED, False),
    )
    _say_what_it_is(view)
    show_notices(" ".join(view.split.sentences[:_ENOUGH]), view.runs, unknown_words=False)
    return view if view.sentences else None


def _want() -> None:
    st.session_state[_WANTED] = True


def forget_button() -> None:
    """Forget that the button was pressed."""
    st.session_state.pop(_WANTED, None)


def _take_example() -> None:
    st.session_state[TEXT] = strings.EXAMPLE_TEXT


@st.cache_data(max_entries=16, show_spinner=strings.SPLITTING)
def _split(text: str, language: str, lines: bool) -> SplitText:
    from nmt.data.sentences import split_lines, split_text

    return split_lines(text) if lines else split_text(text, language)


def _say_what_it_is(view: TextView) -> None:
    sentences = view.split.sentences
    words = sum(map(count_words, sentences))
    source_language = language(next(iter(view.runs.values())).source_language)
    st.caption(
        strings.READ_TEXT.format(
            sentences=counted(len(sentences), strings.SENTENCE_COUNT),
            words=counted(words, strings.WORD_COUNT),
            language=source_language,
        )
    )
    left_out = [(number, sentence) for number, sentence in enumerate(sentences, 1) if too_long(sentence)]
    if left_out:
        named = ", ".join(
            strings.LONG_SENTENCE.format(number=number, words=f"{count_words(sentence):,}")
            for number, sentence in left_out[:_NAMED]
        )
        if len(left_out) > _NAMED:
            named = strings.AND_MORE.format(named=named, count=f"{len(left_out) - _NAMED:,}")
        notice = strings.LEFT_AS_THEY_ARE.format(
            numbers=named, most_words=MOST_WORDS, most_characters=f"{MOST_CHARACTERS:,}"
        )
        st.warning(notice, icon=":material/short_text:")


@dataclass(frozen=True, eq=False, kw_only=True)
class TextState:
    """Translations of the text that a checkpoint has made so far.

    Attributes:
        name: name of the checkpoint.
        task: the translation of all sentences.
        job: its job; None if it was not started.
        translations: by source; not looked up while the job is under way.
        complete: whether they are all there.
    """

    name: str
    task: TextTask
    job: Job[list[FinishedTranslation]] | None
    translations: dict[str, FinishedTranslation]
    complete: bool

    @property
    def run(self) -> RunInfo:
        return self.task.checkpoint


def text_states(view: TextView) -> list[TextState]:
    """Look up, start and cancel the tasks of the view, in the order of the checkpoints.

    A typed text is started at once, a file when the button is pressed. Earlier tasks of this reader are cancelled
    unless another session watches them; their finished sentences stay on disk.
    """
    tasks = {
        name: TextTask(run, view.sentences, chosen_settings(run, view.beam, view.unknown))
        for name, run in view.runs.items()
    }
    subscribe("texts", tasks.values())
    states = [_state(view, name, task) for name, task in tasks.items()]
    forget_button()
    return states


def _state(view: TextView, name: str, task: TextTask) -> TextState:
    job = compute_service().job(task)  # first: what ends now is found by the next line
    answer = compute_service().find(task)
    translated: dict[str, FinishedTranslation] = {}
    if answer is not None:
        translated = {translation.source: translation for translation in answer.result}
    elif view.wanted or (job is None and not view.from_file):
        job = compute_service().start(task)
    elif job is None or job.state.over:
        translated = task.partial()
    return TextState(name=name, task=task, job=job, translations=translated, complete=answer is not None)
