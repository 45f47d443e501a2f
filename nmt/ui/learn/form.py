"""The line at the top of Learn's views: a sentence, examples, the button Settings. The address holds all choices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

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


def sentence_line(row: DeltaGenerator) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Show the button Settings in ``row``, and a row for the sentence. Returns the place of ``ask_sentence`` there, and
    the place of the settings, which decide the language of the sentence."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="sentence-row"):
        return st.container(horizontal=True, key="learn-field"), inputs.ask_settings(row)


def ask_sentence(place: DeltaGenerator, examples: Sequence[str], language: str) -> str:
    """Show the field and a menu of ``examples`` in ``place``. Returns the sentence on one line. Until the reader enters
    another one, it is the first example."""
    inputs.trust_link()
    sentence = inputs.on_one_line(choose_text(inputs.SENTENCE, examples[0])) or examples[0]
    name_window(titled(sentence), LEARN.by_key.views[current_choice("view", LEARN.by_key.views)], APP.learn)

    def take(asked: Mapping[str, object]) -> None:
        if not inputs.take_offer(sentence, asked):
            write_address(s=inputs.on_one_line(str(asked.get("typed", "")))[: inputs.MOST_CHARACTERS])

    with place:
        show_field(_FIELD, sentence, language, take, {})
        offered = list(dict.fromkeys(examples))
        st.menu_button(
            APP.example_menu, offered, key=_EXAMPLE, on_click=lambda: refill(_FIELD, s=st.session_state[_EXAMPLE])
        )
    if sentence == examples[0] != (examples_of(language) or [FIRST_SENTENCE])[0]:
        st.caption(LEARN.own_example)
    st.session_state[inputs.OFFERED] = None
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
_SMALL = 3
"""Beam of the search whose tree is drawn. Its whole tree can be read from far away."""


@dataclass(frozen=True, kw_only=True)
class HowView:
    """All choices that decide what the page shows.

    Attributes:
        sentence: the sentence on one line, never blank.
        runs: one checkpoint of each available architecture, by name, RNNsearch first.
        pieces: whether each subword is shown. Otherwise the subwords of a word are merged.
    """

    sentence: str
    runs: dict[str, RunInfo]
    beam: int
    pieces: bool = False


def ask_how(checkpoints: Checkpoints, pair: Languages, row: DeltaGenerator, view: str) -> HowView | None:
    """Show the form in one line. If there is nothing to show, say why and return None.

    Args:
        row: the row that gets the button Settings.
        view: "how" lets the reader choose between words and subwords. "beam" begins with a short sentence.
    """
    place, settings = sentence_line(row)
    with settings:
        runs = _ask_runs(checkpoints, pair)
        beam = inputs.ask_beam("width", _SMALL) if view == "beam" else inputs.ask_beam()
        pieces = (
            view == "how"
            and any(map(in_pieces, runs.values()))
            and choose_one(st.segmented_control, LEARN.units, LEARN.by_key.units_choices, key="units") == "pieces"
        )
    examples = examples_of(pair.source, pair.target) or [FIRST_SENTENCE]
    if view == "beam":
        examples = [*[LEARN.overtaken] * (pair.source == "en"), *sorted(examples, key=len)]
    sentence = ask_sentence(place, examples, pair.source)
    if not short_enough(LEARN.too_long_to_draw, sentence) or inputs.show_notices(sentence, runs, hold=sentence):
        return None
    return HowView(sentence=sentence, runs=runs, beam=beam, pieces=pieces)


def examples_of(source: str, target: str = "") -> list[str]:
    """The program's sentences in the language ``source``, first those whose translations in ``target`` are stored."""
    scenes = sorted((*SENTENCES, *GALLERY), key=lambda scene: scene.languages[1] != target)
    return [scene.sentence for scene in scenes if scene.languages[0] == source]


def in_pieces(run: RunInfo) -> bool:
    """True if a model reads or writes subwords."""
    return any(vocabulary.kind != "words" for vocabulary in (run.source_vocabulary, run.target_vocabulary))


def readers_first(checkpoints: Checkpoints) -> Checkpoints:
    """The checkpoints, first those with weights that read the reader's language."""
    runs = checkpoints.usable.items()
    first = [(name, run) for name, run in runs if run.has_weights and run.source_language == current()]
    return replace(checkpoints, usable=dict([*first, *runs]))


def _ask_runs(checkpoints: Checkpoints, pair: Languages) -> dict[str, RunInfo]:
    """Ask for one checkpoint of ``pair`` per architecture. The defaults are those of ``Checkpoints.first_choice``."""
    runs, chosen = checkpoints.of_pair(pair), {}
    for first in checkpoints.first_choice(pair):
        architecture = runs[first].config.model.architecture
        names = [name for name, run in runs.items() if run.config.model.architecture == architecture]
        title, about = LEARN.by_key.choose[architecture], explained("checkpoint", "attention")
        name = inputs.ask_checkpoint(title, names, key=architecture, default=first, help=about)
        chosen[name] = runs[name]
    return chosen
