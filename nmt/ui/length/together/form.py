"""Choice of checkpoints and of the sentences that are put together. All of it lives in the address."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nmt.errors import InputError
from nmt.reproduce.released import STRESS_WORDS
from nmt.results import Languages
from nmt.runs.folder import RunInfo
from nmt.ui.address import choose_many, choose_one, drop_number_outside
from nmt.ui.checkpoints import ROOT, Checkpoints
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.inputs import any_checkpoint, ask_beam, name_broken, some_chosen
from nmt.ui.language_pair import follow_pair, named
from nmt.ui.length.together import strings

MODELS, SET, WORDS, SAMPLE = "models", "set", "words", "sample"
"""The parameters of the address."""
_FIRST_SET = "jointly-300"
_MOST_SENTENCES = 304


@dataclass(frozen=True, kw_only=True)
class TogetherView:
    """Everything that the view shows depends on this.

    Attributes:
        runs: name and checkpoint, in the order chosen; at least one, all of the same two languages.
        test_set: name of a folder of testsets/; "" where there is none.
        words: the most words of a sentence of the test set.
        most: the most sentences that are taken of it.
        beam: hypotheses kept at each step.
        numbers: of the checkpoints in the order chosen, by which each has the colour that it has on Look.
    """

    runs: dict[str, RunInfo]
    test_set: str
    words: int
    most: int
    beam: int
    numbers: dict[str, int]

    @property
    def languages(self) -> Languages:
        """Languages of source and target."""
        run = next(iter(self.runs.values()))
        return Languages(run.source_language, run.target_language)


def ask_together(checkpoints: Checkpoints, languages: Languages) -> TogetherView | None:
    """Show the form; None where nothing can be shown, after saying why. ``languages``: those of the checkpoints."""
    if not any_checkpoint(checkpoints):
        return None
    follow_pair([languages], checkpoints, MODELS)
    readable = {
        name: run
        for name, run in checkpoints.usable.items()
        if Languages(run.source_language, run.target_language) == languages
    }
    others = [name for name in st.query_params.get_all(MODELS) if name in checkpoints.usable and name not in readable]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="together-row"):
        with st.container(key="together-models"):
            chosen = choose_many(
                st.multiselect,
                strings.CHECKPOINTS,
                {name: name for name in readable},
                key=MODELS,
                default=checkpoints.first_choice(languages),
                what=strings.A_CHECKPOINT,
                elsewhere=others,
                placeholder=strings.CHECKPOINTS,
            )
        place = st.popover(strings.SETTINGS, icon=":material/tune:", key="together-settings")
    name_broken(checkpoints)
    if others:
        notice = strings.EXCLUDED.format(languages=named(languages), names=escaped(", ".join(others)))
        st.caption(f":material/warning: {notice}")
    runs = {name: readable[name] for name in chosen}
    if not some_chosen(runs):
        return None
    with place:
        test_set = _ask_test_set(languages)
        drop_number_outside(WORDS, strings.WORDS, 4, 25)
        words = st.slider(
            strings.WORDS,
            4,
            25,
            STRESS_WORDS,
            key=WORDS,
            bind="query-params",
            help=strings.WORDS_HELP,
        )
        drop_number_outside(SAMPLE, strings.SENTENCES, 16, _MOST_SENTENCES)
        most = st.slider(
            strings.SENTENCES,
            16,
            _MOST_SENTENCES,
            _MOST_SENTENCES,
            8,
            key=SAMPLE,
            bind="query-params",
            help=strings.SENTENCES_HELP,
        )
        beam = ask_beam()
    return TogetherView(
        runs=runs,
        test_set=test_set,
        words=min(25, max(4, words)),
        most=min(_MOST_SENTENCES, max(16, most)),
        beam=beam,
        numbers={name: number for number, name in enumerate(runs)},
    )


def _ask_test_set(languages: Languages) -> str:
    from nmt.evaluation.test_set import list_folders

    names = [folder.name for folder in list_folders(ROOT / "testsets", languages.source, languages.target)]
    if not names:
        return ""
    first = _FIRST_SET if _FIRST_SET in names else names[0]
    return choose_one(
        st.selectbox, strings.TEST_SET, {name: name for name in names}, key=SET, default=first, what=strings.A_TEST_SET
    )


def say_why(error: InputError) -> None:
    """Show the error in place of a result."""
    st.error(as_sentence(str(error)), icon=":material/error:")
