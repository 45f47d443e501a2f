"""What the place Look is asked to show. All of it lives in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal, cast

import streamlit as st

from nmt.charts.alignment_view import Layout, Show
from nmt.charts.colour_scales import SCALES, ScaleName
from nmt.results import Languages
from nmt.runs.folder import RunInfo
from nmt.scenes.sentences import SENTENCES
from nmt.ui.address import choose_many, choose_one, set_choice
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.formatting import language
from nmt.ui.inputs import (
    SENTENCE,
    any_checkpoint,
    ask_beam,
    ask_unknown,
    name_broken,
    ready,
    some_chosen,
)
from nmt.ui.look.checkpoint_row import ask_checkpoint_row
from nmt.ui.look.explore.examples import EXAMPLES, offered_examples, take_chosen_example, take_example
from nmt.ui.look.explore.gallery import GALLERY
from nmt.ui.look.explore.imported import Imported, ask_files
from nmt.ui.look.explore.target_choice import (
    BEST,
    KIND,
    LISTED,
    TYPED,
    TargetChoice,
    TargetKind,
    ask_target,
)
from nmt.ui.look.input_mode import offer_whole_text
from nmt.ui.search_choice import Unknown

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
_OPTIONS = {
    BARS: "Bars",
    END: "End mark",
    PUNCTUATION: "Punctuation",
    PIECES: "Pieces of words",
    TRANSPOSED: "Target on top",
    DIFFERENCE: "Difference",
}
_TARGETS = {BEST: "Best translation", LISTED: "One of the list", TYPED: "Typed target"}
_SHOWN = {"matrix": "Matrix", "links": "Links", "both": "Both"}
_SCALES: dict[str, ScaleName] = {name.replace(" ", "-"): name for name in SCALES}
_LAYOUTS = {"auto": "As it fits", "horizontal": "Above each other", "vertical": "Side by side"}
_WITH, _WANTED = "with", "difference-wanted"
_PRUNE = {"weight": "Weight", "mass": "Mass"}


@dataclass(frozen=True, kw_only=True)
class ExplorerView:
    """Everything that is shown depends on this.

    Attributes:
        sentence: on one line; blank only where there are files alone.
        imported: what the files say that the reader put in.
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
        options: of ``_OPTIONS``.
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
    def look(self) -> str:
        """What to look at in this sentence, if it is one of those that teach."""
        return next((each.look for each in (*SENTENCES, *GALLERY) if each.sentence == self.sentence), "")


def ask_explorer(found: Checkpoints) -> ExplorerView | None:
    """Show the form: the sentence, the checkpoints, and all else closed in one place. None where there is nothing to
    show (yet), after saying why."""
    if not any_checkpoint(found):
        return None
    sentence_row = st.container(horizontal=True, vertical_alignment="bottom", key="sentence-row")
    target_row = st.container(key="target-row")
    pair, runs = ask_checkpoint_row(found)
    with sentence_row:
        typed = _ask_sentence(found, pair)
        offer_whole_text(typed, pair.source)
        with st.popover("Settings", icon=":material/tune:"):
            place = st.container()
            imported = tuple(ask_files())
            with place:
                settings = _ask_settings(len(runs) + len(imported))
            name_broken(found)
    offered = offered_examples(pair)
    if imported and not (SENTENCE in st.query_params and typed.strip() and runs):
        text, runs = "", {}  # the files alone: nobody typed the sentence that the page opens with
    else:
        checked = ready(typed, offered, partial(take_example, found, offered))
        if checked is None or not some_chosen(runs):
            return None
        text = checked
    with target_row:
        choice = TargetChoice()
        if runs:
            asked = ask_target(settings.target, runs, text, settings.beam, settings.unknown)
            if asked is None:
                return None
            choice = asked
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


def view_of(found: Checkpoints, sentence: str, pair: Languages) -> ExplorerView:
    """Return what the form gives for a sentence if nothing else is chosen."""
    return ExplorerView(
        sentence=sentence,
        imported=(),
        runs={name: found.usable[name] for name in found.first_choice(pair)},
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


def _ask_sentence(found: Checkpoints, pair: Languages) -> str:
    offered = offered_examples(pair)
    first = next(iter(offered.values()), "")
    typed = st.text_input(
        f"Sentence in {language(pair.source)}",
        first,
        key=SENTENCE,
        bind="query-params",
        width="stretch",
        placeholder=f"Type one sentence in {language(pair.source)} …",
        label_visibility="collapsed",
    )
    st.button("Translate", type="primary", shortcut="Ctrl+Enter")
    st.menu_button("Examples", list(offered), key=EXAMPLES, on_click=take_chosen_example, args=(found, offered))
    return typed or ""


@dataclass(frozen=True, kw_only=True)
class _Settings:
    """What the popover asks for; as in ``ExplorerView``. ``target``: which target is shown."""

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
        "Alignment of",
        _TARGETS,
        key=KIND,
        former=_by_label(_TARGETS),
        help="The translation that the search finds best, any other of its list, or a target that you type: the "
        "model is then made to write that, word by word.",
    )
    beam = ask_beam()
    unknown = ask_unknown()
    shown = choose_one(
        st.segmented_control,
        "Below the ribbons",
        _SHOWN,
        key="show",
        former=_by_label(_SHOWN),
    )
    options = _ask_options(panels)
    scale = next(iter(_SCALES))
    if shown != "links":
        titles = {name: SCALES[known].title for name, known in _SCALES.items()}
        scale = choose_one(st.selectbox, "Scale", titles, key="scale", former=_by_label(titles))
    prune, least, layout = "weight", 0.2, "auto"
    if shown != "matrix":
        layout = choose_one(st.selectbox, "Links drawn", _LAYOUTS, key="layout", former=_by_label(_LAYOUTS))
        prune = choose_one(
            st.segmented_control,
            "Links kept by",
            _PRUNE,
            key="by",
            former=_by_label(_PRUNE),
            help="Weight: every link with at least this alpha. Mass: for each target word the fewest links that "
            "together have at least this share of its attention.",
        )
        least = st.slider("At least", 0.0, 1.0, 0.2, 0.05, key="least", bind="query-params")
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
    """What is shown with the weights. A difference needs two panels; it is kept in mind while there is only one."""
    given = st.query_params.get_all(_WITH)
    if panels < 2 and {DIFFERENCE, _OPTIONS[DIFFERENCE]} & {*given}:
        st.session_state[_WANTED] = True
    elif panels > 1 and st.session_state.pop(_WANTED, False):
        set_choice(_WITH, *(given or OPTIONS_AT_FIRST), DIFFERENCE)
    options = choose_many(
        st.pills,
        "With",
        {name: title for name, title in _OPTIONS.items() if name != DIFFERENCE or panels > 1},
        key=_WITH,
        default=OPTIONS_AT_FIRST,
        former=_by_label(_OPTIONS),
        help="Bars: coverage of each source word (the sum of its column) and entropy of each target word. Without "
        "the end mark or punctuation each row is divided by what is left of it. Difference: the second checkpoint "
        "less the first, on the first one's target.",
    )
    if panels < 2:
        reason = "Choose a second checkpoint to see how its weights differ from those of the first."
        st.button(_OPTIONS[DIFFERENCE], key="no-difference", disabled=True, help=reason)
        st.caption(f"{_OPTIONS[DIFFERENCE]}: {reason[0].lower()}{reason[1:]}")
    return options


def _by_label(labels: Mapping[str, str]) -> dict[str, str]:
    """Names by what addresses of former versions have."""
    return {title: name for name, title in labels.items()}
