"""Texts into sentences and back: cut where a reader would, nothing lost."""

import random
import re
import time
from pathlib import Path

import pytest

from nmt.data.sentences import split_text
from nmt.errors import InputError

TESTSETS = Path(__file__).parents[2] / "testsets"
ENGLISH = [
    "Mr. Smith met Dr. Jones at 5 p.m. on Monday. | They talked.",
    "He wrote to Ms. Lee. | She left.",
    "He moved to Washington, D.C. | He likes the U.S. Congress.",
    "The U.S. economy grew, e.g. in Jan. 2014. | It fell later, i.e. in 2015.",
    "I live in the U.S. | He lives in the E.U. too.",
    "It costs 3.5 million. | Version 2.0 is out! | Is it? | Yes.",
    "Prices rose by 3.5%. | Sales fell by $1,200.50 a day.",
    '"I am here," he said. | "Where are you?" she asked. | "Nowhere."',
    "She said “Hello. How are you?” | Then she left.",
    'He said: "Stop." | She stopped.',
    "He waited... and waited. | Then... nothing.",
    "Wait… what? | Yes.",
    "What?! | No way!!! | Really?",
    "See Fig. 3 and p. 5. | Smith et al. (2014) agree.",
    "J. R. R. Tolkien wrote it. | It was I. | He knew.",
    "He works at Apple Inc. in California. | Ms. Lee, Ph.D., agrees.",
    "Visit www.example.com. | Then write to a.b@c.org. | Done.",
    "First of all 1. First item. 2. Second item.",
]
FRENCH = [
    "M. Dupont est arrivé. | Mme Martin l'a vu à 15 h 30. | Il pleut.",
    "MM. Dupont et J.-C. Dubois sont venus. | Oui.",
    "L'art. 5 de la loi (cf. p. 12) s'applique. | Voir l'al. 2. | Fin.",
    "« Où es-tu ? » demanda-t-il. | « Ici ! » | Elle rit.",
    "« Je viens. Attends-moi. » | Il partit.",
    "Il coûte 3,5 millions d'euros. | C'est cher. | Non ?",
    "Le Dr. Durand et le Pr. Petit sont là. | Paris, le 5 janv. 2014. | Bonjour !",
    "Ils étaient sept. | Puis ils furent huit. | Le 3 sept. 2014, p. ex. le matin.",
    "Il écrit à J. Dupont. | Voir la partie b. | Elle est courte.",
    "Il vient à 8 h. | Elle part... | Et lui ?",
]
CASES = [(case, "en") for case in ENGLISH[:-1]] + [(case, "fr") for case in FRENCH]


@pytest.mark.parametrize(("case", "language"), CASES)
def test_sentences_of_a_line(case: str, language: str) -> None:
    expected = case.split(" | ")
    found = split_text(" ".join(expected), language)
    assert list(found.sentences) == expected
    assert found.together(found.sentences) == " ".join(expected)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_sentences_that_were_run_together_are_found_again(language: str) -> None:
    """All of the shipped test set as one line: each pair's line is one sentence but for one, which is two."""
    lines = (TESTSETS / "jointly-150" / f"sentences.{language}").read_text("utf-8").splitlines()
    found = split_text(" ".join(lines), language).sentences
    assert len(found) == 151
    assert len(set(found) & set(lines)) == 149


def test_cutting_takes_time_in_proportion() -> None:
    begun = time.perf_counter()
    split_text("M. X" * 30_000, "fr")
    assert time.perf_counter() - begun < 5


def test_a_number_is_no_sentence_of_its_own() -> None:
    for sentence in split_text(ENGLISH[-1], "en").sentences:
        assert re.search("[a-z]", sentence)


DOCUMENT = """\
# A report on cats

By Dr. Smith

Cats sleep.  They sleep
a lot!

  - first, the black ones
  - then the others. They are many.

1. One thing
2) Another thing. Really.
\t• a third

END
"""


def test_headings_and_lists() -> None:
    found = split_text(DOCUMENT, "en")
    assert found.sentences == (
        "A report on cats",
        "By Dr. Smith",
        "Cats sleep.",
        "They sleep",
        "a lot!",
        "first, the black ones",
        "then the others.",
        "They are many.",
        "One thing",
        "Another thing.",
        "Really.",
        "a third",
        "END",
    )
    assert found.together(found.sentences) == DOCUMENT.replace("sleep.  They", "sleep. They")
    shouted = found.together([sentence.upper() for sentence in found.sentences])
    assert shouted == DOCUMENT.replace("sleep.  They", "sleep. They").upper()


