"""Sentences to start from, some of them with the translation and the checkpoint that they are about."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from nmt.answers.sentences import SENTENCES
from nmt.results import Languages
from nmt.ui.address import set_choice
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.inputs import SENTENCE
from nmt.ui.look.checkpoint_row import MODELS
from nmt.ui.look.explore.gallery import GALLERY
from nmt.ui.look.explore.target_choice import take_target

EXAMPLES = "examples"
"""Key of the menu of examples."""


def offered_examples(pair: Languages) -> dict[str, str]:
    """Sentences to start from, by title: those of the languages; where there are none, those of the source language,
    whose titles, about other translations, are left out."""
    languages = (pair.source, pair.target)
    scenes = {scene.title: scene.sentence for scene in SENTENCES if scene.languages == languages}
    lessons = {lesson.title: lesson.sentence for lesson in GALLERY if lesson.languages == languages}
    merged = scenes | {title: sentence for title, sentence in lessons.items() if title not in scenes}
    return merged or {scene.sentence: scene.sentence for scene in SENTENCES if scene.languages[0] == pair.source}


def take_chosen_example(checkpoints: Checkpoints, offered: Mapping[str, str]) -> None:
    take_example(checkpoints, offered, st.session_state[EXAMPLES])


def take_example(checkpoints: Checkpoints, offered: Mapping[str, str], title: str) -> None:
    """Take the sentence and, if the example is about one translation of one checkpoint, also these."""
    st.session_state[SENTENCE] = offered[title]
    lesson = next((lesson for lesson in GALLERY if lesson.title == title), None)
    take_target("" if lesson is None else lesson.target)
    if lesson is not None and lesson.checkpoint in checkpoints.usable:
        set_choice(MODELS, lesson.checkpoint)
