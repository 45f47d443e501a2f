"""The language of a text: by its script and, in Latin letters, by the n-grams of its words."""

import random
from pathlib import Path

import pytest

from nmt.data import identification
from nmt.data.corpora.phrasebook import phrasebook, splits
from nmt.data.identification import FEWEST, PREFERRED, Foreign, foreign, language_of, n_grams, words_of

ROOT = Path(__file__).parents[2]
OTHERS = {
    "es": "Ayer comimos una manzana muy dulce en el jardín de mi abuela.",
    "it": "Domani andiamo insieme alla stazione per prendere il treno delle otto.",
    "pt": "Ontem à noite não consegui dormir porque fazia muito calor.",
    "nl": "Mijn broer heeft gisteren een nieuwe fiets voor zijn dochter gekocht.",
    "sv": "Jag skulle vilja boka ett bord för två personer i kväll.",
    "pl": "Wczoraj wieczorem poszliśmy z przyjaciółmi do małego kina.",
    "tr": "Kardeşim her sabah işe gitmeden önce bir fincan kahve içer.",
    "fi": "Eilen illalla kävelimme pitkin rantaa ja katselimme veneitä.",
    "id": "Kemarin saya membeli tiga buku baru di toko dekat sekolah.",
    "ro": "Mâine dimineață plecăm cu trenul la bunica mea de la țară.",
}
"""Sentences written for this test, in languages that no checkpoint of ours reads."""


@pytest.mark.parametrize(
    ("text", "language", "writing"),
    [
        ("猫は魚を食べました。", "en", "Japanese"),
        ("猫は魚を食べました。", "zh", "Japanese"),
        ("猫は魚を食べました。", "ja", ""),
        ("我们去学校", "fr", "Chinese characters"),
        ("我们去学校", "ja", ""),
        ("고양이가 잔다", "ja", "Korean"),
        ("Кошка спит", "de", "Cyrillic"),
        ("The cat sleeps.", "ja", "Latin"),
        ("Tom Brown と UNESCO", "ja", "Latin"),
        ("Der Name Кошка ist russisch", "de", ""),
        ("123 … 45 %", "en", ""),
        ("ab 海山", "en", ""),  # half of the letters
        ("ab 海山空", "en", "Chinese characters"),
        ("Ｔｈｅ ｃａｔ ｓｌｅｅｐｓ.", "en", ""),
        ("𝐓𝐡𝐞 𝐜𝐚𝐭 µ ª º", "en", ""),
        ("ﾊﾝｸﾞﾙ", "ja", ""),
        ("ﾡﾯﾱ", "ja", "Korean"),
        ("", "ja", ""),
        ("whatever", "xx", ""),
    ],
)
def test_writing_that_a_language_does_not_have(text: str, language: str, writing: str) -> None:
    found = foreign(text, language)
    assert ("" if found is None else found.script) == writing


@pytest.mark.parametrize("expected", ["en", "fr", "de", "ja", "ko"])
@pytest.mark.parametrize("language", OTHERS)
def test_other_languages_are_no_language_of_ours(language: str, expected: str) -> None:
    found = foreign(OTHERS[language], expected)
    assert found is not None
    assert found.language == language_of(OTHERS[language])
    assert found.language not in {"en", "fr", "de", "ja", "ko"}


@pytest.mark.parametrize("place", range(5))
def test_the_phrasebook_is_told_apart_in_all_its_languages(place: int) -> None:
    """Of its sentences from five words on at least 99 of 100 are right, and at most one in 500 raises an alarm."""
    language = phrasebook().languages[place]
    drawn = random.Random(place).sample(splits()["train"], 1500)
    sentences = [row[place] for row in drawn]
    long = [text for text in sentences if len(words_of(text)) >= FEWEST or language in ("ja", "ko")]
    assert len(long) > 500
    assert sum(language_of(text) == language for text in long) >= 0.99 * len(long)
    alarms = [text for text in sentences if foreign(text, language)]
    assert len(alarms) <= len(sentences) / 500, alarms


@pytest.mark.parametrize("language", ["en", "fr"])
def test_sentences_of_the_paper_kind_raise_no_alarm(language: str) -> None:
    lines = (ROOT / "testsets/jointly-300" / f"sentences.{language}").read_text("utf-8").splitlines()
    assert [text for text in lines if foreign(text, language)] == []
    other = {"en": "fr", "fr": "en"}[language]
    long = [text for text in lines if len(words_of(text)) >= FEWEST]
    assert sum(foreign(text, other) == Foreign(language) for text in long) >= 0.99 * len(long)


def test_few_words_raise_an_alarm_by_their_script_alone() -> None:
    assert foreign("Guten Morgen, mein Freund!", "fr") is None
    assert foreign("Guten Morgen, mein lieber Freund!", "fr") == Foreign("de")
    assert foreign("안녕", "fr") == Foreign("ko", "Korean")
    assert foreign("島は遠い。", "ko") == Foreign("ja", "Japanese")
    assert foreign("島 한국", "ko") is None
    assert foreign("東京", "en") == Foreign("", "Chinese characters")  # Chinese or Japanese
    assert foreign("เกาะไกล", "lo") == Foreign("th", "Thai")
    assert foreign("เกาะไกล", "th") is None


def test_a_language_that_is_not_known_raises_no_alarm() -> None:
    assert foreign("Guten Morgen, mein lieber Freund!", "eo") is None
    assert foreign("", "en") is None
    assert foreign("12 + 30", "en") is None


def test_names_count_half() -> None:
    """A sentence is of the language of its other words."""
    assert language_of("We met Jean-Luc Dupont and Marie Lefèvre near Avignon") == "en"


def test_the_table_is_of_n_grams_and_small() -> None:
    path = Path(identification.__file__).with_name("languages.tsv")
    assert path.stat().st_size <= 200_000
    languages, rows, numbers = identification._table()
    assert {*languages} > PREFERRED
    assert numbers.shape == (len(rows), len(languages))
    assert abs(numbers).max() <= 31
    assert {"_the_", "_le_"} <= rows.keys() <= {gram for row in rows for gram in (row, *n_grams(row.strip("_")))}
