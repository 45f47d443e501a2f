"""The page that translates in use: what it shows and asks for, and what each event and each answer changes in it.

The whole script of a page runs in node, on a page without a browser (tests/charts/page). Its worker is played by the
session: each answer of an engine is an action. What an engine answers is tested in test_translator.py.
"""

import base64
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from nmt import instrument
from nmt.page import page_html
from nmt.page.payload import Payload
from nmt.texts import PAGE, speaking
from tests.charts.examples import SMALL_FIGURE, SOURCE, TARGET, WEIGHTS
from tests.charts.node import run_node
from tests.kept import compare_with_kept

HERE = Path(__file__).parent
SENTENCE = "the European Economic Area"


def page_run(name: str, architecture: str = "rnnsearch", *, rtl: bool = False, **changes: Any) -> dict[str, Any]:
    """A run of a page's data, as far as the page itself needs it."""
    return {
        "name": name,
        "architecture": architecture,
        "source_language": "en",
        "target_language": "he" if rtl else "fr",
        "search": {"replace_unk": None},
        "trained_to": None,
        **changes,
    }


RUNS = (
    page_run("encdec", "rnnencdec"),
    page_run("search", trained_to=3),
    page_run("hebrew", rtl=True, search={"replace_unk": "copy"}, trained_to=4),
)


def in_language(code: str, runs: Sequence[dict[str, Any]], full: bool) -> dict[str, Any]:
    """The texts of a language are their names; with two examples and the figure if ``full``."""
    names = [*PAGE.by_key.texts, "about", "title-0", "title-1", *(f"run-{k}" for k in range(len(runs)))]
    figure = SMALL_FIGURE.to_dict()
    examples = [
        {"title": "first", "sentence": SENTENCE, "look": ""},
        {"title": "second", "sentence": "a cat", "look": f"{code}: look at the cat."},
    ]
    fields = {name: re.findall(r"\{\w+\}", text) for name, text in PAGE.by_key.texts.items()}
    with speaking(code):
        said = instrument.texts()
    return {
        "texts": said | {name: " ".join([code, name, *fields.get(name, ())]) for name in names},
        "examples": examples if full else [],
        "figure": figure | {"curves": [each | {"run": 1} for each in figure["curves"]]} if full else None,
    }


def page_over(runs: Sequence[dict[str, Any]], full: bool) -> str:
    """A page over some runs, whose weights are no weights."""
    data = {"beam": 5, "beams": [1, 5, 12], "most_characters": 30, "runs": list(runs)}
    rules: dict[str, Any] = {"tokenisers": {}, "detokenisers": {}, "vocabularies": [], "language_table": "#\nen fr\n"}
    languages = {code: in_language(code, runs, full) for code in ("en", "ko")}
    weights = tuple(f"weights of {run['name']}" for run in runs)
    return page_html(Payload(data=data | rules, languages=languages, weights=weights, attributions=()), "title")


def translation(
    run: int, target: Sequence[str], alpha: Any = None, unknown: Sequence[str] = (), source: Sequence[str] = SOURCE
) -> dict[str, Any]:
    """A translation by a run, as the page's engine tells it."""
    made = RUNS[run]
    return {
        "name": made["name"],
        "kind": made["architecture"],
        "language": made["target_language"],
        "text": " ".join(target[:-1]),
        "source": {"tokens": source, "words": [*range(len(source))], "unknown": unknown},
        "target": {"tokens": target, "words": [*range(len(target))]},
        "log_probability": -1.25,
        "token_log_probabilities": [-0.25] * len(target),
        "maps": [] if alpha is None else [{"kind": "alpha", "weights": alpha}],
        "search": made["search"],
    }


FOUND = (
    translation(0, ("la", "[UNK]", "</s>")),
    translation(1, TARGET, WEIGHTS.tolist()),
    translation(2, ("\u05d0\u05d1", "[UNK]", "</s>"), WEIGHTS[[0, 1, 4]].tolist(), ("Area",)),
)


def answer(number: int, run: int, **more: Any) -> list[Any]:
    """What an engine answers to the request of this number: how far a run is or, without more, its translation."""
    return ["answer", {"id": number, "run": run, **(more or {"system": FOUND[run], "seconds": 0.25 * (run + 1)})}]


@dataclass(frozen=True, kw_only=True)
class Session:
    """A page, how it is opened, and what happens then.

    Attributes:
        runs: of the page.
        full: whether it has examples and a figure.
        opened: the address and so on (session.js).
    """

    actions: list[list[Any]]
    runs: Sequence[dict[str, Any]] = RUNS
    full: bool = True
    opened: dict[str, Any] = field(default_factory=dict)


FIELD = "#instrument >>> #sentence"
WORD, GRIP = (f"#instrument >>> #ribbons >>> {one}" for one in (".word", ".grip"))
UNDO = "#instrument >>> [data-control=undo]"
LABEL, MATRIX = (f"#instrument >>> #matrices >>> {one}" for one in (".label", "canvas"))
COPY = "#instrument >>> .copy"
ENTER = {"key": "Enter"}

