"""Random texts: some as users type, paste and upload them, others arbitrary."""

import unicodedata
from random import Random

from hypothesis import strategies

WORDS = "the a girl cat sea is she has never seen sleeps on mat reads . , European Economic Area Zanzibar".split()
_PIECES = (
    "", " ", "\t", "\r", "\n", "\x00", "\x0b", "\x1b[31m", "\x7f", "\x85", "\xa0", "\xad", "\u2028", "\u2029", "\u3000",
    "\u200b", "\u200d", "\u202e", "\u2066", "\ufeff", "\ufffd", "\uffff", "\ud800", "\udfff", "\U0010ffff",
    "e\u0301", "\u0301" * 40, "👩‍👩‍👧", "🇫🇷", "字典", "ｆｕｌｌ", "עברית", "العربية", "ไทย", "한국어", "İ", "ß",
    "ﬁ", "Ǆ", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "&amp;", "&#0;", "**b**",
    "[a](javascript:b)", "$x$",
    ":red[x]", "|||", "||", "@-@", "@@ ", "▁", "&#124;", "[UNK]", "<unk>", "</s>", "<s>", "<pad>", "DOTMULTI",
    "-", "--", "--beam", "%s", "{}", "{0}", "\\", "\\u0000", "'", '"', "`", "$(ls)", "../..", "C:\\", "nan", "1e999",
    "٣", "½", "0-0", "1,000.5", "http://example.invalid/?a=b#c", "a@b.example", "…", "¿", "“q”", "l'eau", "don't",
)  # fmt: skip
_SEPARATORS = (" ", " ", " ", "", "  ", "\t", "\u3000", "\u200b")
_CATEGORIES = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Co".split()
_SAMPLE = 0x30000


def random_text(random: Random, words: int = 12) -> str:
    """Draw a text of up to so many words, of which some are words of a vocabulary and others anything at all."""
    parts = []
    for _ in range(random.randint(0, words)):
        parts.append(random_piece(random))
        parts.append(random.choice(_SEPARATORS))
    return "".join(parts)


def random_piece(random: Random) -> str:
    drawn = random.random()
    if drawn < 0.45:
        return random.choice(WORDS)
    if drawn < 0.75:
        return random.choice(_PIECES)
    if drawn < 0.95:
        return "".join(random_character(random) for _ in range(random.randint(1, 8)))
    return random_character(random) * random.choice((2, 30, 150))


def random_character(random: Random) -> str:
    """Draw a category of Unicode first, so that the rare ones occur too."""
    wanted = random.choice(_CATEGORIES)
    for _ in range(200):
        found = chr(random.randrange(_SAMPLE))
        if unicodedata.category(found) == wanted:
            return found
    return chr(random.randrange(32, 0xD800))


JSON = strategies.recursive(
    strategies.none()
    | strategies.booleans()
    | strategies.integers()
    | strategies.floats(allow_subnormal=False)
    | strategies.text(max_size=30)
    | strategies.sampled_from(_PIECES),
    lambda inner: (
        strategies.lists(inner, max_size=5) | strategies.dictionaries(strategies.text(max_size=10), inner, max_size=4)
    ),
    max_leaves=12,
)
"""Any value that JSON has, and NaN."""
