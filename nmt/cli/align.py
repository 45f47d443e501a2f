"""``align``: word links of given pairs by forced decoding."""

from __future__ import annotations

import argparse
from typing import Any

from nmt.cli.extraction import add_extraction, chosen_rule, load_mapper
from nmt.cli.lines import read_pairs
from nmt.cli.options import add_json, add_run, print_json
from nmt.cli.progress import beside_output, progress
from nmt.evaluation.pharaoh import format_links
from nmt.evaluation.symmetrisation import Links
from nmt.results import Alignment


def register(commands: argparse._SubParsersAction[Any]) -> None:
    parser = commands.add_parser(
        "align",
        help="links of given pairs, i-j source-target from 0, over the whitespace words of the lines (of Japanese: "
        "over the words that it is cut into); by default for each target word the source word with the largest weight",
    )
    add_run(parser)
    parser.add_argument("--source", required=True, metavar="FILE", help="source sentences, one a line")
    parser.add_argument("--target", required=True, metavar="FILE", help="target sentences, one a line")
    parser.add_argument("--format", choices=("pharaoh", "json"), default="pharaoh", help="json adds the weights")
    parser.add_argument("--pretokenised", action="store_true", help="the lines are tokenised already")
    add_extraction(parser, "argmax")
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    extraction = chosen_rule(options)
    mapper = load_mapper(options, stand_in=False)
    pairs = read_pairs(options.source, options.target)
    rule = mapper.rule_name(extraction)
    with progress("align", len(pairs.source), beside_output()) as show:
        stream = mapper.stream(pairs.source, pairs.target, options.pretokenised, show)
        for source, target, maps in zip(pairs.source, pairs.target, stream, strict=True):
            links = extraction.links(maps.forward, maps.backward)
            if options.json or options.format == "json":
                words = (source.split(), target.split())
                if not options.pretokenised:
                    sides = (mapper.model.source, mapper.model.target)
                    words = (sides[0].tokenizer.line_words(source), sides[1].tokenizer.line_words(target))
                _print_json(words, maps.forward, links, mapper.map, rule)
            else:
                print(format_links(links), flush=True)
    return 0


def _print_json(
    words: tuple[list[str], list[str]], alignment: Alignment, links: Links, map_name: str, rule: str
) -> None:
    print_json(
        {
            "source_words": words[0],
            "target_words": words[1],
            "links": [list(link) for link in sorted(links)],
            "rule": rule,
            "map": map_name,
            "alignment": alignment.merged().to_dict(),
        }
    )
