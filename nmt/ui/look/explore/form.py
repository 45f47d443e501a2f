"""Choice of what the page Look shows. All of it lives in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal, cast

import streamlit as st

from nmt.answers.sentences import SENTENCES, SceneSentence
from nmt.charts.alignment_view import Layout, Show
from nmt.charts.colour_scales import SCALES, ScaleName
from nmt.results import Languages
from nmt.runs.folder import RunInfo
from nmt.ui.address import choose_many, choose_one, drop_number_outside, set_choice
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.formatting import language
from nmt.ui.glossary import explained
from nmt.ui.inputs import (
    SENTENCE,
    any_checkpoint,
    ask_beam,
    ask_unknown,
    name_broken,
    ready,
    some_chosen,
)
from nmt.ui.look import former_values
from nmt.ui.look import strings as look_strings
from nmt.ui.look.checkpoint_row import ask_checkpoint_row
from nmt.ui.look.explore import strings
from nmt.ui.look.explore.examples import EXAMPLES, offered_examples, take_chosen_example, take_example
from nmt.ui.look.explore.gallery import GALLERY, Lesson
from nmt.ui.look.explore.imported import Imported, ask_files
from nmt.ui.look.explore.target_choice import (
    KIND,
    TargetChoice,
    TargetKind,
    ask_target,
)
from nmt.ui.look.input_mode import offer_whole_text
from nmt.ui.tasks import Unknown
from nmt.ui.text_notice import show_notices

Prune = Literal["weight", "mass"]

BARS, END, PUNCTUATION, PIECES, TRANSPOSED, DIFFERENCE = (
    "bars",
    "end",
    "punctuation",
    "pieces",
    "transposed",
    "difference",
)
OPTIONS_AT_FIRST = (BARS, END, PUNCTUATION)
_SCALES: dict[str, ScaleName] = {name.replace(" ", "-"): name for name in SCALES}
_WITH, _WANTED = "with", "difference-wanted"


_FIRST_BEFORE = "look-first-before"


@dataclass(frozen=True, kw_only=True)
class ExplorerView:
    """Everything that is shown depends on this.

    Attributes:
        sentence: on one line; blank only where there are files alone.
        imported: alignments from the files that the reader opened.
        runs: name and checkpoint of each panel, in the order chosen; none without a sentence, and else at least one or
            a file.
        beam: hypotheses kept at each step.
        unknown: what happens to [UNK].
        rank, listed: which translation of the list, from 1, and how long the list is; at most ``beam``.
        target: the target that was typed, on one line; "" where the models' own translations are shown.
        shown: the matrix, the links or both.
        scale: of the matrix.
        layout: of the links.
        prune, least: links of at least this weight, or those that together have at least this share of a row.
        options: of ``strings.OPTION_CHOICES``.
    """

    sentence: str
    imported: tuple[Imported, ...]
    runs: dict[str, RunInfo]
    beam: int
    unknown: Unknown
    rank: int
    listed: int
    target: str
    shown: Show
    scale: ScaleName
    layout: Layout
    prune: Prune
    least: float
    options: frozenset[str]

    @property
    def lesson(self) -> SceneSentence | Lesson | None:
        """The lesson about this sentence in the languages of the first panel; None if there is none."""
        return _lesson(self.sentence, self.runs)

    def target_named(self, run: RunInfo) -> str:
        """Name the target language of a checkpoint if the chosen checkpoints differ in it; "" otherwise."""
        several = len({each.target_language for each in self.runs.values()}) > 1
        return language(run.target_language) if several else ""


def _lesson(sentence: str, runs: Mapping[str, RunInfo]) -> SceneSentence | Lesson | None:
    pairs = [(run.source_language, run.target_language) for run in runs.values()][:1]
    lessons: tuple[SceneSentence | Lesson, ...] = (*SENTENCES, *GALLERY)
    taught = (each for each in lessons if each.sentence == sentence and each.languages in pairs)
    return next(taught, None)


def ask_explorer(checkpoints: Checkpoints) -> ExplorerView | None:
    """Show the form: the sentence, the checkpoints, and all else closed in one place. None where there is nothing to
    show (yet), after saying why."""
    if not any_checkpoint(checkpoints):
        return None
    sentence_row = st.container(horizontal=True, vertical_alignment="bottom", key="sentence-row")
    target_row = st.container(key="target-row")
    pair, runs = ask_checkpoint_row(checkpoints)
    with sentence_row:
        typed = _ask_sentence(checkpoints, pair)
        offer_whole_text(typed, pair.source)
        with st.popover(look_strings.SETTINGS, icon=":material/tune:"):
            place = st.container()
            imported = tuple(ask_files())
            with place:
                settings = _ask_settings(len(runs) + len(imported))
            name_broken(checkpoints)
    offered = offered_examples(pair)
    if imported and not (SENTENCE in st.query_params and typed.strip() and runs):
        text, runs = "", {}  # the files alone: nobody typed the sentence that the page opens with
    else:
        checked = ready(typed, offered, partial(take_example, checkpoints, offered))
        if checked is None or not some_chosen(runs):
            return None
        text = checked
    if _lesson(text, runs) is None:  # a sentence of ours is as it should be, and nothing need be read to know it
        show_notices(text, runs)  # before anything is computed, and to choose a target something may have to be
    with target_row:
        choice = TargetChoice()
        if runs:
            requested = ask_target(settings.target, runs, text, settings.beam, settings.unknown)
            if requested is None:
                return None
            choice = requested
    return ExplorerView(
        sentence=text,
        imported=imported,
        runs=runs,
        beam=settings.beam,
        unknown=settings.unknown,
        rank=choice.rank,
        listed=choice.listed,
        target=choice.typed,
        shown=settings.shown,
        scale=settings.scale,
        layout=settings.layout,
        prune=settings.prune,
        least=settings.least,
        options=settings.options,
    )


def view_of(checkpoints: Checkpoints, sentence: str, pair: Languages) -> ExplorerView:
    """Return the view of a sentence with all other choices at their defaults."""
    return ExplorerView(
        sentence=sentence,
        imported=(),
        runs={name: checkpoints.usable[name] for name in checkpoints.first_choice(pair)},
        beam=12,
        unknown="Keep",
        rank=1,
        listed=1,
        target="",
        shown="matrix",
        scale=next(iter(_SCALES.values())),
        layout="auto",
        prune="weight",
        least=0.2,
        options=frozenset(OPTIONS_AT_FIRST),
    )


def _ask_sentence(checkpoints: Checkpoints, pair: Languages) -> str:
    offered = offered_examples(pair)
    first = next(iter(offered.values()), "")
    before = st.session_state.get(_FIRST_BEFORE, first)
    st.session_state[_FIRST_BEFORE] = first
    if first != before and st.session_state.get(SENTENCE) == before:
        st.session_state[SENTENCE] = first  # whoever has typed nothing sees what the other languages open with
    typed = st.text_input(
        strings.SENTENCE.format(language=language(pair.source)),
        first,
        key=SENTENCE,
        bind="query-params",
        width="stretch",
        placeholder=strings.SENTENCE_PLACEHOLDER.format(language=language(pair.source)),
        label_visibility="collapsed",
    )
    st.button(look_strings.TRANSLATE, type="primary", shortcut="Ctrl+Enter")
    if offered:
        taken = (checkpoints, offered)
        st.menu_button(strings.EXAMPLES, list(offered), key=EXAMPLES, on_click=take_chosen_example, args=taken)
    return typed or ""


@dataclass(frozen=True, kw_only=True)
class _Settings:
    """Settings of the popover; as in ``ExplorerView``. ``target``: which target is shown."""

    target: TargetKind
    beam: int
    unknown: Unknown
    shown: Show
    scale: ScaleName
    layout: Layout
    prune: Prune
    least: float
    options: frozenset[str]


def _ask_settings(panels: int) -> _Settings:
    target = choose_one(
        st.segmented_control,
        strings.TARGET_KIND,
        strings.TARGET_KINDS,
        key=KIND,
        former=former_values.TARGET_KINDS,
        help=strings.TARGET_KIND_HELP,
    )
    beam = ask_beam()
    unknown = ask_unknown()
    shown = choose_one(
        st.segmented_control,
        strings.SHOWN,
        strings.SHOWN_CHOICES,
        key="show",
        former=former_values.SHOWN,
    )
    options = _ask_options(panels)
    scale = next(iter(_SCALES))
    if shown != "links":
        titles = {name: SCALES[known].title for name, known in _SCALES.items()}
        scale = choose_one(st.selectbox, strings.SCALE, titles, key="scale", former=former_values.SCALES)
    prune, least, layout = "weight", 0.2, "auto"
    if shown != "matrix":
        layout = choose_one(st.selectbox, strings.LAYOUT, strings.LAYOUTS, key="layout", former=former_values.LAYOUTS)
        prune = choose_one(
            st.segmented_control,
            strings.PRUNE,
            strings.PRUNE_CHOICES,
            key="by",
            former=former_values.PRUNE,
            help=strings.PRUNE_HELP,
        )
        drop_number_outside("least", strings.AT_LEAST, 0, 1)
        least = st.slider(strings.AT_LEAST, 0.0, 1.0, 0.2, 0.05, key="least", bind="query-params")
    return _Settings(
        target=cast(TargetKind, target),
        beam=beam,
        unknown=unknown,
        shown=cast(Show, shown),
        scale=_SCALES[scale],
        layout=cast(Layout, layout),
        prune=cast(Prune, prune),
        least=min(1.0, max(0.0, least)),
        options=frozenset(options),
    )


def _ask_options(panels: int) -> list[str]:
    """Ask what is shown with the weights. A difference needs two panels; the choice is kept while there is only one."""
    requested = st.query_params.get_all(_WITH)
    if panels < 2 and DIFFERENCE in {former_values.OPTIONS.get(name, name) for name in requested}:
        st.session_state[_WANTED] = True
    elif panels > 1 and st.session_state.pop(_WANTED, False):
        set_choice(_WITH, *(requested or OPTIONS_AT_FIRST), DIFFERENCE)
    options = choose_many(
        st.pills,
        strings.OPTIONS,
        {name: title for name, title in strings.OPTION_CHOICES.items() if name != DIFFERENCE or panels > 1},
        key=_WITH,
        default=OPTIONS_AT_FIRST,
        former=former_values.OPTIONS,
        help=explained("coverage", "entropy") + "\n\n" + strings.OPTIONS_HELP,
    )
    if panels < 2:
        title = strings.OPTION_CHOICES[DIFFERENCE]
        st.button(title, key="no-difference", disabled=True, help=strings.NO_DIFFERENCE_YET)
        st.caption(strings.NO_DIFFERENCE_LINE)
    return options
