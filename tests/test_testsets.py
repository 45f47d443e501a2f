"""The test sets that the repository ships: testsets/jointly-150 and testsets/jointly-300."""

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


def test_all_files_have_150_lines() -> None:
    names = [f"{kind}.{language}" for kind in ("sentences", "tokens") for language in LANGUAGES]
    assert GOLDS
    assert {name: len(lines(name)) for name in (*names, *(path.name for path in GOLDS))} == dict.fromkeys(
        (*names, *(path.name for path in GOLDS)), 150
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_tokens_are_those_of_the_tokeniser(language: str) -> None:
    tokenizer = Tokenizer(language)
    expected = [" ".join(tokenizer.tokenize(line)) for line in lines(f"sentences.{language}")]
    assert lines(f"tokens.{language}") == expected


@pytest.mark.parametrize("folder", BOTH, ids=lambda path: path.name)
@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_clean(language: str, folder: Path) -> None:
    for sentence in lines(f"sentences.{language}", folder):
        assert sentence, "a blank line"
        assert sentence == " ".join(clean_line(sentence).split())
        assert unicodedata.is_normalized("NFC", sentence), sentence
        assert not re.search("[’‘“”\xa0\u202f]", sentence), sentence


@pytest.mark.parametrize("folder", BOTH, ids=lambda path: path.name)
def test_french_marks_are_spaced(folder: Path) -> None:
    for sentence in lines("sentences.fr", folder):
        assert not re.search(r"\S[;:!?»]|«\S|\s[,.]", sentence), sentence
        assert '"' not in sentence, sentence
        assert sentence.count("«") == sentence.count("»"), sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_sentences_alike(language: str) -> None:
    """Within a set and between the two, without case and punctuation."""
    sentences = [" ".join(re.findall(r"\w+", line.lower())) for f in BOTH for line in lines(f"sentences.{language}", f)]
    assert len(sentences) == 450
    assert [sentence for sentence, count in Counter(sentences).items() if count > 1] == []


def test_lengths() -> None:
    english = [len(line.split()) for line in lines("sentences.en")]
    french = [len(line.split()) for line in lines("sentences.fr")]
    assert set(english) == set(range(4, 36))  # every length from 4 to 35 words
    assert 45 <= sum(words > 20 for words in english) <= 55  # a third is long
    assert max(french) <= 40
    assert all(e / 2 <= f <= 2 * e for e, f in zip(english, french, strict=True))


@pytest.mark.parametrize("gold", GOLDS, ids=lambda path: path.name)
def test_links_are_in_range_sorted_and_unique(gold: Path) -> None:
    for number, (line, english, french) in enumerate(
        zip(lines(gold.name), lines("tokens.en"), lines("tokens.fr"), strict=True), 1
    ):
        found = links(line)
        assert " ".join(f"{i}{kind}{j}" for i, j, kind in found) == line, number
        assert all(i < len(english.split()) and j < len(french.split()) for i, j, _ in found), number
        places = [(i, j) for i, j, _ in found]
        assert places == sorted(set(places)), number


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
    """The table has words | law | everyday | caption | other | pairs, and a row of sums."""
    english, french = (lines(f"sentences.{language}", BY_LENGTH) for language in LANGUAGES)
    registers = lines("registers", BY_LENGTH)
    assert len(english) == len(french) == len(registers) == 300
    lengths = [len(line.split()) for line in english]
    assert set(lengths) == set(range(3, 71))
    names = ("law", "everyday", "caption", "other")
    found = Counter(zip(((length - 1) // 10 for length in lengths), registers, strict=True))
    rows = [(f"{10 * k + 1}-{10 * k + 10}", [found.pop((k, name), 0) for name in names]) for k in range(7)]
    assert not found  # no other register
    rows.append(("all", [sum(column) for column in zip(*(counts for _, counts in rows), strict=True)]))
    readme = (BY_LENGTH / "README.md").read_text("utf-8")
    assert f"{sum(lengths):,} English words" in readme
    table = re.findall(r"^\| (\d+-\d+|all) \| (.*) \|$", readme, re.MULTILINE)
    assert table == [(span, " | ".join(map(str, (*counts, sum(counts))))) for span, counts in rows]


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


@pytest.mark.parametrize("folder", BOTH, ids=lambda path: path.name)
def test_licence_is_cc0(folder: Path) -> None:
    assert "SPDX-License-Identifier: CC0-1.0\n" in (folder / "LICENSE").read_text("utf-8")
