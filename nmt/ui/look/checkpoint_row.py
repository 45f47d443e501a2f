"""The row above the sentence or the text: languages, checkpoints, the switch between sentence and text, settings."""

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import streamlit as st

from nmt.results import Languages
from nmt.runs.folder import RunInfo
from nmt.texts import LOOK, counted
from nmt.ui.address import choose_view, current_choice, set_choice, write_address
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.formatting import language
from nmt.ui.inputs import ask_checkpoints, ask_pairs, first_of, follow_pair, say_left_out, too_long

MODE, TEXT = "mode", "text"
"""Parameters of the address: sentence or text, and the text that was typed."""

MOST_TYPED = 6000
"""Largest number of characters of a typed text. The address holds the text, and must stay short enough for a link."""

_MAY_END = re.compile(r"[.!?…]\S*\s+\S|\n\s*\S|[。！？]\s*\S")


def whole_text_chosen() -> bool:
    """Whether the reader chose a whole text. Can be called before the switch is shown."""
    return current_choice(MODE, LOOK.by_key.modes) == "text"


def offer_whole_text(typed: str, language: str, take_sentences: Callable[[Sequence[str]], None]) -> None:
    """If the text typed for one sentence is too long or has several sentences, show a button that treats it as a whole
    text. With several sentences, another button adds them one by one. Nothing is shown beyond ``MOST_TYPED``."""
    text = typed.strip()
    sentences = _sentences(text, language)
    if (len(sentences) < 2 and not too_long(text)) or len(text) > MOST_TYPED:
        return
    label = counted(len(sentences), LOOK.forms.as_text)
    st.button(label, key="as-text", icon=":material/subject:", on_click=_take_text, args=(text,))
    if len(sentences) > 1:
        st.button(LOOK.one_by_one, key="one-by-one", icon=":material/add:", on_click=take_sentences, args=(sentences,))


def _sentences(text: str, language: str) -> Sequence[str]:
    if not _MAY_END.search(text):
        return [text]  # without loading the splitter
    from nmt.data.sentences import split_text

    return split_text(text, language).sentences


def _take_text(text: str) -> None:
    set_choice(MODE, "text")
    write_address(**{TEXT: [text]})


MODELS = "models"
"""The parameter of the address that names the chosen checkpoints and systems."""


def ask_checkpoint_row(
    checkpoints: Checkpoints, systems: Mapping[str, Languages] = MappingProxyType({})
) -> tuple[Languages, dict[str, RunInfo]]:
    """Ask for languages, checkpoints and ``systems``. Returns the first language pair, and the chosen checkpoints by
    name, without the chosen systems, which are in the address."""
    pairs = ask_pairs(checkpoints, MODELS, together=True)
    follow_pair(pairs, checkpoints, MODELS)
    choose_view(LOOK.mode, LOOK.by_key.modes, key=MODE, width="content")
    return pairs[0], _ask_checkpoints(checkpoints, pairs, systems)


def _ask_checkpoints(
    checkpoints: Checkpoints, pairs: Sequence[Languages], systems: Mapping[str, Languages]
) -> dict[str, RunInfo]:
    """Ask for checkpoints that read the source language of the pairs, by default those that ``first_of`` names."""
    pair = pairs[0]
    readable = {name: run for name, run in checkpoints.usable.items() if run.source_language == pair.source}
    others = say_left_out(MODELS, checkpoints.usable, readable, pair)
    fitting = [name for name, languages in systems.items() if languages in pairs and name not in readable]
    alone = pair.target if len(pairs) == 1 else ""  # else a title has the target language
    writes = {name: language(run.target_language) for name, run in readable.items() if run.target_language != alone}
    titles = {name: LOOK.writes.format(name=name, language=target) for name, target in writes.items()}
    first = first_of(pairs, checkpoints)
    names = ask_checkpoints([*readable, *fitting], titles, key=MODELS, default=first, elsewhere=others)
    return {name: readable[name] for name in names if name in readable}
