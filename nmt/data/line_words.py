"""Word counts of lines. This module loads no tokeniser rules."""

import unicodedata
from collections.abc import Callable
from functools import cache

from nmt.data import japanese

UNSPACED = frozenset({"ja"})
"""Languages written without spaces for which a word segmentation exists."""

CHINESE = frozenset({"zh", "zho", "chi", "cmn", "yue", "wuu", "nan", "lzh"})
"""Codes of Chinese, whose words are counted with sacreBLEU's Chinese tokeniser."""

BY_CHARACTERS = frozenset({"th", "tha", "lo", "lao", "km", "khm", "my", "mya", "bur"})
"""Codes of Thai, Lao, Khmer and Burmese, which are written without spaces and counted by characters."""

MANY_CHARACTERS = frozenset({"ja", "ko"})
"""Languages whose script has more characters than a vocabulary can hold. Vocabularies spell the rarest characters by
bytes, and BLEU counts characters in place of words."""

_BY_SCRIPT = {
    "CJK": "Chinese", "HANGUL": "Korean", "THAI": "Thai", "LAO": "Lao", "KHMER": "Khmer", "MYANMAR": "Burmese",
}  # fmt: skip


def chinese_tokens(line: str) -> list[str]:
    """Tokens of a line of Chinese, as sacreBLEU counts them: Chinese characters, and words of other scripts."""
    return str(_chinese_tokenizer()(line.rstrip())).split()


@cache
def _chinese_tokenizer() -> Callable[[str], str]:
    from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh  # slow to import, and only needed for Chinese

    tokenizer: Callable[[str], str] = TokenizerZh()  # type: ignore[no-untyped-call]
    return tokenizer


def units_of(language: str) -> Callable[[str], list[str]]:
    """Return a function that splits a line into the units in which its length is measured. Japanese: words of
    nmt.data.japanese. Chinese: sacreBLEU's tokens. Thai, Lao, Khmer and Burmese: characters. All other languages: words
    between white space, which sacreBLEU counts for TER. "" is an unknown language with spaces.

    >>> [units_of(language)("島は遠い。") for language in ("", "ja", "zh")]
    [['島は遠い。'], ['島', 'は', '遠い', '。'], ['島', 'は', '遠', 'い', '。']]
    """
    if language in UNSPACED:
        return japanese.segmented
    if language in CHINESE:
        return chinese_tokens
    return (lambda line: list("".join(line.split()))) if language in BY_CHARACTERS else str.split


def word_counter(language: str) -> Callable[[str], int]:
    """Return a function that counts the units of a line (``units_of``).

    >>> word_counter("")("L'île est loin !"), word_counter("ja")("島は遠い。"), word_counter("th")("เกาะ ไกล")
    (4, 4, 7)
    """
    units = units_of(language)
    return lambda line: len(units(line))


def count_words(text: str) -> int:
    """Count the words of a text in an unknown language. A text with kana counts as Japanese.

    >>> count_words("The island is far."), count_words("島は遠い。")
    (4, 4)
    """
    return word_counter("ja" if japanese.is_japanese(text) else "")(text)


def not_by_words(text: str) -> str:
    """Name the writing system of a text of which BLEU does not count the words. "" for a text mostly in other letters.

    >>> [not_by_words(text) for text in ("島は遠い。", "岛很远。", "섬은 멀다.", "เกาะไกล", "The sign says 出口.")]
    ['Japanese', 'Chinese', 'Korean', 'Thai', '']
    """
    if japanese.is_japanese(text):
        return "Japanese"
    scripts = [unicodedata.name(c, "").partition(" ")[0] for c in text if c.isalpha()]
    return next((name for script, name in _BY_SCRIPT.items() if 2 * scripts.count(script) > len(scripts)), "")
