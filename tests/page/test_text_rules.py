"""Tokenising and detokenising in JavaScript as in Python, on lines made to be difficult."""

import random

import pytest

from nmt.data.text import Tokenizer
from nmt.errors import InputError
from nmt.page.payload import detokeniser_rules, tokeniser_rules
from tests.charts.node import evaluate
from tests.page.released import JS

LINES = [
    "",
    "   ",
    "L'île, c'est loin ! Aujourd'hui, l'« eau » est à 3,5 °C.",
    "It's John's; they're the Jones' 'n' don't say \"no\" (or so)...",
    "Mr. Smith, No. 5, Dr. Who and e.g. that. He left. etc.",
    "DOTMULTI and DOTDOTMULTI.. and MULTX MULTI…. end....",
    "a,b,c 1,000,000 and 5,x ,y z, 7,",
    "Er sagte: „Das ist’s“, und ‚ging‘ – 50% teurer, 20°C, Nr. 3, z.B. am 3. Mai.",
    "\ta\u00a0b\u2009c\u200bd\u2028e\x00f\x85g\ufeffh\ud800i",
    "e\u0301te\u0301 o\u0308l \u212b",
    "https://example.org/a?b=c&d=<e> user@example.org #tag @name $5 €6 7$ & R&D",
    "東京は大きい。𝒳𝒴. 👩‍🚀 ½ ² ٣ नमस्ते। 안녕하세요.",
    "\u25cc\u0345 […] {x} |y| `z` ``q'' \\ ^ ~ _a_ b-c --d-- 'tis .' ",
    "a.' ",
    "12(2)(a)(iv) I/O 3: 4 1 – 2 # 7 « Vraiment ? » dit-il ; « Oui ! »",
    "[UNK] <b>&amp;</b> __proto__ constructor",
    "Tom Brownさんは3.5kmを走った！ Hello, Tom! 東京は Tokyo, Japan. 100% OK (no) yes",
    "𝒳 𠮷 x ｶﾞﾗｽ２０ ２ a ヵヶ〇々ー a ー b 한국 안녕 .,;:!?%) c ! d 。e ٣ ½ \ufeff f",
]
PARTS = [
    *"aZé0.,'’\"-–—:;?!()[]«»„“”‚‘€$%°&/@ \u00a0…",
    "Mr.",
    "l'",
    "qu'",
    "'s",
    "n't",
    "...",
    "No.",
    "z.B.",
    "https",
    "島は",
    "ー。",
]


def _lines() -> list[str]:
    chance = random.Random(7)
    return LINES + ["".join(chance.choices(PARTS, k=chance.randint(1, 30))) for _ in range(300)]


@pytest.mark.parametrize("language", ["en", "fr", "de", "it", "nl", "ko"])
def test_words_are_those_of_python(language: str) -> None:
    given = {"rules": tokeniser_rules(language), "lines": _lines()}
    found = evaluate(JS / "tokeniser.js", "given.lines.map((l) => new m.Tokeniser(given.rules).tokenise(l))", given)
    tokenizer = Tokenizer(language)
    for line, words in zip(given["lines"], found, strict=True):
        assert words == tokenizer.tokenize(line), line


@pytest.mark.parametrize("language", ["en", "fr", "de", "it", "nl", "ko", "ja"])
def test_sentences_are_those_of_python(language: str) -> None:
    tokenizer = Tokenizer(language)
    words = [tokenizer.tokenize(line) for line in _lines()] + [line.split() for line in _lines()]
    given = {"rules": detokeniser_rules(language), "words": words}
    found = evaluate(JS / "detokeniser.js", "given.words.map((w) => m.detokeniserOf(given.rules).detokenise(w))", given)
    for sentence, text in zip(words, found, strict=True):
        assert text == tokenizer.detokenize(sentence), sentence


def test_languages_with_rules_of_their_own_are_refused() -> None:
    for language in ("cs", "fi"):
        with pytest.raises(InputError, match=language):
            detokeniser_rules(language)
    with pytest.raises(InputError, match="ja"):
        tokeniser_rules("ja")
