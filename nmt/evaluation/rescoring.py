"""Re-ranking of n-best lists in Moses' format by a log-linear model, whose weights are tuned for BLEU.

    log p(y | x) = sum_n w_n f_n(x, y) + log Z(x)

The best candidate of a sentence has the largest sum, so Z is not needed. Minimum error rate training (Och 2003) tunes
the weights for BLEU on a development set, one feature at a time. The sum of a candidate is a linear function of the
feature's weight. The best candidate changes at the corners of the upper envelope of these lines. BLEU is constant
between corners, so the best weight is found exactly. Cho et al. 2014, eq. 9, have such a model. The paper does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from nmt.errors import InputError
from nmt.evaluation.concatenation import bleu_counts
from nmt.evaluation.metrics import bleu_of_each
from nmt.results.statistics import Counts, Floats

_BETWEEN = " ||| "
_OF_WORDS = re.compile(r"\d+-\d+(?: \d+-\d+)*|WordScores=.*|[\d.e-]+(?:,[\d.e-]+)+(?: [\d.e-]+(?:,[\d.e-]+)*)*|")
"""Fields that Marian writes before the features: links, scores of words, soft alignments, and an empty field."""
_STARTS = 6
"""Number of random weights from which tuning begins, besides each feature alone and all features alike."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Candidates:
    """Candidate translations of sentences. The candidates of a sentence are adjacent. ``sentences``: index of each
    candidate's sentence, from 0, [H]. ``features``: values of the features, [H, F]."""

    sentences: Counts
    texts: tuple[str, ...]
    names: tuple[str, ...]
    features: Floats

    def with_features(self, more: Mapping[str, Floats]) -> Candidates:
        """Add features by name, [H] each. Raises InputError for a name that the list has already."""
        if taken := set(self.names) & more.keys():
            raise InputError(f"the list has a feature {min(taken)} already")
        features = np.column_stack([self.features, *more.values()])
        return replace(self, names=(*self.names, *more), features=features)

    def without(self, name: str) -> Candidates:
        """Leave a feature out."""
        columns = [k for k, feature in enumerate(self.names) if feature != name]
        return replace(self, names=tuple(self.names[k] for k in columns), features=self.features[:, columns])

    def ranked(self, weights: Floats) -> Counts:
        """Indices of all candidates, by sentence, and within a sentence from the largest sum to the smallest. Equal
        candidates stay in order. [F] -> [H]"""
        return np.lexsort((np.arange(len(self.texts)), -(self.features @ weights), self.sentences))

    def completed(self, sentences: int) -> Candidates:
        """Add a blank candidate, with the mean features of all candidates, for each sentence without candidates."""
        missing = np.setdiff1d(np.arange(sentences), self.sentences)
        numbers = np.concatenate([self.sentences, missing])
        order = np.argsort(numbers, kind="stable")
        means = np.repeat(self.features.mean(axis=0, keepdims=True), len(missing), axis=0)
        texts = (*self.texts, *[""] * len(missing))
        return replace(
            self,
            sentences=numbers[order],
            texts=tuple(texts[k] for k in order),
            features=np.concatenate([self.features, means])[order],
        )

    def best(self, weights: Floats) -> Counts:
        """Index of the best candidate of each sentence that has candidates, in order of the sentences."""
        ranked = self.ranked(weights)
        return ranked[np.unique(self.sentences[ranked], return_index=True)[1]]

    def lines(self, weights: Floats) -> Iterator[str]:
        """Write the list in Moses' format, best first, with all features and the sum."""
        sums = self.features @ weights
        for k in self.ranked(weights).tolist():
            features = " ".join(
                f"{name}= {value:.6f}" for name, value in zip(self.names, self.features[k].tolist(), strict=True)
            )
            yield _BETWEEN.join((str(self.sentences[k]), self.texts[k], features, f"{sums[k]:.6f}"))


def read_n_best(lines: Iterable[str], path: str) -> Candidates:
    """Read the lines of a list in Moses' format: ``sentence ||| candidate ||| features ||| …``. The features are
    ``name= value …``, or values alone, which are called ``given``. The second value of a name is ``name_2``. The output
    of ``translate --n-best`` has this format. Marian's links and scores of words are left out.

    InputError if there are no candidates. InputError names a line that does not have this format, or not the features
    of the first line. It also names a line whose sentence number is negative or out of order.
    """
    names: tuple[str, ...] = ()
    sentences: list[int] = []
    texts, rows = [], []
    for number, line in enumerate(lines, start=1):
        fields = [field.strip() for field in line.split("|||")]
        try:
            features = next(field for field in fields[2:] if not _OF_WORDS.fullmatch(field))
            sentence, text, values = int(fields[0]), fields[1], _features(features)
        except (IndexError, ValueError, StopIteration):
            raise InputError(
                f"{path}, line {number} is not `number ||| candidate ||| name= value … ||| …`, as Moses writes it"
            ) from None
        names = names or tuple(values)
        if tuple(values) != names or not names:
            raise InputError(f"{path}, line {number} has other features than the first line")
        if sentence < 0 or (sentences and sentence < sentences[-1]):
            raise InputError(f"{path}, line {number}: sentences must be numbered from 0, in order")
        sentences.append(sentence)
        texts.append(text)
        rows.append([*values.values()])
    if not rows:
        raise InputError(f"{path} has no candidates")
    return Candidates(sentences=np.array(sentences), texts=tuple(texts), names=names, features=np.array(rows))


