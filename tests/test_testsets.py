"""The test sets that the repository ships, in testsets/: jointly-150, jointly-300 and jointly-100-LANGUAGE."""

import re
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from nmt.data.text import Tokenizer, clean_line

FOLDER = Path(__file__).parent.parent / "testsets" / "jointly-150"
BY_LENGTH = FOLDER.parent / "jointly-300"
BOTH = (FOLDER, BY_LENGTH)
LANGUAGES = ("en", "fr")
HUNDREDS = {language: FOLDER.parent / f"jointly-100-{language}" for language in ("de", "ja")}
LINKED = 30  # the first pairs of a hundred
EVERY = [(folder, language) for folder in BOTH for language in LANGUAGES]
EVERY += [(folder, side) for language, folder in HUNDREDS.items() for side in ("en", language)]
KOREAN = FOLDER.parent / "jointly-100-ko"
EVERY += [(KOREAN, "en"), (KOREAN, "ko")]
GOLDS = sorted(FOLDER.glob("gold*"))
LINK = re.compile(r"(\d+)([-p])(\d+)")


def lines(name: str, folder: Path = FOLDER) -> list[str]:
    """The lines of a file of the folder, each of which must end in a newline."""
    text = (folder / name).read_text("utf-8")
    assert text.endswith("\n")
    return text[:-1].split("\n")


def links(line: str) -> list[tuple[int, int, str]]:
    """(English token, French token, "-" or "p") of each link, in the order of the line."""
    found = [LINK.fullmatch(part) for part in line.split(" ")]
    return [(int(match[1]), int(match[3]), match[2]) for match in found if match]


def check_links(gold: Path, english: list[str], other: list[str]) -> None:
    """Links of every line to tokens that are there, in order and each once."""
    for number, (line, source, target) in enumerate(zip(lines(gold.name, gold.parent), english, other, strict=True), 1):
        found = links(line)
        assert " ".join(f"{i}{kind}{j}" for i, j, kind in found) == line, number
        assert all(i < len(source.split()) and j < len(target.split()) for i, j, _ in found), number
        places = [(i, j) for i, j, _ in found]
        assert places == sorted(set(places)), number


def plain(sentence: str) -> str:
    """Without case and punctuation."""
    return " ".join(re.findall(r"\w+", sentence.lower()))


