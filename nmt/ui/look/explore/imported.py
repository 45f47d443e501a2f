"""Alignments out of files, of this program or another, to be looked at like those that are made here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

import numpy as np
import streamlit as st

from nmt.alignments.formats.content import Content, LinkedPair
from nmt.alignments.formats.registry import read
from nmt.alignments.policy import Direction
from nmt.charts.stand_in import EFFECT
from nmt.errors import InputError
from nmt.results import END, Alignment
from nmt.ui.formatting import as_sentence
from nmt.ui.inputs import SENTENCE
from nmt.ui.look.explore.target_choice import take_target

_ENDINGS = ["csv", "tsv", "json", "jsonl", "js", "txt", "pharaoh", "nematus"]
_MOST_FILES, _MOST_MEGABYTES = 8, 20
_MOST_CELLS = 250_000
"""A larger matrix is too much for a page."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Imported:
    """One sentence of a file.

    Attributes:
        name: of the file, and the run that it says it is from.
        alignment: its weights; 1 for a link and 0 for none where the file has links.
        kind: "weights" or "links", for people.
        history: what was done to the weights before they were written, if the file says so.
        leave_one_out: whether the file says that its weights are not attention.
    """

    name: str
    alignment: Alignment
    kind: str
    history: str
    leave_one_out: bool = False


def ask_files() -> list[Imported]:
    """What the reader puts in, each file for itself; a file that cannot be read is named, and the others are shown."""
    with st.expander("Alignments from files", icon=":material/upload_file:"):
        files = st.file_uploader(
            "CSV, JSON, Nematus, SoftAlignments or Pharaoh",
            _ENDINGS,
            accept_multiple_files=True,
            key="import-files",
            max_upload_size=_MOST_MEGABYTES,
            help="As “Take away” writes them, or as other programs do: Nematus's and Marian's soft alignments, the "
            "files of the SoftAlignments viewer, links in Pharaoh format. They are shown beside the checkpoints.",
        )
        if not files:
            return []
        if len(files) > _MOST_FILES:
            st.warning(f"Only the first {_MOST_FILES} files are shown.", icon=":material/warning:")
        number = int(st.number_input("Sentence of each file", 1, 1_000_000, 1, key="import-sentence", width=180))
        base, direction, source, target = _ask_links([file.name for file in files])
        found = []
        for file in files[:_MOST_FILES]:
            try:
                content = read(file.getvalue(), file.name, base, direction)
                found.append(chosen(content, file.name, number, source, target))
            except InputError as error:
                st.warning(as_sentence(f"{file.name}: {error}"), icon=":material/warning:")
        if found and (found[0].kind == "weights" or (source and target)):
            _offer_pair(found[0].alignment)
        return found


def _ask_links(names: Sequence[str]) -> tuple[int, Direction, tuple[str, ...], tuple[str, ...]]:
    """How links are numbered, and the words between which they are; asked where a file may be one of links."""
    if not any(PurePath(name).suffix.lower() in (".pharaoh", ".txt", ".gold") for name in names):
        return 0, "source-target", (), ()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        base = st.segmented_control(
            "Links count from", (0, 1), default=0, required=True, key="import-base", width="content"
        )
        orders: tuple[Direction, ...] = ("source-target", "target-source")
        direction = st.segmented_control(
            "Order", orders, default=orders[0], required=True, key="import-direction", width="content"
        )
    source = st.text_input("Source words of the links", key="import-source", help="A file of links has no words.")
    target = st.text_input("Target words of the links", key="import-target", help="Separated by spaces.")
    return base, direction, tuple((source or "").split()), tuple((target or "").split())


def chosen(
    content: Content, file: str, number: int, source: Sequence[str] = (), target: Sequence[str] = ()
) -> Imported:
    """A sentence of a file that was read.

    Args:
        number: of the sentence, from 1.
        source, target: words for links; empty = their numbers, from 1.

    Raises:
        InputError: the file has fewer sentences, the links go beyond the words, or it is too large to be drawn.
    """
    sentences = len(content.alignments) or len(content.links)
    if number > sentences:
        raise InputError(f"there is no sentence {number}; the file has {sentences}")
    name = f"{PurePath(file).stem} ({content.run})" if content.run else PurePath(file).stem
    history = "" if content.policy is None else content.policy.of_weights
    if content.links:
        links = content.links[number - 1]
        return Imported(name=name, alignment=_of_links(links, source, target), kind="links", history=history)
    alignment = content.alignments[number - 1]
    if not alignment.weights.size:
        raise InputError(f"sentence {number} has no words")
    if alignment.weights.size > _MOST_CELLS:
        raise InputError(f"sentence {number} has {alignment.weights.size:,} weights; {_MOST_CELLS:,} can be drawn")
    return Imported(
        name=name,
        alignment=alignment,
        kind="weights",
        history=history,
        leave_one_out=content.run.endswith(EFFECT),
    )


def _of_links(links: LinkedPair, source: Sequence[str], target: Sequence[str]) -> Alignment:
    """Links as weights of 1, possible ones 0.5."""
    if not links.possible:
        raise InputError("this sentence has no link")
    if not source:
        source = [str(k) for k in range(1, max(i for i, _ in links.possible) + 2)]
    if not target:
        target = [str(k) for k in range(1, max(j for _, j in links.possible) + 2)]
    links.check(len(source), len(target))
    if len(source) * len(target) > _MOST_CELLS:
        raise InputError(f"a matrix of {len(target)} x {len(source)} words is too large to be drawn")
    weights = np.zeros((len(target), len(source)), dtype=np.float32)
    for i, j in links.possible:
        weights[j, i] = 1.0 if (i, j) in links.sure else 0.5
    return Alignment(source=tuple(source), target=tuple(target), weights=weights)


def _offer_pair(alignment: Alignment) -> None:
    words = alignment.merged()
    source, target = (" ".join(word for word in side if word != END) for side in (words.source, words.target))
    st.button(
        "Give this sentence pair to the checkpoints",
        icon=":material/compare_arrows:",
        on_click=_take_pair,
        args=(source, target),
        help="The checkpoints then have to write the target of the first file, so that alpha can be compared with it.",
    )


def _take_pair(source: str, target: str) -> None:
    st.session_state[SENTENCE] = source
    take_target(target)
