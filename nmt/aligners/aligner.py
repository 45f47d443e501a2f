"""A loaded aligner. It computes weights over whole words and links for text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import tee
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from nmt.aligners.combination import (
    DIRECTIONS,
    AlignerSettings,
    Direction,
    Smoothing,
    WordWeights,
    averaged,
    find_run,
    read_aligner,
    smoothed,
)
from nmt.aligners.pairs import OnProgress, Pair, PairAligner, PairMaps, RunAligner
from nmt.aligners.partners import WordPair, read_counts
from nmt.alignments.links import VOTE, BothDirections, Extraction
from nmt.data.text import word_spans
from nmt.errors import InputError
from nmt.inference.text_search import windows
from nmt.inference.translator import Translator, load
from nmt.inspection.maps import TOGETHER, posterior
from nmt.records import to_data
from nmt.results import END, Alignment, Languages
from nmt.results.links import POSTERIOR, LinkSet, numbered_words


class Partner(Protocol):
    """A statistical aligner that an ``Aligner`` combines with its runs. name: its name in results."""

    @property
    def name(self) -> str: ...

    def links(self, pairs: Iterable[WordPair]) -> Iterator[BothDirections | None]:
        """Yield the links of each pair, in order, or None for a pair that the partner cannot read. The partner may read
        all pairs before it yields."""


class Aligner(PairAligner):
    """Links the words of pairs by the weights of several runs. A statistical partner may add links (``PairMaps``)."""

    def __init__(
        self,
        name: str,
        settings: AlignerSettings,
        forward: Sequence[Translator],
        reverse: Sequence[Translator],
        bf16: bool,
        partner: Partner | None,
    ) -> None:
        """Combine loaded runs. ``bf16``: whether to compute matrix products of posteriors in bf16. Raises InputError
        for a run without alpha or with other languages."""
        self.name, self.settings, self._bf16, self.partner = name, settings, bf16, partner
        self.map = settings.map if partner is None else f"{settings.map}, with {partner.name}"
        self.extraction = Extraction(settings.rule if partner is None else VOTE)
        self._forward, self._reverse = tuple(forward), tuple(reverse)
        self.languages = Languages(settings.source_language, settings.target_language)
        check_runs(self._forward, self.languages)
        check_runs(self._reverse, self.languages.reversed)

    def with_partner(self, partner: Partner | None) -> Aligner:
        """An aligner of the same runs with this partner, or without a partner for None."""
        return Aligner(self.name, self.settings, self._forward, self._reverse, self._bf16, partner)

    @property
    def identity(self) -> dict[str, Any]:
        """Checksums of the runs, the aligner's settings, name of the partner, and whether bf16 is used."""
        runs = [run.identity for run in (*self._forward, *self._reverse)]
        partner = None if self.partner is None else self.partner.name
        return {"runs": runs, "settings": to_data(self.settings), "partner": partner, "bf16": self._bf16}

    def pair_maps(
        self, pairs: Iterable[Pair], *, pretokenised: bool, on_progress: OnProgress | None = None
    ) -> Iterator[PairMaps]:
        """The runs' maps (``maps``) and the partner's links of each pair."""
        read, to_link = tee(pairs)
        statistical = self._statistical(to_link, pretokenised)
        for done, alignment in enumerate(self.maps(read, pretokenised=pretokenised), start=1):
            yield PairMaps(alignment, statistical=next(statistical))
            if on_progress is not None:
                on_progress(done)

    def _statistical(self, pairs: Iterable[Pair], pretokenised: bool) -> Iterator[BothDirections | None]:
        """Yield the partner's links of each pair, or None. The links number the words of the lines. The partner reads
        the words of the tokenisers, or the words between spaces of ``pretokenised`` lines."""
        if self.partner is None:
            yield from (None for _ in pairs)
            return
        read, lines = tee(pairs)
        if pretokenised:
            yield from self.partner.links((numbered_words(source), numbered_words(target)) for source, target in read)
            return
        left, right = self.tokenizers
        words, spans = tee((left.tokenize(source), right.tokenize(target)) for source, target in read)
        for (source, target), (s, t), both in zip(lines, spans, self.partner.links(words), strict=True):
            numbers = (
                word_spans(" ".join(left.line_words(source)), s),
                word_spans(" ".join(right.line_words(target)), t),
            )
            yield both and BothDirections(_over(both.forward, *numbers), _over(both.backward, *numbers))

    def maps(self, pairs: Iterable[Pair], *, pretokenised: bool) -> Iterator[Alignment]:
        """Compute the weights of each pair over whole words, [words_y, words_x], end-of-sentence tokens last. A few
        pairs are read ahead. The weights are p(j | i), or with runs of both directions its mean with p(i | j)."""
        for window in windows(pairs, lambda pair: len(pair[0]) * len(pair[1]), first=TOGETHER, most=TOGETHER):
            forward = self._maps("forward", window, pretokenised)
            if not self._reverse:
                yield from forward
                continue
            turned = [(target, source) for source, target in window]
            reverse = self._maps("reverse", turned, pretokenised)
            words = (self.words_of(pair, pretokenised) for pair in window)
            yield from (_mean(*parts) for parts in zip(words, forward, reverse, strict=True))

    def cost(self, source: str, target: str, *, pretokenised: bool) -> int:
        by_run = [(run, source, target) for run in self._forward] + [(run, target, source) for run in self._reverse]
        return sum(RunAligner(run, POSTERIOR).cost(*pair, pretokenised=pretokenised) for run, *pair in by_run)

    def _maps(self, direction: Direction, pairs: Sequence[Pair], pretokenised: bool) -> Iterator[Alignment]:
        runs = self._forward if direction == "forward" else self._reverse
        smoothing, floor = self.settings.smoothing, self.settings.average.floor
        average = averaged_posteriors(runs, pairs, pretokenised=pretokenised, floor=floor, bf16=self._bf16)
        words = (self.words_of(pair, pretokenised) for pair in pairs)
        if direction == "reverse":
            words = (self.words_of((source, target), pretokenised)[::-1] for target, source in pairs)
        return (_smoothed(sides, weights, smoothing, direction) for sides, weights in zip(words, average, strict=True))


