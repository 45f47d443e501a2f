"""The test set that the repository ships: testsets/jointly-150."""

import re
from pathlib import Path

import pytest

from nmt.data.text import Tokenizer, clean_line

FOLDER = Path(__file__).parent.parent / "testsets" / "jointly-150"
LANGUAGES = ("en", "fr")
GOLDS = sorted(FOLDER.glob("gold*"))
LINK = re.compile(r"(\d+)([-p])(\d+)")


def lines(name: str) -> list[str]:
    """The lines of a file of the folder, each of which must end in a newline."""
    text = (FOLDER / name).read_text("utf-8")
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_clean_and_no_two_alike(language: str) -> None:
    sentences = lines(f"sentences.{language}")
    assert len(set(sentences)) == len(sentences)
    for sentence in sentences:
        assert sentence == " ".join(clean_line(sentence).split())
        assert not re.search("[’‘“”\xa0\u202f]", sentence), sentence


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


def test_licence_is_cc0() -> None:
    assert "SPDX-License-Identifier: CC0-1.0\n" in (FOLDER / "LICENSE").read_text("utf-8")
