"""Spans of words: against the truth by construction, against difflib, and in time linear in the length of the line."""

import difflib
import pickle
import random
import re
import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacremoses import MosesTokenizer

from nmt.data.text import Tokenizer, clean_line, word_spans
from nmt.errors import InputError

ENGLISH = [
    "The ferry doesn't leave before 8:30, does it?",
    "She paid $45 for the lamp (and 12% more for the shade).",
    'He whispered: "Don\'t wake the baby!"',
    "The Jones' dog and the cat's basket, U.S. style...",
    "See section 12(3)(a)(iv) of the rules and/or the annex.",
    "It’s 20°C on the 45°30′N line; bring the “warm” coat.",
    "Write to someone@example.org or see https://example.org/page.",
    "The sign says 'no entry', the other reads 'Don't panic!' twice.",
    "We won 2:1 at the boys' school of R&D.",
    "'It is late,' she said, 'isn't it?'",
]
FRENCH = [
    "L'île d'Orléans est-elle loin d'ici ?",
    "Il a dit : « Aujourd'hui, c'est fermé ! »",
    "Nous avons payé 45 $ et 12 % de plus ; c'est trop.",
    "Qu'est-ce que c'est que ça ?!",
    "Le train part à 14:30, n'est-ce pas...",
    "L’été, j’y vais qu’il pleuve ou non.",
    "Voir l'alinéa 12(3)a) et le sous-alinéa 4(1)b)(ii).",
    "Un chat/chien, l'« ami » de d'autres.",
]
KOREAN = [
    "나는 어제 사과를 먹었다.",
    '어머니는 "안녕하세요"라고 말했다.',
    '"산"은 한국어입니다.',
    "이 식당(서울에 있는)은 아홉 시에 연다.",
    "지금 몇 시예요? 일곱 시입니다!",
    "len() 함수는 3.5를 돌려주지 않는다.",
]
GERMAN = [
    "Die E-Mail- und Postadressen stehen z. B. auf S. 5, d.h. am Ende.",
    "„Kommst du mit?“, fragte sie. „Nein“, sagte er.",
    'Sie las „Der Garten“ und trug ein „XL“-Hemd, er ein "M"-Hemd.',
    "Das Wort ‚groß‘ schreibt man mit ß; »Haus« ist ›kurz‹.",
    "Am 3. Mai um 14:05 Uhr stand es 2:1.",
    "Wie geht's dir? Mir geht’s gut, ich hab’ heute frei.",
    "Bitte leih' mir dein Rad!",
    "Das ist ja ’ne Überraschung.",
    "Es sind 20 °C und 5 % kosten 3,50 € (oder 4 $ mehr).",
    "Die Schüler*innen öffnen die (Haus-)Tür bei C&A.",
    "Klaus’ Bruder rief “hello” und ging.",
    "Er rief O'Hara an.",
]
ODD = [
    "don't", "U.S.A.", "l'Île-d'Orléans", "…", "...", "....", "a..b", "🎉 👩\u200d👧 ok", "한국어 문장", "日本",
    "<a> >b<", "&apos; &amp;", "@-@ x@-@y", "a | b", "'' `` \"x\"", "x's' 'tis", "\u3000a\u00a0b ",
    "a\x00b \x01 c", "e\u0301te\u0301 x", "soft\u00adhyphen x", "a\u2028b", "DOTMULTI x DOTDOTMULTI y",
    "1,000.5,a", "–—-", "", "   ", "\ufeffstart", "x" * 3000 + ". y", "a\tb\x0bc\x85d", "▁ a▁b",
]  # fmt: skip


FRENCH_RULES, PLAIN_FRENCH = Tokenizer("fr"), MosesTokenizer("fr")


@pytest.mark.parametrize("language", ["en", "fr", "de", "ko", pytest.param("zh", marks=pytest.mark.slow)])
def test_words_are_those_of_plain_sacremoses(language: str) -> None:
    plain, ours = MosesTokenizer(language), Tokenizer(language)
    for line in (
        ENGLISH + FRENCH + GERMAN + ["Mr. X. met Dr. Y. e.g. at No. 5. no. b. Art. 7 a.m.", "一。二.三 etc. x."]
    ):
        assert ours.tokenize(line) == plain.tokenize(line, escape=False)


PARTS = st.sampled_from(
    [*"ab", "É", "ab", ".", "..", ",", "'", '"', " ", "1", "art", "Mme", "-", "$", "(", "ß", "字", "B"]
)


@given(st.lists(PARTS, max_size=25).map("".join) | st.text(max_size=25))
def test_words_are_those_of_plain_sacremoses_on_any_text(line: str) -> None:
    cleaned = unicodedata.normalize("NFC", clean_line(line))
    assert FRENCH_RULES.tokenize(line) == PLAIN_FRENCH.tokenize(cleaned, escape=False)


@settings(max_examples=60)
@given(st.sampled_from(["en", "fr", "de", "ko", "ja"]), st.text(max_size=40))
def test_words_of_any_text_are_composed_and_without_white_space(language: str, line: str) -> None:
    tokenizer = Tokenizer(language)
    words = tokenizer.tokenize(line)
    assert all(word and word.split() == [word] for word in words)
    assert all(clean_line(word) == word for word in words)
    assert tokenizer.tokenize(clean_line(line)) == words
    assert tokenizer.tokenize(unicodedata.normalize("NFD", line)) == tokenizer.tokenize(
        unicodedata.normalize("NFC", line)
    )


