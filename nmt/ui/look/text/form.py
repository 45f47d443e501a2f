"""What is asked for a whole text. All but an uploaded file lives in the address."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

import streamlit as st

from nmt.data.line_words import count_words
from nmt.data.uploads import Limits, Upload, text_of
from nmt.errors import InputError
from nmt.runs.folder import RunInfo
from nmt.ui.address import choose_one
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.formatting import as_sentence, language
from nmt.ui.inputs import (
    MOST_CHARACTERS,
    MOST_WORDS,
    any_checkpoint,
    ask_beam,
    ask_unknown,
    name_broken,
    some_chosen,
)
from nmt.ui.look.checkpoint_row import ask_checkpoint_row
from nmt.ui.look.input_mode import MOST_TYPED, TEXT
from nmt.ui.search_choice import Unknown

if TYPE_CHECKING:
    from nmt.data.sentences import SplitText

LIMITS = Limits(size=2_000_000)
"""Of a file: some 350,000 words."""

_WANTED = "texts-wanted"
_SPLITS = {"sentences": "By sentence", "lines": "By line"}
_NAMED = 5
"""Sentences that are too long, of which so many are named."""
EXAMPLE = (
    "The harbour of the town\n\n"
    "Every morning two old men sit by the water and look at the boats. One of them was a sailor. He has seen many "
    "countries, but he says that this is the most beautiful place in the world.\n\n"
    "When it rains, they drink coffee in a small house near the church. Nobody knows what they talk about."
)


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
        """Those that are translated."""
        return tuple(sentence for sentence in self.split.sentences if not too_long(sentence))


def too_long(sentence: str) -> bool:
    """Whether a sentence is more than the pages translate."""
    return len(sentence) > MOST_CHARACTERS or count_words(sentence) > MOST_WORDS


def ask_text(found: Checkpoints) -> TextView | None:
    """Show the form; None where there is nothing to translate (yet), after saying why."""
    if not any_checkpoint(found):
        return None
    megabytes = LIMITS.size // 1_000_000
    with st.container(horizontal=True, vertical_alignment="bottom", key="sentence-row"):
        typed = st.text_area(
            "Text",
            key=TEXT,
            bind="query-params",
            height=120,
            max_chars=MOST_TYPED,
            placeholder=f"Type or paste paragraphs, up to {MOST_TYPED:,} characters …",
            label_visibility="collapsed",
        )
        st.button("Translate", type="primary", shortcut="Ctrl+Enter", on_click=_want)
        st.button("Example", on_click=_take_example)
        with st.popover("Settings", icon=":material/tune:"):
            uploaded = st.file_uploader(
                "A text file in UTF-8 instead", type=["txt"], key="file", max_upload_size=megabytes
            )
            cut = choose_one(
                st.segmented_control,
                "Split",
                _SPLITS,
                key="cut",
                former={"Into sentences": "sentences", "A sentence a line": "lines"},
                help="Where a sentence ends is found by sentencex, which knows abbreviations and numbers; or each line "
                "is a sentence as it stands, as in a test set.",
            )
            beam = ask_beam()
            unknown = ask_unknown()
            name_broken(found)
    _, runs = ask_checkpoint_row(found)
    if len(typed or "") >= MOST_TYPED:
        st.caption(f":material/warning: The field holds {MOST_TYPED:,} characters; what went beyond was cut off.")
    try:
        text = (typed or "") if uploaded is None else text_of(Upload(uploaded.name, uploaded.getvalue()), LIMITS)
    except InputError as error:
        st.error(as_sentence(str(error)), icon=":material/error:")
        return None
    if not text.strip():
        st.info(
            "Type a text above, or choose a file under Settings. It is split into sentences, each is translated, and "
            "the text is put together again with its paragraphs.",
            icon=":material/subject:",
        )
        return None
    if not some_chosen(runs):
        return None
    if uploaded is not None and (typed or "").strip():
        st.caption("The file is translated, not the text above; take the file out to go back to the text.")
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
    return view if view.sentences else None


def _want() -> None:
    st.session_state[_WANTED] = True


def forget_button() -> None:
    """The button was heeded, or does not count any more."""
    st.session_state.pop(_WANTED, None)


def _take_example() -> None:
    st.session_state[TEXT] = EXAMPLE


@st.cache_data(max_entries=16, show_spinner="Looking for sentences …")
def _split(text: str, language: str, lines: bool) -> SplitText:
    from nmt.data.sentences import split_lines, split_text

    return split_lines(text) if lines else split_text(text, language)


def _say_what_it_is(view: TextView) -> None:
    sentences = view.split.sentences
    words = sum(map(count_words, sentences))
    spoken = language(next(iter(view.runs.values())).source_language)
    said = f"{_many(len(sentences), 'sentence')}, {_many(words, 'word')}, read as {spoken}."
    st.caption(said)
    left_out = [(number, sentence) for number, sentence in enumerate(sentences, 1) if too_long(sentence)]
    if left_out:
        named = ", ".join(f"{number} ({count_words(sentence):,} words)" for number, sentence in left_out[:_NAMED])
        more = f" and {len(left_out) - _NAMED:,} more" if len(left_out) > _NAMED else ""
        st.warning(
            f"Too long to be translated, and left as they are: sentence {named}{more}. A sentence has up to "
            f"{MOST_WORDS} words and {MOST_CHARACTERS:,} characters here.",
            icon=":material/short_text:",
        )


def _many(number: int, what: str) -> str:
    """
    >>> _many(1, "word"), _many(2000, "word")
    ('1 word', '2,000 words')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"
