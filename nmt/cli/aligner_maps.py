"""An aligner in place of a run, for the commands that print or measure links."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from nmt.aligners.settings import is_aligner, read_aligner
from nmt.cli.extraction import Mapper, PairMaps, add_extraction, chosen_rule, load_mapper
from nmt.errors import InputError
from nmt.evaluation.link_extraction import Extraction
from nmt.evaluation.symmetrisation import SYMMETRISATIONS

if TYPE_CHECKING:
    from nmt.aligners.aligner import Aligner


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

    def __init__(self, aligner: Aligner) -> None:
        self._aligner = aligner
        self.map = aligner.map

    def stream(
        self, sources: Sequence[str], targets: Sequence[str], pretokenised: bool, on_progress: Callable[[int], None]
    ) -> Iterator[PairMaps]:
        """The maps of each pair, in order."""
        pairs = zip(sources, targets, strict=True)
        for done, found in enumerate(self._aligner.maps(pairs, pretokenised=pretokenised), start=1):
            yield PairMaps(found.forward, found.reverse)
            on_progress(done)

    def rule_name(self, extraction: Extraction) -> str:
        """The rule as results have it."""
        return extraction.name


def mapper_of(options: argparse.Namespace, stand_in: bool) -> Mapper | AlignerMapper:
    """Load what the options name, a run or an aligner; arguments and errors as ``load_mapper``."""
    if not is_aligner(options.run_folder):
        if options.runs is not None:
            raise InputError("--runs is for an aligner")
        return load_mapper(options, stand_in)
    if options.map is not None or options.reverse is not None:
        raise InputError("an aligner has its own map and runs of the other direction: no --map and no --reverse")
    from nmt.aligners.loading import load_aligner

    return AlignerMapper(load_aligner(options.run_folder, options.runs, options.device))


def rule_of(options: argparse.Namespace) -> Extraction:
    """The rule of the options; without one an aligner's own."""
    if not is_aligner(options.run_folder):
        return chosen_rule(options)
    settings = read_aligner(options.run_folder)
    extraction = Extraction(options.rule or settings.rule, options.threshold)
    if settings.reverse_jumps is not None and extraction.rule not in SYMMETRISATIONS:
        raise InputError(f"the aligner has runs of both directions: --rule is one of {', '.join(SYMMETRISATIONS)}")
    return extraction


def both_directions(options: argparse.Namespace) -> bool:
    """Whether links are made of two maps, one a direction."""
    if is_aligner(options.run_folder):
        return read_aligner(options.run_folder).reverse_jumps is not None
    return options.reverse is not None
