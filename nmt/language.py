"""Errors in the reader's language: they are in English until they are shown."""

import re
import tomllib
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

from nmt.errors import shortened
from nmt.texts import current

_DEPTH = 3
"""How many templates of errors may stand in one another."""


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
