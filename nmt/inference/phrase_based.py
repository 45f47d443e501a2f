"""A phrase-based system (Koehn, Och and Marcu 2003), stored in one file: phrase pairs with scores, and trigrams.

    score(y | x) = log p(y) + sum_k s(x_k, y_k)

The source is split into phrases x_1 x_2 ..., and the translation is y_1 y_2 ..., in the same order. p(y) is a trigram
model with back-off. s is the weighted sum of a phrase pair's scores in the phrase table, divided by the weight of
log p(y). A word without a phrase is copied. `experiments phrase-based pack` writes the file.

Paper: 4.2, Table 1 (the row of Moses)
"""

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nmt.data.text import Tokenizer
from nmt.errors import InputError
from nmt.records import as_record, parse_object
from nmt.results.record import SEGMENTATION, System, Tokens, WeightMap
from nmt.runs.checksums import check_files
from nmt.runs.folder import LanguageCode, opened_weights
from nmt.texts import say

PHRASES = "phrases.safetensors"
"""Name of the file in the folder of a system."""
KIND = "phrase-based"
UNKNOWN, END = 0, 1
"""Id of all target words without n-grams, and id of the end of a sentence. The last id stands for its beginning."""
STACK, WIDTH = 20, 10.0
"""Most hypotheses that translate an equal number of source words, and how far their scores may lie below the best."""
MOST_BYTES = 64_000_000
"""Largest size of a file, in bytes."""
_BITS = 16

Ids = tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class About:
    """The header of the file. phrase_scores, log_p, back_off: numbers a and b for the file's array of this name: its
    code c means a + b c. copied: score of a copied word."""

    source_language: LanguageCode
    target_language: LanguageCode
    phrase_scores: tuple[float, float]
    log_p: tuple[float, float]
    back_off: tuple[float, float]
    copied: float


class Tree:
    """A tree of sequences of ids below 65,536, by number: first the empty sequence, 0, last the longest. ValueError for
    arrays that do not fit.

    Args:
        roots: number of ids. Each is a sequence of length 1.
        words: the last id of each sequence of two or more ids.
        children: number of children of sequences 1, 2, …. Sequences beyond its end have no children.

    >>> tree = Tree(3, np.array([1, 0, 2]), np.array([1, 0, 2]))
    >>> [tree.find(ids) for ids in ((), (2,), (0, 1), (2, 0), (2, 2), (1, 1))]
    [0, 3, 4, 5, 6, None]
    """

    def __init__(self, roots: int, words: NDArray[np.integer], children: NDArray[np.integer]) -> None:
        counts = np.concatenate([[roots], children.astype(np.int64)])
        parents = np.repeat(np.arange(len(counts)), counts).astype(np.uint64)
        last = np.concatenate([np.arange(roots, dtype=np.uint64), words.astype(np.uint64)])
        if len(parents) != len(last) or (parents > np.arange(len(last))).any():
            raise ValueError("children")
        keys = parents << np.uint64(_BITS) | last
        if (keys[1:] <= keys[:-1]).any():
            raise ValueError("order")
        self.size, self.begun = len(last) + 1, int(counts[: roots + 1].sum()) + 1
        self._keys = memoryview(keys)

    def child(self, node: int, word: int) -> int | None:
        """Number of sequence ``node`` with ``word`` appended. None if the tree lacks it."""
        key = node << _BITS | word
        at = bisect_left(self._keys, key)
        return at + 1 if at < len(self._keys) and self._keys[at] == key else None

    def find(self, ids: Ids) -> int | None:
        """Number of the sequence ``ids``. None if the tree lacks it."""
        node: int | None = 0
        for word in ids:
            if node is not None:
                node = self.child(node, word)
        return node


@dataclass(frozen=True, kw_only=True, slots=True)
class Phrase:
    """A target phrase, ``ids`` and ``words``, that translates the source words ``first`` to ``last`` - 1, from 0.
    ``score``: the part of its score that does not depend on words before the phrase."""

    first: int
    last: int
    ids: Ids
    words: tuple[str, ...]
    score: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Derivation:
    """The beginning of a translation. phrase: its last phrase. before: the beginning without this phrase. state: the
    last two target ids."""

    score: float
    state: Ids
    phrase: Phrase | None = None
    before: "Derivation | None" = None

    def phrases(self) -> list[Phrase]:
        """All phrases, from the first to the last."""
        phrases, now = [], self
        while now.phrase is not None and now.before is not None:
            phrases.append(now.phrase)
            now = now.before
        return phrases[::-1]


