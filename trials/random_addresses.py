"""Random addresses of the app: pages, parameters, and values that are valid or nonsense."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from urllib.parse import urlencode

from nmt.ui.app_shell import PLACES

PAGES = tuple(place.path for place in PLACES)

SENTENCES = (
    "the cat sleeps .",
    "She has never seen the sea.",
    "a girl reads on the mat",
    "I do not know where she lives.",
)
TARGETS = ("le chat dort .", "une fille lit", "elle [UNK] la mer")
_PINS = ("search.1.2", "encdec.0.0", "search.s.1", "search.99.99", "7.1.1", "search.1", "t.2")
_LINKS = ("0-0 1p1", "0-0", "9-9", "0-0\n1-1", "1p", "a-b")
_NUMBERS = ("0", "1", "2", "3", "-1", "12", "0.5", "999", "1e3", "1e999", "nan", "٣", "007", "1,000", "9" * 40)

VALUES: dict[str, tuple[str, ...]] = {
    # Look, and what several places share
    "s": SENTENCES,
    "beam": ("1", "2", "3", "4"),
    "unk": ("keep", "forbid", "replace", "Keep", "Forbid", "Replace"),
    "mode": ("sentence", "text", "Text or file"),
    "text": ("She reads. A cat.", "one\n\ntwo\nthree", "."),
    "cut": ("Into sentences", "A sentence a line", "lines"),
    "sheet": _NUMBERS,
    "nbest": _NUMBERS,
    "of": ("best", "list", "typed", "Best translation", "One of the list", "Typed target", "own", "final", "mine"),
    "t": TARGETS,
    "rank": _NUMBERS,
    "show": ("matrix", "links", "both", "Both", "use", "scores", "trainings", "cards", "settings", "upload", "All"),
    "with": ("difference", "committee", "hard", "bars", "Difference", "End mark"),
    "bars": ("true", "false", "1"),
    "end": ("true", "false", "1"),
    "punctuation": ("true", "false", "1"),
    "pieces": ("true", "false", "1"),
    "transposed": ("true", "false", "1"),
    "scale": ("attention", "grey", "Grey", "log", "row-maximum"),
    "layout": ("auto", "horizontal", "vertical", "Side by side"),
    "by": ("threshold", "mass", "Mass"),
    "least": ("0", "0.05", "1", "0.2", *_NUMBERS),
    "do": ("length", "explain", "what-if", "gold", "export", "maps", "unknown", "table", "What if"),
    "see": ("after", "before", "change", "same", "x"),
    "effect": ("true", "false", "1"),
    "maps": ("true", "false", "1"),
    "pin": _PINS,
    "gold": _LINKS,
    "change": (
        *("begin:0::une fille", "begin:0::xyzzy", "source:0::the cat", "without:0::la", "word:2::chat", "word:999::x"),
        *("weights:0:search:0.5,0.5", "weights:99:search:1", "weights:1:search:0,0,1", "weights:0:x:[[0,1]]"),
        *("token:0:search:la", "token:1:encdec:xyzzy", "token:99:search:la", "token:1:search:</s>", "x", "token:1::la"),
    ),
    "pair": ("en-fr", "ja-en", "en-fr+de", "English to French", *_NUMBERS),
    "exercise": _NUMBERS,
    # Present
    "look": tuple(
        json.dumps({"sentences": said, "models": ["search", "x"], "changes": [change]})
        for said in ([" "], [*SENTENCES[:1]], [*SENTENCES[:2]], ["x" * 3000])
        for change in ("begin:0::une fille", "x")
    ),
    "scene": ("figure-3", "long", "how", "together", "figure-2", "end", "own-1", "3", "nowhere"),
    # Length
    "view": ("curve", "together", "how", "beam", "explanation", "training", "draw", "learning"),
    "sets": ("jointly-300", "canada-laws-test", "captions", "multi30k-test2016"),
    "metric": ("bleu", "chrf", "ter", "BLEU", "TER"),
    "added": ("f" * 40, "../../etc/passwd", "x"),
    "unkcol": ("all", "known", "All", "No UNK"),
    "side": ("source", "reference"),
    "curve": ("intervals", "counts", "trained", "to-60", "95 % intervals", "Sentences"),
    "by-length": ("fitted", "width", "equal", "custom", "rolling", "By hand", "By width"),
    "width": _NUMBERS,
    "open-from": _NUMBERS,
    "parts": _NUMBERS,
    "window": _NUMBERS,
    "firsts": ("1, 6, 7", "1, 11, 21", "3, 2, 1", "a"),
    "then": ("real", "tables", "Is it real?", "Take away"),
    "bucket": ("21-30", "6", "all", "61+", "30-21", "-"),
    "sentence": _NUMBERS,
    "test": ("bootstrap", "randomisation", "Bootstrap"),
    "sort": ("length", "largest", "difference", "bleu"),
    "order": ("up", "down", "Smallest first"),
    "data": ("data", "/nowhere", "../..", "~"),
    "set": ("jointly-300", "captions"),
    "k": _NUMBERS,
    "own": ("She reads.", "the cat sleeps\nthe girl reads"),
    "sample": ("1", "2", "16", *_NUMBERS),
    "words": ("1", "4", "20", *_NUMBERS),
    # Learn
    "from": ("le", "une", "2"),
    "word": _NUMBERS,
    "step": _NUMBERS,
    "units": ("words", "pieces"),
    "searched": ("rnnsearch", "rnnencdec", "RNNsearch"),
    "mine": _LINKS,
    "uncovered": ("1", "0", "yes"),
    # Models
    "score": ("bleu", "chrf", "ter", "BLEU"),
    "column": ("all", "known", "All sentences", "No UNK"),
    "all": ("true", "false", "1"),
    "embed": ("true",),
}
"""Values by parameter, most of them valid."""
_RUN_PARAMETERS = ("models", "systems", "runs", "run", "first", "second", "one", "other", "rnnsearch", "rnnencdec")
_PACKED = ("take", "back")

_NONSENSE = (
    "",
    " ",
    "None",
    "null",
    "<img src=x onerror=alert(1)>",
    "*star* _u_ $x$ :smile: `a` [b](c)",
    "../../etc/passwd",
    "%00%ff%",
    "\x00\x07\x1b[31m",
    "\u202eleft\u202c \u200b\ufeff",
    "مرحبا بالعالم",
    "안녕 세계",
    "彼は海を見たことがない。",
    "ĉu ŝi ne vidis la maron?",
    "👩‍👩‍👧‍👦 🇫🇷 e\u0301",
    "{}",
    "[" * 300 + "]" * 300,
    "'; DROP TABLE translations; --",
    "x" * 3000,
    "word " * 600,
)
_MOST_PARAMETERS = 7
_SHARE_VALID, _SHARE_FOREIGN = 0.6, 0.15
_SHARE_OF_OWN_RUNS = 0.8


@dataclass(frozen=True, kw_only=True)
class RandomAddress:
    """An address of the app.

    Attributes:
        page: its path; "" for the first page.
        asked: parameters with their values, in order.
    """

    page: str
    asked: tuple[tuple[str, tuple[str, ...]], ...]

    def __str__(self) -> str:
        return f"{self.page}?{urlencode(dict(self.asked), doseq=True)}"


def random_address(random: Random, runs: Sequence[str]) -> RandomAddress:
    """Draw an address.

    Args:
        runs: names of checkpoints, which most addresses ask for.
    """
    page = random.choice(PAGES)
    names = random.sample([*VALUES, *_RUN_PARAMETERS, *_PACKED], random.randint(0, _MOST_PARAMETERS))
    if random.random() < _SHARE_OF_OWN_RUNS and "models" not in names:
        names.append("models")
    return RandomAddress(page=page, asked=tuple((name, _values(random, name, runs)) for name in names))


def _values(random: Random, name: str, runs: Sequence[str]) -> tuple[str, ...]:
    number = random.choice((1, 1, 1, 2, 3))
    return tuple(_value(random, name, runs) for _ in range(number))


def _value(random: Random, name: str, runs: Sequence[str]) -> str:
    if name in _PACKED and random.random() < _SHARE_VALID:
        inner = random.choice(list(VALUES))
        return json.dumps({inner: random.choice(VALUES[inner]), "models": [random.choice(runs)]}, ensure_ascii=False)
    drawn = random.random()
    if drawn < _SHARE_VALID:
        return random.choice(runs if name in (*_RUN_PARAMETERS, *_PACKED) else VALUES[name])
    if drawn < _SHARE_VALID + _SHARE_FOREIGN:
        return random.choice(VALUES[random.choice(list(VALUES))])
    return random.choice(_NONSENSE)
