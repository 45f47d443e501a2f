"""Which words of a sentence does a model not know?"""

from __future__ import annotations

from collections import Counter

from nmt.data.text import Tokenizer
from nmt.data.vocabulary import Shortlist, TextFit, text_fit

ENGLISH = "the a of to in is it that she he never has seen sea girl cat house small red on and with for was not".split()


def test_unknown_words_are_counted_without_punctuation_and_numbers() -> None:
    counts = Counter({word: 10_000 // rank for rank, word in enumerate([".", ",", *ENGLISH], 1)})
    source = Tokenizer("en"), Shortlist.from_counts(counts, 40)
    fit = text_fit("the zorp (17) blick frobs!", *source)
    assert (fit.words, fit.unknown, fit.mostly_unknown) == (4, ("zorp", "blick", "frobs"), True)
    fit = text_fit("the sea zorp ... ! 17 18", *source)
    assert (fit.words, fit.unknown, fit.mostly_unknown) == (3, ("zorp",), False)
    assert not text_fit("17 !", *source).mostly_unknown
    assert text_fit("", *source) == TextFit(0, ())
    assert not text_fit("the zorp", *source).mostly_unknown  # half of them, not more