def _features(field: str) -> dict[str, float]:
    """The values of a line by name. Raises ValueError for a repeated name or a value that is no finite number."""
    values: dict[str, float] = {}
    name, count = "given", 0
    for word in field.split():
        if word.endswith("="):
            name, count = word.removesuffix("="), 0
            continue
        count += 1
        key = name if count == 1 else f"{name}_{count}"
        if key in values or not np.isfinite(value := float(word)):
            raise ValueError(word)
        values[key] = value
    return values


@dataclass(frozen=True, eq=False)
class Tuning:
    """Tuned weights, [F], and the BLEU of the candidates that they choose."""

    weights: Floats
    bleu: float


def candidate_counts(candidates: Candidates, references: Sequence[Sequence[str]], tokeniser: str) -> Counts:
    """Sufficient statistics of BLEU for each candidate, [H, 10]. ``references``: columns with one line per sentence."""
    chosen, *more = ([column[sentence] for sentence in candidates.sentences.tolist()] for column in references)
    return bleu_counts(candidates.texts, chosen, tokeniser, more)


def bleu_of(candidates: Candidates, counts: Counts, weights: Floats) -> float:
    """BLEU of the best candidates."""
    return float(bleu_of_each(counts[candidates.best(weights)].sum(axis=0).astype(float)))


def tune(candidates: Candidates, counts: Counts, seed: int = 1) -> Tuning:
    """Find weights with a high BLEU: from several starts, improve the weight of one feature after the other until BLEU
    no longer rises. The same seed gives the same weights."""
    scale = candidates.features.std(axis=0)
    scale = np.where(scale > 0, scale, 1)
    scaled = replace(candidates, features=candidates.features / scale)
    count = len(candidates.names)
    starts = [*np.eye(count), np.ones(count), *np.random.default_rng(seed).uniform(-0.2, 1, (_STARTS, count))]
    tunings = [_climb(scaled, counts, start) for start in starts]
    best = max(tunings, key=lambda tuning: tuning.bleu)
    return Tuning(best.weights / scale, bleu_of(candidates, counts, best.weights / scale))


def _climb(candidates: Candidates, counts: Counts, weights: Floats) -> Tuning:
    bleu = bleu_of(candidates, counts, weights)
    while True:
        before = bleu
        for direction in np.eye(len(weights)):
            step = line_search(candidates, counts, weights, direction)
            moved = weights + step * direction
            value = bleu_of(candidates, counts, moved)
            if value > bleu + 1e-9:
                weights, bleu = moved / np.abs(moved).max(), value
        if bleu <= before + 1e-9:
            return Tuning(weights, bleu)


def line_search(candidates: Candidates, counts: Counts, weights: Floats, direction: Floats) -> float:
    """Return an x for which the weights ``weights + x * direction`` have the highest BLEU. It lies midway between two
    corners or 1 beyond all corners. 0 without corners."""
    heights, slopes = candidates.features @ weights, candidates.features @ direction
    total, corners, changes = np.zeros(counts.shape[1]), [], []
    first = np.unique(candidates.sentences, return_index=True)[1]
    order = np.lexsort((heights, slopes, candidates.sentences)).tolist()
    for begin, end in zip(first.tolist(), [*first[1:].tolist(), len(order)], strict=True):
        envelope: list[tuple[int, float]] = []  # candidates from left to right, each with the x where it begins
        for k in order[begin:end]:
            x = -np.inf
            while envelope:
                j, since = envelope[-1]
                gap = slopes[k] - slopes[j]
                x = (heights[j] - heights[k]) / gap if gap > 0 else -np.inf
                if x > since:
                    break
                envelope.pop()
            envelope.append((k, x if envelope else -np.inf))
        total += counts[envelope[0][0]]
        for (j, _), (k, x) in pairwise(envelope):
            corners.append(x)
            changes.append(counts[k] - counts[j])
    if not corners:
        return 0.0
    by_place = np.argsort(corners, kind="stable")
    places = np.array(corners)[by_place]
    sums = np.vstack([total, total + np.cumsum(np.array(changes)[by_place], axis=0)])
    edges = np.concatenate([[places[0] - 2], places, [places[-1] + 2]])
    wide = np.diff(edges) > 1e-9 * (1 + np.abs(edges[1:]))
    best = int(np.argmax(np.where(wide, bleu_of_each(sums.T), -1)))
    return float((edges[best] + edges[best + 1]) / 2)
