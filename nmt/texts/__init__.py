"""The texts of the program: one file for each language, with all texts under the same dotted names.

``LOOK.lost`` is the text ``look.lost`` in the language of the present reader. What shows texts, an app, tells by
``follow`` which language that is; everything else is English. A test finds the names in the source: each that is used
is in every file, with the same fields, and each that is in a file is used.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path, PurePath
from typing import Any, Generic, TypeVar

FOLDER = Path(__file__).parent
"""The folder of the files, CODE.toml."""

_current: list[Callable[[], str]] = [lambda: "en"]


def languages() -> dict[str, str]:
    """Languages by code, English first, each in its own words.

    >>> languages()["en"]
    'English'
    """
    codes = sorted((path.stem for path in FOLDER.glob("*.toml")), key=lambda code: (code != "en", code))
    return {code: texts_in(code)["language"] for code in codes}


@cache
def texts_in(language: str) -> dict[str, Any]:
    """All texts of a language, and the tables and lists that they stand in, by dotted name."""
    found: dict[str, Any] = {}

    def add(table: dict[str, Any], prefix: str) -> None:
        for key, value in table.items():
            found[name := f"{prefix}{key}"] = tuple(value) if isinstance(value, list) else value
            if isinstance(value, dict):
                add(value, f"{name}.")

    add(tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8")), "")
    return found


def view_texts(*views: str) -> dict[str, Any]:
    """What the scripts of some views say, by name, with the code of the language of the present reader as ``locale``.

    JSON-ready. All views have the texts of ``views.shared``, each the texts of ``views.NAME``.
    """
    found: dict[str, Any] = {"locale": current()}
    for view in ("shared", *views):
        found |= texts_in(current()).get(f"views.{view}", {})
    return found


def current() -> str:
    """Code of the language of the present reader."""
    return _current[0]()


def follow(language: Callable[[], str]) -> None:
    """From now on, call ``language`` for the code of the language whenever a text is read."""
    _current[0] = language


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Within the block texts are in ``language``, to write one part of a file that carries several languages."""
    before, _current[0] = _current[0], lambda: language
    try:
        yield
    finally:
        _current[0] = before


_Kind = TypeVar("_Kind")


class _Attributes(Generic[_Kind]):
    """What has a name in a table of texts, read as an attribute, in the language of the present reader."""

    def __init__(self, prefix: str, kind: Callable[[Any], _Kind]) -> None:
        self._prefix, self._kind = prefix, kind

    def __getattr__(self, name: str) -> _Kind:
        try:
            return self._kind(texts_in(current())[f"{self._prefix}.{name}"])
        except KeyError:
            raise AttributeError(f"{current()}.toml has no {self._prefix}.{name}") from None


class Texts(_Attributes[str]):
    """The texts of a part of the program.

    ``LOOK.lost`` is the text ``look.lost``, ``LOOK.forms.words`` the list ``look.words``, such as singular and plural,
    and ``LOOK.by_key.modes`` the table ``look.modes``, texts by their keys.
    """

    def __init__(self, prefix: str) -> None:
        super().__init__(prefix, str)
        self.forms: _Attributes[tuple[str, ...]] = _Attributes(prefix, tuple)
        self.by_key: _Attributes[dict[str, str]] = _Attributes(prefix, dict)


ALIGNMENTS, CHARTS, PAGE, RESULTS = Texts("alignments"), Texts("charts"), Texts("page"), Texts("results")
APP, LEARN, LENGTH, TOGETHER = Texts("app"), Texts("learn"), Texts("length"), Texts("length.together")
LOOK, MODELS, PRESENT, TRAIN = Texts("look"), Texts("models"), Texts("present"), Texts("train")
ERRORS, INSTRUMENT = Texts("errors"), Texts("views.instrument")


LONGEST = 1000
"""Characters of a message."""


def shortened(message: str) -> str:
    """The message, or its beginning and its end if it has more than ``LONGEST`` characters.

    >>> len(shortened("x" * 2000))
    1000
    """
    if len(message) <= LONGEST:
        return message
    return f"{message[: LONGEST // 2]} … {message[3 - LONGEST // 2 :]}"


class Sentence(str):
    """A sentence in English that knows its name, so that an app can show it in another language.

    Errors and notes are such sentences: commands, files and Python have them in English. What is made of one, such as
    a part of it or a longer text, is a plain str.

    Attributes:
        name: dotted.
        fields: what fills its fields; sentences among them are translated, too.
    """

    name: str
    fields: Mapping[str, object]


def say(name: str, /, **fields: object) -> Sentence:
    """The sentence of a dotted name with its fields filled; of an error among the fields, its sentence.

    >>> say("errors.no_file", file="a.txt")
    'a.txt does not exist'
    """
    filled = {key: str(value) if isinstance(value, Exception) else value for key, value in fields.items()}
    made = Sentence(shortened(texts_in("en")[name].format(**_shown(filled, str))))
    made.name, made.fields = name, filled
    return made


def for_reader(text: str) -> str:
    """A sentence in the language of the present reader; any other text as it is.

    >>> for_reader(say("errors.no_file", file="a.txt"))
    'a.txt does not exist'
    """
    if not isinstance(text, Sentence) or current() == "en":
        return text
    return shortened(texts_in(current())[text.name].format(**_shown(text.fields, for_reader)))


def _shown(fields: Mapping[str, object], of_text: Callable[[str], str]) -> dict[str, object]:
    """What fills a template: texts by ``of_text``, several as a list, everything else as it is."""
    lists = {key: ", ".join(map(of_text, value)) for key, value in fields.items() if isinstance(value, tuple)}
    return {key: of_text(value) if isinstance(value, str) else value for key, value in fields.items()} | lists


def term(english: str) -> str:
    """A word that stands in the field of an error, such as "source", so that ``for_reader`` translates it."""
    name = f"errors.terms.{english}"
    return say(name) if name in texts_in("en") else english


def without(text: str, part: str) -> str:
    """A sentence without a part of its fields, such as a folder that no reader knows; any other text without the part.

    >>> for_reader(without(say("errors.no_file", file="/tmp/x/a.txt"), "/tmp/x/"))
    'a.txt does not exist'
    """
    if not isinstance(text, Sentence):
        return text.replace(part, "")
    is_text = (str, PurePath)
    return say(
        text.name, **{key: without(str(v), part) if isinstance(v, is_text) else v for key, v in text.fields.items()}
    )


def of_data(name: str, english: str) -> str:
    """A text of a file of data, which has it in English; other languages have it under a dotted name of ``data``.

    >>> of_data("sentences.negation.title", "Negation in two words")
    'Negation in two words'
    """
    return english if current() == "en" else str(texts_in(current()).get(f"data.{name}", english))


def by_name(name: str) -> str:
    """The text of a dotted name that stands in a record; any other text as it is.

    >>> by_name("app.look"), by_name("Look")
    ('Look', 'Look')
    """
    return str(texts_in(current()).get(name, name))
