"""``align``: word links of given pairs by forced decoding."""

from __future__ import annotations

import argparse
from typing import Any

from nmt.cli.lines import read_pairs
from nmt.cli.options import add_json, add_run, print_json
from nmt.cli.progress import beside_output, progress
from nmt.results import Alignment


def register(commands: argparse._SubParsersAction[Any]) -> None:
    parser = commands.add_parser(
        "align",
        help="links of given pairs, i-j source-target from 0, over the whitespace words of the lines; for each "
        "target word the source word with the largest weight",
    )
    add_run(parser)
    parser.add_argument("--source", required=True, metavar="FILE", help="source sentences, one a line")
    parser.add_argument("--target", required=True, metavar="FILE", help="target sentences, one a line")
    parser.add_argument("--format", choices=("pharaoh", "json"), default="pharaoh", help="json adds the weights")
    parser.add_argument("--pretokenised", action="store_true", help="the lines are tokenised already")
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from nmt.translator import load

    model = load(options.run_folder, device=options.device)
    pairs = read_pairs(options.source, options.target)
    with progress("align", len(pairs.source), beside_output()) as show:
        given = zip(pairs.source, pairs.target, strict=True)
        alignments = model.align_stream(given, pretokenised=options.pretokenised, on_progress=show)
        for source, target, alignment in zip(pairs.source, pairs.target, alignments, strict=True):
            _print(source, target, alignment, options.json or options.format == "json")
    return 0


def _print(source: str, target: str, alignment: Alignment, as_json: bool) -> None:
    links = sorted(alignment.links())
    if as_json:
        print_json(
            {
                "source_words": source.split(),
                "target_words": target.split(),
                "links": [list(link) for link in links],
                "rule": "argmax",
                "alignment": alignment.merged().to_dict(),
            }
        )
    else:
        print(" ".join(f"{i}-{j}" for i, j in links), flush=True)
