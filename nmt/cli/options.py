"""Options and output that several commands share."""

from __future__ import annotations

import argparse
import json
from typing import Any

from nmt.cli.numbers import add_number, add_whole_number
from nmt.config import FORMAT_VERSION, MOST_BEAM, MOST_PENALTY, SearchSettings
from nmt.errors import InputError
from nmt.files import is_plain_name


def add_decoding(parser: argparse.ArgumentParser) -> None:
    """Add --beam, --no-unk, --replace-unk, --length-penalty and --precision. The defaults are the run's own (section
    "search" of its config.json) and the usual precision."""
    add_beam(parser)
    parser.add_argument("--no-unk", action="store_true", default=None, help="forbid the model to write [UNK]")
    parser.add_argument(
        "--allow-unk",
        action="store_false",
        dest="no_unk",
        default=None,
        help="allow [UNK] even if the run's settings forbid it",
    )
    parser.add_argument(
        "--replace-unk",
        nargs="?",
        choices=("copy", "dictionary"),
        const=True,
        default=None,
        help="replace each [UNK] by the most attended source word (copy), or by that word's entry in the run's "
        "dictionary, falling back to the word itself (dictionary); without a value: dictionary if the run has one, "
        "else copy. Put it after RUN",
    )
    add_precision(parser)


def add_precision(parser: argparse.ArgumentParser) -> None:
    """Add --precision; None = the usual one of the device."""
    parser.add_argument(
        "--precision",
        choices=("fp32", "bf16", "int8"),
        help="precision of the matrix products of a search; int8 and bf16 are faster and nearly as exact (default: "
        "int8 on processors that are fast at it, else fp32)",
    )


def add_beam(parser: argparse.ArgumentParser) -> None:
    """Add --beam and --length-penalty; the defaults are the run's own."""
    default = "the run's own, usually"
    add_whole_number(parser, "--beam", 1, MOST_BEAM, "beam width, 1 is greedy", usual=f"{default} 12", metavar="K")
    add_number(
        parser,
        "--length-penalty",
        0,
        MOST_PENALTY,
        "rank by log-probability / length^A",
        usual=f"{default} 0",
        metavar="A",
    )


def search_settings(options: argparse.Namespace, defaults: SearchSettings) -> SearchSettings:
    """Apply the options of ``add_decoding`` or ``add_beam`` to the run's own settings. InputError if a value is out of
    range."""
    return defaults.changed(
        beam=options.beam,
        n_best=getattr(options, "n_best", None),
        length_penalty=options.length_penalty,
        no_unk=getattr(options, "no_unk", None),
        replace_unk=getattr(options, "replace_unk", None),
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON (docs/formats.md)")


def add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_folder", metavar="RUN", help="a run folder, such as checkpoints/rnnsearch-50")
    parser.add_argument("--device", default="cpu", help="where to compute: cpu (default) or cuda")


def check_name(name: str) -> None:
    """Raise InputError if the name cannot be used as a file name."""
    if not is_plain_name(name):
        raise InputError(f"{name!r} is not a valid name: use only letters, digits, '.', '_' and '-'")


def print_json(data: dict[str, Any]) -> None:
    """Print one object with the format version on one line, and flush."""
    print(json.dumps({"format": FORMAT_VERSION} | data, ensure_ascii=False), flush=True)
