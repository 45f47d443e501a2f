"""Translations and scores by key. One file in the cache folder has the entries of all runs and settings.

A translation has a head for tables and scores, and a body: its record (docs/formats.md) and the ids of its tokens. So
nothing need be tokenised or decoded again.

Heads and bodies are JSON, and zlib compresses bodies. Weights have as many digits as float32 needs, so that views and
exports of a stored translation equal those of a new translation."""

import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast, get_args, get_origin

import numpy as np

from nmt.alignments.measures import summary
from nmt.answers.keys import SearchKey
from nmt.answers.store import Part, Store, StoredValue, keeps_translations
from nmt.files import cache_folder
from nmt.records import plain_type
from nmt.results import FinishedScore, FinishedTranslation, Translation
from nmt.results.alignment import shortest
from nmt.results.record import SentenceRecord, Share

Record = TypeVar("Record")


def to_json(record: object) -> bytes:
    """Write a record of nested dataclasses, tuples, numbers, texts and float32 arrays."""
    return json.dumps(record, default=_plain, separators=(",", ":")).encode()


def from_json(cls: type[Record], data: bytes) -> Record:
    """Read a record that ``to_json`` has written."""
    return cast(Record, _built(cls, json.loads(data)))


def to_bytes(record: object) -> bytes:
    """Write a record as compressed JSON."""
    return zlib.compress(to_json(record))


def from_bytes(cls: type[Record], data: bytes) -> Record:
    """Read a record that ``to_bytes`` has written."""
    return from_json(cls, zlib.decompress(data))


def _plain(value: Any) -> Any:
    """Convert a value of a type that JSON lacks. An array becomes its shape and its numbers, a dataclass its fields."""
    if isinstance(value, np.ndarray):
        return [value.shape, shortest(value.ravel())]
    if isinstance(value, np.generic):
        return value.item()
    return {field.name: getattr(value, field.name) for field in fields(value)}


def _built(kind: Any, value: Any) -> Any:
    """Convert a value read from the JSON of ``to_json`` back to the type ``kind``."""
    if value is None:
        return None
    if isinstance(value, dict):
        return kind(**{name: _built(plain_type(kind, name), entry) for name, entry in value.items()})
    if isinstance(value, list):
        if get_origin(kind) is np.ndarray:
            shape, numbers = value
            return np.array(numbers, np.float32).reshape(shape)
        items = get_args(kind)
        if items == (Share, ...):
            return tuple(value)
        each_kind = items[:1] * len(value) if items[-1] is ... or get_origin(kind) is not tuple else items
        return tuple(_built(item, entry) for item, entry in zip(each_kind, value, strict=True))
    return value


LIMIT = 512 * 2**20
"""Maximum number of bytes in use: about 170,000 sentences of 20 words with their weights."""

_NAME = "translations-4"
"""File name with the version of the layout, so that programs with different layouts use different files."""


@dataclass(frozen=True, kw_only=True)
class _Body:
    """The stored body of a translation.

    Attributes:
        n_best: requested number of hypotheses. The search may have found fewer.
        ids: ids of the source, then of each hypothesis. () for a text whose ids are unknown.
        record: the sentence's record without the model's name. Copies of a model under other names have the same
            ``SearchKey``, so they share this entry.
    """

    n_best: int
    ids: tuple[tuple[int, ...], ...]
    unk_in_beam: bool
    record: SentenceRecord


class Translations(Protocol):
    """Translations by search key and source sentence. ``parts`` looks up values by group and name."""

    def parts(self, group: str, names: Iterable[bytes], part: Part) -> dict[bytes, bytes]: ...

    def find(self, key: SearchKey, sources: Iterable[str]) -> dict[str, FinishedTranslation]:
        """Look up the best translation of each source, without tokens and weights. The result lacks unknown sources."""
        names = {_bytes(source): source for source in sources}
        entries = self.parts(key.text(), names, "head")
        return {names[name]: from_json(FinishedTranslation, head) for name, head in entries.items()}

    def find_whole(self, key: SearchKey, source: str, n_best: int = 1) -> Translation | None:
        """Look up ``n_best`` hypotheses with tokens and weights. None if no search for as many or more is stored."""
        body = self.parts(key.text(), [_bytes(source)], "body").get(_bytes(source))
        stored = from_bytes(_Body, body) if body else None
        if stored is None or stored.n_best < n_best:
            return None
        return Translation.of_record(stored.record, stored.ids, stored.unk_in_beam, n_best)


class TranslationCache(Store, Translations):
    """A cache of translations by search and source sentence, and of scores by model and pair. No fault of the file
    makes a method fail (``Store``). If $JOINTLY_TRANSLATIONS is "memory", there is no file, and all values are lost
    when the program ends."""

    def __init__(self, folder: Path | None = None, limit: int = LIMIT) -> None:
        super().__init__(folder or cache_folder(), _NAME, limit, in_memory=not keeps_translations())

    def add(self, key: SearchKey, translations: Sequence[Translation], n_best: int = 1) -> list[FinishedTranslation]:
        """Store translations, and return them without tokens and weights.

        If ``n_best`` is 1, existing translations stay. If it is more, they are replaced, because a longer list contains
        the shorter list. The translations are on disk when this returns.
        """
        finished = [finish(translation) for translation in translations]
        values: dict[bytes, StoredValue] = {}
        for translation, short in zip(translations, finished, strict=True):
            values.setdefault(_bytes(translation.source), translation_value(translation, short, n_best))
        self.put(key.text(), values, replace=n_best > 1)
        return finished

    def find_scores(self, key: str, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], FinishedScore]:
        """Look up cached scores by source and target. The result lacks pairs without a score."""
        names = {_pair(*pair): pair for pair in pairs}
        entries = self.parts(key, names, "head")
        return {names[name]: from_json(FinishedScore, head) for name, head in entries.items()}

    def add_scores(self, key: str, scores: Sequence[FinishedScore]) -> None:
        """Store scores. Existing scores stay. The new scores are on disk when this returns."""
        values: dict[bytes, StoredValue] = {}
        for score in scores:
            values.setdefault(_pair(score.source, score.target), StoredValue(to_json(score)))
        self.put(key, values)


def finish(translation: Translation) -> FinishedTranslation:
    """Reduce a translation to its head, for tables and scores."""
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
    """Convert a model's translation to a value of the store. ``n_best``: requested number of hypotheses."""
    encoded = (translation.encoded, *(side.encoded for side in translation.hypotheses))
    ids = tuple(() if side is None else side.ids for side in encoded)
    record = replace(translation, writer=None).record(exact=True)
    return StoredValue(
        to_json(finished), to_bytes(_Body(n_best=n_best, ids=ids, unk_in_beam=translation.unk_in_beam, record=record))
    )


def _bytes(text: str) -> bytes:
    """Encode as UTF-8, also lone surrogates, which a string may contain."""
    return text.encode("utf-8", "surrogatepass")


def _pair(source: str, target: str) -> bytes:
    return json.dumps([source, target]).encode()
