"""Files of SoftAlignments' web page (Rikters, Fishel, Bojar 2017): three files of JavaScript.

    NAME.ali.js    var alignments = [[[source, weight, target], …], …]
    NAME.src.js    var sources = [[word, …], …]
    NAME.trg.js    var targets = [[word, …], …]

Each list has one entry per sentence. Positions are from 0. ``<EOS>`` is the end-of-sentence token, if there is one. The
files can be read but not written: SoftAlignments makes them from files in the Nematus format (``nematus``), with its
own confidence scores. It writes quotation marks as ``&quot;`` and apostrophes as ``&apos;``. Words are not unescaped.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from nmt.alignments.formats import checks
from nmt.errors import InputError
from nmt.results import END, Alignment

_NAMES = ("alignments", "sources", "targets")
_STATEMENT = re.compile(r"[\s;\ufeff]*var\s+(\w+)\s*=\s*", re.ASCII)
_STRING_OR_LAST_COMMA = re.compile(r'("(?:[^"\\]++|\\.)*+"?)|,\s*(?=\])', re.DOTALL)
"""A string, closed or not, or a comma before a bracket. Quotation marks within a string are not matched again."""
_MOST_VARIABLES = 100
_END = "<EOS>"


def recognise(lines: Sequence[str]) -> bool:
    return re.match(r"[\s;\ufeff]*var\s", lines[0]) is not None


def read(text: str) -> tuple[Alignment, ...]:
    """Read the three files, concatenated in ``text`` in any order. Other variables are ignored. Raises InputError if
    one of the files is missing, the text is not in this format, or words and weights do not match."""
    variables = _variables(text)
    for name, suffix in zip(_NAMES, ("ali", "src", "trg"), strict=True):
        if name not in variables:
            raise InputError(f"the file .{suffix}.js is missing: .ali.js, .src.js and .trg.js are read together")
    sentences, sources, targets = (variables[name] for name in _NAMES)
    if not (isinstance(sentences, list) and isinstance(sources, list) and isinstance(targets, list)):
        raise InputError("alignments, sources and targets should each be a list with an entry for each sentence")
    if not len(sentences) == len(sources) == len(targets):
        raise InputError(
            f"there are {len(sentences)} alignments, {len(sources)} source and {len(targets)} target sentences"
        )
    checks.check_sentences(len(sentences))
    alignments, size = [], checks.Size()
    for number, (triples, *sides) in enumerate(zip(sentences, sources, targets, strict=True), start=1):
        where = checks.place(number)
        source, target = (_words(side, where) for side in sides)
        size.add(len(target), len(source))
        alignments.append(_alignment(triples, source, target, where))
    return tuple(alignments)


def _variables(text: str) -> dict[str, Any]:
    checks.check_json(text)
    text = _STRING_OR_LAST_COMMA.sub(lambda match: match[1] or "", text)  # JSON has no comma before a bracket
    decoder = json.JSONDecoder(strict=False)
    variables: dict[str, Any] = {}
    position = 0
    for _ in range(_MOST_VARIABLES):
        statement = _STATEMENT.match(text, position)
        if statement is None:
            break
        try:
            variables[statement[1]], position = decoder.raw_decode(text, statement.end())
        except (ValueError, RecursionError):
            raise InputError(f"the value of the variable {statement[1][:40]} cannot be read") from None
    rest = text[position:].strip(" \t\r\n;\ufeff")
    if rest:
        raise InputError(f"{rest[:40]!r} is not of the form var NAME = […]")
    return variables


def _alignment(triples: Any, source: list[str], target: list[str], where: str) -> Alignment:
    weights = np.zeros((len(target), len(source)))
    if not isinstance(triples, list):
        raise InputError(f"{where}: the alignment is not a list")
    for triple in triples:
        if not (isinstance(triple, list) and len(triple) == 3 and all(type(part) in (int, float) for part in triple)):
            raise InputError(f"{where}: {str(triple)[:40]} is not of the form [source, weight, target]")
        j, weight, i = triple
        if not (type(i) is type(j) is int and 0 <= i < len(target) and 0 <= j < len(source)):
            raise InputError(
                f"{where}: {str(triple)[:40]} is beyond {len(source)} source and {len(target)} target words"
            )
        try:
            weights[i, j] = weight
        except OverflowError:
            raise InputError(f"{where}: a weight is too large a number") from None
    return checks.alignment(source, target, weights, where)


def _words(value: Any, where: str) -> list[str]:
    if not (isinstance(value, list) and all(isinstance(word, str) for word in value)):
        raise InputError(f"{where}: the words are not a list of strings")
    words = list(checks.check_tokens(value, where))
    if words and words[-1] == _END:
        words[-1] = END
    return words
