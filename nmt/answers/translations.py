"""Translations and scores on disk, for all runs and settings: one file in the cache folder."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nmt.alignments.measures import summary
from nmt.answers.keys import ScoreKey, SearchKey
from nmt.answers.store import Store, StoredValue, cache_folder, keeps_translations
from nmt.results import (
    Alignment,
    AlignmentSummary,
    Encoded,
    FinishedScore,
    FinishedTranslation,
    Hypothesis,
    Translation,
)

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


def translation_value(translation: Translation, finished: FinishedTranslation, n_best: int) -> StoredValue:
    """Write a translation. ``n_best``: how many hypotheses were asked for, which may be more than were found."""
    assert translation.encoded is not None, "only what a model wrote is stored"
    texts = {
        "n_best": n_best,
        "source": _encoded_to_list(translation.encoded),
        "hypotheses": [_hypothesis_to_list(hypothesis) for hypothesis in translation.hypotheses],
    }
    weights = [each.alignment.weights for each in translation.hypotheses if each.alignment is not None]
    numbers = np.concatenate([w.ravel() for w in weights]) if weights else np.zeros(0, np.float32)
    planes = np.ascontiguousarray(numbers, dtype="<f4").view(np.uint8).reshape(-1, 4).T.tobytes()
    text = json.dumps(texts).encode()
    body = zlib.compress(len(text).to_bytes(8, "little") + text + planes)
    summary = finished.alignment
    measured = None if summary is None else [summary.entropy, summary.least_coverage, summary.mean_coverage]
    return StoredValue(json.dumps([finished.text, finished.tokens, finished.log_probability, measured]).encode(), body)


def read_finished(source: str, head: bytes) -> FinishedTranslation:
    """Read the head of a translation."""
    text, tokens, log_probability, measured = json.loads(head)
    return FinishedTranslation(
        source=source,
        text=text,
        tokens=tokens,
        log_probability=log_probability,
        alignment=AlignmentSummary(*measured) if measured else None,
    )


def read_translation(source: str, body: bytes, n_best: int) -> Translation | None:
    """Read the ``n_best`` hypotheses of a translation; None if fewer were asked for when it was made."""
    data = zlib.decompress(body)
    end = 8 + int.from_bytes(data[:8], "little")
    texts = json.loads(data[8:end])
    if texts["n_best"] < n_best:
        return None
    planes = np.frombuffer(data, np.uint8, offset=end).reshape(4, -1)
    weights = np.ascontiguousarray(planes.T).view("<f4").ravel()
    encoded = _encoded(texts["source"])
    hypotheses = []
    for entry in texts["hypotheses"][:n_best]:
        cells = len(entry[1][0]) * len(encoded.ids) if len(weights) else 0
        hypotheses.append(_hypothesis(entry, encoded, weights[:cells]))
        weights = weights[cells:]
    return Translation(source, tuple(hypotheses), encoded.unknown, encoded=encoded)


def score_value(score: FinishedScore) -> StoredValue:
    """Write a score."""
    return StoredValue(json.dumps([score.tokens, score.log_probability]).encode())


def read_score(source: str, target: str, head: bytes) -> FinishedScore:
    """Read a score."""
    tokens, log_probability = json.loads(head)
    return FinishedScore(source=source, target=target, tokens=tokens, log_probability=log_probability)


def _encoded_to_list(encoded: Encoded) -> list[Sequence[Any]]:
    return [encoded.ids, encoded.tokens, encoded.words, encoded.unknown]


def _encoded(entry: Sequence[Sequence[Any]]) -> Encoded:
    ids, tokens, words, unknown = entry
    return Encoded(ids=tuple(ids), tokens=tuple(tokens), words=tuple(words), unknown=tuple(unknown))


def _hypothesis_to_list(hypothesis: Hypothesis) -> list[Any]:
    assert hypothesis.encoded is not None, "only what a model wrote is stored"
    values = hypothesis.token_log_probabilities
    return [
        hypothesis.text,
        _encoded_to_list(hypothesis.encoded),
        hypothesis.log_probability,
        hypothesis.score,
        [float(value) for value in values],
    ]


def _hypothesis(entry: Sequence[Any], source: Encoded, weights: Any) -> Hypothesis:
    text, written, log_probability, score, values = entry
    target = _encoded(written)
    alignment = None
    if len(weights):
        table = weights.reshape(len(target.ids), len(source.ids))
        alignment = Alignment(
            source=source.tokens,
            target=target.tokens,
            weights=table,
            source_words=source.words,
            target_words=target.words,
        )
    return Hypothesis(
        text=text,
        tokens=target.tokens,
        log_probability=log_probability,
        score=score,
        token_log_probabilities=tuple(values),
        alignment=alignment,
        encoded=target,
    )
