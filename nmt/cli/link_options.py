"""Sources of links for the commands that print or measure them: the maps of one or two runs, and the rule."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nmt.cli.options import add_number, real
from nmt.errors import InputError
from nmt.evaluation.links import MAP_RULES, RULES, SYMMETRISATIONS, THRESHOLD, Extraction
from nmt.results import Alignment

if TYPE_CHECKING:
    from nmt.data.text import Tokenizer
    from nmt.inference.translator import Translator

ATTENTION, POSTERIOR, LEAVE_ONE_OUT = "attention", "posterior", "leave-one-out"
MAPS = (ATTENTION, POSTERIOR, LEAVE_ONE_OUT)


def add_extraction(parser: argparse.ArgumentParser, rule: str, more_rules: Sequence[str] = ()) -> None:
    """Add --rule, --threshold, --map and --reverse. ``rule``: the default without a reverse run."""
    rules = "; ".join(f"{name}: {what}" for name, what in MAP_RULES.items())
    parser.add_argument(
        "--rule",
        choices=(*RULES, *more_rules),
        help=f"rule that extracts links from the weights: {rules}; {', '.join(SYMMETRISATIONS)}: symmetrisations of "
        f"argmax and columns (default {rule}; with --reverse grow-diag-final-and)",
    )
    add_number(
        parser, "--threshold", real(1e-6, 1), "threshold of the rule of that name", default=THRESHOLD, metavar="T"
    )
    parser.add_argument(
        "--map",
        choices=MAPS,
        help="the weights: attention (alpha), computed before the target word is known; its posterior, given that "
        "word; or leave-one-out attribution, the cost of omitting each source word, which models without attention "
        "have too. An aligner has only its posterior",
    )
    parser.add_argument(
        "--reverse",
        metavar="RUN2",
        help="a run of the other direction; its argmax replaces the columns in a symmetrisation",
    )
    parser.set_defaults(default_rule=rule)


@dataclass(frozen=True)
class PairMaps:
    """Weights of one sentence pair, with those of the other direction if there is a reverse run."""

    forward: Alignment
    backward: Alignment | None


@dataclass(frozen=True)
class LineWords:
    """Words of both lines of a pair, as indexed by its links."""

    source: tuple[str, ...]
    target: tuple[str, ...]


def line_words(source: Tokenizer, target: Tokenizer, lines: tuple[str, str], pretokenised: bool) -> LineWords:
    """Split both lines into whitespace tokens or, in a language without spaces, into the tokens of its tokeniser if
    the lines are not yet tokenised."""
    if pretokenised:
        return LineWords(*(tuple(line.split()) for line in lines))
    sides = zip((source, target), lines, strict=True)
    return LineWords(*(tuple(tokenizer.line_words(line)) for tokenizer, line in sides))


@dataclass(frozen=True, kw_only=True)
class Mapper:
    """Loaded run, or two, with the kind of map computed from each.

    Attributes:
        model, reverse: the runs.
        map: map of the first run: "attention", "posterior" or "leave-one-out".
        reverse_map: map of the second run.
    """

    model: Translator
    reverse: Translator | None
    map: str
    reverse_map: str

    def line_words(self, source: str, target: str, pretokenised: bool) -> LineWords:
        """Split a pair into the words that its links index."""
        tokenizers = self.model.source.tokenizer, self.model.target.tokenizer
        return line_words(*tokenizers, (source, target), pretokenised)

    def stream(
        self, sources: Sequence[str], targets: Sequence[str], pretokenised: bool, on_progress: Callable[[int], None]
    ) -> Iterator[PairMaps]:
        """Yield the maps of each pair, in order."""
        forward = _maps(self.model, self.map, sources, targets, pretokenised, on_progress)
        if self.reverse is None:
            yield from (PairMaps(alignment, None) for alignment in forward)
            return
        backward = _maps(self.reverse, self.reverse_map, targets, sources, pretokenised, lambda _: None)
        for pair in zip(forward, backward, strict=True):
            yield PairMaps(*pair)

    def rule_name(self, extraction: Extraction) -> str:
        """Return the rule's name in results, which mentions leave-one-out attribution and a second run."""
        name = extraction.name if self.map == ATTENTION else f"{self.map} {extraction.name}"
        if self.reverse is None:
            return name
        stand_in = "" if self.reverse_map == ATTENTION else f"{self.reverse_map} of "
        return f"{name} with {stand_in}{self.reverse.name}"


def load_mapper(options: argparse.Namespace, stand_in: bool) -> Mapper:
    """Load the runs that the options name. ``stand_in``: use leave-one-out attribution by default for a run without
    attention.

    Raises:
        InputError: a run cannot be loaded, has no attention, or is not of the other direction.
    """
    from nmt.inference.translator import load

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

    return Mapper(
        model=model, reverse=reverse, map=chosen(model), reverse_map=ATTENTION if reverse is None else chosen(reverse)
    )


def chosen_rule(options: argparse.Namespace) -> Extraction:
    """Return the rule in the options; InputError if there is a reverse run that the rule cannot use."""
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
    from nmt.inspection.maps import leave_one_out, posterior

    pairs = zip(sources, targets, strict=True)
    if kind == LEAVE_ONE_OUT:
        return leave_one_out(model, pairs, pretokenised=pretokenised, on_progress=on_progress)
    if kind == POSTERIOR:
        return posterior(model, pairs, pretokenised=pretokenised, on_progress=on_progress)
    return model.align_stream(pairs, pretokenised=pretokenised, on_progress=on_progress)
