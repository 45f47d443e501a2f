"""Translations and scores by key: those on disk, for all runs and settings, in one file in the cache folder.

A translation has a head, which is all that tables and scores need, and a body, from which the whole record is rebuilt
without tokenising or decoding.

Records are written as JSON and bytes: dataclasses of dataclasses, tuples, numbers, texts and float32 arrays. Arrays
keep every bit: views and exports must be those of the search itself, and half precision would change the third decimal
of alpha. Their bytes are grouped by significance (first the lowest byte of every number, and so on), so that zlib saves
a third."""

import json
import math
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast, get_args, get_origin

import numpy as np

from nmt.alignments.measures import summary
from nmt.answers.keys import ScoreKey, SearchKey
from nmt.answers.store import Part, Store, StoredValue, keeps_translations
from nmt.files import cache_folder
from nmt.records import plain_type
from nmt.results import FinishedScore, FinishedTranslation, Translation

Record = TypeVar("Record")

_LENGTH = 8
"""Bytes of the length of the JSON, which precedes it."""


def to_json(record: object) -> bytes:
    """Write a record without arrays as JSON."""
    return json.dumps(_plain(record, [])).encode()


def from_json(cls: type[Record], data: bytes) -> Record:
    """Read a record that ``to_json`` has written."""
    return cast(Record, _built(cls, json.loads(data), memoryview(b"")))


def to_bytes(record: object) -> bytes:
    """Write a record as compressed bytes."""
    arrays: list[bytes] = []
    text = json.dumps(_plain(record, arrays)).encode()
    return zlib.compress(len(text).to_bytes(_LENGTH, "little") + text + b"".join(arrays))


def from_bytes(cls: type[Record], data: bytes) -> Record:
    """Read a record that ``to_bytes`` has written."""
    content = zlib.decompress(data)
    end = _LENGTH + int.from_bytes(content[:_LENGTH], "little")
    return cast(Record, _built(cls, json.loads(content[_LENGTH:end]), memoryview(content)[end:]))


def _plain(value: Any, arrays: list[bytes]) -> Any:
    """Convert to JSON types. An array becomes its shape and its place among the bytes of ``arrays``."""
    if isinstance(value, np.ndarray):
        begin = sum(map(len, arrays))
        numbers = np.ascontiguousarray(value, dtype="<f4").view(np.uint8)
        arrays.append(numbers.reshape(-1, 4).T.tobytes())
        return [begin, value.shape]
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name), arrays) for field in fields(value)}
    if isinstance(value, tuple | list):
        return [_plain(each, arrays) for each in value]
    return value.item() if isinstance(value, np.generic) else value


def _built(kind: Any, value: Any, arrays: memoryview) -> Any:
    """Convert back what ``_plain`` has made of a value of this kind."""
    if value is None:
        return None
    if isinstance(value, dict):
        return kind(**{name: _built(plain_type(kind, name), each, arrays) for name, each in value.items()})
    if isinstance(value, list):
        if get_origin(kind) is np.ndarray:
            begin, shape = value
            planes = np.frombuffer(arrays, np.uint8, 4 * math.prod(shape), begin).reshape(4, -1)
            return np.ascontiguousarray(planes.T).view("<f4").reshape(shape)
        items = get_args(kind)
        each_kind = items[:1] * len(value) if items[-1] is ... or get_origin(kind) is not tuple else items
        return tuple(_built(item, each, arrays) for item, each in zip(each_kind, value, strict=True))
    return value


LIMIT = 512 * 2**20
"""Maximum number of bytes in use: about 200,000 sentences of 20 words with their weights."""

_NAME = "translations-3"
"""File name with the version of the layout, so that programs with different layouts use different files."""


@dataclass(frozen=True)
class _Body:
    """``n_best``: how many hypotheses were asked for, which may be more than were found."""

    n_best: int
    translation: Translation


class Translations(Protocol):
    """Translations by search and source sentence, where answers are looked up by group and name."""

    def parts(self, group: str, names: Iterable[bytes], part: Part) -> dict[bytes, bytes]: ...

    def find(self, key: SearchKey, sources: Iterable[str]) -> dict[str, FinishedTranslation]:
        """Look up the best translation of each source, without tokens and weights."""
        names = {_bytes(source): source for source in sources}
        entries = self.parts(key.text(), names, "head")
        return {names[name]: from_json(FinishedTranslation, head) for name, head in entries.items()}

    def find_whole(self, key: SearchKey, source: str, n_best: int = 1) -> Translation | None:
        """Look up a translation with tokens, weights and ``n_best`` hypotheses; None if there is none with as many."""
        body = self.parts(key.text(), [_bytes(source)], "body").get(_bytes(source))
        found = from_bytes(_Body, body) if body else None
        if found is None or found.n_best < n_best:
            return None
        return replace(found.translation, hypotheses=found.translation.hypotheses[:n_best])


class TranslationCache(Store, Translations):
    """Cache of translations by search and source sentence, and of scores by model and pair. A fault of the file never
    makes a method fail, see ``Store``. With $JOINTLY_TRANSLATIONS = memory there is no file, and everything is lost
    when the program ends.

    Args:
        folder: folder of the file; None = the cache folder.
        limit: maximum number of bytes in use.
    """

    def __init__(self, folder: Path | None = None, limit: int = LIMIT) -> None:
        super().__init__(folder or cache_folder(), _NAME, limit, in_memory=not keeps_translations())

    def add(self, key: SearchKey, translations: Sequence[Translation], n_best: int = 1) -> list[FinishedTranslation]:
        """Store translations, and return them without tokens and weights.

        Existing translations stay if ``n_best`` is 1, and are replaced if it is more, since a longer list contains the
        shorter one. The translations are on disk when this returns.
        """
        finished = [finish(translation) for translation in translations]
        values: dict[bytes, StoredValue] = {}
        for each, short in zip(translations, finished, strict=True):
            values.setdefault(_bytes(each.source), translation_value(each, short, n_best))
        self.put(key.text(), values, replace=n_best > 1)
        return finished

    def find_scores(self, key: ScoreKey, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], FinishedScore]:
        """Look up cached scores, by source and target."""
        names = {_pair(*pair): pair for pair in pairs}
        entries = self.parts(key.text(), names, "head")
        return {names[name]: from_json(FinishedScore, head) for name, head in entries.items()}

    def add_scores(self, key: ScoreKey, scores: Sequence[FinishedScore]) -> None:
        """Store scores, without replacing existing ones. They are on disk when this returns."""
        values: dict[bytes, StoredValue] = {}
        for each in scores:
            values.setdefault(_pair(each.source, each.target), StoredValue(to_json(each)))
        self.put(key.text(), values)


def finish(translation: Translation) -> FinishedTranslation:
    """Reduce a translation to what tables and scores need."""
    best = translation.best
    measured = None if best.alignment is None else summary(best.alignment)
    return FinishedTranslation(
        source=translation.source,
        text=best.text,
        tokens=len(best.tokens),
        log_probability=best.log_probability,
        alignment=measured,
    )


def translation_value(translation: Translation, finished: FinishedTranslation, n_best: int = 1) -> StoredValue:
    """Write a translation that a model has made. ``n_best``: how many hypotheses were asked for. The value does
    not have the model's name, because a copy of the model under another name has the same key."""
    return StoredValue(to_json(finished), to_bytes(_Body(n_best, replace(translation, writer=None))))


def _bytes(text: str) -> bytes:
    """Encode as UTF-8, keeping lone surrogates, which a string may contain though no file can."""
    return text.encode("utf-8", "surrogatepass")


def _pair(source: str, target: str) -> bytes:
    return json.dumps([source, target]).encode()
