"""The phrasebook: parts, what is held out, grammar that can be checked by rule, and that every entry is used."""

import lzma
import re
from dataclasses import replace
from pathlib import Path

import pytest

from nmt.data.corpora import phrasebook as module
from nmt.data.corpora.get import get
from nmt.data.corpora.parallel import sentence_key
from nmt.data.corpora.phrasebook import ends_in_consonant, identifier, phrasebook, splits, with_particle

SLOT = re.compile(r"\{(\w+?)\d*(?:\.(\w+))?\}")
BOOK = phrasebook()
EN, FR, DE, JA, KO = range(5)
PATTERNS = {part: [pattern for each in topics.values() for pattern in each] for part, topics in BOOK.parts.items()}
ALL = [pattern for part in PATTERNS.values() for pattern in part]


@pytest.fixture(scope="module")
def lines() -> dict[str, list[tuple[str, ...]]]:
    return splits()


@pytest.fixture(scope="module")
def every(lines: dict[str, list[tuple[str, ...]]]) -> list[tuple[str, ...]]:
    return [line for part in lines.values() for line in part]


@pytest.mark.slow
def test_parts_have_their_size(lines: dict[str, list[tuple[str, ...]]]) -> None:
    assert len(PATTERNS["train"]) >= 600
    assert len(PATTERNS["test"]) == 100
    assert len(PATTERNS["dev"]) == 40
    assert 15_000 <= len(lines["train"]) <= 22_000
    assert all(len(line) == len(BOOK.languages) == 5 for part in lines.values() for line in part)


@pytest.mark.slow
def test_the_same_lines_come_again_in_the_same_order(lines: dict[str, list[tuple[str, ...]]]) -> None:
    assert splits() == lines


@pytest.mark.slow
def test_what_is_held_out_is_not_in_train(lines: dict[str, list[tuple[str, ...]]]) -> None:
    """Neither a pattern nor a sentence in any language of test and dev, as letters and digits alone."""
    assert len({pattern[EN] for pattern in ALL}) == len(ALL)
    for language in range(5):
        frames = {part: {SLOT.sub("_", pattern[language]) for pattern in PATTERNS[part]} for part in PATTERNS}
        assert not frames["test"] & frames["train"], BOOK.languages[language]
        sentences = {part: {sentence_key(line[language]) for line in lines[part]} for part in lines}
        assert not sentences["test"] & (sentences["train"] | sentences["dev"]), BOOK.languages[language]
        assert not sentences["dev"] & sentences["train"], BOOK.languages[language]


@pytest.mark.slow
def test_every_pattern_of_test_gives_a_sentence(lines: dict[str, list[tuple[str, ...]]]) -> None:
    for part in ("dev", "test"):
        for pattern in PATTERNS[part]:
            frame = re.compile(".*".join(map(re.escape, re.split(r"\{[^}]*\}", pattern[DE]))), re.IGNORECASE)
            assert any(frame.fullmatch(line[DE]) for line in lines[part]), pattern[DE]


@pytest.mark.slow
def test_an_english_sentence_is_written_once(every: list[tuple[str, ...]]) -> None:
    assert len({sentence_key(line[EN]) for line in every}) == len(every)


def test_all_languages_of_a_pattern_have_the_same_slots() -> None:
    def names(text: str) -> set[str]:
        return {found[1:-1].partition(".")[0] for found in re.findall(r"\{[^}]*\}", text)}

    for pattern in ALL:
        assert len({frozenset(names(text)) for text in pattern}) == 1, pattern


def test_every_entry_and_every_form_is_used() -> None:
    used, forms = set(), set()
    for pattern in ALL:
        for language, text in zip(BOOK.languages, pattern, strict=True):
            for kind, form in SLOT.findall(text):
                used.add(kind)
                if form and not form.isdigit():
                    forms.add((language, form))
    waiting = list(used)
    while waiting:
        more = [entry[1:] for entry in BOOK.slots[waiting.pop()] if isinstance(entry, str) and entry.startswith("@")]
        waiting += more
        used |= {*more}
    assert used == set(BOOK.slots)
    assert forms == {(language, form) for language, each in BOOK.forms.items() for form in each}


def test_every_entry_has_every_variant_and_form_that_a_pattern_takes() -> None:
    for pattern in ALL:
        for number, text in enumerate(pattern):
            forms = BOOK.forms.get(BOOK.languages[number], {})
            for kind, form in SLOT.findall(text):
                for entry in module._entries(BOOK, kind):
                    module._form(forms, BOOK.languages[number], entry[number], form or "1")


