"""The language of texts. English texts stand in modules named ``strings``, those of another language in a module beside
each, ``strings_CODE``, under the same names; a name that it leaves out is English. What shows texts, an app, tells by
``follow`` which language its reader has; everything else is English.
"""

import sys
import tomllib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

LANGUAGES = {"en": "English", "ko": "한국어"}
"""Languages of the app, by code, each in its own words."""

_current: list[Callable[[], str]] = [lambda: "en"]


def current() -> str:
    """Code of the language of now."""
    return _current[0]()


def follow(language: Callable[[], str]) -> None:
    """Ask a function for the language whenever a text is read."""
    _current[0] = language


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


def translated(module: str) -> None:
    """Let a module of texts follow the language; to be called at its end with its ``__name__``."""
    sys.modules[module].__class__ = _Texts


def in_language(text: str) -> str:
    """A text of one of these modules that was read before the language was known, or one of a file of data, which
    texts_CODE.toml beside this module has; any other text is returned as it is.

    >>> in_language("source")
    'source'
    """
    return text if (language := current()) == "en" else _whole(language, len(sys.modules)).get(text, text)


@cache
def _whole(language: str, _: int) -> dict[str, str]:
    """Each text by the English one: of the files of data, and of the modules that are imported."""
    found: dict[str, str] = tomllib.loads(Path(__file__).with_name(f"texts_{language}.toml").read_text("utf-8"))
    for module in [module for module in sys.modules.values() if type(module) is _Texts]:
        texts = {name: text for name, text in vars(module).items() if name.isupper() and isinstance(text, str)}
        other = vars(_table(module.__name__, language))
        found |= {text: other[name] for name, text in texts.items() if name in other}
    return found
