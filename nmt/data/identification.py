"""Language identification: in which language is a text written?

A script that belongs to one language (Hangul, kana) decides. Languages in Latin letters are told apart by the
character n-grams of their words. A table has log p(n-gram | language), less its mean over the languages.
docs/log/app.md has the accuracy on held-out sentences.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nmt.data import japanese
from nmt.data.line_words import CHINESE

TABLE = Path(__file__).with_name("languages.tsv")
"""log p of n-grams by language."""
LONGEST = 5
"""Letters of the longest n-gram, the marks of the word's ends included. Whole words may be longer."""
_LONGEST_WORD = 12
STEPS, LARGEST = 4, 31
"""Number of steps of the table per nat, and the largest number of steps."""
PREFERRED = frozenset({"en", "fr", "de"})
"""Languages in Latin letters that our checkpoints read. ``language_of`` and ``foreign`` prefer them."""
_PREFERENCE, _MARGIN = 8, 12
"""Nats added to each language of PREFERRED. Nats by which another language must exceed the expected one."""
FEWEST = 5
"""Smallest number of different words of a text for which ``foreign`` compares languages in Latin letters."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LATIN = frozenset({"LATIN"})
_SCRIPTS = {
    "ja": frozenset({"HIRAGANA", "KATAKANA", "CJK"}),
    "ko": frozenset({"HANGUL", "CJK"}),
    **dict.fromkeys(CHINESE, frozenset({"CJK"})),
    **dict.fromkeys(("th", "tha"), frozenset({"THAI"})),
    **dict.fromkeys(("lo", "lao"), frozenset({"LAO"})),
    **dict.fromkeys(("km", "khm"), frozenset({"KHMER"})),
    **dict.fromkeys(("my", "mya", "bur"), frozenset({"MYANMAR"})),
    "ru": frozenset({"CYRILLIC"}),
    "ar": frozenset({"ARABIC"}),
}
"""First words of the Unicode names of the letters in which a language is written."""
_SAME = {"KATAKANA-HIRAGANA": "HIRAGANA", "IDEOGRAPHIC": "CJK"}
"""The script of letters whose names begin with another word, such as ー and 々."""
LANGUAGES = {"HANGUL": "ko", "HIRAGANA": "ja", "KATAKANA": "ja", "THAI": "th", "HEBREW": "he", "GREEK": "el"}
"""The language of each script that has one main language. Chinese characters alone may be Chinese or Japanese."""
NAMES = {"CJK": "Chinese characters", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean"}
"""Names of scripts for readers. A script that is not listed has its Unicode name."""


@dataclass(frozen=True)
class Foreign:
    """Language and script of a text that is not in the expected language. language: its code, "" if unknown. script:
    its English name, "" if the text has the expected script."""

    language: str
    script: str = ""


def words_of(text: str) -> list[tuple[str, bool]]:
    """The different words of a text in lower case, each with True if it may be a name. A name begins with a capital and
    does not begin the text.

    >>> words_of("L’été, Tom rit, rit")
    [("l'été", False), ('tom', True), ('rit', False)]
    """
    words = [match[0] for match in _WORD.finditer(unicodedata.normalize("NFC", text))]
    lowered = [(word.lower().replace("’", "'"), k > 0 and word[0].isupper()) for k, word in enumerate(words)]
    return list(dict.fromkeys(lowered))


def n_grams(word: str) -> Iterator[str]:
    """The n-grams of a word, with marks at its ends, and the word as a whole.

    >>> [gram for gram in n_grams("le") if len(gram) > 2]
    ['_le', 'le_', '_le_']
    """
    marked = f"_{word}_"
    for n in range(1, LONGEST + 1):
        yield from (marked[k : k + n] for k in range(len(marked) - n + 1) if marked[k : k + n] != "_")
    if LONGEST < len(marked) <= _LONGEST_WORD:
        yield marked


@cache
def _table() -> tuple[tuple[str, ...], dict[str, int], NDArray[np.int8]]:
    """The languages, the row of each n-gram in the table, and the table [n-grams, languages] in 1 / STEPS nats."""
    lines = TABLE.read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines[2:]]
    numbers = np.array([[ord(step) for step in steps] for _, steps in rows], dtype=np.int16) - (ord("0") + LARGEST)
    return tuple(lines[1].split(" ")), {gram: k for k, (gram, _) in enumerate(rows)}, numbers.astype(np.int8)


def _scores(text: str) -> dict[str, float]:
    """Nats of each language for a text in Latin letters, up to a constant. Words that may be names count half."""
    languages, places, numbers = _table()
    sums = np.zeros(len(languages))
    for name in (False, True):
        words = [word for word, may_be in words_of(text) if may_be == name]
        rows = [places[gram] for word in words for gram in n_grams(word) if gram in places]
        sums += numbers[rows].sum(axis=0, dtype=np.int64) * (0.5 if name else 1) / STEPS
    ahead = dict.fromkeys(PREFERRED, _PREFERENCE)
    return {code: nats + ahead.get(code, 0) for code, nats in zip(languages, sums.tolist(), strict=True)}


def language_of(text: str) -> str:
    """The code of the language of a text. "" if it is unknown, for example because the text has no letters.

    >>> [language_of(text) for text in ("Der Hund schläft.", "島は遠い。", "섬은 멀다.", "Остров далеко.", "42")]
    ['de', 'ja', 'ko', '', '']
    """
    text = unicodedata.normalize("NFKC", text)
    scripts = _scripts(text)
    if not scripts:
        return ""
    script = _most(text, scripts)
    if script != "LATIN":
        return LANGUAGES.get(script, "")
    scores = _scores(text)
    return max(scores, key=scores.__getitem__)


def foreign(text: str, expected: str) -> Foreign | None:
    """Describe a text that is not in the expected language. Most of its letters are of another script, or it has kana,
    or its five or more words fit another language far better. None for any other text or an unknown ``expected``.

    >>> foreign("나는 어제 사과를 먹었다.", "en"), foreign("Je voudrais une table pour deux.", "en")
    (Foreign(language='ko', script='Korean'), Foreign(language='fr', script=''))
    >>> foreign("Hello", "fr"), foreign("東京は大きい Tokyo", "ja"), foreign("Остров далеко.", "en")
    (None, None, Foreign(language='', script='Cyrillic'))
    """
    text = unicodedata.normalize("NFKC", text)  # full-width and bold letters become plain ones
    scripts = _scripts(text)
    languages = _table()[0]
    usual = _SCRIPTS.get(expected, _LATIN if expected in languages else frozenset[str]())
    if not scripts or not usual:
        return None
    kana = expected != "ja" and japanese.is_japanese(text) and "HANGUL" not in scripts
    if kana or 2 * sum(script in usual for script in scripts) < len(scripts):
        most = "HIRAGANA" if kana else _most(text, [script for script in scripts if script not in usual])
        language = LANGUAGES.get(most, "")
        if most == "LATIN" and len(words_of(text)) >= FEWEST:
            language = language_of(text)
        return Foreign(language, NAMES.get(most, most.capitalize()))
    if usual is not _LATIN or len(words_of(text)) < FEWEST:
        return None
    scores = _scores(text)
    best = max(scores, key=scores.__getitem__)
    return Foreign(best) if scores[best] - scores[expected] > _MARGIN else None


def _scripts(text: str) -> list[str]:
    """The first word of the Unicode name of each letter, or its script by ``_SAME``."""
    names = [unicodedata.name(letter, "").partition(" ")[0] for letter in text if letter.isalpha()]
    return [_SAME.get(name, name) for name in names]


def _most(text: str, scripts: list[str]) -> str:
    """The script that most letters have. HIRAGANA if the text has both kana and Chinese characters."""
    if japanese.is_japanese(text) and "CJK" in scripts:
        return "HIRAGANA"
    return Counter(scripts).most_common(1)[0][0]
