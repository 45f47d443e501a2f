"""Choice of the sentences that are put together. All of it lives in the address."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nmt.answers.sentences import CONCATENATED
from nmt.errors import InputError
from nmt.reproduce.test_sets import STRESS_WORDS
from nmt.results import Languages
from nmt.runs.folder import RunInfo
from nmt.ui.address import choose_many, choose_one, drop_number_outside
from nmt.ui.checkpoints import ROOT, Checkpoints
from nmt.ui.formatting import as_sentence, escaped, language
from nmt.ui.inputs import MOST_CHARACTERS, any_checkpoint, ask_beam, name_broken, some_chosen
from nmt.ui.language_pair import follow_pair, named
from nmt.ui.length.together import strings

MODELS, SET, WORDS, SAMPLE, OWN, NUMBER = "models", "set", "words", "sample", "own", "k"
"""The parameters of the address."""
MOST_TOGETHER = 8
_FIRST_SET = "jointly-300"
_MOST_SENTENCES = 304
AT_FIRST = 3
"""Sentences with which the view opens: so many that an RNNencdec has lost words."""


@dataclass(frozen=True, kw_only=True)
class TogetherView:
    """Everything that the view shows depends on this.

    Attributes:
        runs: name and checkpoint, in the order chosen; at least one, all of the same two languages.
        sentences: the sentences that are put together; () if there are none yet.
        number: how many of them; a single one is repeated.
        own: whether they are the reader's.
        test_set: name of a folder of testsets/; "" where there is none.
        words: the most words of a sentence of the test set.
        most: the most sentences that are taken of it.
        beam: hypotheses kept at each step.
        numbers: of the checkpoints in the order chosen, by which each has the colour that it has on Look.
    """

    runs: dict[str, RunInfo]
    sentences: tuple[str, ...]
    number: int
    own: bool
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
        slider = st.container(key="together-number")
        place = st.popover(strings.SETTINGS, icon=":material/tune:", key="together-settings")
    name_broken(checkpoints)
    if others:
        notice = strings.EXCLUDED.format(languages=named(languages), names=escaped(", ".join(others)))
        st.caption(f":material/warning: {notice}")
    runs = {name: readable[name] for name in chosen}
    if not some_chosen(runs):
        return None
    with place:
        typed = _ask_own(languages)
        st.markdown(strings.CURVE_BELOW)
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
    sentences = typed or CONCATENATED.get(languages.source, ())
    with slider:
        number = _ask_number(sentences, own=bool(typed))
    return TogetherView(
        runs=runs,
        sentences=sentences,
        number=number,
        own=bool(typed),
        test_set=test_set,
        words=min(25, max(4, words)),
        most=min(_MOST_SENTENCES, max(16, most)),
        beam=beam,
        numbers={name: number for number, name in enumerate(runs)},
    )


def _ask_number(sentences: tuple[str, ...], own: bool) -> int:
    """Ask how many sentences are put together; 1 where there is nothing to put together."""
    if not sentences:
        return 1
    most = MOST_TOGETHER if own else len(sentences)
    at_first = 1 if own else min(AT_FIRST, most)
    number = st.slider(strings.NUMBER, 1, most, at_first, key=NUMBER, bind="query-params")
    if 1 < len(sentences) < number:
        st.caption(strings.ONLY_SO_MANY.format(count=len(sentences)))
        return len(sentences)
    return min(most, max(1, number))


def _ask_own(languages: Languages) -> tuple[str, ...]:
    typed = st.text_area(
        strings.OWN.format(language=language(languages.source)),
        key=OWN,
        bind="query-params",
        height=120,
        max_chars=MOST_CHARACTERS,
        placeholder=strings.OWN_PLACEHOLDER.format(most=MOST_TOGETHER),
    )
    return tuple([" ".join(line.split()) for line in (typed or "").splitlines() if line.strip()][:MOST_TOGETHER])


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
