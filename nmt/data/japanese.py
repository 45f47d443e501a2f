"""Rule-based word segmentation of Japanese by changes of script and a list of kana words.

Kanji, katakana, letters with digits, and punctuation are split where the script changes. Hiragana is mostly grammar
(particles, verb endings) that should be visible word by word. A run of hiragana is split at minimum cost into listed
words and the text between them. Kana right after kanji belong to the word of the kanji (okurigana), unless they are a
listed word. docs/decisions/0010-japanese.md gives the reasons and the agreement with MeCab.
"""

import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from nmt.files import read_toml

HIRAGANA_WORDS = frozenset(read_toml(dict[str, str], Path(__file__).with_suffix(".toml"))["words"].split())
"""Frequent words in hiragana, particles and endings above all. Each costs 2."""

_LONGEST = max(map(len, HIRAGANA_WORDS))
_NEVER = 10**9

_HIRAGANA, _KATAKANA = "\u3041-\u309f", "\u30a1-\u30f4\u30f7-\u30fa\u30fd-\u30ff\u31f0-\u31ff"
_KANJI = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u303b\u30f5\u30f6"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Kanji with the repeat sign 々, the zero 〇, and the small ヵ and ヶ, which among kanji are counters."""
_LONG = "\u30fc"
"""Long-vowel mark, used after hiragana and katakana."""
LETTER = rf"(?:(?![{_HIRAGANA}{_KATAKANA}{_KANJI}{_LONG}])\w)"
"""Pattern of one letter or digit that is neither kana nor kanji."""

_RUN = re.compile(
    rf"[{_HIRAGANA}][{_HIRAGANA}{_LONG}]*|[{_KATAKANA}][{_KATAKANA}{_LONG}]*|[{_KANJI}]+"
    rf"|{LETTER}+(?:[.,:'’@/&+-]{LETTER}+)*|\S"
)
"""A run of one script. All letters and digits outside kana and kanji count as one script, and a mark such as "." or "-"
between two of them belongs to the same run. Any other character is a run by itself."""

_ENDS_IN_KANJI = re.compile(rf"[{_KANJI}]$")
_KANA = re.compile(rf"[{_HIRAGANA}{_KATAKANA}\uff66-\uff9f]")
_HALF_WIDTH = re.compile("[\uff61-\uff9f]+")
_LETTERS = re.compile(rf"^{LETTER}")
_ENDS_IN_LETTER = re.compile(rf"{LETTER}$")
CLOSES = frozenset(".,;:!?%)")
"""Marks after which a space is written before a letter."""


def is_japanese(text: str) -> bool:
    """Tell whether a text contains kana, which no other language uses."""
    return _KANA.search(text) is not None


def normalised(text: str) -> str:
    """Normalise to NFC, and make half-width katakana full-width. Full-width letters, digits and marks do not change.

    >>> normalised("ｶﾞﾗｽ２０")
    'ガラス２０'
    """
    return unicodedata.normalize("NFC", _HALF_WIDTH.sub(lambda run: unicodedata.normalize("NFKC", run[0]), text))


def segmented(text: str) -> list[str]:
    """Split a text into words, in order, and normalise them (``normalised``). White space ends a word.

    >>> segmented("私は公園でアイスを食べました。")
    ['私', 'は', '公園', 'で', 'アイス', 'を', '食べ', 'ました', '。']
    >>> segmented("Tom Brownさんは3.5kmを走った！")
    ['Tom', 'Brown', 'さん', 'は', '3.5km', 'を', '走っ', 'た', '！']
    """
    words: list[str] = []
    end = -1
    for run in _RUN.finditer(normalised(text)):
        if "\u3041" <= run[0][0] <= "\u309f":
            follows_kanji = run.start() == end and bool(_ENDS_IN_KANJI.search(words[-1]))
            parts = _cut(run[0], follows_kanji)
            if follows_kanji and parts[0] not in HIRAGANA_WORDS:
                words[-1] += parts.pop(0)
            words += parts
        else:
            words.append(run[0])
        end = run.end()
    return words


def _cut(run: str, follows_kanji: bool) -> list[str]:
    """Split a run of hiragana into parts of minimum total cost. A listed word costs 2. Any other part costs 3 per
    character, plus 2 unless it is at most two characters right after kanji. を is always a part by itself.
    Among parts of equal cost that end at the same position, the longest listed word is taken."""
    costs, starts = [0], [0]
    other, other_start = _NEVER, 0  # cost up to here if the last part is no listed word, and start of that part
    for end in range(1, len(run) + 1):
        if run[end - 1] == "を":
            other = _NEVER
        elif other + 3 <= costs[-1] + 5:
            other += 3
        else:
            other, other_start = costs[-1] + 5, end - 1
        best, start = other, other_start
        if follows_kanji and end <= 2 and "を" not in run[:end] and 3 * end < best:
            best, start = 3 * end, 0
        for first in range(end - 1, max(0, end - _LONGEST) - 1, -1):
            if run[first:end] in HIRAGANA_WORDS and costs[first] + 2 <= best:
                best, start = costs[first] + 2, first
        costs.append(best)
        starts.append(start)
    parts: list[str] = []
    end = len(run)
    while end:
        parts.append(run[starts[end] : end])
        end = starts[end]
    return parts[::-1]


def written(words: Sequence[str]) -> str:
    """Join words into a text. A space separates two words of letters or digits, also after a mark between them.

    >>> written(["Tom", "Brown", "は", "元気", "です", "。"])
    'Tom Brownは元気です。'
    >>> written(["Hello", ",", "Tom", "!"])
    'Hello, Tom!'
    """
    text = ""
    for word in words:
        after = text.rstrip("".join(CLOSES)) if text[-1:] in CLOSES else text
        if _LETTERS.match(word) and _ENDS_IN_LETTER.search(after[-1:]):
            text += " "
        text += word
    return text
