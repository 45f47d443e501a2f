"""``align``: word links of given sentence pairs by forced decoding."""

from __future__ import annotations

import argparse
from typing import Any

from nmt.cli.lines import MOST_CHARACTERS, read_pairs
from nmt.cli.link_options import add_maps, aligner_of, rule_of
from nmt.cli.options import DEVICE, JSON, RUN, RUNS, add_texts, print_json
from nmt.cli.progress import beside_output, progress
from nmt.errors import InputError
from nmt.results.links import format_links

_MOST_COST = 2_000_000
"""Largest cost of a pair, in the unit of ``nmt.aligners.pairs.MOST_COST``: about two minutes of one thread."""


def register(commands: argparse._SubParsersAction[Any]) -> None:
    parser = commands.add_parser(
        "align",
        help="word links of given sentence pairs",
        description="Word links of given sentence pairs, i-j source-target from 0, over the whitespace tokens of the "
        "lines (Japanese: over the tokens of its tokeniser). By default each target word is linked to the source word "
        "with the largest weight. RUN may be the folder of an aligner.",
        parents=[RUN, DEVICE, RUNS, JSON],
    )
    add_texts(parser, note=f", each up to {MOST_CHARACTERS:,} characters", required=True)
    parser.add_argument(
        "--format", choices=("pharaoh", "json"), default="pharaoh", help="output format; json includes the weights"
    )
    parser.add_argument("--pretokenised", action="store_true", help="the lines are already tokenised")
    add_maps(parser, "argmax")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    lines = read_pairs(options.source, options.target)
    aligner = aligner_of(options, len(lines.source), stand_in=False)
    extraction = rule_of(options, aligner)
    pairs = list(zip(lines.source, lines.target, strict=True))
    for number, (source, target) in enumerate(pairs, start=1):
        long = len(source) * len(target) > _MOST_COST  # a token has at least a character
        if long and (cost := aligner.cost(source, target, pretokenised=options.pretokenised)) > _MOST_COST:
            raise InputError(
                f"line {number}: the pair is too long: its cost, which grows with the product of the tokens of both "
                f"sides, is {cost:,}, and the limit is {_MOST_COST:,}"
            )
    with progress("align", len(lines.source), beside_output()) as show:
        aligned = aligner.stream(pairs, pretokenised=options.pretokenised, extraction=extraction, on_progress=show)
        for one in aligned:
            if options.json or options.format == "json":
                print_json(one.to_dict())
            else:
                print(format_links(one.links), flush=True)
    return 0
