"""A loaded aligner: computes weights over whole words and links for text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import tee
from typing import Literal

import numpy as np

from nmt.aligners.averaging import WordWeights, averaged
from nmt.aligners.heads import head_maps
from nmt.aligners.settings import DIRECTIONS, AlignerSettings, Direction
from nmt.aligners.smoothing import JumpModel, smoothed
from nmt.errors import InputError
from nmt.evaluation.link_extraction import Extraction
from nmt.inference.batching import windows
from nmt.inference.translator import Translator
from nmt.inspection.given_pairs import TOGETHER
from nmt.inspection.posterior import posterior
from nmt.model.alignment_head import AlignmentHead
from nmt.results import END, Alignment, WordAlignment

Pair = tuple[str, str]
Weights = Literal["posterior", "head"]

HEAD = "alignment head"
"""Name of the alignment head's map. The head is a small aligner that reads the model's states, not its attention."""


@dataclass(frozen=True, eq=False)
class RunWithHead:
    """A run, and an alignment head that reads its states."""

    run: Translator
    head: AlignmentHead


class Aligner:
    """An aligner of given pairs by several runs. Safe to share between threads: no call changes it.

    Attributes:
        name: the folder's name.
        settings: content of aligner.json.
    """

    def __init__(
        self,
        name: str,
        settings: AlignerSettings,
        forward: Sequence[Translator],
        reverse: Sequence[Translator] = (),
        heads: Mapping[Direction, RunWithHead] | None = None,
        bf16: bool = False,
    ) -> None:
        """Combine loaded runs. ``bf16``: matrix products of posteriors in that precision. InputError for a run that has
        no alpha or other languages."""
        self.name, self.settings, self._bf16 = name, settings, bf16
        self._forward, self._reverse = tuple(forward), tuple(reverse)
        self._heads = dict(heads or {})
        languages = settings.source_language, settings.target_language
        check_runs(self._forward, *languages)
        check_runs(self._reverse, *reversed(languages))

    @property
    def extraction(self) -> Extraction:
        """The default rule for links."""
        return Extraction(self.settings.rule)

    def align(
        self, source: str, target: str, *, pretokenised: bool = False, weights: Weights = "posterior"
    ) -> WordAlignment:
        """Weights and links of a given pair, over the whitespace words of the two lines.

        Args:
            source, target: one sentence each.
            pretokenised: the lines are tokenised already; their words are used as they are.
            weights: "posterior", or "head" for the aligner's alignment head, if it has one.
        """
        return next(self.stream([(source, target)], pretokenised=pretokenised, weights=weights))

    def stream(
        self,
        pairs: Iterable[Pair],
        *,
        pretokenised: bool = False,
        weights: Weights = "posterior",
        extraction: Extraction | None = None,
        on_progress: Callable[[int], None] | None = None,
    ) -> Iterator[WordAlignment]:
        """``align`` for a stream of pairs, in order; a few pairs are read ahead, and those of similar length are
        batched.

        Args:
            pairs: source and target.
            pretokenised, weights: as in ``align``.
            extraction: the rule for links; None for the aligner's own.
            on_progress: called with the number of pairs done, after each.

        InputError for a missing head.
        """
        read, kept = tee(pairs)
        maps = self.maps(read, pretokenised=pretokenised, weights=weights)
        return self._stream(kept, maps, extraction or self.extraction, self.map_name(weights), on_progress)

    def map_name(self, weights: Weights = "posterior") -> str:
        """The name of the weights in results. InputError for a missing head."""
        if weights == "posterior":
            return self.settings.map
        if "forward" not in self._heads:
            raise InputError(f"{self.name} has no alignment head; `jointly aligner-head` trains one")
        names = [self._heads[direction].run.name for direction in DIRECTIONS if direction in self._heads]
        return f"{HEAD} of {' and '.join(names)}"

    def _stream(
        self,
        pairs: Iterator[Pair],
        alignments: Iterable[Alignment],
        rule: Extraction,
        map_name: str,
        on_progress: Callable[[int], None] | None,
    ) -> Iterator[WordAlignment]:
        for done, alignment in enumerate(alignments, start=1):
            source, target = next(pairs)
            yield WordAlignment(
                source=tuple(source.split()),
                target=tuple(target.split()),
                alignment=alignment,
                reverse=None,
                links=tuple(sorted(rule.links(alignment))),
                map=map_name,
                rule=rule.name,
            )
            if on_progress is not None:
                on_progress(done)

    def maps(
        self, pairs: Iterable[Pair], *, pretokenised: bool = False, weights: Weights = "posterior"
    ) -> Iterator[Alignment]:
        """Compute the weights of each pair over whole words, [words_y, words_x], end-of-sentence tokens last; a few
        pairs are read ahead. With runs of both directions they are the mean of p(j | i), whose rows sum to 1, and of
        p(i | j), whose columns do. InputError for a missing head."""
        self.map_name(weights)
        both = "reverse" in self._heads if weights == "head" else bool(self._reverse)
        for window in windows(pairs, lambda pair: len(pair[0]) * len(pair[1]), first=TOGETHER, most=TOGETHER):
            forward = self._maps("forward", window, pretokenised, weights)
            if not both:
                yield from forward
                continue
            turned = [(target, source) for source, target in window]
            reverse = self._maps("reverse", turned, pretokenised, weights)
            yield from (_mean(*one) for one in zip(window, forward, reverse, strict=True))

    def _maps(
        self, direction: Direction, pairs: Sequence[Pair], pretokenised: bool, weights: Weights
    ) -> Iterator[Alignment]:
        if weights == "head":
            with_head = self._heads[direction]
            maps = head_maps(with_head.run, with_head.head, pairs, pretokenised=pretokenised)
            return (alignment.merged() for alignment in maps)
        settings = self.settings
        runs, jumps = self._forward, settings.jumps
        if direction == "reverse":
            assert settings.reverse_jumps is not None
            runs, jumps = self._reverse, settings.reverse_jumps
        average = averaged_posteriors(runs, pairs, pretokenised=pretokenised, floor=settings.floor, bf16=self._bf16)
        return (_smoothed(pair, weights, jumps) for pair, weights in zip(pairs, average, strict=True))


def averaged_posteriors(
    runs: Sequence[Translator], pairs: Sequence[Pair], *, pretokenised: bool, floor: float, bf16: bool = False
) -> Iterator[WordWeights]:
    """Average the posteriors of several runs for each pair, in order."""
    streams = [posterior(run, pairs, pretokenised=pretokenised, bf16=bf16) for run in runs]
    return (averaged(maps, floor) for maps in zip(*streams, strict=True))


def check_runs(runs: Iterable[Translator], source_language: str, target_language: str) -> None:
    """Raise InputError for a run that has no alpha or does not translate between these languages."""
    for run in runs:
        if not run.has_alignment:
            raise InputError(f"{run.name} is an RNNencdec: it has no alpha from which a posterior could be computed")
        if (run.source_language, run.target_language) != (source_language, target_language):
            raise InputError(
                f"{run.name} translates {run.source_language} to {run.target_language}, not {source_language} to "
                f"{target_language}"
            )


def _mean(pair: Pair, forward: Alignment, reverse: Alignment) -> Alignment:
    """Average the weights of two directions. A word that only one of them reads has no weight in the other."""
    source, target = ((*line.split(), END) for line in pair)
    columns = sorted({*forward.source_words, *reverse.target_words})
    rows = sorted({*forward.target_words, *reverse.source_words})
    weights = np.zeros((len(target), len(source)), dtype=np.float32)
    weights[np.ix_(forward.target_words, forward.source_words)] += forward.weights / 2
    weights[np.ix_(reverse.source_words, reverse.target_words)] += reverse.weights.T / 2
    return Alignment(
        source=tuple(source[j] for j in columns),
        target=tuple(target[i] for i in rows),
        weights=weights[np.ix_(rows, columns)],
        source_words=tuple(columns),
        target_words=tuple(rows),
    )


def _smoothed(pair: Pair, word_weights: WordWeights, jumps: JumpModel) -> Alignment:
    """The smoothed weights as a record. The end-of-sentence tokens are aligned only with each other; without any source
    word, target words are aligned with the source's end-of-sentence token."""
    source, target = pair[0].split(), pair[1].split()
    weights = smoothed(word_weights.weights, jumps)
    rows, columns = weights.shape
    with_end = np.zeros((rows + 1, columns + 1), dtype=np.float32)
    with_end[:rows, :columns] = weights
    with_end[rows, columns] = 1
    if not columns:
        with_end[:, 0] = 1
    return Alignment(
        source=(*(source[j] for j in word_weights.source), END),
        target=(*(target[i] for i in word_weights.target), END),
        weights=with_end,
        source_words=(*word_weights.source, len(source)),
        target_words=(*word_weights.target, len(target)),
    )
