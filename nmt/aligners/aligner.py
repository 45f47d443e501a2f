"""An aligner that is ready: text in, weights over whole words and links out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import tee

import numpy as np

from nmt.aligners.averaging import Floats, WordWeights, averaged
from nmt.aligners.settings import AlignerSettings
from nmt.aligners.smoothing import JumpModel, smoothed
from nmt.errors import InputError
from nmt.evaluation.link_extraction import Extraction
from nmt.evaluation.symmetrisation import SYMMETRISATIONS
from nmt.grouping import windows
from nmt.inspection.posterior import posterior
from nmt.results import END, Alignment, WordAlignment
from nmt.translator import Translator

Pair = tuple[str, str]

_TOGETHER = 64
"""Most pairs that are read ahead."""


@dataclass(frozen=True, eq=False)
class PairMaps:
    """Weights of one pair over whole words, [words_y, words_x], and those of the other direction, [words_x, words_y],
    if there are runs for it; end-of-sentence tokens last."""

    forward: Alignment
    reverse: Alignment | None


class Aligner:
    """Aligns given pairs by several runs. Safe to share between threads: no call changes it.

    Attributes:
        name: the folder's name.
        settings: what aligner.json says.
    """

    def __init__(
        self, name: str, settings: AlignerSettings, forward: Sequence[Translator], reverse: Sequence[Translator] = ()
    ) -> None:
        """InputError for a run that has no alpha or is of other languages."""
        self.name, self.settings = name, settings
        self._forward, self._reverse = tuple(forward), tuple(reverse)
        languages = settings.source_language, settings.target_language
        check_runs(self._forward, *languages)
        check_runs(self._reverse, *reversed(languages))

    @property
    def map(self) -> str:
        """The name of the weights, as results have it."""
        return self.settings.map

    @property
    def extraction(self) -> Extraction:
        """The rule for links, if nothing else is asked for."""
        return Extraction(self.settings.rule)

    @property
    def directions(self) -> int:
        """1, or 2 with runs of the other direction."""
        return 2 if self._reverse else 1

    def align(self, source: str, target: str, *, pretokenised: bool = False) -> WordAlignment:
        """Weights and links of a given pair, over the whitespace words of the two lines.

        ``pretokenised``: the lines are tokenised already; their words are used as they are.
        """
        return next(self.stream([(source, target)], pretokenised=pretokenised))

    def stream(
        self,
        pairs: Iterable[Pair],
        *,
        pretokenised: bool = False,
        extraction: Extraction | None = None,
        on_progress: Callable[[int], None] | None = None,
    ) -> Iterator[WordAlignment]:
        """``align`` for pairs without end, in order; a few are read ahead, and those of similar length worked on
        together.

        Args:
            pairs: source and target.
            pretokenised: as in ``align``.
            extraction: the rule for links; None for the aligner's own.
            on_progress: called with the number of pairs done, after each.

        InputError for a rule that makes nothing of two directions, if there are two.
        """
        rule = self.checked(extraction or self.extraction)
        return self._stream(pairs, pretokenised, rule, on_progress)

    def checked(self, extraction: Extraction) -> Extraction:
        """The rule itself; InputError if it makes nothing of two directions, and there are two."""
        if self._reverse and extraction.rule not in SYMMETRISATIONS:
            raise InputError(
                f"{self.name} has runs of both directions and needs a rule for two: {', '.join(SYMMETRISATIONS)}"
            )
        return extraction

    def _stream(
        self, pairs: Iterable[Pair], pretokenised: bool, rule: Extraction, on_progress: Callable[[int], None] | None
    ) -> Iterator[WordAlignment]:
        read, kept = tee(pairs)
        for done, maps in enumerate(self.maps(read, pretokenised=pretokenised), start=1):
            source, target = next(kept)
            yield WordAlignment(
                source=tuple(source.split()),
                target=tuple(target.split()),
                alignment=maps.forward,
                reverse=maps.reverse,
                links=tuple(sorted(rule.links(maps.forward, maps.reverse))),
                map=self.map,
                rule=rule.name,
            )
            if on_progress is not None:
                on_progress(done)

    def maps(self, pairs: Iterable[Pair], *, pretokenised: bool = False) -> Iterator[PairMaps]:
        """The weights of each pair alone, before links are taken; a few pairs are read ahead."""
        settings = self.settings
        for window in windows(pairs, lambda pair: len(pair[0]) * len(pair[1]), first=_TOGETHER, most=_TOGETHER):
            forward = _maps(self._forward, window, pretokenised, settings.floor, settings.jumps)
            if not self._reverse:
                yield from (PairMaps(alignment, None) for alignment in forward)
                continue
            assert settings.reverse_jumps is not None
            turned = [(target, source) for source, target in window]
            reverse = _maps(self._reverse, turned, pretokenised, settings.floor, settings.reverse_jumps)
            yield from (PairMaps(*both) for both in zip(forward, reverse, strict=True))


def averaged_posteriors(
    runs: Sequence[Translator], pairs: Sequence[Pair], *, pretokenised: bool, floor: float
) -> Iterator[WordWeights]:
    """The mean of what several runs say of each pair, in order."""
    streams = [posterior(run, pairs, pretokenised=pretokenised) for run in runs]
    return (averaged(maps, floor) for maps in zip(*streams, strict=True))


def check_runs(runs: Iterable[Translator], source_language: str, target_language: str) -> None:
    """InputError for a run that has no alpha or does not translate between these languages."""
    for run in runs:
        if not run.has_alignment:
            raise InputError(f"{run.name} is an RNNencdec: without alpha there is no prior for a posterior")
        if (run.source_language, run.target_language) != (source_language, target_language):
            raise InputError(
                f"{run.name} translates {run.source_language} to {run.target_language}, not {source_language} to "
                f"{target_language}"
            )


def _maps(
    runs: Sequence[Translator], pairs: Sequence[Pair], pretokenised: bool, floor: float, jumps: JumpModel
) -> Iterator[Alignment]:
    found = averaged_posteriors(runs, pairs, pretokenised=pretokenised, floor=floor)
    for (source, target), weights in zip(pairs, found, strict=True):
        yield _with_ends(smoothed(weights.weights, jumps), weights, source.split(), target.split())


def _with_ends(weights: Floats, of: WordWeights, source: Sequence[str], target: Sequence[str]) -> Alignment:
    """The weights as a record. The end-of-sentence tokens are aligned with each other alone, and where there is no
    source word, target words with the source's."""
    rows, columns = weights.shape
    whole = np.zeros((rows + 1, columns + 1), dtype=np.float32)
    whole[:rows, :columns] = weights
    whole[rows, columns] = 1
    if not columns:
        whole[:, 0] = 1
    return Alignment(
        (*(source[j] for j in of.source), END),
        (*(target[i] for i in of.target), END),
        whole,
        (*of.source, len(source)),
        (*of.target, len(target)),
    )
