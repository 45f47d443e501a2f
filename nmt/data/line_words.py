"""Word counts of lines, and a check of their script against the language; loads no tokeniser rules."""

import unicodedata
from collections import Counter
from collections.abc import Callable

from nmt.data import japanese

UNSPACED = frozenset({"ja"})
"""Languages written without spaces for which a word segmentation exists."""

MANY_CHARACTERS = frozenset({"ja", "ko"})
"""Languages whose script has more characters than a vocabulary can hold: the rarest are spelled by bytes, and BLEU is
counted over characters."""

_LATIN = frozenset({"LATIN"})
_SCRIPTS = {
    **dict.fromkeys(("cs", "de", "en", "es", "fi", "fr", "it", "nl", "pl", "pt"), _LATIN),
    "ja": frozenset({"HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "CJK", "HALFWIDTH"}),
    "ko": frozenset({"HANGUL", "CJK"}),
    "zh": frozenset({"CJK"}),
    "ru": frozenset({"CYRILLIC"}),
    "ar": frozenset({"ARABIC"}),
}
"""First words of the Unicode names of the letters in which a language is written."""

_NAMES = {"CJK": "Chinese characters", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean"}


def word_counter(language: str) -> Callable[[str], int]:
    """Return a function that counts the words of a line as ``Tokenizer.line_words`` defines them: whitespace tokens,
    and in Japanese the words of nmt.data.japanese. "" is an unknown language with spaces.

    >>> word_counter("")("L'île est loin !"), word_counter("ja")("島は遠い。")
    (4, 4)
    """
    if language not in UNSPACED:
        return lambda line: len(line.split())
    return lambda line: len(japanese.segmented(line))


def count_words(text: str) -> int:
    """Count the words of a text in an unknown language; a text with kana counts as Japanese.

    >>> count_words("The island is far."), count_words("島は遠い。")
    (4, 4)
    """
    return word_counter("ja" if japanese.is_japanese(text) else "")(text)


def strange_writing(text: str, language: str) -> str:
    """Name the script of a text if less than half of its letters belong to the script of ``language``; "" for any
    other text, a text without letters, and a language of unknown script.

    >>> [strange_writing(text, "ja") for text in ("The island", "東京は大きい Tokyo")]
    ['Latin', '']
    >>> strange_writing("島は遠い。", "en")
    'Japanese'
    """
    expected = _SCRIPTS.get(language)
    letters = [unicodedata.name(c, "").partition(" ")[0] for c in text if c.isalpha()]
    if expected is None or not letters or 2 * sum(script in expected for script in letters) >= len(letters):
        return ""
    if japanese.is_japanese(text) and not expected & {"HIRAGANA"}:
        return "Japanese"
    most = Counter(script for script in letters if script not in expected).most_common(1)[0][0]
    return _NAMES.get(most, most.capitalize())