@dataclass(frozen=True, kw_only=True, eq=False)
class PhraseBased:
    """A phrase-based system. Safe to share between threads.

    Attributes:
        about: languages and scales.
        source, target: words by id.
        phrases: tree of source phrases.
        choices: [S], index of the first target phrase of each source phrase. Entry 0 belongs to the empty phrase.
        starts: [P + 1], index of the first id of each target phrase.
        ids: ids of all target phrases.
        scores: [P], s of each target phrase.
        ngrams: tree of n-grams, n up to 3.
        log_p: log-probability of the last word of each n-gram after its other words, in nats.
        back_off: for each n-gram of up to two words, log-weight of a word that was not seen after it.
    """

    name: str
    about: About
    source: Sequence[str]
    target: Sequence[str]
    phrases: Tree
    choices: NDArray[np.int64]
    starts: NDArray[np.int64]
    ids: NDArray[np.integer]
    scores: NDArray[np.float32]
    ngrams: Tree
    log_p: NDArray[np.float32]
    back_off: NDArray[np.float32]
    _source: dict[str, int] = field(init=False)
    _target: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        for name in ("source", "target"):
            object.__setattr__(self, f"_{name}", {word: id for id, word in enumerate(getattr(self, name))})

    def translate(self, sentence: str) -> System | None:
        """Translate a sentence. None for a blank sentence. The record's map links each word of a target phrase with
        each word of its source phrase."""
        words = Tokenizer(self.about.source_language).tokenize(sentence)
        return self.record(words, self.search(words)[0]) if words else None

    def search(self, words: Sequence[str], stack: int = STACK, width: float = WIDTH) -> list[Derivation]:
        """The best derivations, best first. Of the derivations that translate equally many source words and end in the
        same state, only the best goes on. stack, width: as for ``STACK`` and ``WIDTH``."""
        read = _Reading(self)
        by_end = [list(read.choices(words, last)) for last in range(len(words) + 1)]
        stacks = [[Derivation(score=0.0, state=(len(self.target) - 1,))]]
        for last in range(1, len(words) + 1):
            best: dict[Ids, Derivation] = {}
            least = -math.inf
            for phrase in by_end[last]:
                for before in stacks[phrase.first]:
                    score, state = before.score + phrase.score, before.state
                    if score < least:
                        break  # no log p is above 0, and all further derivations score less
                    for id in phrase.ids[:2]:
                        score += read.log_p(state, id)
                        state = (*state[-1:], id)
                    state = (*state, *phrase.ids[2:])[-2:]
                    least = max(least, score - width)
                    if score >= least and (state not in best or score > best[state].score):
                        best[state] = Derivation(score=score, state=state, phrase=phrase, before=before)
            ranked = sorted(best.values(), key=lambda each: -each.score)
            stacks.append([now for now in ranked[:stack] if now.score >= least])
        whole = [replace(d, score=d.score + read.log_p(d.state, END)) for d in stacks[-1]]
        return sorted(whole, key=lambda each: -each.score)

    def record(self, source: Sequence[str], best: Derivation) -> System:
        """Make this system's entry in a sentence's record from the best derivation."""
        phrases = best.phrases()
        target = tuple(word for phrase in phrases for word in phrase.words)
        rows = []
        for phrase in phrases:
            share = round(1 / (phrase.last - phrase.first), 6)
            row = tuple(share * (phrase.first <= j < phrase.last) for j in range(len(source)))
            rows += [row] * len(phrase.words)
        copied = tuple(phrase.words[0] for phrase in phrases if phrase.ids == (UNKNOWN,))
        return System(
            name=self.name,
            kind=KIND,
            language=self.about.target_language,
            text=Tokenizer(self.about.target_language).detokenize(target),
            source=Tokens(tokens=tuple(source), words=tuple(range(len(source))), unknown=copied),
            target=Tokens(tokens=target, words=tuple(range(len(target)))),
            score=best.score,
            maps=(WeightMap(kind=SEGMENTATION, weights=tuple(rows)),),
        )


