"""Translations and scores on disk, for all runs and settings: one file in the cache folder."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from nmt.alignments.measures import summary
from nmt.cache.folder import cache_folder, keeps_translations
from nmt.cache.keys import ScoreKey, SearchKey
from nmt.cache.records import read_finished, read_score, read_translation, score_value, translation_value
from nmt.cache.store import Store, StoredValue
from nmt.results import FinishedScore, FinishedTranslation, Translation

LIMIT = 512 * 2**20
"""Maximum number of bytes in use: about 250,000 sentences of 20 words with their weights."""

_NAME = "translations-2"
"""File name with the version of the layout, so that programs with different layouts use different files."""


class TranslationCache:
    """Cache of translations by search and source sentence, and of scores by model and pair. A fault of the file never
    makes a method fail, see ``Store``. With $JOINTLY_TRANSLATIONS = memory there is no file, and everything is lost
    when the program ends.

    Args:
        folder: folder of the file; None = the cache folder.
        limit: maximum number of bytes in use.
    """

    def __init__(self, folder: Path | None = None, limit: int = LIMIT) -> None:
        self._store = Store(folder or cache_folder(), _NAME, limit, in_memory=not keeps_translations())

    @property
    def path(self) -> Path:
        """The file."""
        return self._store.path

    @property
    def problem(self) -> str:
        """Fault of the file, in one sentence; "" if there is none."""
        return self._store.problem

    def find(self, key: SearchKey, sources: Iterable[str]) -> dict[str, FinishedTranslation]:
        """Look up the best translation of each source, without tokens and weights."""
        names = {_bytes(source): source for source in sources}
        entries = self._store.heads(key.text(), names)
        return {names[name]: read_finished(names[name], head) for name, head in entries.items()}

    def find_whole(self, key: SearchKey, source: str, n_best: int = 1) -> Translation | None:
        """Look up a translation with tokens, weights and ``n_best`` hypotheses; None if there is none with as many."""
        body = self._store.bodies(key.text(), [_bytes(source)]).get(_bytes(source))
        return None if body is None else read_translation(source, body, n_best)

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
        return {names[name]: read_score(*names[name], head) for name, head in entries.items()}

    def add_scores(self, key: ScoreKey, scores: Sequence[FinishedScore]) -> None:
        """Store scores, without replacing existing ones. They are on disk when this returns."""
        values: dict[bytes, StoredValue] = {}
        for each in scores:
            values.setdefault(_pair(each.source, each.target), score_value(each))
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


def _bytes(text: str) -> bytes:
    """Encode as UTF-8, keeping lone surrogates, which a string may contain though no file can."""
    return text.encode("utf-8", "surrogatepass")


def _pair(source: str, target: str) -> bytes:
    return json.dumps([source, target]).encode()
