"""What the alignment explorer is asked to show. All of it lives in the address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from nmt.charts.alignment_view import Layout, Show
from nmt.charts.colour_scales import SCALES, ScaleName
from nmt.runs.folder import RunInfo
from nmt.scenes.sentences import SENTENCES
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.formatting import escaped
from nmt.ui.inputs import (
    any_checkpoint,
    ask_beam,
    ask_checkpoints,
    ask_sentence,
    ask_unknown,
    name_broken,
    ready,
    some_chosen,
)
from nmt.ui.look.explore.gallery import GALLERY
from nmt.ui.look.explore.imported import Imported, ask_files
from nmt.ui.search_choice import Unknown

ExplorerTarget = Literal["Best translation", "One of the list", "Typed target"]
Prune = Literal["Weight", "Mass"]

_EXAMPLES = {lesson.title: lesson.sentence for lesson in GALLERY}
_OF: tuple[ExplorerTarget, ...] = ("Best translation", "One of the list", "Typed target")
_SHOWN: dict[str, Show] = {"Matrix": "matrix", "Links": "links", "Both": "both"}
_SCALES: dict[str, ScaleName] = {scale.title: name for name, scale in SCALES.items()}
_LAYOUTS: dict[str, Layout] = {"As it fits": "auto", "Above each other": "horizontal", "Side by side": "vertical"}
_PRUNE: tuple[Prune, ...] = ("Weight", "Mass")

BARS, END, PUNCTUATION, PIECES, TRANSPOSED, DIFFERENCE = (
    "Bars",
    "End mark",
    "Punctuation",
    "Pieces of words",
    "Target on top",
    "Difference",
)
OPTIONS_AT_FIRST = (BARS, END, PUNCTUATION)
_OPTIONS = (BARS, END, PUNCTUATION, PIECES, TRANSPOSED, DIFFERENCE)


@dataclass(frozen=True, kw_only=True)
class ExplorerView:
    """Everything that the explorer shows depends on this.

    Attributes:
        sentence: on one line; blank only where there are files alone.
        imported: what the files say that the reader put in.
        runs: name and checkpoint of each panel, in the order chosen; none without a sentence, and else at least one or
            a file.
        beam: hypotheses kept at each step.
        unknown: what happens to [UNK].
        rank: which translation of the list, from 1; at most ``beam``.
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
    target: str
    shown: Show
    scale: ScaleName
    layout: Layout
    prune: Prune
    least: float
    options: frozenset[str]


def ask_explorer(found: Checkpoints) -> ExplorerView | None:
    """Show the form; None where there is nothing to show (yet), after saying why."""
    if not any_checkpoint(found):
        return None
    typed, row = ask_sentence(found, _EXAMPLES, SENTENCES[0].sentence)
    with row:
        imported = tuple(ask_files())
    runs = ask_checkpoints(found)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        of = st.segmented_control(
            "Alignment of",
            _OF,
            default=_OF[0],
            required=True,
            key="of",
            bind="query-params",
            width="content",
            help="The translation that the search finds best, any other of its list, or a target that you type: the "
            "model is then made to write that, word by word.",
        )
        beam = ask_beam()
        unknown = ask_unknown()
    rank, target = 1, ""
    if of == "One of the list" and beam > 1:
        rank = st.slider("Number in the list", 1, beam, 1, key="rank", bind="query-params", width=360)
    elif of == "Typed target":
        target = " ".join((st.text_input("Target", key="t", bind="query-params", max_chars=4000) or "").split())
    name_broken(found)
    if imported and not (typed.strip() and runs):
        text, runs = "", {}  # the files alone
    else:
        checked = ready(typed, _EXAMPLES)
        if checked is None or not some_chosen(runs):
            return None
        text = checked
    for lesson in GALLERY:
        if lesson.sentence == text:
            st.caption(f":material/visibility: **{escaped(lesson.title)}.** {escaped(lesson.look)}")
    if of == "Typed target" and not target and runs:
        st.info("Type the target sentence whose alignment you want to see.", icon=":material/edit:")
        return None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        shown = st.segmented_control(
            "Show", list(_SHOWN), default="Matrix", required=True, key="show", bind="query-params", width="content"
        )
        options = st.pills(
            "With",
            _OPTIONS,
            selection_mode="multi",
            default=OPTIONS_AT_FIRST,
            key="with",
            bind="query-params",
            width="content",
            wrap=True,
            help="Bars: coverage of each source word (the sum of its column) and entropy of each target word. Without "
            "the end mark or punctuation each row is divided by what is left of it. Difference: the second checkpoint "
            "less the first, on the first one's target.",
        )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        scale = next(iter(_SCALES))
        if shown != "Links":
            scale = st.selectbox("Scale", list(_SCALES), key="scale", bind="query-params", width=300)
        prune, least, layout = _PRUNE[0], 0.2, "As it fits"
        if shown != "Matrix":
            layout = st.selectbox("Links drawn", list(_LAYOUTS), key="layout", bind="query-params", width=180)
            prune = st.segmented_control(
                "Links kept by",
                _PRUNE,
                default=_PRUNE[0],
                required=True,
                key="by",
                bind="query-params",
                width="content",
                help="Weight: every link with at least this alpha. Mass: for each target word the fewest links that "
                "together have at least this share of its attention.",
            )
            least = st.slider("At least", 0.0, 1.0, 0.2, 0.05, key="least", bind="query-params", width=220)
    return ExplorerView(
        sentence=text,
        imported=imported,
        runs=runs,
        beam=beam,
        unknown=unknown,
        rank=min(rank, beam),
        target=target,
        shown=_SHOWN[shown],
        scale=_SCALES[scale],
        layout=_LAYOUTS[layout],
        prune=prune,
        least=min(1.0, max(0.0, least)),
        options=frozenset(options) & {*_OPTIONS},
    )