class _Reading:
    """Lookups in a system for one sentence, with a cache."""

    def __init__(self, system: PhraseBased) -> None:
        self._system = system
        self._nodes: dict[Ids, int | None] = {}
        self._known: dict[tuple[Ids, int], float] = {}

    def log_p(self, state: Ids, id: int) -> float:
        """log p of word ``id`` after the up to two words of ``state``, in nats."""
        value = self._known.get((state, id))
        if value is None:
            value = self._known[state, id] = self._backed_off(state, id)
        return value

    def _backed_off(self, state: Ids, id: int) -> float:
        system = self._system
        if state not in self._nodes:
            self._nodes[state] = system.ngrams.find(state)
        node = self._nodes[state]
        child = None if node is None else system.ngrams.child(node, id)
        if child is not None:
            return float(system.log_p[child])
        shorter = self.log_p(state[1:], id)
        return shorter if node is None else shorter + float(system.back_off[node])

    def choices(self, words: Sequence[str], last: int) -> Iterator[Phrase]:
        """Target phrases of every source phrase whose last word is ``last`` - 1. A word without a phrase is copied."""
        system = self._system
        for first in range(last - 1, -1, -1):
            node = self._node(words[first:last])
            begin, end = (0, 0) if node is None else (int(system.choices[node]), int(system.choices[node + 1]))
            for k in range(begin, end):
                ids = tuple(system.ids[system.starts[k] : system.starts[k + 1]].tolist())
                yield self._phrase(first, last, ids, tuple(system.target[id] for id in ids), float(system.scores[k]))
            if begin == end and last - first == 1:
                word = words[first]
                yield self._phrase(first, last, (system._target.get(word, UNKNOWN),), (word,), system.about.copied)

    def _node(self, words: Sequence[str]) -> int | None:
        ids = tuple(self._system._source.get(word, -1) for word in words)
        return None if -1 in ids else self._system.phrases.find(ids)

    def _phrase(self, first: int, last: int, ids: Ids, words: tuple[str, ...], score: float) -> Phrase:
        inside = sum(self.log_p(ids[k - 2 : k], ids[k]) for k in range(2, len(ids)))
        return Phrase(first=first, last=last, ids=ids, words=words, score=score + inside)


def read_about(folder: Path) -> About:
    """Read the header of a system's file. InputError if the file is missing, broken or of another kind."""
    path = folder / PHRASES
    with opened_weights(path) as file:
        header = (file.metadata() or {}).get("about")
    return as_record(About, parse_object(header or "null", f"the header of {path}"), str(path))


def load_phrase_based(folder: Path) -> PhraseBased:
    """Load a system. InputError for a file that is broken, too large, or differs from the folder's checksums."""
    path = folder / PHRASES
    if path.stat().st_size > MOST_BYTES:
        raise InputError(say("errors.phrases_too_large", file=path, most=MOST_BYTES // 1_000_000))
    check_files(folder, [PHRASES])
    about = read_about(folder)
    with opened_weights(path) as file:
        arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    try:
        return of_arrays(folder.resolve().name, about, arrays)
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise InputError(say("errors.no_phrases", file=path, error=error)) from None


def of_arrays(name: str, about: About, arrays: Mapping[str, NDArray[Any]]) -> PhraseBased:
    """Make a system from its file's arrays. KeyError, ValueError, TypeError or IndexError if arrays do not fit."""
    source, target = (bytes(arrays[f"{side}_words"]).decode().split("\n") for side in ("source", "target"))
    phrases, ngrams = (
        Tree(len(words), arrays[f"{kind}_words"], arrays[f"{kind}_children"])
        for kind, words in (("phrase", source), ("ngram", target))
    )
    scores, log_p, back_off = (
        np.float32(least) + np.float32(step) * arrays[name]
        for name, (least, step) in (
            ("phrase_scores", about.phrase_scores),
            ("log_p", about.log_p),
            ("back_off", about.back_off),
        )
    )
    choices, starts, ids = _starts(arrays["choices"]), _starts(arrays["target_lengths"]), arrays["target_ids"]
    numbers = {"choices": (len(choices), phrases.size + 1), "scores": (len(scores), choices[-1])}
    numbers |= {"phrases": (len(starts), choices[-1] + 1), "ids": (len(ids), starts[-1])}
    numbers |= {"log_p": (len(log_p), ngrams.size), "back_off": (len(back_off), ngrams.begun)}
    for of, (number, wanted) in numbers.items():
        if number != wanted:
            raise ValueError(f"{of}: {number} instead of {wanted}")
    if ids.max(initial=0) >= len(target) - 1 or ids.min(initial=0) < 0:
        raise ValueError("ids")
    return PhraseBased(
        name=name,
        about=about,
        source=source,
        target=target,
        phrases=phrases,
        choices=choices,
        starts=starts,
        ids=ids,
        scores=scores,
        ngrams=ngrams,
        log_p=log_p,
        back_off=back_off,
    )


def _starts(lengths: NDArray[np.integer]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
