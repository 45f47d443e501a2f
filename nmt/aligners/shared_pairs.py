"""What a shared queue does with given pairs: it scores them, or links their words. Pairs that wait for equal work are
computed in groups. A group takes about a second."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import TypeAlias

from nmt.aligners.pairs import PairAligner, RunAligner
from nmt.alignments.links import Extraction
from nmt.answers.shared_queue import InGroups
from nmt.inference.translator import Translator
from nmt.inspection.maps import cost_of
from nmt.results import ForcedScore, WordAlignment
from nmt.results.links import ATTENTION

Pair: TypeAlias = tuple[str, str, int]
"""Source and target, and their cost."""
_GROUP = 20_000
"""Cost of a group: about a second of one thread."""


@dataclass(frozen=True)
class Scoring:
    """Forced decoding of pairs by a run."""

    run: Translator
    alpha: bool

    def cost(self, source: str, target: str) -> int:
        """As in ``PairAligner``."""
        return cost_of(*self.run.pair(source, target), ATTENTION)

    def begin(self) -> InGroups[Pair, ForcedScore]:
        return InGroups(self._score, itemgetter(2), _GROUP)

    def _score(self, pairs: Sequence[Pair]) -> list[ForcedScore]:
        return list(self.run.score_stream((pair[:2] for pair in pairs), alpha=self.alpha))


@dataclass(frozen=True)
class Aligning:
    """Links of pairs by an aligner, or by a run from one of its maps."""

    aligner: PairAligner
    extraction: Extraction
    pretokenised: bool

    def cost(self, source: str, target: str) -> int:
        """As in ``PairAligner``."""
        return self.aligner.cost(source, target, pretokenised=self.pretokenised)

    def begin(self) -> InGroups[Pair, WordAlignment]:
        return InGroups(self._align, itemgetter(2), _GROUP)

    def _align(self, pairs: Sequence[Pair]) -> list[WordAlignment]:
        texts = (pair[:2] for pair in pairs)
        return list(self.aligner.stream(texts, pretokenised=self.pretokenised, extraction=self.extraction))


aligner_of_run = lru_cache(RunAligner)
"""Equal requests are worked on together, so they have the same aligner."""
