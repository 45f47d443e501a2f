"""Spans of words: against the truth by construction, against difflib, and in time linear in the length of the line."""

import difflib
import random
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nmt.data.text import Tokenizer, clean_line
from nmt.data.word_spans import word_spans
from tests.data.test_text import ENGLISH, FRENCH, ODD

ORDINARY = st.sampled_from(
    "The ferry doesn't leave before 8:30 , lamp (and 12% more) It’s 20°C “warm” Aujourd'hui c'est été fermé ! » U.S. "
    "a..b wait... Dr. U.S.A. l'Île-d'Orléans 1,000.5 – x/y R&D. 'tis 字典".split()
)
INVISIBLE = st.sampled_from(["\u00ad", "\u200b", "\u2060", "\x01", "\ufeff", "e\u0301", "o\u0302"])


def by_difflib(line: str, tokens: list[str]) -> list[int]:
    """Spans by the longest common parts of all characters, which takes cubic time: the implementation until 2026-11."""
    owners = [k for k, word in enumerate(line.split()) for _ in word]
    characters, joined = "".join(line.split()), "".join(tokens)
    places: list[int] = []
    for tag, i, j, a, b in difflib.SequenceMatcher(None, joined, characters, autojunk=False).get_opcodes():
        places.extend(a + k if tag == "equal" else a + (b - a) * k // (j - i) for k in range(j - i))
    spans, start, last = [], 0, 0
    for token in tokens:
        last = max(last, owners[min(places[start], len(owners) - 1)])
        start += len(token)
        spans.append(last)
    return spans


@given(st.lists(ORDINARY, min_size=1), st.sampled_from(["en", "fr"]))
def test_spans_of_ordinary_lines_are_those_of_difflib(words: list[str], language: str) -> None:
    line = " ".join(words)
    tokens = Tokenizer(language).tokenize(line)
    assert word_spans(line, tokens) == by_difflib(line, tokens)


@given(st.lists(st.tuples(ORDINARY, INVISIBLE, st.integers(0, 5)), min_size=1))
def test_spans_where_characters_are_removed_or_composed(parts: list[tuple[str, str, int]]) -> None:
    """The truth: each word without what is not read, put together again from its tokens. Difflib missed it where a
    character could be matched in two ways."""
    words = [word[:place] + odd + word[place:] for word, odd, place in parts]
    line = " ".join(words)
    tokens = Tokenizer("en").tokenize(line)
    merged = [""] * len(words)
    for token, span in zip(tokens, word_spans(line, tokens), strict=True):
        merged[span] += token
    assert merged == [unicodedata.normalize("NFC", clean_line(word)) for word in words]


@given(st.lists(st.sampled_from(["say", "“hi”", "l’été", "now", "wait…", "on", "go"]), min_size=1))
def test_spans_where_a_tokeniser_writes_other_characters(words: list[str]) -> None:
    tokens = [word.translate({0x201C: '"', 0x201D: '"', 0x2019: "'", 0x2026: "..."}) for word in words]
    assert word_spans(" ".join(words), tokens) == list(range(len(words)))


@given(st.text(), st.lists(st.text(max_size=5)))
def test_spans_of_any_text_are_in_order_and_in_range(line: str, tokens: list[str]) -> None:
    spans = word_spans(line, tokens)
    assert len(spans) == len(tokens)
    assert spans == sorted(spans)
    assert all(0 <= span < max(1, len(line.split())) for span in spans)


@pytest.mark.parametrize("odd", ["\u200b", "\u00ad", "e\u0301", "\u200b\u00ad\x01"])
def test_thousands_of_invisible_characters_take_milliseconds(odd: str) -> None:
    line = f"a{odd}" * 2_000 + " end"
    tokens = Tokenizer("en").tokenize(line)
    began = time.process_time()
    assert word_spans(line, tokens) == [0] * (len(tokens) - 1) + [1]
    assert time.process_time() - began < 0.5  # seconds; it takes a few thousandths, and by difflib a minute


def test_tokens_of_another_text_take_time_in_proportion() -> None:
    draw = random.Random(1)
    line, other = ("".join(draw.choices("abcdefgh  ", k=5_000)) for _ in range(2))
    began = time.process_time()
    word_spans(line, other.split())
    assert time.process_time() - began < 5  # seconds


@pytest.mark.parametrize("language", ["en", "fr", "ko"])
def test_word_spans_of_odd_lines(language: str) -> None:
    tokenizer = Tokenizer(language)
    for line in ENGLISH + FRENCH + ODD:
        tokens = tokenizer.tokenize(line)
        spans = word_spans(line, tokens)
        assert len(spans) == len(tokens)
        assert spans == sorted(spans)
        assert all(0 <= span < len(line.split()) for span in spans)
        if "".join(tokens) == "".join(line.split()):  # then the words can be put together again
            merged = [""] * len(line.split())
            for token, span in zip(tokens, spans, strict=True):
                merged[span] += token
            assert merged == line.split()


def test_word_spans_where_characters_were_changed() -> None:
    assert word_spans("\x00 a b", Tokenizer("en").tokenize("\x00 a b")) == [1, 2]
    assert word_spans("one e\u0301te\u0301, two", ["one", "été", ",", "two"]) == [0, 1, 1, 2]
    assert word_spans("say “hi” now", ["say", '"', "hi", '"', "now"]) == [0, 1, 1, 1, 2]
    assert word_spans("wait.. go", ["wait", "...", "go"]) == [0, 0, 1]
    assert word_spans("", ["a"]) == [0]
    assert word_spans("a b", []) == []


_ENGLISH_RULES = Tokenizer("en")
_WHOLE = st.sampled_from(["cat", "don't", "(a)", "3,5", "x/y", "été", "<b>", "字典", "“q”", "a-b", "...", "!"])


@given(st.lists(_WHOLE, min_size=1, max_size=8))
def test_word_spans_against_words_tokenised_one_by_one(words: list[str]) -> None:
    """Words that tokenise by themselves, side by side: the owner of each token is known by construction."""
    parts = [_ENGLISH_RULES.tokenize(word) for word in words]
    owners = [k for k, part in enumerate(parts) for _ in part]
    assert word_spans("  ".join(words), [token for part in parts for token in part]) == owners


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Z", "Cc"]), min_size=1, max_size=4), min_size=1)))
def test_word_spans_of_tokens_cut_from_words(parts: list[list[str]]) -> None:
    owners = [k for k, part in enumerate(parts) for _ in part]
    assert word_spans(" ".join("".join(part) for part in parts), [token for part in parts for token in part]) == owners
