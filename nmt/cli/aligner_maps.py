"""An aligner in place of a run, for the commands that print or measure links."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from nmt.aligners.settings import is_aligner, read_aligner
from nmt.cli.link_options import (
    HEAD_MAP,
    POSTERIOR,
    LineWords,
    Mapper,
    PairMaps,
    add_extraction,
    chosen_rule,
    line_words,
    load_mapper,
)
from nmt.errors import InputError
from nmt.evaluation.link_extraction import Extraction
from nmt.evaluation.symmetrisation import SYMMETRISATIONS

if TYPE_CHECKING:
    from nmt.aligners.aligner import Aligner, Weights


def add_maps(parser: argparse.ArgumentParser, rule: str, more_rules: Sequence[str] = ()) -> None:
    """The options of ``add_extraction``, and --runs."""
    add_extraction(parser, rule, more_rules)
    parser.add_argument(
        "--runs",
        metavar="FOLDER",
        help="of an aligner: where the runs that it names lie (default: the folder checkpoints beside the folder of "
        "aligners)",
    )


class AlignerMapper:
    """A loaded aligner with the face of a ``Mapper``.

    Attributes:
        map: the name of its weights.
    """

    def __init__(self, aligner: Aligner, weights: Weights) -> None:
        self._aligner, self._weights = aligner, weights
        self.map = aligner.map_name(weights)

    def line_words(self, source: str, target: str, pretokenised: bool) -> LineWords:
        """The words of a pair that its links count."""
        from nmt.data.text import Tokenizer

        settings = self._aligner.settings
        tokenizers = Tokenizer(settings.source_language), Tokenizer(settings.target_language)
        return line_words(*tokenizers, (source, target), pretokenised)

    def stream(
        self, sources: Sequence[str], targets: Sequence[str], pretokenised: bool, on_progress: Callable[[int], None]
    ) -> Iterator[PairMaps]:
        """The maps of each pair, in order."""
        pairs = zip(sources, targets, strict=True)
        maps = self._aligner.maps(pairs, pretokenised=pretokenised, weights=self._weights)
        for done, found in enumerate(maps, start=1):
            yield PairMaps(found.forward, found.reverse)
            on_progress(done)

    def rule_name(self, extraction: Extraction) -> str:
        """The rule as results have it."""
        return extraction.name


def mapper_of(options: argparse.Namespace, stand_in: bool) -> Mapper | AlignerMapper:
    """Load what the options name, a run or an aligner; arguments and errors as ``load_mapper``."""
    if not is_aligner(options.run_folder):
        if options.runs is not None or options.map == HEAD_MAP:
            raise InputError(f"--runs and --map {HEAD_MAP} are for an aligner")
        return load_mapper(options, stand_in)
    if options.reverse is not None:
        raise InputError("an aligner has its own runs of the other direction: no --reverse")
    weights = _weights(options)
    from nmt.aligners.loading import load_aligner

    return AlignerMapper(load_aligner(options.run_folder, options.runs, options.device), weights)


def rule_of(options: argparse.Namespace) -> Extraction:
    """The rule of the options; without one an aligner's own. InputError for one that makes nothing of two
    directions."""
    if not is_aligner(options.run_folder):
        return chosen_rule(options)
    extraction = Extraction(options.rule or read_aligner(options.run_folder).rule, options.threshold)
    if both_directions(options) and extraction.rule not in SYMMETRISATIONS:
        raise InputError(f"the aligner has two directions: --rule is one of {', '.join(SYMMETRISATIONS)}")
    return extraction


def both_directions(options: argparse.Namespace) -> bool:
    """True where links are made of two maps, one a direction."""
    if not is_aligner(options.run_folder):
        return options.reverse is not None
    settings = read_aligner(options.run_folder)
    if _weights(options) == "head":
        return any(settings.direction_of(head) == "reverse" for head in settings.heads)
    return settings.reverse_jumps is not None


def _weights(options: argparse.Namespace) -> Weights:
    """Which of an aligner's two kinds of weights; InputError for those of a run."""
    if options.map not in (None, POSTERIOR, HEAD_MAP):
        raise InputError(f"an aligner has two maps: --map is {POSTERIOR} or {HEAD_MAP}")
    return "head" if options.map == HEAD_MAP else "posterior"