def _over(links: LinkSet, source: Sequence[int], target: Sequence[int]) -> LinkSet:
    return frozenset((source[j], target[i]) for j, i in links)


def averaged_posteriors(
    runs: Sequence[Translator], pairs: Sequence[Pair], *, pretokenised: bool, floor: float, bf16: bool = False
) -> Iterator[WordWeights]:
    """Yield the average of all runs' posteriors for each pair, in order (``averaged``)."""
    streams = [posterior(run, pairs, pretokenised=pretokenised, bf16=bf16) for run in runs]
    return (averaged(maps, floor) for maps in zip(*streams, strict=True))


def check_runs(runs: Iterable[Translator], languages: Languages) -> None:
    """Raise InputError for a run that has no alpha, or that does not translate from and into these languages."""
    for run in runs:
        if not run.has_alignment:
            raise InputError(f"{run.name} is an RNNencdec: it has no alpha from which a posterior could be computed")
        if run.languages != languages:
            raise InputError(f"{run.name} translates {run.languages}, not {languages}")


def _mean(words: Sequence[tuple[str, ...]], forward: Alignment, reverse: Alignment) -> Alignment:
    """Average the weights of two directions. A word that one direction did not read has weight 0 in that direction."""
    source, target = ((*side, END) for side in words)
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


def _smoothed(
    words: Sequence[tuple[str, ...]], word_weights: WordWeights, smoothing: Smoothing, direction: Direction
) -> Alignment:
    """Smooth the weights, and add the end-of-sentence tokens, which are aligned only with each other. Without source
    words, every target word is aligned with the end-of-sentence token of the source."""
    source, target = words
    jumps = smoothing.jumps if direction == "forward" else smoothing.reverse_jumps
    assert jumps is not None
    weights = smoothed(word_weights.weights, jumps, smoothing.mu)
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


def load_aligner(
    path: str | Path, runs: str | Path | None = None, device: str = "cpu", precision: str = "fp32"
) -> Aligner:
    """Load an aligner and its runs. If the aligner's folder has counts.json, these counts become its partner.

    Args:
        path: the aligner's folder, such as aligners/en-fr.
        runs: the folder that contains the runs. None = the folders that ``find_run`` searches.
        device: device to compute on, "cpu" or "cuda".
        precision: precision of the posteriors' products: "fp32", or "bf16" for speed and nearly the same links.

    Raises InputError if aligner.json, counts.json or a run is missing or broken, or the device does not exist.
    InputError also for a run with other weights than when the aligner was built.
    """
    if precision not in ("fp32", "bf16"):
        raise InputError(f'precision must be "fp32" or "bf16", not {precision!r}')
    settings = read_aligner(path)
    places = [find_run(path, run, runs).path for run in settings.runs]
    loaded = {run: load(place, device=device) for run, place in zip(settings.runs, places, strict=True)}
    forward, reverse = (
        [model for run, model in loaded.items() if run.direction == direction] for direction in DIRECTIONS
    )
    partner = read_counts(Path(path))
    return Aligner(Path(path).resolve().name, settings, forward, reverse, precision == "bf16", partner)
