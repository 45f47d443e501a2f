"""Aligners of given pairs, one run or several. They compute maps over words, from which a rule draws links."""

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
has this cost for 225 tokens on each side."""


def check_cost(place: str, cost: int, most: int) -> None:
    """Raise InputError if the cost of a pair, in softmaxes over the target vocabulary, exceeds ``most``. ``place``: the
    origin of the pair, for the message."""
    if cost > most:
        raise InputError(
            f"{place}: the pair is too long: its cost, which grows with the product of the tokens of both sides, is "
            f"{cost:,}, and the limit is {most:,}"
        )


STATISTICAL = 1 / 3
"""Weight of the links of a statistical partner in the mean with the runs' map (docs/log/alignment.md)."""


@dataclass(frozen=True)
class PairMaps:
    """Weights of one sentence pair. backward: weights of a second run, which translates the target into the source.
    statistical: links of a statistical partner, by word numbers."""

    forward: Alignment
    backward: Alignment | None = None
    statistical: BothDirections | None = None

    def mean(self) -> Alignment:
        """The runs' map or, with a partner, a mean of this map (two thirds) and the partner's links (one sixth for each
        direction). Within a direction, the links of a word share a weight of 1."""
        runs = self.forward.merged()
        if self.statistical is None:
            return runs
        weights = (1 - STATISTICAL) * runs.weights
        rows, columns = ({word: k for k, word in enumerate(words)} for words in (runs.target_words, runs.source_words))
        for axis, links in ((1, self.statistical.forward), (0, self.statistical.backward)):
            drawn = np.zeros_like(weights)
            for j, i in links:
                if j in columns and i in rows:
                    drawn[rows[i], columns[j]] = 1
            drawn[-1, -1] = 1
            weights += STATISTICAL / 2 * drawn / np.maximum(drawn.sum(axis=axis, keepdims=True), 1)
        return replace(runs, weights=weights)

    def links(self, rule: Extraction) -> LinkSet:
        """Draw links by a rule. VOTE is a vote of three: the links that the rule "intersection" draws from the runs'
        weights, and the partner's links of each direction. Without a partner's links, VOTE gives the first set."""
        if rule.rule != VOTE:
            return rule.links(self.mean(), self.backward)
        runs = Extraction("intersection").links(self.forward)
        return runs if self.statistical is None else vote(runs, self.statistical)


