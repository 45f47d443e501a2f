"""The texts of the program: one file for each language, with all texts under the same dotted names.

``LOOK.lost`` is the text ``look.lost`` in the current language. An app sets the current language with ``follow``. The
default is English. A test compares the names in the source with the files. Every name in the source must be in every
file, with the same fields, and every name in a file must be used.
"""

import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path, PurePath
from typing import Any, Generic, TypeVar

FOLDER = Path(__file__).parent
"""The folder of the files, CODE.toml."""

_current: list[Callable[[], str]] = [lambda: "en"]


def languages() -> dict[str, str]:
    """Names of the languages by code, English first. Each name is in the language itself.

    >>> languages()["en"]
    'English'
    """
    codes = sorted((path.stem for path in FOLDER.glob("*.toml")), key=lambda code: (code != "en", code))
    return {code: texts_in(code)["language"] for code in codes}


@cache
def texts_in(language: str) -> dict[str, Any]:
    """All texts of a language by dotted name, and also the tables and lists that contain the texts."""
    texts: dict[str, Any] = {}

    def add(table: dict[str, Any], prefix: str) -> None:
        for key, value in table.items():
            texts[name := f"{prefix}{key}"] = tuple(value) if isinstance(value, list) else value
            if isinstance(value, dict):
                add(value, f"{name}.")

    add(tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8")), "")
    return texts


def view_texts(*views: str) -> dict[str, Any]:
    """Texts for the scripts of these views, by name, JSON-ready. ``locale`` is the code of the current language.

    They are the texts of ``views.shared`` and, for each view NAME, of ``views.NAME``.
    """
    texts: dict[str, Any] = {"locale": current()}
    for view in ("shared", *views):
        texts |= texts_in(current()).get(f"views.{view}", {})
    return texts


def current() -> str:
    """Code of the current language."""
    return _current[0]()


def follow(language: Callable[[], str]) -> None:
    """Set the function that returns the code of the current language. It is called whenever a text is read."""
    _current[0] = language


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Set the current language within the block, for example to write one part of a file with several languages."""
    before, _current[0] = _current[0], lambda: language
    try:
        yield
    finally:
        _current[0] = before


_Kind = TypeVar("_Kind")


class _Attributes(Generic[_Kind]):
    """A table of texts. Its attribute NAME is the text NAME of the table in the current language."""

    def __init__(self, prefix: str, kind: Callable[[Any], _Kind]) -> None:
        self._prefix, self._kind = prefix, kind

    def __getattr__(self, name: str) -> _Kind:
        try:
            return self._kind(texts_in(current())[f"{self._prefix}.{name}"])
        except KeyError:
            raise AttributeError(f"{current()}.toml has no {self._prefix}.{name}") from None


class Texts(_Attributes[str]):
    """The texts of a part of the program.

    ``LOOK.lost`` is the text ``look.lost``. ``LOOK.forms.words`` is the list ``look.words``, such as singular and
    plural. ``LOOK.by_key.modes`` is the table ``look.modes``: texts by key.
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
"""Largest number of characters of a message. ``shortened`` cuts longer messages."""


def shortened(message: str) -> str:
    """The message, or its beginning and end if it has more than ``LONGEST`` characters.

    >>> len(shortened("x" * 2000))
    1000
    """
    if len(message) <= LONGEST:
        return message
    return f"{message[: LONGEST // 2]} … {message[3 - LONGEST // 2 :]}"


class NamedSentence(str):
    """An English sentence that has its dotted name, so that an app can show it in another language.

    Errors and notes are such sentences. Commands, files and Python have them in English. A part of a sentence, or a
    longer text made from it, is a plain str.

    Attributes:
        name: the dotted name.
        fields: values of the fields. Sentences among the values are also translated.
    """

    name: str
    fields: Mapping[str, object]


def say(name: str, /, **fields: object) -> NamedSentence:
    """The sentence of a dotted name with its fields filled. An error in a field becomes the text of the error.

    >>> say("errors.no_file", file="a.txt")
    'a.txt does not exist'
    """
    filled = {key: str(value) if isinstance(value, Exception) else value for key, value in fields.items()}
    made = NamedSentence(shortened(texts_in("en")[name].format(**_shown(filled, str))))
    made.name, made.fields = name, filled
    return made


def for_reader(text: str) -> str:
    """Translate a ``NamedSentence`` into the current language. Return any other text unchanged.

    >>> for_reader(say("errors.no_file", file="a.txt"))
    'a.txt does not exist'
    """
    if not isinstance(text, NamedSentence) or current() == "en":
        return text
    return shortened(texts_in(current())[text.name].format(**_shown(text.fields, for_reader)))


def _shown(fields: Mapping[str, object], of_text: Callable[[str], str]) -> dict[str, object]:
    """Values for the fields of a template. ``of_text`` converts texts. A tuple of texts is joined with commas."""
    lists = {key: ", ".join(map(of_text, value)) for key, value in fields.items() if isinstance(value, tuple)}
    return {key: of_text(value) if isinstance(value, str) else value for key, value in fields.items()} | lists


def term(english: str) -> str:
    """A word for a field of an error, such as "source". ``for_reader`` translates it if ``errors.terms`` has it."""
    name = f"errors.terms.{english}"
    return say(name) if name in texts_in("en") else english


def without(text: str, part: str) -> str:
    """Remove ``part``, such as the path of a temporary folder, from a text. In a ``NamedSentence``, the fields lose it.

    >>> for_reader(without(say("errors.no_file", file="/tmp/x/a.txt"), "/tmp/x/"))
    'a.txt does not exist'
    """
    if not isinstance(text, NamedSentence):
        return text.replace(part, "")
    is_text = (str, PurePath)
    return say(
        text.name, **{key: without(str(v), part) if isinstance(v, is_text) else v for key, v in text.fields.items()}
    )


def of_data(name: str, english: str) -> str:
    """A text of a data file in the current language: ``data.NAME``, or ``english`` if the language lacks that text.

    >>> of_data("sentences.negation.title", "Negation in two words")
    'Negation in two words'
    """
    return english if current() == "en" else str(texts_in(current()).get(f"data.{name}", english))


def by_name(name: str) -> str:
    """The text of ``name`` if ``name`` is a dotted name. Otherwise ``name`` itself, for records that may have either.

    >>> by_name("app.look"), by_name("Look")
    ('Look', 'Look')
    """
    return str(texts_in(current()).get(name, name))


def isolated(text: str) -> str:
    r"""Isolate a text that is read from right to left, so that quotation marks and numbers around it keep their places.
    Other texts are returned unchanged.

    >>> isolated("cat"), isolated("ספר")
    ('cat', '\u2068ספר\u2069')
    """
    right_to_left = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)
    return f"\u2068{text}\u2069" if right_to_left else text


def listed(names: Sequence[str]) -> str:
    """Join names as in a sentence.

    >>> listed(["one"]), listed(["one", "two"]), listed(["one", "two", "three"])
    ('one', 'one and two', 'one, two and three')
    """
    return APP.and_word.join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def counted(number: int, forms: tuple[str, ...], **fields: object) -> str:
    """Fill the template of ``forms`` that fits a number. The field "count" of the template is this number.

    Args:
        fields: other fields of the template.

    >>> counted(1, ("{count} word", "{count} words")), counted(2000, ("{count} word", "{count} words"))
    ('1 word', '2,000 words')
    """
    return forms[number != 1].format(count=f"{number:,}", **fields)


def nats(value: float) -> str:
    """
    >>> nats(-12.3456)
    '−12.35 nats'
    """
    return APP.nats.format(value=f"{value:.2f}".replace("-", "−"))
