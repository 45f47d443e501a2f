"""The example sentences of all places: the checkpoint that the app opens with knows every word of them."""

import pytest

import nmt
from nmt.answers.shipped import CONCATENATED as TOGETHER
from nmt.answers.shipped import GALLERY, SENTENCES
from nmt.results import UNKNOWN, Languages
from nmt.texts import APP, LOOK
from nmt.ui.checkpoints import find_checkpoints
from nmt.ui.inputs import pairs_of

_FIRST = Languages("en", "fr")
"""Sentences of places without a choice of languages are shown with this pair."""


def _offered(pair: Languages) -> list[str]:
    """Sentences that are shown with whatever checkpoints these languages open with."""
    languages = (pair.source, pair.target)
    scenes = [scene.sentence for scene in SENTENCES if scene.languages == languages]
    lessons = [lesson.sentence for lesson in GALLERY if lesson.languages == languages and not lesson.checkpoint]
    together = TOGETHER.get(pair.source, ())
    if pair != _FIRST:
        return list(dict.fromkeys([*scenes, *lessons, *together]))
    text = [sentence for line in LOOK.example_text.splitlines() for sentence in line.split(". ") if sentence]
    return list(dict.fromkeys([*scenes, *lessons, *APP.forms.examples, *together, *text]))


@pytest.mark.slow
@pytest.mark.parametrize("pair", pairs_of(find_checkpoints()), ids=str)
def test_no_example_has_a_word_that_the_first_checkpoints_do_not_know(pair: Languages) -> None:
    found, sentences = find_checkpoints(), _offered(pair)
    assert sentences, "languages of a released checkpoint need an example"
    for name in found.first_choice(pair):
        translator = nmt.load(found.usable[name].path)
        for sentence in sentences:
            translation = translator.translate(sentence, beam=2)
            assert not translation.unknown_words, (name, sentence)
            assert not any(UNKNOWN in token for token in translation.best.tokens), (name, sentence)


def test_examples_of_one_checkpoint_name_one_that_is_shipped() -> None:
    usable = find_checkpoints().usable
    assert {lesson.checkpoint for lesson in GALLERY if lesson.checkpoint} <= {*usable}
