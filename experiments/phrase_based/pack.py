"""``phrase-based pack``: a system in one small file, which the app translates with (nmt.inference.phrase_based).

Of the phrase pairs and n-grams those stay without which the model changes most: the pairs by n(x, y) (log p(y | x) -
log q), q being the most probable way to make the pair of two smaller ones (Zens, Stanton and Xu 2012), and the n-grams
in the same way, by what back-off makes of them (Stolcke 1998). The features of a phrase pair are weighted for BLEU on
sentences of the development set, and only their sum is kept.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from experiments.phrase_based.extract import Linked, count, read_linked
from experiments.phrase_based.system import MOST_WORDS, PhraseBased, read_pairs, read_system
from experiments.selection import LanguageModel, WordIds
from nmt.data.text import Tokenizer
from nmt.errors import InputError
from nmt.evaluation.concatenation import bleu_counts
from nmt.evaluation.metrics import bleu_of_each, bleu_tokeniser
from nmt.files import replacing, sha256_of, write_json
from nmt.inference.phrase_based import PHRASES, About, of_arrays
from nmt.inference.phrase_based import PhraseBased as Packed
from nmt.records import FORMAT_VERSION
from nmt.runs.checksums import CHECKSUMS

PAIR_FEATURES = ("direct", "inverse", "direct-words", "inverse-words", "phrases", "words")
FEATURES = (*PAIR_FEATURES, "copied")
"""Of a translation: log p(y | x) and log p(x | y) of its phrases, the same by their words, and the numbers of phrases,
of words and of copied words. The weight of log p(y) is 1."""
FIRST_WEIGHTS = (1.5, 1.9, 0.2, 0.1, 1.8, 1.4, 0.0)
"""Before tuning: near those of rnnsearch-50's pairs."""

_LEAST = 2
"""Occurrences of a pair whose source has several words."""
_DISCOUNT = 0.5
"""Taken off each count: what was seen once is less probable than its share."""
_UNMADE = -8.0
"""log q of a pair that cannot be made of two smaller ones."""
_ALWAYS, _CHOICES = 1, 10
"""Translations of each single word that stay, and the most of any phrase: the most frequent ones."""
_LOWEST = 1e-5
"""Probability of a word that was never linked with a word of the phrase."""
_ORDER, _CODES, _STACK = 3, 255, 8
_STEPS, _PARTS, _LEAST_GAIN = (0.3, 0.3, 0.2, 0.2, 0.6, 0.6, 2.0), (1.0, 0.5, 0.25), 0.005
"""Of tuning: the step of each weight, the parts of it that are taken, and the least gain of BLEU."""

