"""``align``: word links of given sentence pairs by forced decoding."""

from __future__ import annotations

import argparse
from typing import Any

from nmt.cli.aligner_maps import add_maps, mapper_of, rule_of
from nmt.cli.lines import MOST_CHARACTERS, read_pairs
from nmt.cli.link_options import LineWords, PairMaps
from nmt.cli.options import DEVICE, JSON, RUN, print_json
from nmt.cli.progress import beside_output, progress
from nmt.evaluation.links import LinkSet
from nmt.results import WordAlignment
from nmt.results.links import format_links


def register(commands: argparse._SubParsersAction[Any]) -> None:
    parser = commands.add_parser(
        "align",
        help="word links of given sentence pairs",
        description="Word links of given sentence pairs, i-j source-target from 0, over the whitespace tokens of the "
        "lines (Japanese: over the tokens of its tokeniser). By default each target word is linked to the source word "
        "with the largest weight. RUN may be the folder of an aligner.",
        parents=[RUN, DEVICE, JSON],
    )
    parser.add_argument(
        "--source",
        required=True,
        metavar="FILE",
        help=f"source sentences, one per line, each up to {MOST_CHARACTERS:,} characters",
    )
    parser.add_argument("--target", required=True, metavar="FILE", help="target sentences, one per line")
    parser.add_argument(
        "--format", choices=("pharaoh", "json"), default="pharaoh", help="output format; json includes the weights"
    )
    parser.add_argument("--pretokenised", action="store_true", help="the lines are already tokenised")
    add_maps(parser, "argmax")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    extraction = rule_of(options)
    mapper = mapper_of(options, stand_in=False)
    pairs = read_pairs(options.source, options.target)
    rule = mapper.rule_name(extraction)
    with progress("align", len(pairs.source), beside_output()) as show:
        stream = mapper.stream(pairs.source, pairs.target, options.pretokenised, show)
        for source, target, maps in zip(pairs.source, pairs.target, stream, strict=True):
            links = extraction.links(maps.forward, maps.backward)
            if options.json or options.format == "json":
                words = mapper.line_words(source, target, options.pretokenised)
                _print_json(words, maps, links, mapper.map, rule)
            else:
                print(format_links(sorted(links)), flush=True)
    return 0


def _print_json(words: LineWords, maps: PairMaps, links: LinkSet, map_name: str, rule: str) -> None:
    result = WordAlignment(
        source=words.source,
        target=words.target,
        alignment=maps.forward.merged(),
        reverse=None if maps.backward is None else maps.backward.merged(),
        links=tuple(sorted(links)),
        map=map_name,
        rule=rule,
    )
    print_json(result.to_dict())