@pytest.mark.slow
def test_every_sentence_skipped_is_one_of_the_phrasebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are skipped from train alone, by the hash of their English letters."""
    skipped = set(BOOK.skipped)
    assert len(skipped) == len(BOOK.skipped)
    monkeypatch.setattr(module, "phrasebook", lambda: replace(BOOK, skipped=()))
    assert skipped <= {identifier(line[EN]) for line in splits()["train"]}


@pytest.mark.slow
def test_no_sentence_has_a_gap_a_mark_or_a_brace(every: list[tuple[str, ...]]) -> None:
    for line in every:
        for text in line:
            assert text == text.strip()
            assert not re.search(r"[{}|/‹›@*_]|  |^\W*$", text), text


@pytest.mark.parametrize(
    ("language", "end"), [(EN, "[.?!]"), (FR, r"(\.| \?| !)"), (DE, "[.?!]"), (JA, "[。！]"), (KO, "[.?!]")]
)
@pytest.mark.slow
def test_punctuation_is_the_languages_own(every: list[tuple[str, ...]], language: int, end: str) -> None:
    for line in every:
        text = line[language]
        assert re.search(rf"[\w)]{end}$", text), text
        assert not re.search(r"[’‘`\xa0\u202f]", text), text
        if language == FR:
            assert not re.search(r"[^ ][?!:;]|[ ]['.,]|' ", text), text
        elif language == JA:
            assert not re.search(r"[ ,.?!0-9]", text), text
        else:
            assert not re.search(r" [?!:;.,]", text), text


@pytest.mark.slow
def test_a_question_is_one_in_every_language(every: list[tuple[str, ...]]) -> None:
    for line in every:
        marks = [line[number].endswith("?") for number in (EN, FR, DE, KO)]
        assert len({*marks}) == 1, line


@pytest.mark.slow
def test_french_elides_and_contracts(every: list[tuple[str, ...]]) -> None:
    vowel = "[aeiouàâéèêëîïôûœ]"
    for line in every:
        text = line[FR]
        assert not re.search(rf"(?<![-\w])(le|la|de|que|je|ne|me|se|te) (?!onze|oui){vowel}", text, re.IGNORECASE), text
        assert not re.search(r"'(huit|onze)\b", text), text
        assert not re.search(r"\b(à|de) les? ", text, re.IGNORECASE), text
        assert not re.search(rf"\b(ma|sa|ta) {vowel}", text), text
        assert not re.search(r"\b(ce|nouveau) (?=[aeiouéèœ])", text), text
        assert not re.search(
            r"\b(un|le|ce|mon|du) (pomme|gare|clé|chemise|sœur|mère|fille|femme|chaise|table)\b", text
        ), text


@pytest.mark.slow
def test_english_has_the_article_of_its_noun(every: list[tuple[str, ...]]) -> None:
    for line in every:
        assert not re.search(
            r"\ba (?=[aeio])|\ban (?=[^aeiou])|\ba umbrella|\ban university", line[EN], re.IGNORECASE
        ), line[EN]


@pytest.mark.slow
def test_german_has_the_article_of_the_noun_and_the_case(every: list[tuple[str, ...]]) -> None:
    """Each noun of the slots occurs with articles of its own gender alone."""
    possible = {
        "m": "der den dem ein einen einem mein meinen meinem kein keinen Ihr Ihren sein seinen ihr ihren "
        "dieser diesen diesem zum vom beim am im welchen",
        "f": "der die eine einer meine meiner keine Ihre Ihrer seine ihre diese zur welche",
        "n": "das dem ein einem mein meinem kein Ihr sein ihr dieses diesem zum vom beim am im ins welches",
    }
    genders: dict[str, set[str]] = {}
    for kind in BOOK.slots.keys() - {"name"}:
        for entry in module._entries(BOOK, kind):
            word, _, gender = entry[DE].partition("|")
            singular, *plural = word.split("/")
            if gender in possible and singular not in plural:
                genders.setdefault(singular, set()).add(gender)
    nouns = {word: gender for word, (gender, *more) in ((w, [*g]) for w, g in genders.items()) if not more}
    assert len(nouns) > 100
    articles = "|".join({word for text in possible.values() for word in text.split()})
    for line in every:
        for article, noun in re.findall(rf"\b({articles}) ((?:[A-ZÄÖÜ][\w-]+ ?)+)", line[DE]):
            if noun.strip() in nouns:
                assert article in possible[nouns[noun.strip()]].split(), line[DE]


@pytest.mark.slow
def test_korean_particles_follow_the_last_sound(every: list[tuple[str, ...]]) -> None:
    """Every noun of the slots, wherever it stands before a particle."""
    nouns = {entry[KO].partition("|")[0].split("/")[0] for kind in BOOK.slots for entry in module._entries(BOOK, kind)}
    nouns = {noun for noun in nouns if re.fullmatch(r"[가-힣 ]*[가-힣]{2}", noun)}
    after_consonant, after_vowel = ("은", "을", "과", "이에요", "이세요"), ("는", "를", "와", "예요", "세요")
    for line in every:
        for word in re.split(r"[ .,?!]+", line[KO]):
            for right, wrong in ((after_consonant, after_vowel), (after_vowel, after_consonant)):
                for particle, other in zip(right, wrong, strict=True):
                    noun = word.removesuffix(particle)
                    if noun != word and noun in nouns and not (other.endswith(particle) and word.endswith(other)):
                        assert ends_in_consonant(noun) == (right is after_consonant), line[KO]


@pytest.mark.parametrize(
    ("word", "particle", "expected"),
    [
        ("서울", "으로", "서울로"),
        ("부산", "으로", "부산으로"),
        ("파리", "으로", "파리로"),
        ("톰", "이에요", "톰이에요"),
        ("안나", "이에요", "안나예요"),
    ],
)
def test_a_particle_takes_its_form(word: str, particle: str, expected: str) -> None:
    assert with_particle(word, particle) == expected


@pytest.mark.slow
def test_get_writes_all_languages_line_by_line(tmp_path: Path, lines: dict[str, list[tuple[str, ...]]]) -> None:
    made = get("phrasebook", tmp_path, on_progress=lambda *_: None)
    for part in ("train", "dev", "test"):
        texts = [
            lzma.decompress((Path(made.folder) / f"{part}.{language}.xz").read_bytes()) for language in BOOK.languages
        ]
        assert [*zip(*(text.decode().splitlines() for text in texts), strict=True)] == lines[part]
