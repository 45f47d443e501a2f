"""``check-attention``: compare a user's implementation of attention with the paper's."""

import argparse
import sys
from pathlib import Path

from nmt.cli.options import Commands, whole


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "check-attention",
        description="Run your own attention on random inputs, and name what is not as in equations 5 and 6. It runs "
        "the code of the file, which may do anything. Exit status 1 if something is wrong.",
    )
    parser.add_argument(
        "place",
        metavar="FILE.py:NAME",
        help="a class or function of s, h and mask that returns alpha and c (docs/teaching/attention.md)",
    )
    parser.add_argument(
        "sizes",
        type=whole(1, 10_000),
        nargs="*",
        metavar="SIZE",
        help="numbers to make the class from (default: as many as it needs of 8 16 6 5, the sizes of s, h_j, the "
        "hidden layer and E y; each 1 to 10,000)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from nmt.inspection.attention_check import check_attention, from_file

    file, _, name = options.place.rpartition(":")
    if Path(file).is_file():
        print(f"This runs the code of {file}.", file=sys.stderr)
    faults = check_attention(from_file(options.place, options.sizes))
    right = f"{name} is the paper's attention, as far as this test can tell."
    print("\n".join(f"{name}: {fault}." for fault in faults) or right)
    return int(bool(faults))
