"""The example sentences of all places: the checkpoint that the app opens with knows every word of them."""

from __future__ import annotations

import pytest

import nmt
from nmt.results import UNKNOWN, Languages
from nmt.scenes.concatenations import SENTENCES as TOGETHER
from nmt.scenes.sentences import SENTENCES
from nmt.ui.checkpoints import find_checkpoints
from nmt.ui.examples import EXAMPLES
from nmt.ui.look.explore.gallery import GALLERY
from nmt.ui.look.text.form import EXAMPLE

_PAIR = Languages("en", "fr")


def _offered() -> list[str]:
    """Sentences that are shown with whatever the app opens with."""
    free = [lesson.sentence for lesson in GALLERY if not lesson.checkpoint]
    text = [sentence for line in EXAMPLE.splitlines() for sentence in line.split(". ") if sentence]
    return list(dict.fromkeys([*(scene.sentence for scene in SENTENCES), *free, *EXAMPLES, *TOGETHER, *text]))


@pytest.mark.slow
def test_no_example_has_a_word_that_the_first_checkpoint_does_not_know() -> None:
    found = find_checkpoints()
    name = found.first_choice(_PAIR)[0]
    translator = nmt.load(found.usable[name].path)
    assert translator.has_alignment
    for sentence in _offered():
        translation = translator.translate(sentence, beam=2)
        assert not translation.unknown_words, sentence
        assert not any(UNKNOWN in token for token in translation.best.tokens), sentence


def test_examples_of_one_checkpoint_name_one_that_is_shipped() -> None:
    usable = find_checkpoints().usable
    assert {lesson.checkpoint for lesson in GALLERY if lesson.checkpoint} <= {*usable}
