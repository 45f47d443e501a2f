"""Texts in the reader's language: each file has the names and fields of the English one, and each name is used."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import nmt.texts
from nmt.answers.shipped import GALLERY, SENTENCES
from nmt.charts import step_view
from nmt.data.identification import foreign
from nmt.errors import InputError
from nmt.evaluation.length_curves import EXPECTED
from nmt.recipes import RECIPES
from nmt.texts import APP, CHARTS, PAGE, follow, languages, speaking, texts_in, view_texts
from tests.texts_used import ROOT, fields, named_texts, said_by_scripts, uses, wrong_fields

OTHERS = [code for code in languages() if code != "en"]
MODULES = sorted((ROOT / "nmt").rglob("*.py"))
VIEWS = {
    **{f"charts/{name}/js/component.js": (name,) for name in texts_in("en")["views"]},
    "instrument/js/instrument.js": ("instrument", "ribbons", "alignment_view"),
    "page/js/page.js": ("instrument", "ribbons", "alignment_view"),
}
"""By the first module of a script the views whose texts it is given."""
VIEWS = {entry: views for entry, views in VIEWS.items() if (ROOT / "nmt" / entry).is_file()}
_WORD = re.compile(r"[A-Za-z]{3,}")
_SAME = ("app.examples", "app.app", "app.nats", "train.sentences", "look.example_text", "train.settings_placeholder")
_SAME += ("learn.overtaken", "train.pasted")
"""Names, and sentences that are examples."""
_NAMES = {
    *(
        "RNNsearch",
        "RNNencdec",
        "BLEU",
        "chrF",
        "TER",
        "AER",
        "SHA",
        "UNK",
        "log",
        "nats",
        "sacreBLEU",
        "alpha",
        "MIT",
        "Ctrl",
    ),
    *("unigram", "BPE", "bpe"),
}
_EXACT = re.compile(r"\{[^{}]*\}")


@pytest.fixture
def korean() -> Iterator[None]:
    follow(lambda: "ko")
    yield
    follow(lambda: "en")


def _single(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """Each text by its name."""
    if isinstance(value, str):
        yield name, value
    else:
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in pairs:
            yield from _single(f"{name}.{key}", each)


def _texts(language: str) -> dict[str, str]:
    return dict(pair for name, value in named_texts(language).items() for pair in _single(name, value))


def test_every_name_that_is_used_is_a_text_of_its_kind() -> None:
    kinds = {"": str, "forms": tuple, "by_key": dict}
    names = named_texts("en")
    found = [(path, use) for path in MODULES for use in uses(path)]
    assert len(found) > 1000
    assert [(path, use.name) for path, use in found if not isinstance(names.get(use.name), kinds[use.kind])] == []


def test_every_text_is_used() -> None:
    used = {use.name for path in MODULES for use in uses(path)}
    for entry, views in VIEWS.items():
        names = {said.name for said in said_by_scripts(ROOT / "nmt" / entry)}
        used |= {f"views.{view}.{name}" for view in ("shared", *views) for name in names}
    assert named_texts("en").keys() - used == set()
    page = "".join(
        (ROOT / "nmt" / "page" / name).read_text("utf-8") for name in ("page.html", "js/page.js", "__init__.py")
    )
    assert {name for name in PAGE.by_key.texts if not re.search(rf"[\"{{]{name}[\"}}]", page)} == set()


@pytest.mark.parametrize("entry", VIEWS)
def test_a_script_says_texts_that_it_is_given_with_their_fields(entry: str) -> None:
    given = view_texts(*VIEWS[entry])
    tables = [texts_in("en")[f"views.{view}"].keys() for view in ("shared", *VIEWS[entry])]
    if entry.startswith("page"):
        tables.append(PAGE.by_key.texts.keys())
        given |= PAGE.by_key.texts
    assert sum(map(len, tables)) == len({*given} - {"locale"})  # no name is in two tables
    said = said_by_scripts(ROOT / "nmt" / entry)
    assert {one.name for one in said} <= given.keys()
    filled = [one for one in said if one.fields is not None and not isinstance(given[one.name], dict)]
    assert filled
    for one in filled:
        forms = given[one.name] if isinstance(given[one.name], list) else [given[one.name]]
        assert one.fields == {field for form in forms for field in fields(form)}, one.name


@pytest.mark.parametrize("folder", sorted({path.parent for path in MODULES}), ids=lambda path: path.name)
def test_templates_are_filled_with_their_fields(folder: Path) -> None:
    for path in folder.glob("*.py"):
        assert not wrong_fields(path), path.name


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_has_the_names_and_fields_of_the_english_one(code: str) -> None:
    english, other = _texts("en"), _texts(code)
    assert list(english) == list(other)
    for name, text in other.items():
        assert Counter(_EXACT.findall(text)).keys() == Counter(_EXACT.findall(english[name])).keys(), name
        assert fields(text) == fields(english[name]), name
        assert text.strip() or not english[name].strip(), name


def test_no_english_sentence_stands_twice() -> None:
    """In what Python says, and in what scripts say."""
    for scripts in (True, False):
        texts = [text for name, text in _texts("en").items() if name.startswith("views.") == scripts]
        sentences = Counter(text for text in texts if text.endswith(".") and len(text.split()) > 3)
        assert [text for text, number in sentences.items() if number > 1] == []


def test_what_is_the_same_in_korean_has_no_words() -> None:
    """Names, symbols, and sentences that are examples."""
    korean = _texts("ko")
    for name, text in _texts("en").items():
        if text == korean[name] and not name.startswith(_SAME):
            plain = re.sub(r"%?\{[^{}]*\}|%\{\{.*?\}\}|<[^>]*>", "", text)
            assert {*_WORD.findall(plain)} <= _NAMES, name


def test_korean_sentences_are_polite_and_no_particle_follows_a_field() -> None:
    """Its form depends on the word before it."""
    more = {name: text for name, text in texts_in("ko").items() if re.match("data.(recipes|sentences)", name)}
    for name, text in (_texts("ko") | {name: text for name, text in more.items() if isinstance(text, str)}).items():
        assert not re.search(r"\}[”\"*`’)]*(?:은|는|이|가|을|를|와|과|으로|로)(?=[\s.,)]|$)", text), name
        assert not re.search(r"[가-힣]다\.", text.replace("니다.", "")) or name.startswith(_SAME), name


def test_a_message_of_an_error_is_bounded() -> None:
    assert str(InputError("x" * 1000)) == "x" * 1000
    long = str(InputError("a" * 600 + "b" * 600))
    assert (len(long), long[:501], long[-498:]) == (1000, "a" * 500 + " ", " " + "b" * 497)


WRITINGS = ("a", "나", "かな", "水", "я", "λ", "ع", "א", "ก", "न")
"""A letter of each script that the app names."""


def test_each_writing_has_a_name() -> None:
    assert {found.script for text in WRITINGS if (found := foreign(text, "ko" if text == "a" else "en"))} == {
        *APP.by_key.writings
    }
    assert CHARTS.expected_system == EXPECTED


@pytest.mark.parametrize("code", OTHERS)
def test_texts_of_data_are_those_that_are_there(code: str) -> None:
    file = step_view._FILE
    english = {f"recipes.{name}": recipe.about.strip() for name, recipe in RECIPES.items()}
    english |= {f"sentences.{each.name}.title": each.title for each in (*SENTENCES, *GALLERY)}
    english |= {f"sentences.{each.name}.look": each.look for each in (*SENTENCES, *GALLERY)}
    english |= {"boxes.program_order": file.program_order.strip()}
    for group, boxes in (("common", file.common), ("rnnsearch", file.rnnsearch), ("rnnencdec", file.rnnencdec)):
        for name, box in boxes.items():
            shown = {"title": box.title, "row": box.row, "words": box.words, "shape": box.shape}
            english |= {f"boxes.{group}.{name}.{key}": text for key, text in shown.items()}
    data = texts_in(code)["data"]
    texts = dict(pair for kind in data for pair in _single(kind, data[kind]))
    assert texts.keys() <= english.keys()
    left = {name for name in english.keys() - texts.keys() if not name.endswith(".shape")}
    assert {name for name in left if _WORD.search(english[name])} == set()
    for name, text in texts.items():
        assert sorted(re.findall(r"\$\w+", english[name])) == sorted(re.findall(r"\$\w+", text)), name


def test_texts_follow_the_language(korean: None) -> None:
    assert (APP.length, APP.app, APP.by_key.columns["all"]) == ("길이", "Jointly", "모든 문장")
    assert SENTENCES[0].shown_title == "논문의 그림 3"
    follow(lambda: "en")
    assert (APP.length, APP.by_key.columns["all"]) == ("Length", "All sentences")
    assert SENTENCES[0].shown_title == SENTENCES[0].title


def test_a_file_of_several_languages_is_written_in_one_after_the_other() -> None:
    with speaking("ko"):
        assert PAGE.by_key.texts["examples"] == "예문"
    assert PAGE.by_key.texts["examples"] == "Examples"


def test_a_name_that_is_not_there_is_an_error() -> None:
    with pytest.raises(AttributeError, match=r"en\.toml has no app\.lenght"):
        _ = APP.lenght


def test_a_third_language_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in nmt.texts.FOLDER.glob("*.toml"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    text = (tmp_path / "en.toml").read_text("utf-8")
    esperanto = text.replace('language = "English"', 'language = "Esperanto"').replace(
        '\nlength = "Length"', '\nlength = "Longo"'
    )
    esperanto = esperanto.replace('\nundo = "Undo"', '\nundo = "Malfari"')
    (tmp_path / "eo.toml").write_text(esperanto, encoding="utf-8")
    monkeypatch.setattr(nmt.texts, "FOLDER", tmp_path)
    assert languages() == {"en": "English", "eo": "Esperanto", "ko": "한국어"}
    with speaking("eo"):
        assert (APP.length, APP.look) == ("Longo", "Look")
        said = view_texts("ribbons")
        assert (said["locale"], said["undo"], said["undo_key"]) == ("eo", "Malfari", "Ctrl+Z")
    assert APP.length == "Length"


@pytest.mark.parametrize(("language", "written"), [("en", r"(?<!\s)%"), ("ko", r"[\d}]\s%")])
def test_a_language_writes_per_cent_and_log_p_in_one_way(language: str, written: str) -> None:
    for name, text in texts_in(language).items():
        if isinstance(text, str):
            plain = re.sub(r"%%?\{.*?\}\}?", "", text)  # Plotly's fields
            assert not re.search(written, plain), name
            assert not re.search(r"log p \{", plain), name
