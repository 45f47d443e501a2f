"""The view "How it searches": the tree of a beam search, which can be restarted from any of its hypotheses."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nmt.answers.request import ProgressReporter, Task
from nmt.charts.alignment_view import view_data
from nmt.charts.beam_view import beam_view_data
from nmt.results import BeamTree
from nmt.results.pieces import readable_alignment, writer
from nmt.runs.folder import RunInfo
from nmt.ui.address import choose_one, write_address
from nmt.ui.checkpoints import ARCHITECTURES
from nmt.ui.components import alignment_view, beam_view
from nmt.ui.compute import answer_to
from nmt.ui.glossary import explained
from nmt.ui.learn import strings
from nmt.ui.learn.form import HowView
from nmt.ui.panels import alignment_panel
from nmt.ui.tasks import CheckpointTask

FROM = "from"
"""The parameter of the address: the words that the search must begin with."""


@dataclass(frozen=True, kw_only=True)
class BeamTreeTask(CheckpointTask, Task[BeamTree]):
    """The tree of a search, which may have to begin with given tokens."""

    sentence: str
    beam: int
    begin: tuple[str, ...] = ()

    def run(self, progress: ProgressReporter) -> BeamTree:
        model = self.load(progress)

        from nmt.inspection.beam_tree import beam_tree

        progress.checkpoint()
        settings = self.checkpoint.config.search.changed(beam=self.beam, n_best=1, replace_unk=False)
        return beam_tree(model, self.sentence, settings, begin=self.begin)


def show_beam(view: HowView) -> None:
    """Let the reader choose a checkpoint, and show the tree of its search."""
    kinds = {name: ARCHITECTURES[run.config.model.architecture] for name, run in view.runs.items()}
    name = next(iter(view.runs))
    if len(kinds) > 1:
        name = choose_one(st.segmented_control, strings.MODEL, kinds, key="searched", label_visibility="collapsed")
    run = view.runs[name]
    begin = tuple(st.query_params.get_all(FROM))
    if begin:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(strings.HAD_TO_BEGIN.format(words=" ".join(map(writer(begin), begin))))
            st.button(strings.FROM_THE_START, icon=":material/restart_alt:", on_click=write_address, kwargs={FROM: ""})
    task = BeamTreeTask(checkpoint=run, sentence=view.sentence, beam=view.beam, begin=begin)
    tree = answer_to(task, st.empty())
    if tree is not None:
        st.fragment(_show_tree)(run, tree, f"beam-{task.key[-12:]}")


def _show_tree(run: RunInfo, tree: BeamTree, key: str) -> None:
    """Show the tree, and alpha of the hypothesis chosen. A click on a hypothesis runs this again and nothing above.

    Args:
        key: of the element; different for each tree, since the numbers of hypotheses differ.
    """
    chosen, restarted = beam_view(beam_view_data(tree), key=key)
    begin = _checked(restarted, tree)
    if begin is not None:
        st.query_params[FROM] = list(tree.tokens(begin))
        st.rerun()
    st.caption(_words(tree), help=explained("beam", "nats"))
    number = _checked(chosen, tree)
    number = tree.best if number is None else number
    alignment = tree.alignment(number)
    if alignment is not None:
        panel = alignment_panel(readable_alignment(alignment), strings.WEIGHTS_OF_CHOSEN, run, bars=False)
        alignment_view(view_data([panel]), key="beam-matrix")


def _checked(number: object, tree: BeamTree) -> int | None:
    """Validate the number of a hypothesis other than the empty one, as sent by a browser; None for anything else."""
    is_number = isinstance(number, int) and not isinstance(number, bool)
    return number if is_number and isinstance(number, int) and 0 < number < len(tree.nodes) else None


def _words(tree: BeamTree) -> str:
    """Say what to see in the tree: whether a search of beam 1 would have found the same."""
    path = tree.path(tree.best)[len(tree.given) :]
    for k in path:
        node = tree.nodes[k]
        parent = tree.nodes[node.parent or 0]
        first = parent.following[0].token if parent.following else node.token
        if first != node.token:
            return strings.NOT_GREEDY.format(number=node.length)
    return strings.SAME_AS_GREEDY