def check_tables(folder: Path, first: int, last: int, names: tuple[str, ...]) -> None:
    """Its README has the words of each language, and a table of the pairs by ten lengths and register, with sums."""
    lengths = [len(line.split()) for line in lines("sentences.en", folder)]
    assert (min(lengths), max(lengths)) == (3, last)
    found = Counter(zip(((length - 1) // 10 for length in lengths), lines("registers", folder), strict=True))
    assert {register for _, register in found} == {*names}
    tens = range((last + 9) // 10)
    rows = [(f"{max(first, 10 * k + 1)}-{10 * k + 10}", [found[k, name] for name in names]) for k in tens]
    rows.append(("all", [sum(column) for column in zip(*(counts for _, counts in rows), strict=True)]))
    readme = (folder / "README.md").read_text("utf-8")
    assert f"{sum(lengths):,} English words" in readme
    table = re.findall(r"^\| (\d+-\d+|all) \| (.*) \|$", readme, re.MULTILINE)
    assert table == [(span, " | ".join(map(str, (*counts, sum(counts))))) for span, counts in rows]


def test_all_files_have_150_lines() -> None:
    assert GOLDS
    names = [*(f"{kind}.{language}" for kind in ("sentences", "tokens") for language in LANGUAGES)]
    assert {len(lines(name)) for name in (*names, *(path.name for path in GOLDS))} == {150}


@pytest.mark.parametrize(
    ("folder", "language", "linked"),
    [
        *((FOLDER, language, 150) for language in LANGUAGES),
        *((folder, side, LINKED) for language, folder in HUNDREDS.items() for side in ("en", language)),
        *((KOREAN, side, 40) for side in ("en", "ko")),
    ],
    ids=str,
)
def test_tokens_are_those_of_the_tokeniser(folder: Path, language: str, linked: int) -> None:
    tokenizer = Tokenizer(language)
    expected = [" ".join(tokenizer.tokenize(line)) for line in lines(f"sentences.{language}", folder)[:linked]]
    assert lines(f"tokens.{language}", folder) == expected


@pytest.mark.parametrize(("folder", "language"), EVERY, ids=str)
def test_sentences_are_clean(folder: Path, language: str) -> None:
    for sentence in lines(f"sentences.{language}", folder):
        assert sentence, "a blank line"
        assert sentence == " ".join(clean_line(sentence).split())
        assert unicodedata.is_normalized("NFC", sentence), sentence
        assert not re.search("[’‘”\xa0\u202f\u3000]", sentence), sentence
        assert sentence.count("„") == sentence.count("“") <= (language == "de"), sentence


@pytest.mark.parametrize("folder", BOTH, ids=lambda path: path.name)
def test_french_marks_are_spaced(folder: Path) -> None:
    for sentence in lines("sentences.fr", folder):
        assert not re.search(r"\S[;:!?»]|«\S|\s[,.]", sentence), sentence
        assert '"' not in sentence, sentence
        assert sentence.count("«") == sentence.count("»"), sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_sentences_alike(language: str) -> None:
    """Within a set and between the two, without case and punctuation."""
    sentences = [plain(line) for folder in BOTH for line in lines(f"sentences.{language}", folder)]
    assert len(sentences) == 450
    assert [sentence for sentence, count in Counter(sentences).items() if count > 1] == []


def test_lengths() -> None:
    english = [len(line.split()) for line in lines("sentences.en")]
    french = [len(line.split()) for line in lines("sentences.fr")]
    assert set(english) == set(range(4, 36))  # every length from 4 to 35 words
    assert 45 <= sum(words > 20 for words in english) <= 55  # a third is long
    assert max(french) <= 40
    assert all(e / 2 <= f <= 2 * e for e, f in zip(english, french, strict=True))


@pytest.mark.parametrize(
    "gold", [gold for folder in (FOLDER, *HUNDREDS.values(), KOREAN) for gold in sorted(folder.glob("gold*"))], ids=str
)
def test_links_are_in_range_sorted_and_unique(gold: Path) -> None:
    language = "fr" if gold.parent == FOLDER else gold.parent.name[-2:]
    check_links(gold, lines("tokens.en", gold.parent), lines(f"tokens.{language}", gold.parent))


def test_gold_leaves_out_what_the_readme_says() -> None:
    """The section on tokens without a link names pair (tokens), by language, and misses none."""
    section = (FOLDER / "README.md").read_text("utf-8").split("### Tokens left without a link")[1]
    named: dict[str, set[tuple[int, int]]] = {language: set() for language in LANGUAGES}
    for language, list_ in re.findall(r"(English|French):? ((?:\d+ \([\d, ]+\)[,\s]*)+)", section):
        for pair, tokens in re.findall(r"(\d+) \(([\d, ]+)\)", list_):
            named[language[:2].lower()] |= {(int(pair), int(token)) for token in tokens.split(",")}
    for language, side in zip(LANGUAGES, (0, 1), strict=True):
        left_out = set()
        for pair, (line, tokens) in enumerate(zip(lines("gold"), lines(f"tokens.{language}"), strict=True), 1):
            linked = {link[side] for link in links(line)}
            left_out |= {(pair, k) for k in range(len(tokens.split())) if k not in linked}
        assert left_out == named[language]


def test_300_pairs_have_the_lengths_and_registers_of_their_readme() -> None:
    lengths = {len(line.split()) for line in lines("sentences.en", BY_LENGTH)}
    assert lengths == {*range(3, 71)}
    assert len(lines("sentences.fr", BY_LENGTH)) == len(lines("registers", BY_LENGTH)) == 300
    check_tables(BY_LENGTH, 1, 70, ("law", "everyday", "caption", "other"))


def test_lengths_of_300_pairs_do_not_stand_for_registers() -> None:
    """In each ten lengths all registers occur, at most half is law, and no length has a third of the pairs."""
    words = [len(line.split()) for line in lines("sentences.en", BY_LENGTH)]
    for first in range(1, 71, 10):
        inside = [
            (length, register)
            for length, register in zip(words, lines("registers", BY_LENGTH), strict=True)
            if first <= length < first + 10
        ]
        registers = Counter(register for _, register in inside)
        assert len(registers) == 4, first
        assert registers["law"] <= len(inside) / 2, first
        assert max(Counter(length for length, _ in inside).values()) < len(inside) / 3, first


def test_french_of_300_pairs_is_about_as_long() -> None:
    """In characters, where one word more or less does not count: neither side lacks a part."""
    for english, french in zip(*(lines(f"sentences.{language}", BY_LENGTH) for language in LANGUAGES), strict=True):
        if len(english.split()) > 10:
            assert 0.75 <= len(french) / len(english) <= 1.5, english


@pytest.mark.parametrize("language", HUNDREDS)
def test_a_hundred_has_100_lines_and_30_linked(language: str) -> None:
    folder = HUNDREDS[language]
    whole, linked = ("registers", "sentences.en", f"sentences.{language}"), ("gold", "tokens.en", f"tokens.{language}")
    assert {name: len(lines(name, folder)) for name in (*whole, *linked)} == {
        **dict.fromkeys(whole, 100),
        **dict.fromkeys(linked, LINKED),
    }


def test_the_hundreds_have_the_same_english_sentences() -> None:
    for name in ("sentences.en", "registers", "tokens.en", "LICENSE"):
        assert lines(name, HUNDREDS["de"]) == lines(name, HUNDREDS["ja"]), name


@pytest.mark.parametrize("language", HUNDREDS)
def test_no_two_sentences_of_a_hundred_alike(language: str) -> None:
    """English ones may be those of jointly-300, as many as the README of the German ones says."""
    folder = HUNDREDS[language]
    for side in ("en", language):
        sentences = [plain(sentence) for sentence in lines(f"sentences.{side}", folder)]
        assert len(set(sentences)) == 100
    english = {*lines("sentences.en", folder)}
    shared = len(english & {*lines("sentences.en", BY_LENGTH)})
    assert not {*map(plain, english)} & {*map(plain, lines("sentences.en"))}
    readme = " ".join((HUNDREDS["de"] / "README.md").read_text("utf-8").split())
    assert (
        f"{100 - shared} English sentences were written for their length and register; {shared} are sentences of"
        in readme
    )


def test_a_hundred_has_the_lengths_and_registers_of_the_readme() -> None:
    folder = HUNDREDS["de"]
    lengths = [len(line.split()) for line in lines("sentences.en", folder)]
    assert Counter(lengths) == {length: 3 if length <= 26 else 2 for length in range(3, 41)}
    assert len({*lengths[:LINKED]}) == LINKED
    assert {*Counter(lines("registers", folder)[:LINKED]).values()} == {LINKED // 3}
    check_tables(folder, 3, 40, ("everyday", "caption", "narrative"))


def test_german_is_about_as_long() -> None:
    """In characters, as French above, and in the words that its README counts."""
    english, german = (lines(f"sentences.{side}", HUNDREDS["de"]) for side in ("en", "de"))
    for source, target in zip(english, german, strict=True):
        if len(source.split()) > 10:
            assert 0.75 <= len(target) / len(source) <= 1.5, source
    words = f"{sum(len(line.split()) for line in german):,} German words"
    assert words in " ".join((HUNDREDS["de"] / "README.md").read_text("utf-8").split())


def test_japanese_is_written_as_japanese() -> None:
    """Without spaces, in Japanese letters and marks alone, and with 0.3 to 0.7 characters to an English one."""
    english, japanese = (lines(f"sentences.{side}", HUNDREDS["ja"]) for side in ("en", "ja"))
    for source, target in zip(english, japanese, strict=True):
        assert re.fullmatch("[\u3040-\u30ff\u3005\u4e00-\u9fff、「」？]+[。？]", target), target
        assert target.count("「") == target.count("」"), target
        assert 0.3 <= len(target) / len(source) <= 0.7, source
    characters = f"{sum(map(len, japanese)):,} Japanese characters"
    assert characters in " ".join((HUNDREDS["ja"] / "README.md").read_text("utf-8").split())


def test_japanese_words_are_the_sentences_and_their_links_in_range() -> None:
    folder = HUNDREDS["ja"]
    words = lines("words.ja", folder)
    assert [line.replace(" ", "") for line in words] == lines("sentences.ja", folder)[:LINKED]
    for name in ("words.first", "words.second", "words.gold"):
        check_links(folder / name, lines("tokens.en", folder), words)


def owners(line: str) -> list[int]:
    """For each character, spaces aside, the number of its word."""
    return [k for k, word in enumerate(line.split()) for _ in word]


def test_links_of_japanese_tokens_are_those_of_the_words() -> None:
    """By the characters that a token and a word share: all of one of the two, or the link is only possible."""
    folder = HUNDREDS["ja"]
    files = [lines(name, folder) for name in ("words.ja", "tokens.ja", "words.gold", "gold")]
    for words, tokens, by_word, by_token in zip(*files, strict=True):
        shared = Counter(zip(owners(words), owners(tokens), strict=True))
        whole = {
            (j, k)
            for (j, k), characters in shared.items()
            if characters in (len(words.split()[j]), len(tokens.split()[k]))
        }
        sure = {(i, k) for i, j, kind in links(by_word) for word, k in whole if j == word and kind == "-"}
        every = {(i, k) for i, j, _ in links(by_word) for word, k in shared if j == word}
        assert {(i, k): kind for i, k, kind in links(by_token)} == {link: "p-"[link in sure] for link in every}
        assert {i for i, _, kind in links(by_word) if kind == "-"} == {i for i, _ in sure}  # none lost


@pytest.mark.parametrize("language", HUNDREDS)
def test_a_hundred_has_the_tokens_and_links_of_its_readme(language: str) -> None:
    """Two rows of its tables: tokens and links of the gold standard, and what both passes say."""
    folder = HUNDREDS[language]
    readme = (folder / "README.md").read_text("utf-8")
    tokens = [sum(len(line.split()) for line in lines(f"tokens.{side}", folder)) for side in ("en", language)]
    kinds = Counter(kind for line in lines("gold", folder) for _, _, kind in links(line))
    assert f"| {tokens[0]} / {tokens[1]} | {kinds['-']} | {kinds['p']} |" in readme
    passes = [
        {(pair, i, j): kind for pair, line in enumerate(lines(path.name, folder)) for i, j, kind in links(line)}
        for path in (next(folder.glob("*.first")), next(folder.glob("*.second")))
    ]
    sure = [{link for link, kind in found.items() if kind == "-"} for found in passes]
    every = [{*found} for found in passes]
    assert f"| {len(sure[0])} / {len(sure[1])} | {len(every[0]):,} / {len(every[1]):,} |" in readme
    assert f"| links in both | {len(sure[0] & sure[1])} | {len(every[0] & every[1]):,} |" in readme


@pytest.mark.parametrize("folder", [*BOTH, *HUNDREDS.values()], ids=lambda path: path.name)
def test_licence_is_cc0(folder: Path) -> None:
    assert "SPDX-License-Identifier: CC0-1.0\n" in (folder / "LICENSE").read_text("utf-8")


def test_the_korean_hundred_is_what_its_readme_says() -> None:
    english, korean, registers = (lines(name, KOREAN) for name in ("sentences.en", "sentences.ko", "registers"))
    assert (english[0], korean[0]) == ("I ate an apple yesterday.", "나는 어제 사과를 먹었다.")
    assert len({*map(plain, english)}) == len({*map(plain, korean)}) == len(registers) == 100
    others = (FOLDER, BY_LENGTH, HUNDREDS["de"])
    assert not {*map(plain, english)} & {plain(line) for folder in others for line in lines("sentences.en", folder)}
    check_tables(KOREAN, 3, 20, ("everyday", "caption", "narrative"))
    words = f"English words, {sum(len(line.split()) for line in korean)} Korean words"
    assert words in (KOREAN / "README.md").read_text("utf-8")


def test_the_links_of_the_korean_hundred() -> None:
    """The word of the source documents' example is linked with "apple"."""
    tokens = {side: lines(f"tokens.{side}", KOREAN) for side in ("en", "ko")}
    first = {(tokens["en"][0].split()[i], tokens["ko"][0].split()[j]) for i, j, _ in links(lines("gold", KOREAN)[0])}
    assert ("apple", "사과를") in first
    kinds = Counter(kind for line in lines("gold", KOREAN) for *_, kind in links(line))
    assert f"{kinds['-']} sure and {kinds['p']} possible links" in (KOREAN / "README.md").read_text("utf-8")
