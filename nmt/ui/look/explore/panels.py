"""From weights to panels: words or pieces, with or without the end mark, with bars, marks and links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from nmt.alignments.difference import AlphaDifference, difference, difference_of_pairs
from nmt.alignments.measures import Marks, marks
from nmt.alignments.policy import Restriction, restrict
from nmt.charts import strings as chart_strings
from nmt.charts.alignment_view import Mark, Panel
from nmt.errors import InputError
from nmt.results import END as END_MARK
from nmt.results import Alignment
from nmt.results.alignment import PIECE_MARK
from nmt.ui import strings as shared
from nmt.ui.checkpoints import ARCHITECTURES
from nmt.ui.formatting import nats
from nmt.ui.look import strings as look_strings
from nmt.ui.look.explore import strings
from nmt.ui.look.explore.decode import DecodedSentence
from nmt.ui.look.explore.form import BARS, DIFFERENCE, END, PIECES, PUNCTUATION, ExplorerView, Prune
from nmt.ui.look.explore.imported import Imported
from nmt.ui.panels import alignment_panel, difference_panel, empty_panel


@dataclass(frozen=True, eq=False, kw_only=True)
class DrawnPanel:
    """A panel, and what it was made of.

    Attributes:
        panel: as it is drawn.
        explored: the checkpoint's result; None for a difference, and for a file.
        weights: all weights, before merging and restriction; None for a difference.
        restriction: the weights as drawn, and what was removed; None for a difference.
        difference: the difference drawn; None for all other panels, and if the two alignments have none.
    """

    panel: Panel
    explored: DecodedSentence | None = None
    weights: Alignment | None = None
    restriction: Restriction | None = None
    difference: AlphaDifference | None = None


def draw_all(
    view: ExplorerView, decoded_sentences: Sequence[DecodedSentence], imported: Sequence[Imported] = ()
) -> list[DrawnPanel]:
    """Draw a panel for each checkpoint, then for each file, and if chosen one for the difference of the first two."""
    drawn = [draw(view, explored) for explored in decoded_sentences] + [draw_file(view, one) for one in imported]
    if DIFFERENCE in view.options and len(drawn) > 1:
        drawn.append(_difference(drawn[0], drawn[1], view))
    return drawn


def draw(view: ExplorerView, explored: DecodedSentence) -> DrawnPanel:
    """Draw alpha of a checkpoint, or the leave-one-out attribution in its place."""
    restriction = _restricted(view, explored.weights)
    log_probabilities = word_log_probabilities(explored, restriction)
    panel = alignment_panel(
        restriction.alignment, explored.name, explored.run, bars=BARS in view.options, log_probability=log_probabilities
    )
    about = [strings.STAND_IN_NOTE] if explored.stands_in else []
    about += [restriction.notice] if restriction.notice else []
    kind = ARCHITECTURES[explored.run.config.model.architecture]
    kind = strings.KIND.format(architecture=kind, nats=nats(explored.output.log_probability))
    written_in = view.target_named(explored.run)
    panel = replace(
        panel,
        kind=look_strings.KIND_IN.format(language=written_in, kind=kind) if written_in else kind,
        text=explored.text or shared.NOTHING_WRITTEN,
        condition=strings.FORCED.format(name=explored.follows) if explored.follows else "",
        own_text=_own_text(explored),
        note=" ".join(about),
    )
    if explored.stands_in:
        panel = as_stand_in(panel)
    panel = _with_marks(view, panel)
    return DrawnPanel(panel=panel, explored=explored, weights=explored.weights, restriction=restriction)


def as_stand_in(panel: Panel) -> Panel:
    """Give a panel of leave-one-out attribution the titles and scale that tell it from alpha."""
    return replace(
        panel,
        values=chart_strings.EFFECT,
        not_attention=chart_strings.NOT_ATTENTION,
        letter=strings.EFFECT_LETTER,
        spoken_letter=strings.EFFECT_LETTER,
    )


def _own_text(explored: DecodedSentence) -> str:
    """Return what a checkpoint would have written itself, where it was made to write something else."""
    if explored.own is None:
        return ""
    return strings.OWN_TRANSLATION.format(
        nats=nats(explored.own.log_probability), text=explored.own.text or shared.NOTHING_WRITTEN
    )


def draw_file(view: ExplorerView, imported: Imported) -> DrawnPanel:
    """Draw the weights or links of a file like alpha; nothing is known of log-probabilities."""
    restriction = _restricted(view, imported.alignment)
    of_weights = imported.kind == "weights"
    about = [strings.WRITTEN_WITH.format(history=imported.history)] if imported.history else []
    about += [restriction.notice] if restriction.notice else []
    panel = replace(
        alignment_panel(restriction.alignment, imported.name, bars=BARS in view.options),
        kind=strings.FROM_FILE if of_weights else strings.LINKS_FROM_FILE,
        text=" ".join(word for word in imported.alignment.merged().target if word != END_MARK),
        values=strings.VALUES_OF_FILE if of_weights else strings.VALUES_OF_LINKS,
        note=" ".join(about),
        letter="α" if of_weights else strings.LINK_LETTER,
        spoken_letter=strings.WEIGHT_LETTER if of_weights else strings.LINK_LETTER,
    )
    if imported.leave_one_out:
        panel = as_stand_in(panel)
    panel = _with_marks(view, panel, marked=of_weights)
    return DrawnPanel(panel=panel, weights=imported.alignment, restriction=restriction)


def _with_marks(view: ExplorerView, panel: Panel, marked: bool = True) -> Panel:
    """Add the links that are drawn, and marks of words translated twice or not at all."""
    marked_cells = marks(panel.alignment) if marked else None
    return replace(
        panel,
        source_marks={} if marked_cells is None else source_marks(marked_cells, bool(panel.not_attention)),
        target_marks={} if marked_cells is None else {i: Mark("↻", strings.REPEATED) for i in marked_cells.repeated},
        shown=links(panel.alignment, view.prune, view.least) if view.shown != "matrix" else (),
    )


def _restricted(view: ExplorerView, weights: Alignment) -> Restriction:
    return restrict(
        weights if PIECES in view.options else weights.merged(),
        without_end=END not in view.options,
        without_punctuation=PUNCTUATION not in view.options,
    )


def word_log_probabilities(explored: DecodedSentence, restriction: Restriction) -> list[float]:
    """The log-probability of each row that is drawn, in nats: the sum over all its tokens, which are those of a word if
    rows are words."""
    rows = restriction.alignment.target_words
    sums = dict.fromkeys(rows, 0.0)
    if len(explored.weights.target) == len(explored.tokens) and len(set(rows)) < len(rows):
        return [explored.output.token_log_probabilities[i] for i in restriction.target]  # rows are pieces
    words = _words_of_tokens(explored)
    for word, value in zip(words, explored.output.token_log_probabilities, strict=True):
        if word in sums:
            sums[word] += value
    return [sums[word] for word in rows]


def _words_of_tokens(explored: DecodedSentence) -> Sequence[int]:
    """For each token the word that it is part of, numbered as the rows are."""
    if len(explored.weights.target_words) == len(explored.tokens):
        return explored.weights.target_words
    last = len(explored.tokens) - 1
    starts = [k in (0, last) or token.startswith(PIECE_MARK) for k, token in enumerate(explored.tokens)]
    numbers = np.cumsum(starts) - 1  # a stand-in has whole words; its tokens are pieces
    return [explored.weights.target_words[k] for k in numbers.tolist()]


def links(alignment: Alignment, prune: Prune, least: float) -> list[tuple[int, int]]:
    """(target, source) of the links that are drawn.

    Args:
        prune: "weight": those of at least ``least``; "mass": for each target word the fewest that together have at
            least this share of its row, the largest first.

    >>> a = Alignment(source=("a", "b", "c"), target=("x",), weights=np.array([[.2, .5, .3]]))
    >>> links(a, "weight", 0.3), links(a, "mass", 0.6)
    ([(0, 1), (0, 2)], [(0, 1), (0, 2)])
    """
    weights = alignment.weights
    if prune == "weight":
        return [(i, j) for i, j in np.argwhere((weights >= np.float32(least)) & (weights > 0)).tolist()]
    pairs = []
    for i, row in enumerate(weights.astype(np.float64)):
        order = np.argsort(-row, kind="stable")
        before = np.cumsum(row[order]) - row[order]
        needed = order[(before < least * row.sum() - 1e-6) & (row[order] > 0)]
        pairs += [(i, j) for j in sorted(needed.tolist())]
    return pairs


def source_marks(marked: Marks, stand_in: bool = False) -> dict[int, Mark]:
    """The signs of source words; a model without attention (``stand_in``) looks at none of them."""
    often, hardly = strings.OFTEN, strings.HARDLY
    if stand_in:
        often, hardly = strings.OFTEN_STAND_IN, strings.HARDLY_STAND_IN
    source_signs = {j: Mark("+", often) for j in marked.attended_often}
    return source_signs | {j: Mark("∅", hardly) for j in marked.dropped}


def _difference(first: DrawnPanel, second: DrawnPanel, view: ExplorerView) -> DrawnPanel:
    """Draw the second minus the first; if there is no difference, an empty panel that says why."""
    one, other = first.panel, second.panel
    title = strings.DIFFERENCE_TITLE.format(second=other.title, first=one.title)
    stands_in = [drawn.panel.title for drawn in (first, second) if drawn.explored and drawn.explored.stands_in]
    note = ""
    if stands_in:
        note = strings.DIFFERENCE_STAND_IN.format(name=stands_in[0])
    try:
        delta = difference(one.alignment, other.alignment)
    except InputError as error:
        return DrawnPanel(panel=empty_panel(title, strings.NO_DIFFERENCE.format(reason=error)))
    panel = difference_panel(delta, title, note, one, view.least)
    mixed = one.not_attention or other.not_attention
    return DrawnPanel(panel=_of_stand_in(panel) if mixed else panel, difference=delta)


def _of_stand_in(panel: Panel) -> Panel:
    values = strings.DIFFERENCE_VALUES.format(effect=chart_strings.EFFECT)
    return replace(panel, values=values, not_attention=chart_strings.NOT_ATTENTION_DIFFERENCE, letter="Δ")


def draw_change(view: ExplorerView, before: DecodedSentence, now: DecodedSentence, title: str) -> DrawnPanel:
    """Draw a checkpoint before and after something was changed; words that only one of the two has are marked."""
    first, second = draw(view, before), draw(view, now)
    delta = difference_of_pairs(first.panel.alignment, second.panel.alignment)
    signs = {"first": Mark("−", strings.ONLY_BEFORE), "second": Mark("+", strings.ONLY_AFTER)}
    source, target = (
        {k: signs[side] for k, side in enumerate(sides) if side != "both"}
        for sides in (delta.source_sides, delta.target_sides)
    )
    note = strings.STAND_IN_NOTE if now.stands_in else ""
    panel = difference_panel(
        delta, strings.CHANGE_TITLE.format(name=now.name, change=title), note, first.panel, view.least
    )
    if now.stands_in:
        panel = _of_stand_in(panel)
    return DrawnPanel(panel=replace(panel, source_marks=source, target_marks=target), difference=delta)
