"""Support for an aligner in place of a run, in the commands that print or measure links."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from nmt.aligners.settings import is_aligner, read_aligner
from nmt.cli.link_options import (
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
from nmt.evaluation.links import Extraction

if TYPE_CHECKING:
    from nmt.aligners.aligner import Aligner


def add_maps(parser: argparse.ArgumentParser, rule: str, more_rules: Sequence[str] = ()) -> None:
    """Add the options of ``add_extraction``, and --runs."""
    add_extraction(parser, rule, more_rules)
    parser.add_argument(
        "--runs",
        metavar="FOLDER",
        help="for an aligner: folder of the runs that it names (default: the folder checkpoints next to the folder of "
        "aligners)",
    )


class AlignerMapper:
    """A loaded aligner with the interface of a ``Mapper``.

    Attributes:
        map: the name of its weights.
    """

    def __init__(self, aligner: Aligner) -> None:
        self._aligner = aligner
        self.map = aligner.settings.map

    def line_words(self, source: str, target: str, pretokenised: bool) -> LineWords:
        """Split a pair into the words that its links index."""
        from nmt.data.text import Tokenizer

        settings = self._aligner.settings
        tokenizers = Tokenizer(settings.source_language), Tokenizer(settings.target_language)
        return line_words(*tokenizers, (source, target), pretokenised)

    def stream(
        self, sources: Sequence[str], targets: Sequence[str], pretokenised: bool, on_progress: Callable[[int], None]
    ) -> Iterator[PairMaps]:
        """Yield the maps of each pair, in order."""
        pairs = zip(sources, targets, strict=True)
        maps = self._aligner.maps(pairs, pretokenised=pretokenised)
        for done, pair_maps in enumerate(maps, start=1):
            yield PairMaps(pair_maps, None)
            on_progress(done)

    def rule_name(self, extraction: Extraction) -> str:
        """Return the rule's name in results."""
        return extraction.name


def mapper_of(options: argparse.Namespace, stand_in: bool) -> Mapper | AlignerMapper:
    """Load the run or aligner that the options name; arguments and errors as in ``load_mapper``."""
    if not is_aligner(options.run_folder):
        if options.runs is not None:
            raise InputError("--runs requires an aligner")
        return load_mapper(options, stand_in)
    if options.reverse is not None:
        raise InputError("--reverse cannot be combined with an aligner, which has its own runs of the other direction")
    if options.map not in (None, POSTERIOR):
        raise InputError(f"for an aligner, --map must be {POSTERIOR}")
    from nmt.aligners.aligner import load_aligner

    return AlignerMapper(load_aligner(options.run_folder, options.runs, options.device))


def rule_of(options: argparse.Namespace) -> Extraction:
    """Return the rule in the options, or else the aligner's own."""
    if not is_aligner(options.run_folder):
        return chosen_rule(options)
    return Extraction(options.rule or read_aligner(options.run_folder).rule, options.threshold)
