"""Texts in the reader's language: each table in another language fits the English one, and is read in its place."""

from __future__ import annotations

import importlib
import re
import string
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from nmt import language
from nmt.answers.shipped import GALLERY, SENTENCES
from nmt.charts import step_view
from nmt.charts.view_files import view_files
from nmt.data.line_words import strange_writing
from nmt.errors import InputError
from nmt.evaluation.length_curves import EXPECTED
from nmt.language import LANGUAGES, follow, in_language, message_in_language, speaking
from nmt.recipes import RECIPES

ROOT = Path(__file__).parents[1]
OTHERS = [code for code in LANGUAGES if code != "en"]
TABLES = sorted((ROOT / "nmt").rglob("strings.py"))
SCRIPTS = sorted((ROOT / "nmt").rglob("strings.js"))
_LABELS = {"COSTS", "MEASURES"}
"""Tables whose keys are read, too."""
_WORD = re.compile(r"[A-Za-z]{3,}")


@pytest.fixture
def korean() -> Iterator[None]:
    follow(lambda: "ko")
    yield
    follow(lambda: "en")


def _tables(path: Path, code: str) -> tuple[dict[str, Any], dict[str, Any]]:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    modules = (importlib.import_module(name), importlib.import_module(f"{name}_{code}"))
    return tuple({key: value for key, value in vars(m).items() if key.isupper()} for m in modules)  # type: ignore[return-value]


def _pairs(own: Any, other: Any, place: str) -> Iterator[tuple[str, str, str]]:
    """Each text with the one in its place."""
    if isinstance(own, str):
        assert isinstance(other, str), place
        yield place, own, other
    elif isinstance(own, dict):
        assert len(own) == len(other), place
        assert place in _LABELS or own.keys() == other.keys(), place
        for key, (first, second) in zip(own, zip(own.values(), other.values(), strict=True), strict=True):
            yield from _pairs(first, second if place in _LABELS else other[key], f"{place}[{key}]")
    elif isinstance(own, tuple | list):
        assert len(own) == len(other), place
        for number, (first, second) in enumerate(zip(own, other, strict=True)):
            yield from _pairs(first, second, f"{place}[{number}]")


def _fields(template: str) -> set[tuple[str, str | None]]:
    return {(name, form) for _, name, form, _ in string.Formatter().parse(template) if name is not None}


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.parent.name)
def test_a_table_has_the_names_and_fields_of_the_english_one(path: Path, code: str) -> None:
    own, other = _tables(path, code)
    assert other.keys() <= own.keys()
    for name, value in other.items():
        for place, english, text in _pairs(own[name], value, name):
            assert _fields(text) == _fields(english), place
            assert text.strip() or not english.strip(), place


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.parent.name)
def test_what_a_table_leaves_out_has_no_words(path: Path) -> None:
    """Names, symbols, and sentences that are examples."""
    same = {"APP", "ARCHITECTURES", "EXAMPLES", "SENTENCES", "EXAMPLE_TEXT", "SETTINGS_PLACEHOLDER", "NATS"}
    names = {"RNNsearch", "RNNencdec", "BLEU", "chrF", "TER", "AER", "SHA", "UNK", "log", "nats", "sacreBLEU", "alpha"}
    own, other = _tables(path, "ko")
    left = {name: value for name, value in own.items() if name not in other and name not in same}
    for place, text, _ in [pair for name, value in left.items() for pair in _pairs(value, value, name)]:
        plain = re.sub(r"%?\{[^{}]*\}|%\{\{.*?\}\}|<[^>]*>", "", text)
        assert {*_WORD.findall(plain)} <= names, (place, text)


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.parent.name)
def test_korean_sentences_are_polite_and_no_particle_follows_a_field(path: Path) -> None:
    """Its form depends on the word before it."""
    _, other = _tables(path, "ko")
    for place, text, _ in [pair for name, value in other.items() for pair in _pairs(value, value, name)]:
        assert not re.search(r"\}[”\"*`’)]*(?:은|는|이|가|을|를|와|과|으로|로)(?=[\s.,)]|$)", text), place
        assert not re.search(r"[가-힣]다\.", text.replace("니다.", "")), place


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.parent.parent.name)
def test_a_script_has_the_exports_of_the_english_one(path: Path, code: str) -> None:
    exports = re.compile(r"^export const (\w+) =\s*(\([^)]*\) =>)?", re.MULTILINE)
    own, other = (each.read_text("utf-8") for each in (path, path.with_stem(f"strings_{code}")))
    assert exports.findall(own) == exports.findall(other)
    for first, second in zip(own.split("\nexport ")[1:], other.split("\nexport ")[1:], strict=True):
        values = [{*re.findall(r"\$\{\(?([\w.]+)", text)} for text in (first, second)]
        assert values[0] == values[1], first


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.parent.parent.name)
def test_korean_sentences_of_a_script_are_as_those_of_python(path: Path) -> None:
    text = path.with_stem("strings_ko").read_text("utf-8")
    assert not re.search(r"\}[”\"*’)]*(?:은|는|이|가|을|를|와|과|으로|로)(?=[\s.,)])", text)
    assert not re.search(r"[가-힣]다\.", text.replace("니다.", ""))


