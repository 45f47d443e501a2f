"""The language of texts. English texts stand in modules named ``strings``, those of another language in a module beside
each, ``strings_CODE``, under the same names; a name that it leaves out is English. What shows texts, an app, tells by
``follow`` which language its reader has; everything else is English.
"""

import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

LANGUAGES = {"en": "English", "ko": "한국어"}
"""Languages of the app, by code, each in its own words."""

_PLACES = ("ui", "ui.learn", "ui.length", "ui.length.together", "ui.look", "ui.models", "ui.present", "ui.train")
_MODULES = [f"nmt.{name}.strings" for name in ("alignments", "charts", "results", *_PLACES)]

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
    """Within it a file that carries several languages is written in one of them. ``tables``: modules of texts."""
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
    """Translate an English text of one of these modules, or of a file of data (texts_CODE.toml beside this module has
    those), into the language of now; any other text is returned as it is. For texts that were read at import.

    >>> in_language("source")
    'source'
    """
    return text if (language := current()) == "en" else _whole(language).get(text, text)


@cache
def _whole(language: str) -> dict[str, str]:
    """Each text by the English one: of the files of data, and of the modules."""
    found: dict[str, str] = tomllib.loads(Path(__file__).with_name(f"texts_{language}.toml").read_text("utf-8"))
    for module in _MODULES:
        own, other = vars(import_module(module)), vars(_table(module, language))
        texts = {name: text for name, text in own.items() if name.isupper() and isinstance(text, str)}
        found |= {text: other[name] for name, text in texts.items() if name in other}
    return found
