"""``score``: what a model thinks of given translations."""

from __future__ import annotations

import argparse
from typing import Any

from nmt.cli.lines import read_pairs
from nmt.cli.options import add_json, add_run, print_json
from nmt.cli.progress import beside_output, progress


def register(commands: argparse._SubParsersAction[Any]) -> None:
    parser = commands.add_parser(
        "score", help="log-probability (natural logarithm, end mark included) of each target given its source"
    )
    add_run(parser)
    parser.add_argument("--source", required=True, metavar="FILE", help="source sentences, one a line")
    parser.add_argument("--target", required=True, metavar="FILE", help="target sentences, one a line")
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from nmt.translator import load

    model = load(options.run_folder, device=options.device)
    pairs = read_pairs(options.source, options.target)
    with progress("score", len(pairs.source), beside_output()) as show:
        given = zip(pairs.source, pairs.target, strict=True)
        for scored in model.score_stream(given, alpha=options.json, on_progress=show):
            if options.json:
                print_json(scored.to_dict())
            else:
                print(f"{scored.log_probability:.6f}", flush=True)
    return 0
