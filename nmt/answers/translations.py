"""Translations and scores by key: those on disk, for all runs and settings, in one file in the cache folder.

A translation has a head, which is all that tables and scores need, and a body, from which the whole record is rebuilt
without tokenising or decoding.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from nmt.alignments.measures import summary
from nmt.answers.keys import ScoreKey, SearchKey
from nmt.answers.records import from_bytes, from_json, to_bytes, to_json
from nmt.answers.store import Store, StoredValue, cache_folder, keeps_translations
from nmt.results import FinishedScore, FinishedTranslation, Translation

LIMIT = 512 * 2**20
"""Maximum number of bytes in use: about 200,000 sentences of 20 words with their weights."""

_NAME = "translations-3"
"""File name with the version of the layout, so that programs with different layouts use different files."""


class Layer(Protocol):
    """Where answers are looked up: their heads and bodies by group and name."""

    def heads(self, group: str, names: Iterable[bytes]) -> Mapping[bytes, bytes]: ...
    def bodies(self, group: str, names: Iterable[bytes]) -> Mapping[bytes, bytes]: ...


@dataclass(frozen=True)
class _Body:
    """``n_best``: how many hypotheses were asked for, which may be more than were found."""

    n_best: int
    translation: Translation


class Translations:
    """Translations of a layer, by search and source sentence."""

    def __init__(self, layer: Layer) -> None:
        self._layer = layer

    def find(self, key: SearchKey, sources: Iterable[str]) -> dict[str, FinishedTranslation]:
        """Look up the best translation of each source, without tokens and weights."""
        names = {_bytes(source): source for source in sources}
        entries = self._layer.heads(key.text(), names)
        return {names[name]: from_json(FinishedTranslation, head) for name, head in entries.items()}

    def find_whole(self, key: SearchKey, source: str, n_best: int = 1) -> Translation | None:
        """Look up a translation with tokens, weights and ``n_best`` hypotheses; None if there is none with as many."""
        body = self._layer.bodies(key.text(), [_bytes(source)]).get(_bytes(source))
        found = from_bytes(_Body, body) if body else None
        if found is None or found.n_best < n_best:
            return None
        return replace(found.translation, hypotheses=found.translation.hypotheses[:n_best])


class TranslationCache(Translations):
    """Cache of translations by search and source sentence, and of scores by model and pair. A fault of the file never
    makes a method fail, see ``Store``. With $JOINTLY_TRANSLATIONS = memory there is no file, and everything is lost
    when the program ends.

    Args:
        folder: folder of the file; None = the cache folder.
        limit: maximum number of bytes in use.
    """

    def __init__(self, folder: Path | None = None, limit: int = LIMIT) -> None:
        self._store = Store(folder or cache_folder(), _NAME, limit, in_memory=not keeps_translations())
        super().__init__(self._store)

    @property
    def path(self) -> Path:
        """The file."""
        return self._store.path

    @property
    def problem(self) -> str:
        """Fault of the file, in one sentence; "" if there is none."""
        return self._store.problem

    def add(self, key: SearchKey, translations: Sequence[Translation], n_best: int = 1) -> list[FinishedTranslation]:
        """Store translations, and return them without tokens and weights.

        Existing translations stay if ``n_best`` is 1, and are replaced if it is more, since a longer list contains the
        shorter one. The translations are on disk when this returns.
        """
        finished = [finish(translation) for translation in translations]
        values: dict[bytes, StoredValue] = {}
        for each, short in zip(translations, finished, strict=True):
            values.setdefault(_bytes(each.source), translation_value(each, short, n_best))
        self._store.put(key.text(), values, replace=n_best > 1)
        return finished

    def find_scores(self, key: ScoreKey, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], FinishedScore]:
        """Look up cached scores, by source and target."""
        names = {_pair(*pair): pair for pair in pairs}
        entries = self._store.heads(key.text(), names)
        return {names[name]: from_json(FinishedScore, head) for name, head in entries.items()}

    def add_scores(self, key: ScoreKey, scores: Sequence[FinishedScore]) -> None:
        """Store scores, without replacing existing ones. They are on disk when this returns."""
        values: dict[bytes, StoredValue] = {}
        for each in scores:
            values.setdefault(_pair(each.source, each.target), StoredValue(to_json(each)))
        self._store.put(key.text(), values)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        self._store.close()


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
    """Write a translation that a model has made. ``n_best``: how many hypotheses were asked for."""
    return StoredValue(to_json(finished), to_bytes(_Body(n_best, translation)))


def _bytes(text: str) -> bytes:
    """Encode as UTF-8, keeping lone surrogates, which a string may contain though no file can."""
    return text.encode("utf-8", "surrogatepass")


def _pair(source: str, target: str) -> bytes:
    return json.dumps([source, target]).encode()
