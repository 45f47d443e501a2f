"""The same minibatches for every system: random ids, made once, read by all workers from one file.

Ids run from 4 to K - 1, so that every system can keep its own marks below them. The arrays hold no marks: each
worker adds the end mark (and a start mark, where its model has one) to source and target.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FIRST_ID = 4
SENTENCES, PER_BATCH = 1_600, 80
SHORTEST, LONGEST = 5, 50


@dataclass(frozen=True, eq=False)
class Minibatch:
    """Ids without marks, int64 [B, longest], -1 where padded."""

    source: NDArray[np.int64]
    target: NDArray[np.int64]

    @property
    def target_tokens(self) -> int:
        """Target words and one end mark a sentence: what a model has to predict."""
        return int((self.target >= 0).sum()) + len(self.target)

    @property
    def source_tokens(self) -> int:
        return int((self.source >= 0).sum()) + len(self.source)


def make_minibatches(
    vocabulary: int, seed: int, sentences: int = SENTENCES, per_batch: int = PER_BATCH
) -> list[Minibatch]:
    """Sentence pairs of uniformly drawn lengths, sorted by target and then source length, and split."""
    rng = np.random.default_rng(seed)
    source = rng.integers(SHORTEST, LONGEST, sentences, endpoint=True)
    near = source + rng.integers(-3, 3, sentences, endpoint=True)  # a translation is about as long
    target = np.clip(near, SHORTEST, LONGEST)
    order = np.lexsort((source, target))
    batches = []
    for i in range(0, sentences, per_batch):
        chosen = order[i : i + per_batch]
        batches.append(Minibatch(_ids(rng, source[chosen], vocabulary), _ids(rng, target[chosen], vocabulary)))
    return batches


def _ids(rng: np.random.Generator, lengths: NDArray[np.int64], vocabulary: int) -> NDArray[np.int64]:
    ids = rng.integers(FIRST_ID, vocabulary, (len(lengths), int(lengths.max())))
    ids[np.arange(ids.shape[1]) >= lengths[:, None]] = -1
    return ids


def save_minibatches(path: Path, batches: list[Minibatch]) -> None:
    arrays = {}
    for number, batch in enumerate(batches):
        arrays[f"source{number}"], arrays[f"target{number}"] = batch.source, batch.target
    np.savez(path, allow_pickle=False, **arrays)


def load_minibatches(path: Path) -> list[Minibatch]:
    with np.load(path) as arrays:
        return [
            Minibatch(arrays[f"source{number}"], arrays[f"target{number}"]) for number in range(len(arrays.files) // 2)
        ]


def sentences_to_translate(vocabulary: int, seed: int, number: int, words: int) -> NDArray[np.int64]:
    """Sources of equal length for decoding, ids [number, words]; no marks."""
    return np.random.default_rng(seed).integers(FIRST_ID, vocabulary, (number, words))
