"""``align``: word links of given sentence pairs by forced decoding. Also the options of all commands that print or
measure links: a run or an aligner, one of its maps, and the rule."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from nmt.aligners.combination import is_aligner
from nmt.alignments.links import MAP_RULES, RULES, SYMMETRISATIONS, THRESHOLD, VOTE, Extraction
from nmt.cli.lines import MOST_CHARACTERS, beside_output, progress, read_pairs
from nmt.cli.options import (
    DEVICE,
    JSON,
    LANGUAGES,
    RUN,
    RUNS,
    Commands,
    add_number,
    add_texts,
    as_json_line,
    opened,
    real,
)
from nmt.cli.shards import add_shards, both_sides, work_on_shards
from nmt.data.shards import Shards, Work
from nmt.errors import InputError
from nmt.files import sha256_of
from nmt.results import WordAlignment
from nmt.results.links import MAPS, POSTERIOR, format_links

if TYPE_CHECKING:
    from nmt.aligners.pairs import PairAligner


TEXT, COUNTS, NONE = "text", "counts", "none"
ENOUGH = 10_000
"""Fewest sentence pairs from which a statistical partner learns by default, without stored counts."""


def add_maps(
    parser: argparse.ArgumentParser, rule: str, more_rules: Sequence[str] = (), more_maps: Sequence[str] = ()
) -> None:
    """Add the options of links, from --rule to --training. ``rule``: the default for a run without a reverse run."""
    rules = "; ".join(f"{name}: {what}" for name, what in MAP_RULES.items())
    parser.add_argument(
        "--rule",
        choices=(*RULES, VOTE, *more_rules),
        help=f"rule that extracts links from the weights: {rules}; {', '.join(SYMMETRISATIONS)}: symmetrisations of "
        f"argmax and columns; {VOTE}: what two of three have, an aligner and both directions of its partner (default "
        f"{rule}; with --reverse grow-diag-final-and, of an aligner its own)",
    )
    add_number(
        parser, "--threshold", real(1e-6, 1), "threshold of the rule of that name", usual=f"{THRESHOLD:g}", metavar="T"
    )
    parser.add_argument(
        "--map",
        choices=(*MAPS, *more_maps),
        help="the weights: attention (alpha), computed before the target word is known; its posterior, given that "
        "word; or leave-one-out attribution, the cost of omitting each source word, which models without attention "
        "have too. An aligner has only its posterior" + "; heads: each of a Transformer's, by argmax" * bool(more_maps),
    )
    parser.add_argument(
        "--reverse",
        metavar="RUN2",
        help="a run of the other direction; its argmax replaces the columns in a symmetrisation",
    )
    parser.add_argument(
        "--partner",
        choices=(TEXT, COUNTS, NONE),
        help=f"of an aligner, a statistical one beside its runs: {TEXT}: sil-thot, an optional package, reads the "
        f"whole text first; {COUNTS}: counts that are stored with the aligner; {NONE} (default: {NONE} without "
        f"sil-thot, else {COUNTS} if there are any and the text has fewer than {ENOUGH:,} pairs, else {TEXT})",
    )
    parser.add_argument(
        "--training",
        nargs=2,
        metavar=("SOURCE", "TARGET"),
        help=f"further sentence pairs, such as a corpus, from which the partner {TEXT} learns",
    )
    parser.set_defaults(default_rule=rule)


def aligner_of(options: argparse.Namespace, *, stand_in: bool) -> PairAligner:
    """Load the aligner, or the run and its reverse run, that the options name.

    ``stand_in``: use leave-one-out attribution by default for a run without attention. Raises InputError if a run
    cannot be loaded, has no attention or the wrong direction, and for options that do not fit.
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
    for name in ("runs", "partner", "training"):
        if getattr(options, name) is not None:
            raise InputError(f"--{name} requires an aligner")
    if options.reverse is not None and options.rule in (*MAP_RULES, VOTE):
        raise InputError(f"--reverse needs a rule for two directions: {', '.join(SYMMETRISATIONS)}")
    from nmt.aligners.pairs import RunAligner

    model = RunAligner.usual(opened(options.run_folder, options), options.map, stand_in=stand_in)
    if options.reverse is None:
        return model
    reverse = RunAligner.usual(opened(options.reverse, options, reverse=True), options.map, stand_in=stand_in)
    try:
        return model.with_reverse(reverse)
    except InputError as error:
        raise InputError(f"--reverse: {error}") from None


