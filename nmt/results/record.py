"""The record of a sentence: its text, and the translations of each system.

Every writer (``translate --json``, ``score --json``, the service, ``Translation.to_dict``, the offline page) writes
this record, and every view reads it. ``docs/formats.md`` describes the fields. ``record.schema.json`` is its schema.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from nmt.errors import InputError
from nmt.records import FORMAT_VERSION, as_record, check_format, to_data
from nmt.results.alignment import Alignment, joined, shortest
from nmt.results.evaluation import UNKNOWN_LANGUAGES, Languages
from nmt.texts import say

Share = Annotated[float, Field(ge=0, le=1)]
Number = Annotated[int, Field(ge=0)]
ALPHA, HEAD, LEAVE_ONE_OUT, SEGMENTATION, LINKS = "alpha", "head", "leave-one-out", "segmentation", "links"
"""Kinds of maps, in this order: attention weights, weights of one head of a Transformer, the probability lost without a
source word, the source words of the phrase that a target word comes from, and links between words, of weight 1."""


@dataclass(frozen=True, kw_only=True)
class Writer:
    """A run, a committee or another program that writes translations.

    Attributes:
        name: name of the run, the aligner or the program.
        kind: "rnnsearch", "rnnencdec", "committee", or another program's name for its kind of system.
        source_language, target_language: language codes (None = unknown).
    """

    name: str = ""
    kind: str = ""
    source_language: str | None = None
    target_language: str | None = None


@dataclass(frozen=True, kw_only=True)
class Text:
    """A text and its language code (None = unknown)."""

    text: str
    language: str | None = None


@dataclass(frozen=True, kw_only=True)
class Tokens:
    """A sentence as a system reads or writes it.

    Attributes:
        tokens: [T], end-of-sentence token last.
        words: [T], index of the word that contains the token, from 0. The end-of-sentence token is a word of its own.
        unknown: words outside the vocabulary, in order.
    """

    tokens: tuple[str, ...] = ()
    words: tuple[Number, ...] = ()
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class WeightMap:
    """Weights between the tokens of a sentence and its translation.

    Attributes:
        kind: ALPHA, LEAVE_ONE_OUT, SEGMENTATION, LINKS, HEAD, "posterior", or another.
        weights: [T_y, T_x], a row for each target token. A row sums to 1, or to 0 if nothing is known. A row of links,
            or of two directions together, may have another sum.
        layer, head: indices from 0, for a model with several maps. Else None.
        rule: for a map of links, the rule that extracted them from the map before it ("" = unknown).
    """

    kind: str
    weights: tuple[tuple[Share, ...], ...]
    layer: Number | None = None
    head: Number | None = None
    rule: str = ""

    @property
    def is_attention(self) -> bool:
        """Whether views treat the map as attention. Other maps get a note."""
        return self.kind in (ALPHA, LINKS, "weights", HEAD)


ChangeKind = Literal["source", "begin", "without", "word", "weights", "token", "blocked"]


@dataclass(frozen=True, kw_only=True)
class ReadersChange:
    """A change that a reader made before the system wrote.

    Attributes:
        kind: "source" (another sentence), "begin" (beginning of the translation), "without" (a word that the
            translation must not have), "word" (another target word ``row``), "weights" (alpha of a word), "token" (a
            chosen token, after which the system continues) or "blocked" (a source word that gets no weight).
        row: index of the target word or token, or of the blocked source word, from 0. For "word" it counts from 1.
        text: the text for "begin", "without", "word", "token" and "blocked".
        weights: the weights over the source words for "weights".
        pieces: whether ``row`` is a target token and ``weights`` are over source tokens, instead of words.
    """

    kind: ChangeKind
    row: Number = 0
    text: str = ""
    weights: tuple[Share, ...] = ()
    pieces: bool = False


@dataclass(frozen=True, kw_only=True)
class System:
    """One translation of the sentence by one system.

    Attributes:
        name, kind: name and kind of the ``Writer``.
        language: language code of the target.
        rank: place among the system's translations of the sentence, from 1.
        forced: whether the target was given, instead of written by the system.
        text: the target, detokenised.
        source, target: source and target as the system reads and writes them.
        log_probability: log p(y | x) in nats, end-of-sentence token included (None = unknown).
        score: number by which the search ranks (None = unknown).
        token_log_probabilities: [T_y], nats (empty = unknown).
        maps: weights between the tokens, or empty for a system without attention.
        changes: changes that a reader made.
        search: settings of the search (None = unknown).
        features: scores by name, if the system ranks by several scores. Else None.
    """

    name: str = ""
    kind: str = ""
    language: str | None = None
    rank: Annotated[int, Field(ge=1)] = 1
    forced: bool = False
    text: str
    source: Tokens = Tokens()
    target: Tokens = Tokens()
    log_probability: float | None = None
    score: float | None = None
    token_log_probabilities: tuple[float, ...] = ()
    maps: tuple[WeightMap, ...] = ()
    changes: tuple[ReadersChange, ...] = ()
    search: dict[str, Any] | None = None
    features: dict[str, float] | None = None

    @property
    def main_map(self) -> WeightMap | None:
        """The map of kind ALPHA, else the first map, or None without maps."""
        return next((weight_map for weight_map in self.maps if weight_map.kind == ALPHA), next(iter(self.maps), None))

    def alignment(self, one: WeightMap | None) -> Alignment:
        """The alignment over the tokens with the weights of a map. If ``one`` is None, all weights are 0."""
        source, target = self.source, self.target
        shape = len(target.tokens), len(source.tokens)
        return Alignment(
            source=source.tokens,
            target=target.tokens,
            weights=np.zeros(shape, np.float32) if one is None else np.array(one.weights, np.float32).reshape(shape),
            source_words=source.words,
            target_words=target.words,
        )


@dataclass(frozen=True, kw_only=True)
class GoldLinks:
    """Links that people marked, [source word, target word] from 0, and the words that the numbers refer to."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    sure: tuple[tuple[Number, Number], ...] = ()
    possible: tuple[tuple[Number, Number], ...] = ()


