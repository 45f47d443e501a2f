"""Phrase tables of Moses, one phrase pair per line: ``source ||| target ||| scores ||| alignment ||| counts ||| …``.

Fields that are not interpreted are kept byte for byte.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nmt.data.corpus import BROKEN, open_binary
from nmt.errors import InputError
from nmt.texts import say

_SEPARATOR = b"|||"
_SOURCE, _TARGET, _SCORES = range(3)


@dataclass(frozen=True, kw_only=True)
class PhrasePair:
    """One line.

    Attributes:
        source, target: the words of the phrases, without Moses' escapes (``&apos;`` is an apostrophe).
        fields: the whole line without its end, split at ``|||``.
        end: the end of the line: ``\\n``, ``\\r\\n``, or nothing.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    fields: tuple[bytes, ...]
    end: bytes

    @property
    def scores(self) -> int:
        """Number of scores."""
        return len(self.fields[_SCORES].split())

    def with_score(self, score: str) -> bytes:
        """Return the line with one score appended to the others, otherwise unchanged."""
        field = self.fields[_SCORES]
        last = len(field.rstrip())
        fields = list(self.fields)
        fields[_SCORES] = field[:last] + b" " + score.encode("ascii") + field[last:]
        return _SEPARATOR.join(fields) + self.end


def read_phrase_table(path: Path) -> Iterator[PhrasePair]:
    """Yield the lines of a table (plain, .gz or .xz), reading lazily.

    Raises:
        InputError: the file cannot be read, or a line is not UTF-8, has fewer than three fields, no scores, a score
            that is not a number, a different number of scores than the first line, or a phrase with factors or
            non-terminals; names file and line.
    """
    number, expected = 0, None
    with open_binary(path) as file:
        try:
            for number, raw in enumerate(file, start=1):
                where = f"{path}, line {number}"
                pair = _parse(raw, where)
                expected = pair.scores if expected is None else expected
                if pair.scores != expected:
                    raise InputError(f"{where}: {pair.scores} scores, but the first line has {expected}")
                yield pair
        except BROKEN:
            raise InputError(f"{path} is damaged or truncated after line {number}") from None


def _parse(raw: bytes, where: str) -> PhrasePair:
    line = raw.removesuffix(b"\n").removesuffix(b"\r")
    fields = line.split(_SEPARATOR)
    if len(fields) <= _SCORES:
        raise InputError(
            f"{where}: a phrase table has `source ||| target ||| scores`, this line has {len(fields)} fields"
        )
    scores = fields[_SCORES].split()
    if not scores:
        raise InputError(f"{where}: no scores")
    for score in scores:
        try:
            float(score)
        except ValueError:
            raise InputError(
                say("errors.not_a_number", place=where, text=score[:40].decode("utf-8", "replace"))
            ) from None
    source, target = (_words(fields[side], where) for side in (_SOURCE, _TARGET))
    return PhrasePair(source=source, target=target, fields=tuple(fields), end=raw[len(line) :])


def _words(field: bytes, where: str) -> tuple[str, ...]:
    try:
        text = field.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{where}: not valid UTF-8") from None
    if "|" in text or "][" in text:
        raise InputError(
            f"{where}: {text.strip()[:40]!r} has factors or non-terminals; only plain phrases can be scored"
        )
    if "&" in text:
        from sacremoses import MosesDetokenizer

        for pattern, character in MosesDetokenizer.MOSES_UNESCAPE_XML_REGEXES:
            text = pattern.sub(character, text)
    return tuple(text.split())
