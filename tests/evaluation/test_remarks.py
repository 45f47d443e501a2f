"""Remarks on texts that are written in different ways; none on texts that are written alike."""

import logging

import pytest

from nmt.evaluation.evaluation_files import evaluate_external_system
from nmt.evaluation.test_set import TestSet, remarks

PLAIN = ["Le chat dort, enfin.", "Il lit un livre.", "Nous rentrons tôt", "Elle part."] * 5
SUBWORDS = {
    "subword-nmt": ["Le ch@@ at dort, en@@ fin.", "Il lit.", "Nous ren@@", "Elle part."] * 5,
    "SentencePiece": ["▁Le ▁ch at ▁dort , ▁en fin .", "▁Il ▁lit .", "▁Nous", "▁Elle ▁part ."] * 5,
    "OpenNMT": ["Le chat dort ￭, enfin ￭.", "Il lit ￭.", "Nous", "Elle"] * 5,
    "ends of words": ["Le</w> ch at</w> dort</w> .</w>", "Il</w> lit</w>", "Nous</w>", "Elle</w>"] * 5,
    "bytes": ["Le Ġchat Ġdort", "Il Ġlit", "Nous", "Elle Ġpart"] * 5,
    "BERT": ["Le ch ##at dort", "Il li ##t un liv ##re", "Nous", "Elle"] * 5,
}
TOKENISED = {
    "Moses": ["Le chat dort , enfin .", "Il lit un livre .", "Nous rentrons tôt", "Elle part ."] * 5,
    "escapes": ["L &apos; île , enfin .", "Il dit &quot; non &quot; .", "Nous", "Elle part ."] * 5,
}


@pytest.mark.parametrize("kind", SUBWORDS)
@pytest.mark.parametrize("turned", [False, True])
def test_subwords_on_one_side_are_named_with_their_lines(kind: str, turned: bool) -> None:
    sides = (PLAIN, SUBWORDS[kind]) if turned else (SUBWORDS[kind], PLAIN)
    first = remarks(sides[0], [sides[1]], ("hyp", "ref"))[0]
    marked = sum(any(mark in line for mark in ("@@", "▁", "￭", "##", "</w>", "Ġ")) for line in SUBWORDS[kind])
    numbers = (0, marked) if turned else (marked, 0)
    assert first.startswith(f"{numbers[0]} of 20 lines of hyp have marks of subwords")
    assert f"{numbers[1]} of 20 of ref" in first


@pytest.mark.parametrize("kind", TOKENISED)
@pytest.mark.parametrize("turned", [False, True])
def test_one_tokenised_side_is_named(kind: str, turned: bool) -> None:
    sides = (PLAIN, TOKENISED[kind]) if turned else (TOKENISED[kind], PLAIN)
    named = ("ref", "hyp") if turned else ("hyp", "ref")
    (said,) = remarks(sides[0], [sides[1]], ("hyp", "ref"))
    assert said.startswith(f"{named[0]} looks tokenised, and {named[1]} does not")


@pytest.mark.parametrize("text", [PLAIN, *SUBWORDS.values(), *TOKENISED.values()])
def test_nothing_is_said_of_texts_that_are_written_alike(text: list[str]) -> None:
    assert remarks(text, [text, text], ("hyp", "ref")) == []


@pytest.mark.parametrize(
    "odd",
    [
        ["a@b.org wrote.", "x @ y", "## Heading .", "#tag."],
        ["Vous venez ?", "Oui !", "« Non » ; si : mais", "1 000,5 %."],
        ["Wait …", ". . .", "No punctuation", "At .NET and .5"],
        ["島は遠い。", "岛很远。", "", ""],
    ],
)
def test_ordinary_texts_are_not_remarked_on(odd: list[str]) -> None:
    assert remarks(odd * 3 + PLAIN, [PLAIN], ("hyp", "ref")) == []
    assert remarks(PLAIN, [odd * 3 + PLAIN], ("hyp", "ref")) == []
    assert remarks([""], [[""]], ("hyp", "ref")) == []


def test_sacrebleu_says_nothing_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    """It would speak of a parameter that nobody here can set."""
    lines = [f"le mot {k} ." for k in range(150)]
    with caplog.at_level(logging.DEBUG, "sacrebleu"):
        evaluate_external_system("s", TestSet(name="m", sources=lines, references=lines), lines)
    assert "force" not in caplog.text