@dataclass(frozen=True, kw_only=True)
class SentenceRecord:
    """A sentence with the translations of all systems, and links by people.

    Attributes:
        format: version of the layout.
        source: the sentence, unchanged.
        systems: the translations of all systems. Those with one name are a system's n-best list, best first.
        gold: links by people, or None.
    """

    format: Annotated[int, Field(ge=FORMAT_VERSION, le=FORMAT_VERSION)] = FORMAT_VERSION
    source: Text
    systems: Annotated[tuple[System, ...], Field(min_length=1)]
    gold: GoldLinks | None = None

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON types."""
        return to_data(self)


def is_record(data: Any) -> bool:
    """True if a JSON value looks like a record, so that errors in it are reported as errors of a record."""
    return isinstance(data, dict) and isinstance(data.get("source"), dict) and isinstance(data.get("systems"), list)


def read_sentence_record(data: Mapping[str, Any], name: str) -> SentenceRecord:
    """Read a record that any program wrote.

    Args:
        data: JSON. Unknown keys are ignored.
        name: name of the input, for error messages.

    Raises InputError for another version, a value of a wrong type, and word indices that decrease. Raises InputError if
    the numbers of tokens, word indices, weights and log-probabilities do not fit each other.
    """
    check_format({"format": FORMAT_VERSION} | dict(data), name)
    record = as_record(SentenceRecord, data, name, unknown="ignore")
    for number, system in enumerate(record.systems, start=1):
        _check(system, f"{name}, system {number}")
    return record


def _check(system: System, where: str) -> None:
    for side, tokens in (("source", system.source), ("target", system.target)):
        if tokens.words and len(tokens.words) != len(tokens.tokens):
            numbers, count = len(tokens.words), len(tokens.tokens)
            raise InputError(say("errors.word_numbers", place=where, numbers=numbers, side=side, tokens=count))
        if any(a > b for a, b in pairwise(tokens.words)):
            raise InputError(say("errors.word_numbers_decrease", place=where, side=side))
    rows, columns = len(system.target.tokens), len(system.source.tokens)
    for weight_map in system.maps:
        if len(weight_map.weights) != rows or any(len(row) != columns for row in weight_map.weights):
            raise InputError(say("errors.map_of", place=where, kind=weight_map.kind, rows=rows, columns=columns))
    values = len(system.token_log_probabilities)
    if values not in (0, rows):
        raise InputError(say("errors.log_probabilities", place=where, numbers=values, tokens=rows))


def map_of(kind: str, alignment: Alignment | None, part: str = "", *, exact: bool = False) -> tuple[WeightMap, ...]:
    """The map of an alignment, or () if ``alignment`` is None. Weights have six decimals, or with ``exact`` as many
    digits as float32 needs. With ``part``, the kind is HEAD: "2.1" is head 1 of layer 2, and "2" is layer 2."""
    if alignment is None:
        return ()
    weights = alignment.weights
    rows = shortest(weights) if exact else [[round(float(a), 6) for a in row] for row in weights]
    layer, head = ([int(number) for number in part.split(".") if number] + [None, None])[:2]
    return (WeightMap(kind=HEAD if part else kind, weights=tuple(map(tuple, rows)), layer=layer, head=head),)


def maps_of_heads(alignment: Alignment, weights: NDArray[np.float32]) -> tuple[WeightMap, ...]:
    """The maps of all heads. ``alignment``: alignment of the pair. ``weights``: [layers, heads, T_y, T_x]."""
    places = np.ndindex(weights.shape[0], weights.shape[1])
    return sum((map_of(HEAD, replace(alignment, weights=weights[at]), ".".join(map(str, at))) for at in places), ())


def sides_of(alignment: Alignment) -> tuple[Tokens, Tokens]:
    """The source tokens and the target tokens of an alignment, for a record."""
    source = Tokens(tokens=tuple(alignment.source), words=tuple(alignment.source_words))
    return source, Tokens(tokens=tuple(alignment.target), words=tuple(alignment.target_words))


def record_of_map(
    alignment: Alignment, name: str = "", languages: Languages = UNKNOWN_LANGUAGES, *, kind: str = ALPHA
) -> SentenceRecord:
    """A record with one system, which has one map and no text. ``name``: name of the system."""
    source, target = sides_of(alignment)
    maps = map_of(kind, alignment)
    system = System(name=name, language=languages.target or None, text="", source=source, target=target, maps=maps)
    text = Text(text=" ".join(alignment.source), language=languages.source or None)
    return SentenceRecord(source=text, systems=(system,))


def over_tokens(alignment: Alignment, source: Tokens, target: Tokens) -> Alignment:
    """Turn a map over words into a map over tokens. A source word's weight goes to its first token, and a target word's
    row to each of its tokens. ``merged`` restores the map. Words without a row or column have weights of 0."""
    if alignment.source == source.tokens and alignment.target == target.tokens:
        return alignment
    rows, columns = (
        {word: k for k, word in enumerate(words)} for words in (alignment.target_words, alignment.source_words)
    )
    weights = np.zeros((len(target.tokens), len(source.tokens)), np.float32)
    for i, row in enumerate(target.words):
        for j, column in enumerate(source.words):
            if (not j or source.words[j - 1] != column) and row in rows and column in columns:
                weights[i, j] = alignment.weights[rows[row], columns[column]]
    return Alignment(
        source=source.tokens,
        target=target.tokens,
        weights=weights,
        source_words=source.words,
        target_words=target.words,
    )


def words_of(tokens: Tokens) -> Sequence[str]:
    """The words of a side, with the end-of-sentence token unchanged."""
    return joined(tokens.tokens, tokens.words or range(len(tokens.tokens)))
