"""What the stress test is asked. All of it lives in the address."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nmt.errors import InputError
from nmt.runs.folder import RunInfo
from nmt.ui.checkpoints import ROOT, Checkpoints
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.inputs import any_checkpoint, ask_beam, ask_checkpoints, name_broken, some_chosen

_FIRST = "jointly-300"


@dataclass(frozen=True, kw_only=True)
class StressView:
    """Everything that the page shows depends on this.

    Attributes:
        runs: name and checkpoint, in the order chosen; at least one, all of the same two languages.
        test_set: name of a folder of testsets/; "" where there is none.
        words: the most words of a sentence before it is joined.
        sentences: the most that are taken.
        beam: hypotheses kept at each step.
        numbers: of all checkpoints, by which each keeps the style of its line.
    """

    runs: dict[str, RunInfo]
    test_set: str
    words: int
    sentences: int
    beam: int
    numbers: dict[str, int]

    @property
    def languages(self) -> tuple[str, str]:
        """Of source and target."""
        run = next(iter(self.runs.values()))
        return run.source_language, run.target_language


def ask_stress(found: Checkpoints) -> StressView | None:
    """Show the form; None where nothing can be shown, after saying why."""
    if not any_checkpoint(found):
        return None
    runs = ask_checkpoints(found)
    name_broken(found)
    if not some_chosen(runs):
        return None
    first = next(iter(runs.values()))
    spoken = first.source_language, first.target_language
    others = [n for n, run in runs.items() if (run.source_language, run.target_language) != spoken]
    if others:
        st.caption(
            ":material/warning: Excluded, because their languages differ from the first checkpoint: "
            f"{escaped(', '.join(others))}."
        )
        runs = {name: run for name, run in runs.items() if name not in others}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        test_set = _ask_test_set(*spoken)
        words = st.slider(
            "Words at most",
            4,
            25,
            12,
            key="words",
            bind="query-params",
            width=180,
            help="Only sentences of up to so many words are concatenated, so that the first points are what a "
            "model is good at.",
        )
        sentences = st.slider(
            "Sentences at most",
            16,
            304,
            56,
            8,
            key="sample",
            bind="query-params",
            width=200,
            help="Uses the first N sentences. More take longer; 80 or more give every point an interval.",
        )
        beam = ask_beam()
    numbers = {name: number for number, name in enumerate(found.usable)}
    return StressView(
        runs=runs,
        test_set=test_set,
        words=min(25, max(4, words)),
        sentences=min(304, max(16, sentences)),
        beam=beam,
        numbers=numbers,
    )


def _ask_test_set(source: str, target: str) -> str:
    from nmt.evaluation.test_set_files import list_folders

    names = [folder.name for folder in list_folders(ROOT / "testsets", source, target)]
    if not names:
        return ""
    first = names.index(_FIRST) if _FIRST in names else 0
    chosen = st.selectbox("Test set", names, index=first, key="set", bind="query-params", width=200)
    return chosen if chosen in names else names[first]


def say_why(error: InputError) -> None:
    st.error(as_sentence(str(error)), icon=":material/error:")
