"""Aligners of given pairs, of which a single run is the simplest: maps over words, and the links that a rule draws from
them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import tee
from typing import Any

import numpy as np

from nmt.alignments.links import VOTE, BothDirections, Extraction, vote
from nmt.data.text import Tokenizer
from nmt.errors import InputError
from nmt.inference.system import System
from nmt.inspection.maps import cost_of, maps_by_name
from nmt.results import Alignment, Languages, WordAlignment
from nmt.results.links import ATTENTION, LEAVE_ONE_OUT, LinkSet, MapName, numbered_words

Pair = tuple[str, str]
OnProgress = Callable[[int], None]

MOST_COST = 60_000
"""Largest cost of a pair in the service and on the pages: about three seconds of one thread. The posterior of a run
reaches it with 225 tokens on each side."""


def check_cost(place: str, cost: int, most: int) -> None:
    """Raise InputError for a pair that costs too much, in softmaxes over the target vocabulary. ``place``: where it is
    from."""
    if cost > most:
        raise InputError(
            f"{place}: the pair is too long: its cost, which grows with the product of the tokens of both sides, is "
            f"{cost:,}, and the limit is {most:,}"
        )


STATISTICAL = 1 / 3
"""Weight of a statistical partner's links in the mean with the runs' map (docs/log/alignment.md)."""


@dataclass(frozen=True)
class PairMaps:
    """Weights of one sentence pair, with those of a second run of the other direction, whose source is our target, or
    with the links of a statistical partner, by numbers of words."""

    forward: Alignment
    backward: Alignment | None = None
    statistical: BothDirections | None = None

    def mean(self) -> Alignment:
        """The map: with a partner two thirds of the runs' weights, and one third its links, half for each direction, of
        which each word's weigh 1 together."""
        own = self.forward.merged()
        if self.statistical is None:
            return own
        weights = (1 - STATISTICAL) * own.weights
        rows, columns = ({word: k for k, word in enumerate(words)} for words in (own.target_words, own.source_words))
        for axis, links in ((1, self.statistical.forward), (0, self.statistical.backward)):
            drawn = np.zeros_like(weights)
            for j, i in links:
                if j in columns and i in rows:
                    drawn[rows[i], columns[j]] = 1
            drawn[-1, -1] = 1
            weights += STATISTICAL / 2 * drawn / np.maximum(drawn.sum(axis=axis, keepdims=True), 1)
        return replace(own, weights=weights)

    def links(self, rule: Extraction) -> LinkSet:
        """Links by a rule. VOTE is one between rows and columns of the runs' weights and the two directions of the
        partner, and those alone for a pair that it did not read."""
        if rule.rule != VOTE:
            return rule.links(self.mean(), self.backward)
        own = Extraction("intersection").links(self.forward)
        return own if self.statistical is None else vote(own, self.statistical)


class PairAligner(ABC):
    """Computes weights and links of given pairs. Safe to share between threads: no call changes it.

    Attributes:
        name: the folder's name.
        kind: of a run its architecture.
        map: the name of the weights in results.
        extraction: the default rule for links.
        languages: of source and target.
        update: of the weights of a run; None for an aligner.
    """

    name: str
    kind: str = "aligner"
    map: str
    languages: Languages
    update: int | None = None
    extraction: Extraction

    @property
    @abstractmethod
    def identity(self) -> dict[str, Any]:
        """All that decides the weights of a pair, as JSON: checksums of runs, and settings."""

    @cached_property
    def tokenizers(self) -> tuple[Tokenizer, Tokenizer]:
        """Those of source and target."""
        return Tokenizer(self.languages.source), Tokenizer(self.languages.target)

    @abstractmethod
    def pair_maps(
        self, pairs: Iterable[Pair], *, pretokenised: bool, on_progress: OnProgress | None = None
    ) -> Iterator[PairMaps]:
        """Compute the weights of each pair, in order; a few pairs are read ahead, and those of similar length are
        batched."""

    @abstractmethod
    def cost(self, source: str, target: str, *, pretokenised: bool) -> int:
        """Cost of a pair, in softmaxes over the vocabulary; of a posterior it is quadratic in the words."""

    def rule_name(self, extraction: Extraction) -> str:
        """The rule's name in results."""
        return extraction.name

    def checked(self, rule: Extraction) -> Extraction:
        """The rule; InputError if it is VOTE, and the aligner has no partner."""
        if rule.rule == VOTE != self.extraction.rule:
            raise InputError(f"{self.name} has no statistical partner, so the rule {VOTE} does not apply")
        return rule

    def words_of(self, pair: Pair, pretokenised: bool) -> tuple[tuple[str, ...], ...]:
        """The words of the two lines that links number."""
        sides = zip(pair, self.tokenizers, strict=True)
        return tuple(tuple(numbered_words(line) if pretokenised else side.line_words(line)) for line, side in sides)

    def align(self, source: str, target: str, *, pretokenised: bool = False) -> WordAlignment:
        """Weights and links of a given pair, over the words of the two lines: those between spaces and tabs or, in
        Japanese, those of its tokeniser.

        Args:
            source, target: one sentence each.
            pretokenised: the lines are tokenised already; their words are used as they are.
        """
        return next(self.stream([(source, target)], pretokenised=pretokenised))

    def stream(
        self,
        pairs: Iterable[Pair],
        *,
        pretokenised: bool = False,
        extraction: Extraction | None = None,
        on_progress: OnProgress | None = None,
    ) -> Iterator[WordAlignment]:
        """``align`` for a stream of pairs, in order, read and batched as by ``pair_maps``.

        Args:
            pairs: source and target.
            pretokenised: as in ``align``.
            extraction: the rule for links; None for the aligner's own. InputError as ``checked``.
            on_progress: called with the number of pairs done, after each.
        """
        rule = self.checked(extraction or self.extraction)
        read, kept = tee(pairs)
        all_maps = self.pair_maps(read, pretokenised=pretokenised, on_progress=on_progress)
        return self._linked(kept, all_maps, rule, pretokenised)

    def _linked(
        self, pairs: Iterator[Pair], all_maps: Iterable[PairMaps], rule: Extraction, pretokenised: bool
    ) -> Iterator[WordAlignment]:
        for maps in all_maps:
            pair = next(pairs)
            source, target = self.words_of(pair, pretokenised)
            yield WordAlignment(
                pair=pair,
                source=source,
                target=target,
                alignment=maps.mean(),
                reverse=None if maps.backward is None else maps.backward.merged(),
                links=tuple(sorted(maps.links(rule))),
                map=self.map,
                rule=self.rule_name(rule),
                name=self.name,
                kind=self.kind,
                languages=self.languages,
            )


