"""Is a sentence in the language that a model reads? English and French by two small vocabularies of each kind."""

from __future__ import annotations

from collections import Counter

import pytest

from nmt.data.subwords import train_pieces
from nmt.data.text import Tokenizer
from nmt.data.vocabulary import Shortlist, Vocabulary
from nmt.data.word_counts import TextFit, text_fit

ENGLISH = "the a of to in is it that she he never has seen sea girl cat house small red on and with for was not".split()
FRENCH = (
    "le la une de un et est elle il jamais a vu mer fille chat maison petite rouge sur avec pour ne pas dans".split()
)


def side(language: str, words: list[str], kind: str) -> tuple[Tokenizer, Vocabulary]:
    counts = Counter({word: 10_000 // rank for rank, word in enumerate([".", ",", *words], 1)})
    rare = {f"{language}{k}": 1 for k in range(3000)} if kind == "words" else {}
    vocabulary = Shortlist.from_counts({**counts, **rare}, 4000) if kind == "words" else train_pieces(counts, "bpe", 90)
    return Tokenizer(language), vocabulary


@pytest.mark.parametrize("kind", ["words", "bpe"])
@pytest.mark.parametrize(
    ("text", "french"),
    [
        ("The girl has never seen the sea.", False),
        ("it is a small red house, and she was not in it.", False),
        ("la fille ne a jamais vu la mer.", True),
        ("il est dans une petite maison rouge, et elle a un chat.", True),
    ],
)
def test_the_language_is_told_by_words_and_by_subwords(kind: str, text: str, french: bool) -> None:
    source, target = side("en", ENGLISH, kind), side("fr", FRENCH, kind)
    assert text_fit(text, source, target).in_target_language is french
    assert text_fit(text, target, source).in_target_language is not french
    assert not text_fit(text, source, (Tokenizer("en"), target[1])).in_target_language


def test_unknown_words_are_counted_without_punctuation_and_numbers() -> None:
    source, target = side("en", ENGLISH, "words"), side("fr", FRENCH, "words")
    fit = text_fit("the zorp (17) blick frobs!", source, target)
    assert (fit.words, fit.unknown, fit.mostly_unknown) == (4, ("zorp", "blick", "frobs"), True)
    fit = text_fit("the sea zorp ... ! 17 18", source, target)
    assert (fit.words, fit.unknown, fit.mostly_unknown) == (3, ("zorp",), False)
    assert not text_fit("17 !", source, target).mostly_unknown
    assert text_fit("", source, target) == TextFit(0, (), False)
    assert not text_fit("the zorp", source, target).mostly_unknown  # half of them, not more
