"""Work of a model on the pairs that wait for it. Pairs whose works are equal are computed in one batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nmt.aligners.aligner import Aligner
from nmt.answers.shared_queue import AtOnce
from nmt.evaluation.links import Extraction
from nmt.inference.translator import Translator
from nmt.inspection.maps import posterior
from nmt.results import ForcedScore, WordAlignment

Pair = tuple[str, str]


@dataclass(frozen=True)
class Scoring:
    """Forced decoding of pairs by a run."""

    run: Translator
    alpha: bool

    def begin(self) -> AtOnce[Pair, ForcedScore]:
        return AtOnce(self._score)

    def _score(self, items: Sequence[Pair]) -> list[ForcedScore]:
        return list(self.run.score_stream(items, alpha=self.alpha))


@dataclass(frozen=True, kw_only=True)
class RunAligning:
    """Links of pairs by a run: from alpha, or from its posterior given the target word."""

    run: Translator
    posterior: bool
    extraction: Extraction
    pretokenised: bool

    def begin(self) -> AtOnce[Pair, WordAlignment]:
        return AtOnce(self._align)

    def _align(self, items: Sequence[Pair]) -> list[WordAlignment]:
        maps = (
            posterior(self.run, items, pretokenised=self.pretokenised)
            if self.posterior
            else self.run.align_stream(items, pretokenised=self.pretokenised)
        )
        name = f"posterior {self.extraction.name}" if self.posterior else self.extraction.name
        return [
            WordAlignment(
                source=self._words("source", source),
                target=self._words("target", target),
                alignment=pair_maps.merged(),
                reverse=None,
                links=tuple(sorted(self.extraction.links(pair_maps))),
                map="posterior" if self.posterior else "attention",
                rule=name,
            )
            for (source, target), pair_maps in zip(items, maps, strict=True)
        ]

    def _words(self, side: str, line: str) -> tuple[str, ...]:
        codec = self.run.source if side == "source" else self.run.target
        return tuple(line.split() if self.pretokenised else codec.tokenizer.line_words(line))


@dataclass(frozen=True, kw_only=True)
class AlignerAligning:
    """Links of pairs by an aligner."""

    aligner: Aligner
    extraction: Extraction
    pretokenised: bool

    def begin(self) -> AtOnce[Pair, WordAlignment]:
        return AtOnce(self._align)

    def _align(self, items: Sequence[Pair]) -> list[WordAlignment]:
        alignments = self.aligner.stream(items, pretokenised=self.pretokenised, extraction=self.extraction)
        return list(alignments)
