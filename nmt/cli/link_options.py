"""Where links come from, for the commands that print or measure them: maps of one run or two, and the rule."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nmt.errors import InputError
from nmt.evaluation.link_extraction import MAP_RULES, RULES, THRESHOLD, Extraction
from nmt.evaluation.symmetrisation import SYMMETRISATIONS
from nmt.results import Alignment

if TYPE_CHECKING:
    from nmt.data.text import Tokenizer
    from nmt.inference.translator import Translator

ATTENTION, POSTERIOR, LEAVE_ONE_OUT = "attention", "posterior", "leave-one-out"
HEAD_MAP = "head"
MAPS = (ATTENTION, POSTERIOR, LEAVE_ONE_OUT, HEAD_MAP)


def add_extraction(parser: argparse.ArgumentParser, rule: str, more_rules: Sequence[str] = ()) -> None:
    """--rule, --threshold, --map, --reverse. ``rule``: the default, unless there is a reverse run."""
    rules = "; ".join(f"{name}: {what}" for name, what in MAP_RULES.items())
    parser.add_argument(
        "--rule",
        choices=(*RULES, *more_rules),
        help=f"how links are taken from the weights: {rules}; {', '.join(SYMMETRISATIONS)}: argmax and columns made "
        f"one (default {rule}; with --reverse grow-diag-final-and)",
    )
    parser.add_argument(
        "--threshold", type=float, default=THRESHOLD, metavar="T", help=f"for that rule (default {THRESHOLD})"
    )
    parser.add_argument(
        "--map",
        choices=MAPS,
        help="the weights: alpha, made before the target word is known; its posterior, with the target word known; or "
        "what leaving out each source word costs each target word, the stand-in where there is no alpha. Of an "
        "aligner: posterior (default), or head, its alignment head: a small aligner that reads the model's states, not "
        "its attention",
    )
    parser.add_argument(
        "--reverse",
        metavar="RUN2",
        help="a run of the other direction; its argmax takes the place of the columns in a symmetrisation",
    )
    parser.set_defaults(default_rule=rule)


@dataclass(frozen=True)
class PairMaps:
    """The weights of one pair, and those of the other direction if there is a run for it."""

    forward: Alignment
    backward: Alignment | None


@dataclass(frozen=True)
class LineWords:
    """The words of both lines of a pair that links count."""

    source: tuple[str, ...]
    target: tuple[str, ...]


def line_words(source: Tokenizer, target: Tokenizer, lines: tuple[str, str], pretokenised: bool) -> LineWords:
    """The words of both lines: those between white space, or in a language without spaces those of its tokeniser, if
    the lines are not tokenised yet."""
    if pretokenised:
        return LineWords(*(tuple(line.split()) for line in lines))
    sides = zip((source, target), lines, strict=True)
    return LineWords(*(tuple(tokenizer.line_words(line)) for tokenizer, line in sides))


@dataclass(frozen=True)
class Mapper:
    """A loaded run, or two, and which maps are made.

    Attributes:
        model, reverse: the runs.
        map: of the first: "attention", "posterior" or "leave-one-out".
        reverse_map: of the second.
    """

    model: Translator
    reverse: Translator | None
    map: str
    reverse_map: str

    def line_words(self, source: str, target: str, pretokenised: bool) -> LineWords:
        """The words of a pair that its links count."""
        tokenizers = self.model.source.tokenizer, self.model.target.tokenizer
        return line_words(*tokenizers, (source, target), pretokenised)

    def stream(
        self, sources: Sequence[str], targets: Sequence[str], pretokenised: bool, on_progress: Callable[[int], None]
    ) -> Iterator[PairMaps]:
        """The maps of each pair, in order."""
        forward = _maps(self.model, self.map, sources, targets, pretokenised, on_progress)
        if self.reverse is None:
            yield from (PairMaps(alignment, None) for alignment in forward)
            return
        backward = _maps(self.reverse, self.reverse_map, targets, sources, pretokenised, lambda _: None)
        for pair in zip(forward, backward, strict=True):
            yield PairMaps(*pair)

    def rule_name(self, extraction: Extraction) -> str:
        """The rule as results have it: a stand-in and a second run are named."""
        name = extraction.name if self.map == ATTENTION else f"{self.map} {extraction.name}"
        if self.reverse is None:
            return name
        stand_in = "" if self.reverse_map == ATTENTION else f"{self.reverse_map} of "
        return f"{name} with {stand_in}{self.reverse.name}"


def load_mapper(options: argparse.Namespace, stand_in: bool) -> Mapper:
    """Load what the options name. ``stand_in``: whether a run without attention gets the stand-in unasked.

    Raises:
        InputError: a run cannot be loaded, has no attention, or is not of the other direction.
    """
    from nmt.inference.loading import load

    model = load(options.run_folder, device=options.device)
    reverse = None if options.reverse is None else load(options.reverse, device=options.device)
    if reverse is not None and (reverse.source_language, reverse.target_language) != (
        model.target_language,
        model.source_language,
    ):
        raise InputError(
            f"--reverse: {reverse.name} translates {reverse.source_language} to {reverse.target_language}, not "
            f"{model.target_language} to {model.source_language}"
        )

    def chosen(run: Translator) -> str:
        if options.map is None:
            return ATTENTION if run.has_alignment or not stand_in else LEAVE_ONE_OUT
        return str(options.map)

    return Mapper(model, reverse, chosen(model), ATTENTION if reverse is None else chosen(reverse))


def chosen_rule(options: argparse.Namespace) -> Extraction:
    """The rule of the options; InputError for one that makes nothing of a reverse run."""
    if options.reverse is None:
        return Extraction(options.rule or options.default_rule, options.threshold)
    extraction = Extraction(options.rule or "grow-diag-final-and", options.threshold)
    if extraction.rule not in SYMMETRISATIONS:
        raise InputError(f"--reverse needs a rule for two directions: {', '.join(SYMMETRISATIONS)}")
    return extraction


def _maps(
    model: Translator,
    kind: str,
    sources: Sequence[str],
    targets: Sequence[str],
    pretokenised: bool,
    on_progress: Callable[[int], None],
) -> Iterator[Alignment]:
    from nmt.inspection.leave_one_out import leave_one_out
    from nmt.inspection.posterior import posterior

    pairs = zip(sources, targets, strict=True)
    if kind == LEAVE_ONE_OUT:
        return leave_one_out(model, pairs, pretokenised=pretokenised, on_progress=on_progress)
    if kind == POSTERIOR:
        return posterior(model, pairs, pretokenised=pretokenised, on_progress=on_progress)
    return model.align_stream(pairs, pretokenised=pretokenised, on_progress=on_progress)