@pytest.mark.parametrize(
    "text",
    [
        "a, b: c; " * 222,
        ", " * 950,
        "a" * 10**6,
        "'" * 5000,
        "a, b: c; " * 10**5,
        "{0} has {1} lines, but {2} has {3}: line {4} of {5} has " * 60,
        ": not , line must be , has " * 300,
    ],
)
def test_an_error_with_a_long_quotation_is_translated_at_once(text: str, korean: None) -> None:
    """As an error of its own, and quoted by one."""
    began = time.process_time()
    said = str(InputError(f"there is no setting {text}"))
    found = [message_in_language(message) for message in (text, said, f"{text} cannot be written: No such file")]
    assert time.process_time() - began < 2
    assert all(len(message) < 1100 for message in found)
    assert "파일을 쓸 수 없습니다" in found[2]


def test_a_message_of_an_error_is_bounded() -> None:
    assert str(InputError("x" * 1000)) == "x" * 1000
    long = str(InputError("a" * 600 + "b" * 600))
    assert (len(long), long[:501], long[-498:]) == (1000, "a" * 500 + " ", " " + "b" * 497)


def test_a_view_gets_the_script_of_its_language() -> None:
    english, korean = (view_files("ribbons", language=code).js for code in ("en", "ko"))
    assert 'UNDO = "Undo"' in english
    assert 'UNDO = "되돌리기"' in korean
    assert len(re.findall(r"^modules\[", korean, re.MULTILINE)) == len(re.findall(r"^modules\[", english, re.MULTILINE))


WRITINGS = ("a", "나", "かな", "水", "я", "λ", "ع", "א", "ก", "न")
"""A letter of each script that the app names."""


@pytest.mark.parametrize("code", OTHERS)
def test_texts_of_data_are_those_that_are_there(code: str) -> None:
    boxes = [*step_view._FILE.common.values(), *step_view._FILE.rnnsearch.values(), *step_view._FILE.rnnencdec.values()]
    titles = {text for each in (*SENTENCES, *GALLERY) for text in (each.title, each.look)}
    shown = titles | {text for box in boxes for text in (box.title, box.row, box.words) if text}
    more = {box.shape for box in boxes} | {each.about.strip() for each in RECIPES.values()}
    more |= {EXPECTED, "all test sets", step_view._FILE.program_order.strip()}
    more |= {strange_writing(text, "ko" if text == "a" else "en") for text in WRITINGS}
    texts = tomllib.loads((ROOT / "nmt" / f"texts_{code}.toml").read_text("utf-8"))
    assert texts.keys() <= shown | more
    assert {text for text in shown - texts.keys() if _WORD.search(text)} == set()
    for english, text in texts.items():
        assert sorted(re.findall(r"\$\w+", english)) == sorted(re.findall(r"\$\w+", text)), english


def test_texts_follow_the_language(korean: None) -> None:
    from nmt.ui import strings

    assert strings.LENGTH == "길이"
    assert strings.APP == "Jointly"
    assert in_language("Length") == "길이"
    assert in_language("no text of ours") == "no text of ours"
    assert isinstance(strings, ModuleType)
    follow(lambda: "en")
    assert strings.LENGTH == "Length"
    assert in_language("Length") == "Length"


def test_a_file_of_several_languages_is_written_in_one_after_the_other() -> None:
    from nmt.page import strings

    with speaking("ko", strings):
        assert strings.TEXTS["translate"] == "번역"
        assert in_language("Length") == "길이"
    assert strings.TEXTS["translate"] == "Translate"
    assert in_language("Length") == "Length"


def test_a_third_language_is_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    from nmt.ui import strings

    table = ModuleType("strings_eo")
    table.LENGTH = "Longo"  # type: ignore[attr-defined]
    monkeypatch.setattr(language, "_table", lambda module, code: table)
    follow(lambda: "eo")
    try:
        assert (strings.LENGTH, strings.LOOK) == ("Longo", "Look")
    finally:
        follow(lambda: "en")