Floats = NDArray[np.float64]
Words = tuple[str, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """Phrase pairs.

    Attributes:
        sources, targets: their words, joined by spaces.
        joint: n(x, y), [P].
        of_source, of_target: n(x) and n(y), [P].
    """

    sources: list[str]
    targets: list[str]
    joint: Floats
    of_source: Floats
    of_target: Floats

    def __len__(self) -> int:
        return len(self.sources)

    @property
    def direct(self) -> Floats:
        """log p(y | x), [P]."""
        return np.log((self.joint - _DISCOUNT) / self.of_source)

    @property
    def inverse(self) -> Floats:
        """log p(x | y), [P]."""
        return np.log((self.joint - _DISCOUNT) / self.of_target)

    def only(self, rows: NDArray[np.int64]) -> Table:
        """The pairs of some rows."""
        return Table(
            sources=[self.sources[k] for k in rows],
            targets=[self.targets[k] for k in rows],
            joint=self.joint[rows],
            of_source=self.of_source[rows],
            of_target=self.of_target[rows],
        )


def read_table(corpus: Linked, most: int = MOST_WORDS, least: int = _LEAST) -> Table:
    """Count phrase pairs, without those of several source words that are seen less than ``least`` times."""
    counted = count(corpus, most)
    rows = np.flatnonzero((counted.joint >= least) | (counted.first.source_length == 1))
    texts = [
        [side.text(*place) for place in zip(places[rows].tolist(), lengths[rows].tolist(), strict=True)]
        for side, places, lengths in (
            (corpus.source, counted.first.source, counted.first.source_length),
            (corpus.target, counted.first.target, counted.first.target_length),
        )
    ]
    return Table(
        sources=texts[0],
        targets=texts[1],
        joint=counted.joint[rows],
        of_source=counted.of_source[rows],
        of_target=counted.of_target[rows],
    )


def losses(table: Table) -> Floats:
    """What the model loses without each pair: n(x, y) (log p(y | x) - log q), [P]."""
    own = table.direct
    best: dict[tuple[str, str], float] = {}
    found = np.empty(len(table))
    for k in np.argsort([source.count(" ") for source in table.sources], kind="stable").tolist():
        source, target = table.sources[k], table.targets[k]
        made = max(_UNMADE, max(_made(source.split(" "), target.split(" "), best), default=_UNMADE))
        found[k] = table.joint[k] * (own[k] - made)
        best[source, target] = max(own[k], made)
    return found


def _made(source: Sequence[str], target: Sequence[str], known: Mapping[tuple[str, str], float]) -> Iterator[float]:
    for j in range(1, len(source)):
        left, right = " ".join(source[:j]), " ".join(source[j:])
        for i in range(1, len(target)):
            first = known.get((left, " ".join(target[:i])))
            if first is not None and (second := known.get((right, " ".join(target[i:])))) is not None:
                yield first + second


def pruned(table: Table, most: int) -> Table:
    """The pairs without which the model loses most, and translations of each single word."""
    loss = losses(table)
    places: Counter[str] = Counter()
    for k in np.argsort(-table.joint, kind="stable").tolist():
        source = table.sources[k]
        if places[source] < _ALWAYS and " " not in source:
            loss[k] = np.inf
        elif places[source] >= _CHOICES:
            loss[k] = -np.inf
        places[source] += 1
    kept = np.argsort(-loss, kind="stable")[: min(most, int((loss > -np.inf).sum()))]
    return table.only(np.sort(kept))


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Counts of linked words, in both directions; "" for no word."""

    pairs: Counter[tuple[str, str]]
    source: Counter[str]
    target: Counter[str]

    def log_p(self, source: Sequence[str], target: Sequence[str]) -> float:
        """log of the product over target words of the mean of p(word | source word) over the source words and none."""
        given = [*source, ""]
        return sum(
            math.log(max(_LOWEST, sum(self.pairs[s, t] / (self.source[s] or 1) for s in given) / len(given)))
            for t in target
        )

    def log_p_inverse(self, source: Sequence[str], target: Sequence[str]) -> float:
        """The same for the source words, given the target."""
        given = [*target, ""]
        return sum(
            math.log(max(_LOWEST, sum(self.pairs[s, t] / (self.target[t] or 1) for t in given) / len(given)))
            for s in source
        )


def lexicon_of(corpus: Linked) -> Lexicon:
    """Count the linked words of a corpus."""
    pairs, by_source, by_target = corpus.linked_words(), Counter[str](), Counter[str]()
    for (s, t), number in pairs.items():
        by_source[s] += number
        by_target[t] += number
    return Lexicon(pairs, by_source, by_target)


def pair_features(table: Table, lexicon: Lexicon) -> Floats:
    """Features of each pair, in the order of ``PAIR_FEATURES``, [P, 6]."""
    rows = []
    for source, target in zip(table.sources, table.targets, strict=True):
        x, y = source.split(" "), target.split(" ")
        rows.append((lexicon.log_p(x, y), lexicon.log_p_inverse(x, y), 1, len(y)))
    return np.column_stack([table.direct, table.inverse, np.array(rows)])


@dataclass(frozen=True, kw_only=True, eq=False)
class NgramArrays:
    """What the file has of the language model, without codes: see ``nmt.inference.phrase_based.Tree``."""

    words: NDArray[np.int64]
    children: NDArray[np.int64]
    log_p: Floats
    back_off: Floats


def pruned_ngrams(model: LanguageModel, predicted: int, most: tuple[int, int]) -> NgramArrays:
    """The bigrams and trigrams without which the model changes most, and the bigrams that those trigrams need.

    Args:
        model: of order 3.
        predicted: as ``WordIds`` has it; the id after these is that of the start.
        most: bigrams and trigrams that stay.
    """
    width = predicted + 1
    one, two, three = model.orders
    p1 = one.shares + one.left_over[0] / predicted
    context2, word2 = np.divmod(two.keys, width)
    lower2 = p1[word2]
    p2 = two.shares + two.left_over[context2] * lower2
    context3, word3 = np.divmod(three.keys, width)
    suffix = two.find(word2[context3] * width + word3)
    lower3 = p2[suffix]
    p3 = three.shares + three.left_over[context3] * lower3
    kept3 = _most(three.seen * np.log(p3 / (three.left_over[context3] * lower3)), most[1])
    kept2 = _most(two.seen * np.log(p2 / (two.left_over[context2] * lower2)), most[0])
    kept2[context3[kept3]] = kept2[suffix[kept3]] = True
    back_off1 = _back_off(context2[kept2], p2[kept2], lower2[kept2], width)
    back_off2 = _back_off(context3[kept3], p3[kept3], lower3[kept3], len(two.keys))[kept2]
    children = [np.bincount(context2[kept2], minlength=width), np.bincount(context3[kept3], minlength=len(two.keys))]
    return NgramArrays(
        words=np.concatenate([word2[kept2], word3[kept3]]),
        children=np.concatenate([children[0], children[1][kept2]]),
        log_p=np.log(np.concatenate([[1.0], p1, p2[kept2], p3[kept3]])),
        back_off=np.log(np.concatenate([[1.0], back_off1, back_off2])),
    )


def _most(loss: Floats, most: int) -> NDArray[np.bool_]:
    kept = np.zeros(len(loss), dtype=bool)
    kept[np.argsort(-loss, kind="stable")[:most]] = True
    return kept


def _back_off(contexts: NDArray[np.int64], p: Floats, lower: Floats, size: int) -> Floats:
    """(1 - sum of p) / (1 - sum of p of the shorter n-grams), over what stays of each context."""
    left, of_lower = (1 - np.bincount(contexts, each, minlength=size) for each in (p, lower))
    return np.maximum(left, 1e-9) / np.maximum(of_lower, 1e-9)


def _coded(values: Floats) -> tuple[NDArray[np.uint8], tuple[float, float]]:
    """A byte for each value, and what code 0 stands for and each one more."""
    least, step = float(values.min()), float(np.ptp(values)) / _CODES or 1.0
    return np.rint((values - least) / step).astype(np.uint8), (least, step)


def _smallest(values: NDArray[np.int64]) -> NDArray[Any]:
    """In as few bytes as the values need."""
    return values.astype(np.min_scalar_type(int(values.max(initial=0))))


@dataclass(frozen=True, kw_only=True, eq=False)
class Draft:
    """A system before its weights are chosen.

    Attributes:
        system: with scores of zero.
        arrays: of its file, scores left out.
        features: of the phrase pairs in the order of the file, [P, 6].
    """

    system: Packed
    arrays: dict[str, NDArray[Any]]
    features: Floats

    def weighted(self, weights: Sequence[float]) -> Packed:
        """The system with weights of ``FEATURES``."""
        *own, copied = weights
        alone = own[PAIR_FEATURES.index("words")] + own[PAIR_FEATURES.index("phrases")]
        about = replace(self.system.about, copied=alone + copied)
        scores = (self.features @ np.array(own)).astype(np.float32)
        return replace(self.system, about=about, scores=scores)


def draft(folder: Path, pairs: int, ngrams: tuple[int, int], more: Iterable[list[str]] = ()) -> Draft:
    """Read what ``prepare`` made, and prune it. ``more``: further sentences of the target language."""
    system = read_system(folder)
    corpus = read_linked(folder / "pairs", folder / "links")
    table = pruned(read_table(corpus), pairs)
    features = pair_features(table, lexicon_of(corpus))
    texts = [target for _, _, target in read_pairs(folder / "pairs")]
    texts += more
    counts = Counter(word for text in texts for word in text)
    written = {word for target in table.targets for word in target.split(" ")}
    words = WordIds(sorted({word for word, count in counts.items() if count > 1} | written))
    model = LanguageModel(words.encode(texts), words, _ORDER)
    kept = pruned_ngrams(model, words.predicted, ngrams)
    return assembled(system, table, features, words, kept)


def assembled(system: PhraseBased, table: Table, features: Floats, words: WordIds, kept: NgramArrays) -> Draft:
    """Lay out the arrays of the file."""
    target_words = ["", "", *words.ids, ""]
    source_words = sorted({word for source in table.sources for word in source.split(" ")})
    if max(len(source_words), len(target_words)) >= 1 << 16:
        raise InputError("a system of 65,536 words or more cannot be packed; ask for fewer phrase pairs")
    ids = {word: id for id, word in enumerate(source_words)}
    by_ids = defaultdict(list)
    for k, source in enumerate(table.sources):
        by_ids[tuple(ids[word] for word in source.split(" "))].append(k)
    nodes = {ids[:n] for ids in by_ids for n in range(1, len(ids) + 1)} | {(id,) for id in range(len(source_words))}
    ordered = sorted(nodes, key=lambda ids: (len(ids), ids))
    below = Counter(ids[:-1] for ids in ordered)
    order = [k for ids in ordered for k in sorted(by_ids.get(ids, ()), key=lambda k: -table.joint[k])]
    encoded = [tuple(words.ids[word] for word in table.targets[k].split(" ")) for k in order]
    log_p, log_p_scale = _coded(kept.log_p)
    back_off, back_off_scale = _coded(kept.back_off)
    arrays: dict[str, NDArray[Any]] = {
        "source_words": _text(source_words),
        "target_words": _text(target_words),
        "phrase_words": np.array([each[-1] for each in ordered if each[1:]], dtype=np.uint16),
        "phrase_children": _smallest(np.array([below[each] for each in ordered])),
        "choices": _smallest(np.array([0, *(len(by_ids.get(each, ())) for each in ordered)])),
        "target_lengths": _smallest(np.array([len(each) for each in encoded])),
        "target_ids": np.array([id for each in encoded for id in each], dtype=np.uint16),
        "ngram_words": kept.words.astype(np.uint16),
        "ngram_children": _smallest(kept.children),
        "log_p": log_p,
        "back_off": back_off,
    }
    about = About(
        source_language=system.source_language,
        target_language=system.target_language,
        phrase_scores=(0.0, 0.0),
        log_p=log_p_scale,
        back_off=back_off_scale,
        copied=0.0,
    )
    zeros = {"phrase_scores": np.zeros(len(order), dtype=np.uint8)}
    return Draft(system=of_arrays("", about, arrays | zeros), arrays=arrays, features=features[order])


def _text(words: Sequence[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(words).encode(), dtype=np.uint8)


def tuned(
    made: Draft, sources: Sequence[str], references: Sequence[str], on_gain: Callable[[float], None]
) -> tuple[Packed, tuple[float, ...]]:
    """Tune the weights for BLEU: along one after the other, by ever smaller steps, as long as the translations of the
    sentences gain. ``on_gain`` gets each BLEU that is the best so far. Returns the system and its weights."""
    about = made.system.about
    tokenizer, other = Tokenizer(about.source_language), Tokenizer(about.target_language)
    tokeniser = bleu_tokeniser(about.target_language)
    read = [tokenizer.tokenize(source) for source in sources]

    def bleu(weights: Sequence[float]) -> float:
        system = made.weighted(weights)
        best = [system.search(words, _STACK)[0].phrases() if words else [] for words in read]
        texts = [other.detokenize([word for phrase in phrases for word in phrase.words]) for phrases in best]
        return float(bleu_of_each(bleu_counts(texts, references, tokeniser).sum(axis=0).astype(float)))

    weights = [*FIRST_WEIGHTS]
    top = bleu(weights)
    on_gain(top)
    for part in _PARTS:
        for k, step in enumerate(_STEPS):
            for sign in (part, -part):
                moved = [*weights]
                moved[k] += sign * step
                while (value := bleu(moved)) > top + _LEAST_GAIN:
                    weights, top = [*moved], value
                    on_gain(top)
                    moved[k] += sign * step
    return made.weighted(weights), tuple(weights)


def write(made: Draft, system: Packed, out: Path) -> int:
    """Write the file and its checksum; returns its bytes."""
    scores, scale = _coded(system.scores.astype(np.float64))
    about = replace(system.about, phrase_scores=scale)
    out.mkdir(parents=True, exist_ok=True)
    with replacing(out / PHRASES) as path:
        save_file(made.arrays | {"phrase_scores": scores}, path, metadata={"about": json.dumps(asdict(about))})
    write_json(out / CHECKSUMS, {"format": FORMAT_VERSION, "files": {PHRASES: sha256_of(out / PHRASES)}})
    return (out / PHRASES).stat().st_size
