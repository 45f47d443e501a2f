"""The line at the top of the views of Learn: a sentence, examples, and the button Settings. The address holds the
sentence and the settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmt.answers.shipped import GALLERY, SENTENCES
from nmt.data.line_words import count_words
from nmt.results import Languages
from nmt.runs.folder import RunInfo
from nmt.texts import APP, LEARN, current
from nmt.ui import inputs
from nmt.ui.address import choose_one, choose_text, current_choice, refill, write_address
from nmt.ui.app_shell import name_window, titled
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.formatting import explained
from nmt.ui.instrument import show_field

_EXAMPLE, _FIELD = "example", "learn-sentence"


def sentence_line(examples: Sequence[str]) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Show a row with a menu of ``examples`` and the button Settings. Returns the place of the field before them, and
    the place of the settings, which decide the language of the field."""
    row = st.container(horizontal=True, vertical_alignment="bottom", key="sentence-row")
    with row:
        place = st.container(key="learn-field")
        offered = list(dict.fromkeys(examples))
        st.menu_button(
            APP.example_menu, offered, key=_EXAMPLE, on_click=lambda: refill(_FIELD, s=st.session_state[_EXAMPLE])
        )
    return place, inputs.settings_beside(row)


def ask_sentence(place: DeltaGenerator, first: str, language: str) -> str:
    """Show the field in ``place``. Returns the sentence on one line: ``first`` until the reader enters another one."""
    sentence = inputs.on_one_line(choose_text(inputs.SENTENCE, first)) or first
    name_window(titled(sentence), LEARN.by_key.views[current_choice("view", LEARN.by_key.views)], APP.learn)

    def take(asked: Mapping[str, object]) -> None:
        write_address(s=inputs.on_one_line(str(asked.get("typed", "")))[: inputs.MOST_CHARACTERS])

    with place:
        show_field(_FIELD, sentence, language, take, {})
    return sentence


def short_enough(otherwise: str, *sentences: str) -> bool:
    """Whether sentences are short enough to be drawn. If not, show the warning ``otherwise``."""
    words = max(map(count_words, sentences))
    if words <= _MOST_WORDS:
        return True
    st.warning(otherwise.format(words=words, most=_MOST_WORDS), icon=":material/short_text:")
    return False


FIRST_SENTENCE = SENTENCES[0].sentence
"""The sentence that is explained until the reader types another one. The steps of its translation are stored."""
_MOST_WORDS = 60


@dataclass(frozen=True, kw_only=True)
class HowView:
    """All choices that decide what the page shows.

    Attributes:
        sentence: the sentence on one line, never blank.
        runs: one checkpoint of each available architecture, by name, RNNsearch first.
        beam: hypotheses that the search keeps at each step.
        pieces: whether each subword is shown. Otherwise the subwords of a word are merged.
    """

    sentence: str
    runs: dict[str, RunInfo]
    beam: int
    pieces: bool = False


def ask_how(checkpoints: Checkpoints, *, units: bool) -> HowView | None:
    """Show the form in one line. None after saying why there is nothing to show.

    Args:
        units: whether the reader chooses between words and subwords, if a model has subwords.
    """
    if not inputs.any_checkpoint(checkpoints):
        return None
    pair = _readers_pair(checkpoints)
    of_pair = [scene.sentence for scene in (*SENTENCES, *GALLERY) if Languages(*scene.languages) == pair]
    examples = of_pair or [FIRST_SENTENCE, *APP.forms.examples]
    place, settings = sentence_line(examples)
    with settings:
        runs = _ask_runs(checkpoints, pair)
        beam = inputs.ask_beam()
        pieces = (
            units
            and any(map(in_pieces, runs.values()))
            and choose_one(st.segmented_control, LEARN.units, LEARN.by_key.units_choices, key="units") == "pieces"
        )
    sentence = ask_sentence(place, examples[0], next(iter(runs.values())).source_language)
    if not short_enough(LEARN.too_long_to_draw, sentence):
        return None
    return HowView(sentence=sentence, runs=runs, beam=beam, pieces=pieces)


def in_pieces(run: RunInfo) -> bool:
    """True if a model reads or writes subwords."""
    return any(vocabulary.kind != "words" for vocabulary in (run.source_vocabulary, run.target_vocabulary))


def _readers_pair(checkpoints: Checkpoints) -> Languages | None:
    """The pair of the first checkpoint with weights that reads the reader's language. None for English or without
    any."""
    pairs = (run.languages for run in checkpoints.usable.values() if run.has_weights)
    return next((pair for pair in pairs if pair.source == current() != "en"), None)


def _ask_runs(checkpoints: Checkpoints, pair: Languages | None) -> dict[str, RunInfo]:
    """Ask for one checkpoint per architecture. The defaults are those of ``Checkpoints.first_choice`` for ``pair``."""
    chosen = {}
    for first in checkpoints.first_choice(pair):
        architecture = checkpoints.usable[first].config.model.architecture
        names = [name for name, run in checkpoints.usable.items() if run.config.model.architecture == architecture]
        title, about = LEARN.by_key.choose[architecture], explained("checkpoint", "attention")
        name = inputs.ask_checkpoint(title, names, key=architecture, default=first, help=about)
        chosen[name] = checkpoints.usable[name]
    return chosen
