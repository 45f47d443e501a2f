"""Translations and scores as bytes for the store.

A translation has a head, which is all that tables and scores need, and a body, from which the whole record is rebuilt
without tokenising or decoding. The weights are float32 to the last bit: views and exports must be those of the search
itself, and half precision would change the third decimal. The bytes of the weights are grouped by
significance (first the lowest byte of every weight, and so on), so that zlib saves a third.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from nmt.cache.store import StoredValue
from nmt.results import (
    Alignment,
    AlignmentSummary,
    Encoded,
    FinishedScore,
    FinishedTranslation,
    Hypothesis,
    Translation,
)


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