class PairAligner(ABC):
    """An aligner computes weights and links of given pairs. No call changes it, so threads may share it.

    Attributes:
        name: name of the folder.
        kind: "aligner", or the architecture of a run.
        map: name of the weights in results.
        extraction: the default rule for links.
        languages: languages of source and target.
        update: number of updates of a run's weights. None for an aligner.
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
        """Everything that decides the weights of a pair, JSON-ready: checksums of runs, and settings."""

    @cached_property
    def tokenizers(self) -> tuple[Tokenizer, Tokenizer]:
        """The tokenisers of source and target."""
        return Tokenizer(self.languages.source), Tokenizer(self.languages.target)

    @abstractmethod
    def pair_maps(
        self, pairs: Iterable[Pair], *, pretokenised: bool, on_progress: OnProgress | None = None
    ) -> Iterator[PairMaps]:
        """Compute the weights of each pair, in order. A few pairs are read ahead, to batch pairs of similar length."""

    @abstractmethod
    def cost(self, source: str, target: str, *, pretokenised: bool) -> int:
        """Cost of a pair, in softmaxes over the vocabulary (``nmt.inspection.maps.cost_of``), over all runs."""

    def rule_name(self, extraction: Extraction) -> str:
        """Name of the rule in results."""
        return extraction.name

    def checked(self, rule: Extraction) -> Extraction:
        """Return the rule. Raises InputError if it is VOTE and the aligner has no partner."""
        if rule.rule == VOTE != self.extraction.rule:
            raise InputError(f"{self.name} has no statistical partner, so the rule {VOTE} does not apply")
        return rule

    def words_of(self, pair: Pair, pretokenised: bool) -> tuple[tuple[str, ...], ...]:
        """The words of the two lines. Links refer to the numbers of these words."""
        sides = zip(pair, self.tokenizers, strict=True)
        return tuple(tuple(numbered_words(line) if pretokenised else side.line_words(line)) for line, side in sides)

    def align(self, source: str, target: str, *, pretokenised: bool = False) -> WordAlignment:
        """Weights and links of a given pair, one sentence each, over the words of the two lines. Words stand between
        spaces and tabs. In Japanese they are the words of the tokeniser. ``pretokenised``: keep the lines' words."""
        return next(self.stream([(source, target)], pretokenised=pretokenised))

    def stream(
        self,
        pairs: Iterable[Pair],
        *,
        pretokenised: bool = False,
        extraction: Extraction | None = None,
        on_progress: OnProgress | None = None,
    ) -> Iterator[WordAlignment]:
        """Yield weights and links of each pair as in ``align``, in order. ``pair_maps`` reads and batches the pairs.

        extraction: the rule for links. None for the default rule. InputError for a rule that does not fit. on_progress:
        called after each pair with the number of pairs done.
        """
        rule = self.checked(extraction or self.extraction)
        read, to_link = tee(pairs)
        all_maps = self.pair_maps(read, pretokenised=pretokenised, on_progress=on_progress)
        return self._linked(to_link, all_maps, rule, pretokenised)

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
    """A run as an aligner: a rule draws links from one of its maps. The rule can symmetrise them with the map of a
    second run, which translates in the other direction."""

    def __init__(self, model: System, map_name: MapName = ATTENTION, reverse: RunAligner | None = None) -> None:
        """Raise InputError unless ``reverse`` translates in the other direction."""
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
        """A run as an aligner by ``map_name``. None = alpha, or leave-one-out for a run without alpha if
        ``stand_in`` is true."""
        usual = LEAVE_ONE_OUT if stand_in and not model.has_alignment else ATTENTION
        return cls(model, map_name or usual)

    def with_reverse(self, reverse: RunAligner) -> RunAligner:
        """The same aligner with a second run. Raises InputError unless ``reverse`` has the other direction."""
        return RunAligner(self._model, self.map, reverse)

    @property
    def identity(self) -> dict[str, Any]:
        """Checksums of the runs, and name of the map."""
        runs = (self, self._reverse) if self._reverse else (self,)
        return {"runs": [aligner._model.identity for aligner in runs], "map": self.map}

    def pair_maps(
        self, pairs: Iterable[Pair], *, pretokenised: bool, on_progress: OnProgress | None = None
    ) -> Iterator[PairMaps]:
        """Yield for each pair the map of the run and, if there is one, of the second run, over tokens."""
        other = self._reverse
        if other is None:
            return map(PairMaps, self._maps(pairs, pretokenised, on_progress))
        read, to_turn = tee(pairs)
        turned = ((target, source) for source, target in to_turn)
        return map(PairMaps, self._maps(read, pretokenised, on_progress), other._maps(turned, pretokenised, None))

    def cost(self, source: str, target: str, *, pretokenised: bool) -> int:
        model, other = self._model, self._reverse
        sides = model.source.encode_line(source, pretokenised), model.target.encode_line(target, pretokenised)
        turned = 0 if other is None else other.cost(target, source, pretokenised=pretokenised)
        return cost_of(*sides, self.map) + turned

    def _maps(self, pairs: Iterable[Pair], pretokenised: bool, on_progress: OnProgress | None) -> Iterator[Alignment]:
        return maps_by_name(self._model, pairs, self.map, pretokenised=pretokenised, on_progress=on_progress)

    def rule_name(self, extraction: Extraction) -> str:
        """Name of the rule in results. It includes the name of any map but alpha, and the name of a second run."""
        name = extraction.name if self.map == ATTENTION else f"{self.map} {extraction.name}"
        if self._reverse is None:
            return name
        stand_in = "" if self._reverse.map == ATTENTION else f"{self._reverse.map} of "
        return f"{name} with {stand_in}{self._reverse.name}"