class RunAligner(PairAligner):
    """A run as an aligner, by one of its maps; a second run of the other direction takes part in symmetrisations."""

    def __init__(self, model: System, map_name: MapName = ATTENTION, reverse: RunAligner | None = None) -> None:
        """``reverse``: InputError unless it translates in the other direction."""
        self.name, self._model, self._reverse = model.name, model, reverse
        self.kind, self.languages, self.update = model.kind, model.languages, model.update
        self.map: MapName = map_name
        self.extraction = Extraction("argmax" if reverse is None else "grow-diag-final-and")
        if reverse is not None:
            other = reverse._model
            if other.languages != model.languages.reversed:
                raise InputError(f"{other.name} translates {other.languages}, not {model.languages.reversed}")

    @classmethod
    def usual(cls, model: System, map_name: MapName | None, *, stand_in: bool) -> RunAligner:
        """By a given map, or else by alpha. ``stand_in``: a run without alpha has leave-one-out attribution instead."""
        usual = LEAVE_ONE_OUT if stand_in and not model.has_alignment else ATTENTION
        return cls(model, map_name or usual)

    def with_reverse(self, reverse: RunAligner) -> RunAligner:
        """The same with a second run; InputError unless it translates in the other direction."""
        return RunAligner(self._model, self.map, reverse)

    @property
    def identity(self) -> dict[str, Any]:
        """As in ``PairAligner``."""
        runs = (self, self._reverse) if self._reverse else (self,)
        return {"runs": [one._model.identity for one in runs], "map": self.map}

    def pair_maps(
        self, pairs: Iterable[Pair], *, pretokenised: bool, on_progress: OnProgress | None = None
    ) -> Iterator[PairMaps]:
        """As in ``PairAligner``, over tokens."""
        other = self._reverse
        if other is None:
            return map(PairMaps, self._maps(pairs, pretokenised, on_progress))
        read, kept = tee(pairs)
        turned = ((target, source) for source, target in kept)
        return map(PairMaps, self._maps(read, pretokenised, on_progress), other._maps(turned, pretokenised, None))

    def cost(self, source: str, target: str, *, pretokenised: bool) -> int:
        model, other = self._model, self._reverse
        sides = model.source.encode_line(source, pretokenised), model.target.encode_line(target, pretokenised)
        turned = 0 if other is None else other.cost(target, source, pretokenised=pretokenised)
        return cost_of(*sides, self.map) + turned

    def _maps(self, pairs: Iterable[Pair], pretokenised: bool, on_progress: OnProgress | None) -> Iterator[Alignment]:
        return maps_by_name(self._model, pairs, self.map, pretokenised=pretokenised, on_progress=on_progress)

    def rule_name(self, extraction: Extraction) -> str:
        """The rule's name in results, which mentions another map than alpha, and a second run."""
        name = extraction.name if self.map == ATTENTION else f"{self.map} {extraction.name}"
        if self._reverse is None:
            return name
        stand_in = "" if self._reverse.map == ATTENTION else f"{self._reverse.map} of "
        return f"{name} with {stand_in}{self._reverse.name}"
