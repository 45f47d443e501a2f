"""What the page shows of models, element by element, in states that need a model: explained, changed, compared.

That the numbers are those of the models is tested in test_page.py; here the whole page is compared with the page that
is kept (tests/kept.py), as in tests/ui/test_written_pages.py.
"""

import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nmt.alignments.formats import FORMATS
from nmt.alignments.formats.one_sentence import NOT_ALPHA
from nmt.alignments.policy import Policy
from nmt.results import Alignment
from tests.kept import compare_with_kept
from tests.ui.written_page import written

pytestmark = pytest.mark.usefixtures("random_checkpoints")

APP = Path(__file__).parents[4] / "app.py"
KEPT = Path(__file__).parent / "kept"
Asked = dict[str, str | list[str]]
SENTENCE = "the cat has never seen the sea ."
ONE: Asked = {"s": SENTENCE, "models": "search-words", "beam": "2"}
BOTH: Asked = ONE | {"models": ["search-words", "encdec-words"]}
PAIRED: Asked = ONE | {"models": ["search-words", "search-bpe"]}
MOVED = "weights:1:search-words:0,0,0,1,0,0,0,0,0"

SEEN: dict[str, Asked] = {
    "explained": ONE | {"pin": "search-words.1.2", "maps": "true"},
    "explained-without-alpha": BOTH | {"pin": "encdec-words.1.", "effect": "true", "maps": "true"},
    "explained-without-alpha-in-pieces": ONE
    | {
        "models": "encdec-bpe",
        "pin": "encdec-bpe.0.",
        "effect": "true",
        "pieces": "true",
        "bars": "true",
        "punctuation": "false",
    },
    "explained-pieces": ONE | {"models": "search-bpe", "pin": "search-bpe.2.3", "pieces": "true", "show": "both"},
    "changed": BOTH
    | {"change": ["begin:0::une fille", "word:3::chat", MOVED], "do": "what-if", "pin": "search-words.1.2"},
    "changed-before": BOTH | {"change": ["without:0::fille"], "see": "before", "do": "what-if"},
    "changed-difference": BOTH | {"change": ["begin:0::une fille"], "see": "change", "effect": "true", "do": "export"},
    "changed-source": BOTH
    | {"change": ["begin:0::une", "source:0::the cat has seen the old sea ."], "see": "same", "do": "what-if"},
    "changed-nothing": ONE | {"change": ["token:0:encdec-words:le"], "do": "what-if"},
    "typed": BOTH
    | {
        "of": "typed",
        "t": "la fille dort .",
        "do": "what-if",
        "bars": "true",
        "end": "false",
        "punctuation": "false",
        "pieces": "true",
    },
    "gold": PAIRED | {"do": "gold", "gold": "0-0 1p1 2-3"},
    "together": ONE
    | {
        "models": ["search-words", "encdec-words", "search-bpe"],
        "with": ["difference", "committee", "hard"],
        "punctuation": "false",
    },
    "file-of-links": {"s": " ", "models": "search-words", "do": "export"},
    "explained-word": ONE | {"pin": "search-words.1."},
    "explained-difference": PAIRED
    | {"with": "difference", "punctuation": "false", "pin": "difference.1.1", "do": "explain"},
    "explained-second": PAIRED | {"models": ["search-bpe", "search-words"], "pin": "search-words.2."},
    "changed-effect": BOTH | {"change": "begin:0::une fille", "effect": "true"},
    "changed-pinned-away": BOTH | {"change": "begin:0::une fille", "effect": "true", "pin": "search-words.99."},
    "changed-one": PAIRED | {"change": MOVED, "see": "change"},
    "changed-back": ONE | {"change": ["source:0::a cat", "source:0::"], "see": "same"},
    "changed-token": ONE | {"change": [MOVED, "token:1:search-words:lit"], "do": "what-if", "pin": "search-words.1.2"},
    "changed-piece": ONE | {"models": "search-bpe", "change": "token:2:search-bpe:ti"},
    "changed-beyond": ONE | {"change": "weights:27:search-words:1,0,0,0,0,0,0,0,0"},
    "changed-token-beyond": ONE | {"change": "token:27:search-words:lit"},
    "changed-token-far-beyond": ONE | {"change": "token:99:search-words:lit"},
    "settings": {"s": "the cat", "models": "search-words", "show": "links", "of": "list", "beam": "2"},
    "typed-source": ONE | {"of": "typed", "t": "la mer", "change": "source:0::the sea", "do": "what-if"},
    "gold-of-hard": ONE | {"with": "hard", "punctuation": "false", "do": "gold", "gold": "0-0"},
    "file-changed": {"s": "the cat", "models": "search-words", "change": "source:0::a cat"},
    "file-beside-typed": ONE | {"s": "the cat", "of": "typed", "t": "le chat", "do": "gold", "gold": "0-0 1-1"},
    "file-of-effects": {"s": " ", "models": "search-words", "with": "difference", "do": "gold", "gold": "0-0"},
    "explained-source": ONE | {"pin": "search-words..1"},
    "explained-file": {"s": " ", "models": "search-words", "pin": "weights.1.1"},
    "changed-first-word": ONE | {"change": "word:0::zone", "do": "what-if"},
    "changed-in-vain": ONE | {"change": ["word:300::x", "begin:0::"], "do": "what-if"},
    "changed-export": ONE | {"change": ["begin:0::une fille"], "do": "export"},
    "difference-of-files": {
        "s": " ",
        "models": "search-words",
        "with": "difference",
        "show": "both",
        "least": "0.5",
        "do": "gold",
        "gold": "0-0 1-1",
    },
}
PAIR = Alignment(source=("the", "cat", "</s>"), target=("le", "chat", "</s>"), weights=np.eye(3, dtype=np.float32))
HALF = Alignment(
    source=PAIR.source,
    target=PAIR.target,
    weights=np.array([[0.5, 0.5, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float32),
)
OTHER = Alignment(source=("a", "cat"), target=("chat",), weights=np.array([[0.25, 0.75]], dtype=np.float32))
FILES = {
    "file-changed": [("weights.csv", FORMATS["csv"].write([PAIR], Policy(), "").encode())],
    "file-beside-typed": [("weights.csv", FORMATS["csv"].write([PAIR], Policy(), "").encode())],
    "file-of-effects": [
        ("effects.json", FORMATS["json"].write([OTHER], Policy(), f"encdec, {NOT_ALPHA}").encode()),
        ("one.csv", FORMATS["csv"].write([PAIR], Policy(), "").encode()),
        ("other.csv", FORMATS["csv"].write([OTHER], Policy(), "").encode()),
    ],
    "file-of-links": [
        ("gold.pharaoh", b"0-0 1p2\n"),
        ("weights.csv", FORMATS["csv"].write([PAIR], Policy(), "other").encode()),
        ("broken.json", b"{"),
    ],
    "explained-file": [("weights.csv", FORMATS["csv"].write([PAIR], Policy(), "other").encode())],
    "difference-of-files": [
        ("one.csv", FORMATS["csv"].write([PAIR], Policy(), "").encode()),
        ("search-words.csv", FORMATS["csv"].write([HALF], Policy(), "").encode()),
        ("search-words.json", FORMATS["json"].write([PAIR], Policy(end_mark="removed"), "").encode()),
    ],
}


@pytest.mark.parametrize("name", SEEN)
def test_a_page_has_what_is_kept(
    name: str, random_runs: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nmt.config.multiplies_integers", lambda: False)  # else some processors compute in int8
    at = AppTest.from_file(str(APP), default_timeout=180)
    at.query_params.update(SEEN[name])
    at.run()
    if name in FILES:
        uploader = next(each for each in at.get("file_uploader") if each.key == "import-files")
        uploader.set_value([(*file, "text/plain") for file in FILES[name]]).run()
    assert not at.exception, at.exception
    ours = (
        rf"(?<=UploadedFile)\(.*?\\n\)|/[\w/.-]*/caches/\w+/|{re.escape(str(random_runs.parent))}/|(?<=/mock/media/)\w+"
    )
    compare_with_kept(KEPT / f"{name}.txt", re.sub(ours, "", written(at, keys=True)), request)