WRAPPED = """\
Dear Mr. Smith,

When in the course of human events it becomes necessary
for one people to dissolve the bands which have connected
them with another, a decent respect requires that they
declare the causes. We hold these truths to be evident.

Yours
Jane
"""


def test_lines_that_were_broken_at_one_width_are_one_paragraph() -> None:
    found = split_text(WRAPPED, "en")
    long = " ".join(WRAPPED.split("\n\n")[1].split())
    assert found.sentences == (
        "Dear Mr. Smith,",
        long.partition(" We hold")[0],
        "We hold these truths to be evident.",
        "Yours",
        "Jane",
    )
    assert found.together(["a", "b", "c", "d", "e"]) == "a\n\nb c\n\nd\ne\n"


def line_of(length: int) -> str:
    return ("word " * 30)[: length - 1] + "x"


@pytest.mark.parametrize(("width", "joined"), [(39, False), (40, True), (120, True), (121, False)])
def test_two_lines_are_joined_where_the_width_is_a_usual_one(width: int, joined: bool) -> None:
    first = line_of(width)
    expected = (f"{first} and more.",) if joined else (first, "and more.")
    assert split_text(f"{first}\nand more.", "en").sentences == expected


@pytest.mark.parametrize(("length", "joined"), [(45, False), (46, True)])
def test_a_line_is_full_where_the_next_word_had_no_room(length: int, joined: bool) -> None:
    """At a width of 50, a space and four characters."""
    lines = (line_of(50), line_of(length), "end.")
    assert split_text("\n".join(lines), "en").sentences == ((" ".join(lines),) if joined else lines)


def test_one_sentence_a_line_stays_so() -> None:
    lines = [
        "The girl reads a book in the garden behind the house.",
        "The cats sleep on a mat near the sea for a long time.",
        "She has never seen the sea in the evening, he thinks.",
    ]
    assert split_text("\n".join(lines), "en").sentences == tuple(lines)
    lines[1] = "A heading of the same width without a full stop"
    lines.append("a short line that would have stood behind it if it went on")
    assert split_text("\n".join(lines), "en").sentences == tuple(lines)


TEXTS = ["", " ", "\n", "\n\n \n", "- ", "1. ", "a", " a", "a\r\n\r\nb. C\r\n", "a\n\n\n", "\u2028"]


@pytest.mark.parametrize("text", TEXTS)
def test_nothing_is_lost_at_the_ends(text: str) -> None:
    found = split_text(text, "en")
    assert found.together(found.sentences) == text
    assert all(sentence.strip() == sentence != "" for sentence in found.sentences)


def test_nothing_is_lost_or_doubled() -> None:
    words = ["Mr. ", "He left. ", "« Ah ! » ", "end", "I am 5.5 m. ", "é", "- ", "3. ", "...", "? "]
    pieces = [*words, "\n", "\n\n", " ", "\t"]
    source = random.Random(3)
    for _ in range(400):
        text = "".join(source.choices(pieces, k=source.randint(1, 25)))
        for language in ("en", "fr", "de"):
            found = split_text(text, language)
            again = found.together(found.sentences)
            assert "".join(again.split()) == "".join(text.split())
            assert len(re.findall(r"\n\s*\n", again)) == len(re.findall(r"\n\s*\n", text))
            assert all(sentence.strip() == sentence != "" for sentence in found.sentences)
            assert split_text(again, language).together(split_text(again, language).sentences) == again


def test_no_language() -> None:
    with pytest.raises(InputError, match="'English'"):
        split_text("a", "English")


def test_japanese_sentences_have_no_space_between_them() -> None:
    found = split_text("雪が降った。寒い！\n\nSo?", "ja")
    assert found.sentences == ("雪が降った。", "寒い！", "So?")
    assert found.together(found.sentences, "ja") == "雪が降った。寒い！\n\nSo?"
    assert found.together(["It snowed.", "It is cold!", "So?"], "en") == "It snowed. It is cold!\n\nSo?"