WORDS = st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=6), max_size=8)


@settings(max_examples=60)
@given(st.sampled_from(["en", "fr", "de", "ko"]), WORDS)
def test_detokenising_changes_white_space_alone(language: str, words: list[str]) -> None:
    line = Tokenizer(language).detokenize(words)
    assert "".join(line.split()) == "".join("".join(words).split())
    assert line == line.strip()


@pytest.mark.parametrize(("language", "lines"), [("en", ENGLISH), ("fr", FRENCH), ("de", GERMAN), ("ko", KOREAN)])
def test_detokenised_is_as_it_was_written(language: str, lines: list[str]) -> None:
    tokenizer = Tokenizer(language)
    for line in lines:
        assert tokenizer.detokenize(tokenizer.tokenize(line)) == line


def test_detokenise_takes_text_literally() -> None:
    assert Tokenizer("en").detokenize(["&lt;", "x"]) == "&lt; x"
    assert Tokenizer("en").detokenize([]) == ""
    assert Tokenizer("fr").detokenize(["[UNK]", "?"]) == "[UNK] ?"


def test_brackets_that_are_not_numbers_of_parts_stay_apart() -> None:
    for line in ["She was 7 (seven).", "In 1990 (see above) it rained.", "a / b is a ratio (c)"]:
        words = Tokenizer("en").tokenize(line)
        assert Tokenizer("en").detokenize(words).count(" (") == line.count(" (")


def test_clean_line_removes_what_is_not_text() -> None:
    everything = "".join(chr(code) for code in range(0x3000) if unicodedata.category(chr(code)) == "Cc")
    assert clean_line(everything).strip(" ") == ""
    assert clean_line("a\x85b\u2029c\td") == "a b c d"
    assert clean_line("a\ud800b") == "ab"
    assert clean_line("no\u00a0break é 👩\u200d👧") == "no\u00a0break é 👩\u200d👧"


def test_accents_are_composed() -> None:
    assert Tokenizer("fr").tokenize("e\u0301te\u0301") == ["été"]


def test_tokenizer_survives_pickling() -> None:
    tokenizer = pickle.loads(pickle.dumps(Tokenizer("fr")))
    assert tokenizer.tokenize(FRENCH[0]) == Tokenizer("fr").tokenize(FRENCH[0])


@pytest.mark.parametrize("code", ["", "e", "EN", "en-US", "french", "fr ", "../x"])
def test_not_a_language_code(code: str) -> None:
    with pytest.raises(InputError, match=rf"^{code!r} .*language"):
        Tokenizer(code)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_words_that_look_like_marks_of_moses_are_kept(language: str) -> None:
    """Moses writes a run of full stops as a word such as DOTMULTI while it works; a text may contain that word."""
    tokenizer = Tokenizer(language)
    for mark in ("DOTMULTI", "DOTDOTMULTI", "DOTMULTIX", "xDOTMULTI", "MULTI", "DOTMULTXMULTI", "DOTMULTIXX"):
        assert tokenizer.tokenize(f"x {mark} y") == ["x", mark, "y"]
        assert tokenizer.tokenize(f"x {mark} & <y>") == ["x", mark, "&", "<", "y", ">"]
        assert tokenizer.tokenize(f"Wait... MULTXX {mark}, yes..") == ["Wait", "...", "MULTXX", mark, ",", "yes", ".."]


@given(st.lists(st.sampled_from(["DOT", "MULTI", "MULT", "X", "I", ".", "..", " ", ",", "a", "THISISPROTECTED000"])))
def test_no_character_is_changed_by_marks_of_moses(parts: list[str]) -> None:
    line = "".join(parts)
    assert "".join(Tokenizer("en").tokenize(line)) == "".join(line.split())


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
        words = ["".join(word.split()) for word in re.split("[ \t]+", line.strip(" \t"))]
        assert all(0 <= span < len(words) for span in spans)
        if "".join(tokens) == "".join(words):  # then the words can be put together again
            merged = [""] * len(words)
            for token, span in zip(tokens, spans, strict=True):
                merged[span] += token
            assert merged == words


def test_word_spans_where_characters_were_changed() -> None:
    assert word_spans("\x00 a b", Tokenizer("en").tokenize("\x00 a b")) == [1, 2]
    assert word_spans("one e\u0301te\u0301, two", ["one", "été", ",", "two"]) == [0, 1, 1, 2]
    assert word_spans("say “hi” now", ["say", '"', "hi", '"', "now"]) == [0, 1, 1, 1, 2]
    assert word_spans("wait.. go", ["wait", "...", "go"]) == [0, 0, 1]
    assert word_spans("", ["a"]) == [0]
    assert word_spans("a b", []) == []


def test_texts_that_differ_in_24_characters_are_found_to_agree_again() -> None:
    assert word_spans(f"ab {'x' * 24} cd ef", ["ab", "cd", "ef"]) == [0, 2, 3]
    assert word_spans(f"ab {'x' * 25} cd ef", ["ab", "cd", "ef"])[1] == 1
    assert word_spans("ab cd ef", ["ab", "x" * 24, "cd", "ef"])[2:] == [1, 2]
    assert word_spans("ab cdef gh", ["ab", "x" * 25, "cdef", "gh"])[2:] != [1, 2]


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
