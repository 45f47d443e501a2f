"""Options of the commands that print or measure links: a run or an aligner, one of its maps, and the rule."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nmt.aligners.settings import is_aligner, read_aligner
from nmt.cli.options import add_number, real
from nmt.errors import InputError
from nmt.evaluation.links import MAP_RULES, RULES, SYMMETRISATIONS, THRESHOLD, Extraction
from nmt.results.links import MAPS, POSTERIOR

if TYPE_CHECKING:
    from nmt.aligners.pairs import PairAligner


def add_maps(parser: argparse.ArgumentParser, rule: str, more_rules: Sequence[str] = ()) -> None:
    """Add --rule, --threshold, --map and --reverse. ``rule``: the default for a run without a reverse run."""
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


def aligner_of(options: argparse.Namespace, *, stand_in: bool) -> PairAligner:
    """Load the run or aligner that the options name, and the reverse run. ``stand_in``: use leave-one-out attribution
    by default for a run without attention.

    Raises:
        InputError: a run cannot be loaded, has no attention, or is not of the other direction; options that do not
            fit.
    """
    if is_aligner(options.run_folder):
        if options.reverse is not None:
            raise InputError(
                "--reverse cannot be combined with an aligner, which has its own runs of the other direction"
            )
        if options.map not in (None, POSTERIOR):
            raise InputError(f"for an aligner, --map must be {POSTERIOR}")
        from nmt.aligners.aligner import load_aligner

        return load_aligner(options.run_folder, options.runs, options.device)
    if options.runs is not None:
        raise InputError("--runs requires an aligner")
    from nmt.aligners.pairs import RunAligner
    from nmt.inference.translator import load

    model = RunAligner.usual(load(options.run_folder, device=options.device), options.map, stand_in=stand_in)
    if options.reverse is None:
        return model
    reverse = RunAligner.usual(load(options.reverse, device=options.device), options.map, stand_in=stand_in)
    try:
        return model.with_reverse(reverse)
    except InputError as error:
        raise InputError(f"--reverse: {error}") from None


def rule_of(options: argparse.Namespace) -> Extraction:
    """Return the rule in the options, or else the aligner's own or the command's default; InputError if there is a
    reverse run that the rule cannot use."""
    if is_aligner(options.run_folder):
        return Extraction(options.rule or read_aligner(options.run_folder).rule, options.threshold)
    if options.reverse is None:
        return Extraction(options.rule or options.default_rule, options.threshold)
    extraction = Extraction(options.rule or "grow-diag-final-and", options.threshold)
    if extraction.rule not in SYMMETRISATIONS:
        raise InputError(f"--reverse needs a rule for two directions: {', '.join(SYMMETRISATIONS)}")
    return extraction