def with_partner(aligner: PairAligner, options: argparse.Namespace, pairs: int) -> PairAligner:
    """Give an aligner the partner that the options name, or else the default for this number of ``pairs``. If sil-thot
    is not installed, the default is no partner, as a note on stderr says. Raises InputError for --training with another
    partner or without sil-thot, and for missing counts. A run is returned unchanged."""
    from nmt.aligners.aligner import Aligner
    from nmt.aligners.partners import SilThot, is_installed, training_words

    if not isinstance(aligner, Aligner):
        return aligner
    enough = options.training is not None or pairs >= ENOUGH or aligner.partner is None
    usual = TEXT if options.training is not None or (is_installed() and enough) else COUNTS if is_installed() else NONE
    chosen = options.partner or usual
    if chosen != TEXT and options.training:
        raise InputError(f"--training is for --partner {TEXT}")
    if options.partner is None and chosen == NONE:
        print(
            "sil-thot is not installed (pip install 'jointly[smt]'), so these are the links of the runs alone; "
            f"--partner {COUNTS} takes the counts that are stored with an aligner instead.",
            file=sys.stderr,
        )
    if chosen == COUNTS and aligner.partner is None:
        raise InputError(f"the aligner {aligner.name} has no stored counts")
    if chosen == TEXT:
        source, target = map(Path, options.training or ("", ""))
        training = training_words(source, target, aligner.tokenizers) if options.training else ()
        return aligner.with_partner(SilThot(training))
    return aligner.with_partner(None) if chosen == NONE else aligner


def rule_of(options: argparse.Namespace, aligner: PairAligner) -> Extraction:
    """Return the rule in the options, or else the default: of the aligner, of --reverse, or of the command for a run.
    Raises InputError if the rule needs a partner and the aligner has none."""
    usual = aligner.extraction.rule if is_aligner(options.run_folder) else options.default_rule
    if options.reverse is None:
        return aligner.checked(Extraction.asked(options.rule or usual, options.threshold))
    return Extraction.asked(options.rule or "grow-diag-final-and", options.threshold)


_MOST_COST = 2_000_000
"""Largest cost of a pair, in softmaxes (``nmt.aligners.pairs.check_cost``): about two minutes of one thread."""


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "align",
        description="Word links of given sentence pairs, i-j source-target from 0, over the whitespace tokens of the "
        "lines (Japanese: over the tokens of its tokeniser). By default each target word is linked to the source word "
        "with the largest weight. RUN may be the folder of an aligner.",
        parents=[RUN, DEVICE, RUNS, LANGUAGES, JSON],
    )
    add_texts(parser, note=f", each up to {MOST_CHARACTERS:,} characters; --source alone: lines source ||| target")
    parser.add_argument("--pretokenised", action="store_true", help="the lines are already tokenised")
    add_maps(parser, "argmax")
    add_shards(parser, _align_shards)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    if work_on_shards(options, "source", "target"):
        return
    if options.source is None:
        raise InputError("give --source and --target, or --shards")
    aligner = aligner_of(options, stand_in=False)
    pairs = list(read_pairs(options.source, options.target, aligner.languages))
    aligner = with_partner(aligner, options, len(pairs))
    extraction = rule_of(options, aligner)
    _check_costs(options, aligner, pairs)
    with progress("align", len(pairs), beside_output()) as show:
        aligned = aligner.stream(pairs, pretokenised=options.pretokenised, extraction=extraction, on_progress=show)
        for alignment in aligned:
            print(_line(options, alignment), flush=True)


def _align_shards(options: argparse.Namespace) -> Work:
    """Open the work on shards. A partner that learns from texts learns from each shard and the pairs of --training."""
    pairs = Shards.read(options.shards).manifest.lines_per_shard
    aligner = with_partner(aligner_of(options, stand_in=False), options, pairs)
    extraction = rule_of(options, aligner)

    def lines(sides: Sequence[list[str]], _: int) -> Iterator[str]:
        texts = both_sides(sides)
        _check_costs(options, aligner, texts)
        aligned = aligner.stream(texts, pretokenised=options.pretokenised, extraction=extraction)
        yield from (_line(options, alignment) for alignment in aligned)

    shown = {"json": options.json, "pretokenised": options.pretokenised}
    training = [sha256_of(Path(file)) for file in options.training or ()]
    identity = {"command": "align", "aligner": aligner.identity, "rule": asdict(extraction), "training": training}
    return Work(f"align-{aligner.name}", identity | shown, lines)


def _line(options: argparse.Namespace, aligned: WordAlignment) -> str:
    return as_json_line(aligned.to_dict()) if options.json else format_links(aligned.links)


def _check_costs(options: argparse.Namespace, aligner: PairAligner, pairs: Sequence[tuple[str, str]]) -> None:
    """Raise InputError, with the number of the line, for a pair that costs more than _MOST_COST."""
    from nmt.aligners.pairs import check_cost

    for number, (source, target) in enumerate(pairs, start=1):
        long = len(source) * len(target) > _MOST_COST  # a token has at least a character
        if long:
            cost = aligner.cost(source, target, pretokenised=options.pretokenised)
            check_cost(f"line {number}", cost, _MOST_COST)
