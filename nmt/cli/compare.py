"""``compare``: runs and other systems side by side, from what ``evaluate`` kept of them."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from nmt.cli.options import add_json, print_json
from nmt.errors import InputError
from nmt.tables.alignment import alignment_table
from nmt.tables.comparison import tables
from nmt.tables.training import training_table
from nmt.trained import trainings


def register(commands: argparse._SubParsersAction[Any]) -> None:
    parser = commands.add_parser(
        "compare",
        help="Table 1, Table 2, BLEU by length (Figure 2) and tests of significance, from what runs keep; nothing is "
        "translated",
    )
    parser.add_argument("folders", metavar="RUN_OR_SYSTEM", nargs="+", help="folders that `evaluate` kept something in")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME",
        help="a test set; may be given several times (default all)",
    )
    parser.add_argument(
        "--on",
        action="append",
        default=[],
        metavar="NAME",
        help="a test set for BLEU by length and for tests of all pairs; may be given several times (default: joined, "
        "all sets as one)",
    )
    parser.add_argument("--resamples", type=int, default=1000, metavar="N", help="of the bootstrap (default 1000)")
    parser.add_argument("--seed", type=int, default=12345, metavar="N", help="of the bootstrap (default 12345)")
    parser.add_argument("--format", choices=("text", "markdown"), default="text", help="how tables look")
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from nmt.evaluation.closer_look import LookSettings
    from nmt.evaluation.comparison import compare
    from nmt.evaluation.stored import read_evaluated
    from nmt.evaluation.stored_error_rates import read_error_rates

    if options.resamples < 40 or options.seed < 0:
        raise InputError("--resamples must be at least 40, and --seed at least 0")
    systems = [read_evaluated(folder) for folder in dict.fromkeys(options.folders)]
    comparison = compare(systems, options.set, options.on, LookSettings(resamples=options.resamples, seed=options.seed))
    trained = trainings(options.folders)
    errors = {
        name: found
        for system, name in zip(systems, comparison.systems, strict=True)
        if (found := read_error_rates(system.path))
    }
    if options.json:
        aligned = {
            name: {gold: [one.to_dict() for one in measured] for gold, measured in found.items()}
            for name, found in errors.items()
        }
        print_json(comparison.to_dict() | {"trainings": [asdict(row) for row in trained], "alignment": aligned})
        return 0
    more = [alignment_table(errors)] if errors else []
    for table in [*tables(comparison), *more, *([training_table(trained)] if trained else [])]:
        print(table.markdown() if options.format == "markdown" else table.text())
        print()
    for note in comparison.notes:
        print(f"Note: {note}")
    return 0
