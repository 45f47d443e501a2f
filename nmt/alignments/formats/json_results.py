"""JSON of other programs, one object or array for each sentence.

| program | what is read |
|---|---|
| CTranslate2, with ``return_attention`` | ``hypotheses`` and ``attention`` of the first one, [target][source] |
| Hugging Face, ``cross_attentions`` of a sentence | numbers [layer][head][target][source], alone or with words |
| Sockeye, ``--output-type json`` | ``translation`` and ``alignments``, weights or links [source, target] |
| SimAlign | ``{"inter": [[source, target], …], "itermax": …}``, alone or as ``alignments`` with words |

Objects may have words: ``source`` or ``src``, ``target`` or ``tgt``, lists or texts cut at spaces. Tokens take
precedence: ``source_tokens``, ``src_tokens``, ``tokens_src`` or ``encoder_tokens``, and corresponding names of the
target. If rows or columns are one more than words, the last is the end-of-sentence token. Positions are from 0.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from nmt.alignments.formats import checks
from nmt.alignments.formats.checks import SIDES, Content, FileTokens, Given, LackingError, Side
from nmt.errors import InputError
from nmt.results.links import MarkedLink, numbered_words

_MAPS = ("attention", "attentions", "cross_attentions", "cross_attention", "alignments", "weights")
_NAMES: dict[Side, tuple[str, ...]] = {
    "source": ("source_tokens", "src_tokens", "tokens_src", "encoder_tokens", "source", "src"),
    "target": (
        *("target_tokens", "tgt_tokens", "tokens_tgt", "decoder_tokens"),
        *("target", "tgt", "translation", "translations", "hypotheses"),
    ),
}
_SEVERAL = ("translations", "hypotheses")
"""Keys whose values are lists of hypotheses. Each hypothesis has a map."""
_HEADS = 4
"""Number of dimensions of weights of all layers and heads."""
_UNREAD = {"sequence_attributions": "inseq"}
"""Programs whose JSON cannot be read, by a key of their JSON."""


def is_array(value: Any) -> bool:
    """Tell if a value is a list of lists of numbers, of any depth from 2."""
    depth = _depth(value)
    while isinstance(value, list) and value:
        value = value[0]
    return depth > 1 and isinstance(value, int | float)


def is_result(value: Any) -> bool:
    """Tell if the first value of a file is a result of another program. InputError for a program in ``_UNREAD``."""
    if program := next((_UNREAD[key] for key in _UNREAD if isinstance(value, dict) and key in value), ""):
        raise InputError(f"JSON of {program} is not read")
    if not isinstance(value, dict):
        return is_array(value)
    others = any(name in value for name in _MAPS[:-1]) or (_are_methods(value) and any(value.values()))
    return others or ("weights" in value and ("source" not in value or _depth(value["weights"]) == _HEADS))


def read(values: Sequence[Any], given: Given) -> Content:
    """Read one value for each sentence. Words that the values lack are taken from ``given``.

    Raises LackingError if words are missing, or if the file has several methods of links and ``given.part`` names none
    of them. Raises InputError, which names sentence and row, if a value has no map, or words and weights do not match.
    """
    checks.check_sentences(len(values))
    places = [checks.place(number) for number in range(1, len(values) + 1)]
    maps = [_map(value, where) for value, where in zip(values, places, strict=True)]
    sides = []
    for side in SIDES:
        listed = [_words(value, side, where) for value, where in zip(values, places, strict=True)]
        sides.append([words or [] for words in listed] if None not in listed else given.words(side, len(values)))
    pairs = [*zip(*sides, strict=True)]
    if isinstance(maps[0], dict):
        parts = tuple(maps[0])
        part = given.part if given.part or len(parts) > 1 else parts[0]
        if part not in parts:
            raise LackingError(
                f"the file has links by {', '.join(parts)}: choose one of them as the part to read", parts
            )
        sentences = [
            (_links(map_, part, where), (tuple(source), tuple(target)))
            for map_, (source, target), where in zip(maps, pairs, places, strict=True)
        ]
        content = checks.linked(sentences)
        return content if len(parts) == 1 and not given.part else replace(content, part=part, parts=parts)
    weights, size = [], checks.Size()
    for map_, where in zip(maps, places, strict=True):
        weights.append(_of_heads(map_, given.part, where, size) if _depth(map_) == _HEADS else rows(map_, where))
    content = checks.of_tokens([*map(FileTokens, *sides, weights)])
    if _depth(maps[0]) != _HEADS:
        return content
    heads = [[str(layer), *(f"{layer}.{head}" for head in range(len(arrays)))] for layer, arrays in enumerate(maps[0])]
    return replace(content, part=given.part, parts=("", *chain.from_iterable(heads)))


def rows(value: Any, where: str) -> list[list[float]]:
    """Check that a value is a list of lists of numbers. Raises InputError if not."""
    if not isinstance(value, list):
        raise InputError(f"{where}: weights is not a list of rows")
    for k, row in enumerate(value, start=1):
        if not isinstance(row, list) or not all(type(weight) in (int, float) for weight in row):
            raise InputError(f"{where}, row {k} is not a list of numbers")
    return value


def _depth(value: Any) -> int:
    depth = 0
    while isinstance(value, list):
        value, depth = value[0] if value else None, depth + 1
    return depth


def _are_links(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(link, list) and len(link) == 2 and all(type(number) is int for number in link) for link in value
    )


def _are_methods(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and all(map(_are_links, value.values()))


def _map(value: Any, where: str) -> Any:
    """The map of a sentence: an array, or links by method."""
    if isinstance(value, dict) and not _are_methods(value):
        name = next((name for name in _MAPS if value.get(name)), "")
        array = value.get(name)
        if any(isinstance(value.get(several), list) for several in _SEVERAL) and isinstance(array, list):
            array = array[0]
        value = {name: array} if name == "alignments" and _are_links(array) else array
    if not _are_methods(value) and _depth(value) not in (2, _HEADS):
        raise InputError(f"{where} has no weights [target][source] or [layer][head][target][source], and no links")
    return value


def _words(value: Any, side: Side, where: str) -> list[str] | None:
    for name in _NAMES[side] if isinstance(value, dict) and not _are_methods(value) else ():
        words = value.get(name)
        if name in _SEVERAL and isinstance(words, list) and words:
            words = words[0]
        if words is not None:
            words = numbered_words(words) if isinstance(words, str) else words
            if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
                raise InputError(f"{where}: {name} is not a list of strings")
            return words
    return None


def _links(methods: Any, part: str, where: str) -> list[MarkedLink]:
    links = methods.get(part) if isinstance(methods, dict) else None
    if links is None:
        raise InputError(f"{where} has no links by {part}")
    if any(min(link) < 0 for link in links):
        raise InputError(f"{where} has a link with a negative number")
    return [MarkedLink(i, j, True) for i, j in links]


def _of_heads(value: Any, part: str, where: str, size: checks.Size) -> list[list[float]]:
    """The weights of a head, or the mean over a layer or over all layers."""
    try:
        heads = np.array(value)
    except ValueError:
        heads = np.zeros(0)
    if heads.ndim != _HEADS or heads.dtype.kind not in "if":
        raise InputError(f"{where}: layers, heads and rows are not all numbers, and as many in each")
    size.add(heads.shape[0] * heads.shape[1] * heads.shape[2], heads.shape[3])
    chosen = part.split(".") if part else []
    if len(chosen) > 2 or not all(
        number.isdecimal() and int(number[:9]) < most for number, most in zip(chosen, heads.shape[:2], strict=False)
    ):
        raise InputError(f"{where} has no part {part[:40]}: it has {heads.shape[0]} layers of {heads.shape[1]} heads")
    weights = heads[tuple(map(int, chosen))]
    return weights.reshape(-1, *heads.shape[2:]).mean(axis=0).tolist()  # type: ignore[no-any-return]
