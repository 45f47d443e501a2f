"""The language of texts. English texts stand in modules named ``strings``, those of another language in a module beside
each, ``strings_CODE``, under the same names; a name that it leaves out is English. Errors are in English until they are
shown. What shows texts, an app, tells by ``follow`` which language its reader has; everything else is English.
"""

import re
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

from nmt.errors import shortened

LANGUAGES = {"en": "English", "ko": "한국어"}
"""Languages of the app, by code, each in its own words."""

_PLACES = ("ui", "ui.learn", "ui.length", "ui.length.together", "ui.look", "ui.models", "ui.present", "ui.train")
_MODULES = [f"nmt.{name}.strings" for name in ("alignments", "charts", "results", *_PLACES)]

_DEPTH = 3
"""How many templates of errors may stand in one another."""

_current: list[Callable[[], str]] = [lambda: "en"]


def current() -> str:
    """Code of the language of now."""
    return _current[0]()


def follow(language: Callable[[], str]) -> None:
    """From now on, call ``language`` for the code of the language whenever a text is read."""
    for name in _MODULES:
        import_module(name).__class__ = _Texts
    _current[0] = language


@contextmanager
def speaking(language: str, *tables: ModuleType) -> Iterator[None]:
    """Within the block texts are in ``language``, to write one part of a file that carries several languages.
    ``tables``: modules of texts beside those of the app."""
    for table in tables:
        table.__class__ = _Texts
    before, _current[0] = _current[0], lambda: language
    try:
        yield
    finally:
        _current[0] = before


class _Texts(ModuleType):
    """A module of texts in English, whose names are read in the language of now."""

    def __getattribute__(self, name: str) -> Any:
        english = super().__getattribute__(name)
        if not name.isupper() or (language := current()) == "en":
            return english
        return getattr(_table(super().__getattribute__("__name__"), language), name, english)


@cache
def _table(module: str, language: str) -> ModuleType:
    return import_module(f"{module}_{language}")


def in_language(text: str) -> str:
    """Translate an English text that was read when a module was imported, into the reader's language. The tables of
    texts are searched, then texts_CODE.toml beside this module; a text that is in neither is returned as it is.

    >>> in_language("source")
    'source'
    """
    return text if (language := current()) == "en" else _whole(language).get(text, text)


@cache
def _whole(language: str) -> dict[str, str]:
    """Each text by the English one: of the modules, and of the files of data, whose meaning wins."""
    found: dict[str, str] = {}
    for module in _MODULES:
        own, other = vars(import_module(module)), vars(_table(module, language))
        texts = {name: text for name, text in own.items() if name.isupper() and isinstance(text, str)}
        found |= {text: other[name] for name, text in texts.items() if name in other}
    return found | tomllib.loads(Path(__file__).with_name(f"texts_{language}.toml").read_text("utf-8"))


def message_in_language(message: str) -> str:
    """Translate a sentence of the core, such as that of an error, into the language of now by the templates in
    errors_CODE.toml, and so what stands in its fields; a sentence that fits no template is returned as it is. A long
    message loses its middle.

    >>> message_in_language("line 3: 'x' is not a number")
    "line 3: 'x' is not a number"
    """
    return message if (language := current()) == "en" else _translated(shortened(message), language, _DEPTH)[1]


@lru_cache(1000)
def _translated(message: str, language: str, depth: int) -> tuple[int, str]:
    """Translate by the first template that accounts for the most characters, with those in fields; and their number.
    ``depth``: how many templates may still stand in it."""
    best = 0, message
    for known, literals, template in _templates(language) if depth else ():
        if (found := _fields(literals, message)) is not None:
            fields = [_translated(field, language, depth - 1) for field in found]
            most = known + sum(number for number, _ in fields)
            if most > best[0]:
                best = most, template.format(*(text for _, text in fields))
    return best


def _fields(literals: list[str], message: str) -> list[str] | None:
    """What stands between the literals, each field as short as it can be and the last one up to the end; None if the
    message does not have them. Marks of quotation belong to the field between them: a quoted word stays as it is."""
    first, *others = literals
    end = len(message) - len(literals[-1])
    if not message.startswith(first) or not message.endswith(literals[-1]) or (not others and message != first):
        return None
    fields, place = [], len(first)
    for number, (before, literal) in enumerate(pairwise(literals), 1):
        found = end if number == len(others) else message.find(literal, place, end)
        if found < place:
            return None
        mark = '"' * (before.endswith('"') and literal.startswith('"'))
        fields.append(mark + message[place:found] + mark)
        place = found + len(literal)
    return fields


@cache
def _templates(language: str) -> list[tuple[int, list[str], str]]:
    """The characters of each English template, what stands between its fields, and the template in the language, whole
    sentences before parts."""
    table = tomllib.loads(Path(__file__).with_name(f"errors_{language}.toml").read_text("utf-8"))
    parts, found = table.pop("parts"), []
    for english, template in (table | parts).items():
        literals = re.split(r"\{\d\}", english)
        found.append((sum(map(len, literals)), literals, re.sub(r'"(\{\d\})"', r"\1", template)))
    return found