SESSIONS = {
    "translated": Session(
        opened={"loading": True},
        actions=[
            ["loaded"],
            ["answer", "ready"],
            answer(1, 1, step=0, longest=4),
            answer(1, 1, step=2, longest=4),
            answer(1, 1),
            answer(1, 0, step=3, longest=4),
            answer(1, 0),
            answer(1, 2),
            answer(0, 0, step=1, longest=4),
            ["click", WORD, 7],
            ["pointerenter", LABEL, 7],
            ["pointerleave", LABEL, 7],
            ["keydown", MATRIX, 0, {"key": "ArrowDown"}],
            ["keydown", MATRIX, 0, ENTER],
            ["dark", True],
            ["click", COPY],
            ["click", "#languages button", 1],
            ["fill", FIELD, " a  \u00a0 bird "],
            ["keydown", FIELD, 0, ENTER | {"shiftKey": True}],
            ["keydown", FIELD, 0, ENTER | {"isComposing": True}],
            ["keydown", FIELD, 0, {"key": "a"}],
            ["keydown", FIELD, 0, ENTER],
            answer(1, 0),
            answer(2, 0),
            ["click", "#languages button", 0],
        ],
    ),
    "asked": Session(
        actions=[
            ["answer", "ready"],
            ["click", "#examples button", 1],
            answer(2, 1),
            ["tick", 0, False],
            ["change", "#runs"],
            ["fill", "#beam", "1"],
            ["change", "#beam"],
            answer(4, 1, system=translation(1, ("un", "</s>"), [[1, 0], [0, 1]], source=("a", "</s>")), seconds=0.5),
            answer(4, 2),
            ["tick", 1, False],
            ["tick", 2, False],
            ["submit", "#instrument >>> #form"],
            ["click", "#languages button", 1],
            ["tick", 0, True],
            ["fill", FIELD, " \t"],
            ["submit", "#instrument >>> #form"],
            ["fill", FIELD, "x" * 31],
            ["submit", "#instrument >>> #form"],
            ["fill", FIELD, "\ufeff" + "x" * 29],
            ["submit", "#instrument >>> #form"],
            ["address", "#s=she+is&run=encdec&beam=12"],
            ["address", "#x=1"],
            ["address", "#s=she+is&beam=12&lang=en"],
            ["address", "#s=a+cat&lang=ko&beam=999&run=nobody"],
            ["answer", {"id": 1, "error": "reason"}],
            ["fail", "other reason"],
        ],
    ),
    "changed": Session(
        runs=RUNS[:2],
        full=False,
        opened={"address": "#s=a+cat&change=blocked:1:European:&change=eat:1:x:&change=weights:0:-1:search"},
        actions=[
            ["answer", "ready"],
            answer(1, 0),
            answer(1, 1),
            answer(2, 1),
            ["focus", GRIP, 1],
            ["key", "ArrowLeft"],
            ["key", "Enter"],
            answer(2, 1),
            answer(3, 1, step=1, longest=4),
            answer(3, 1, system=FOUND[1] | {"text": "other", "target": {"tokens": ("un", *TARGET[1:])}}, seconds=1),
            ["click", WORD, 4, {"detail": 1, "x": 2, "y": 15}],
            ["click", WORD, 4, {"detail": 0}],
            ["click", WORD, 3, {"detail": 1, "x": 2, "y": 2}],
            ["click", "#languages button", 1],
            ["key", "z", {"ctrlKey": True}],
            answer(5, 1),
            ["click", UNDO, 0],
        ],
    ),
    "unanswered": Session(
        runs=RUNS[:1],
        full=False,
        opened={"address": "#s=a+cat"},
        actions=[["answer", "ready"], ["pass", 29_999], ["pass", 1], answer(1, 0), ["pass", 29_999], ["pass", 1]],
    ),
    "one-run": Session(
        runs=RUNS[:1],
        full=False,
        opened={"address": "#s=a+cat&beam=1", "search": "?lang=ko"},
        actions=[["pass", 9999], ["answer", "ready"], answer(1, 0), ["dark", False]],
    ),
    "without-an-example": Session(runs=RUNS[1:2], full=False, actions=[["answer", "ready"]]),
    "silent-worker": Session(
        runs=RUNS[:2], opened={"languages": ["nn", "ko-KR", "en"]}, actions=[["pass", 9999], ["pass", 1]]
    ),
    "no-worker": Session(runs=RUNS[:2], opened={"worker": False}, actions=[["click", "#examples button", 0]]),
}


@pytest.mark.parametrize("name", SESSIONS)
def test_a_page_is_used_as_it_is_kept(name: str, request: pytest.FixtureRequest) -> None:
    session = SESSIONS[name]
    page = page_over(session.runs, session.full)
    scripts = re.findall(r"<script ([^>]*)>(.*?)</script>", page, re.DOTALL)
    body = re.search(
        "<body>(.*)</body>", re.sub(r"<(script|style|noscript)\b.*?</\1>", "", page, flags=re.DOTALL), re.DOTALL
    )
    assert body is not None
    given = {
        "script": base64.b64encode(next(text for head, text in scripts if "module" in head).encode()).decode(),
        "body": body[1],
        "carried": {found[1]: text for head, text in scripts if (found := re.search(r'id="([\w-]+)"', head))},
        "worker": True,
        "languages": ["de-AT", "en-US"],
        "address": "",
        "search": "",
        "loading": False,
        **session.opened,
        "actions": session.actions,
    }
    drawn = run_node(str(HERE / "session.js"), given=json.dumps(given))
    compare_with_kept(HERE / "kept" / f"{name}.txt", drawn, request, texts=True, fold=True)
