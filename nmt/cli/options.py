"""Options and output that several commands share."""

from __future__ import annotations

import argparse
import json
import re
from typing import Any

from nmt.config import FORMAT_VERSION, MOST_BEAM, MOST_PENALTY, SearchSettings
from nmt.errors import InputError


def add_decoding(parser: argparse.ArgumentParser) -> None:
    """--beam, --no-unk, --replace-unk, --length-penalty, --precision. The defaults are the run's own (section "search"
    of its config.json)."""
    add_beam(parser)
    parser.add_argument("--no-unk", action="store_true", default=None, help="the model may not write [UNK]")
    parser.add_argument(
        "--allow-unk",
        action="store_false",
        dest="no_unk",
        default=None,
        help="it may, even if the run's settings forbid it",
    )
    parser.add_argument(
        "--replace-unk",
        nargs="?",
        choices=("copy", "dictionary"),
        const=True,
        default=None,
        help="write in place of [UNK] the most attended source word (copy), or its entry in the run's dictionary, and "
        "itself where there is none (dictionary); without a value dictionary if the run has one, else copy. After RUN",
    )
    parser.add_argument(
        "--precision",
        choices=("fp32", "bf16"),
        default="fp32",
        help="of the matrix products; bf16 is faster and nearly the same (default fp32)",
    )


def add_beam(parser: argparse.ArgumentParser) -> None:
    """--beam and --length-penalty, by default those of the run."""
    parser.add_argument(
        "--beam",
        type=int,
        metavar="K",
        help=f"beam width, at most {MOST_BEAM:,}; 1 is greedy (default: the run's own, usually 12)",
    )
    parser.add_argument(
        "--length-penalty",
        type=float,
        metavar="A",
        help=f"rank by log-probability / length^A, A at most {MOST_PENALTY} (default: the run's own, usually 0)",
    )


def search_settings(options: argparse.Namespace, defaults: SearchSettings) -> SearchSettings:
    """The run's own settings with what the options of ``add_decoding`` or ``add_beam`` change. InputError if they are
    out of range."""
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
    """InputError if what is to be kept under this name could not be a file of that name."""
    if not re.fullmatch(r"[A-Za-z0-9][\w.-]*", name):
        raise InputError(f"{name!r} cannot be a name here: use letters, digits, '.', '_' and '-'")


def print_json(data: dict[str, Any]) -> None:
    """One object on one line, with the format version, at once."""
    print(json.dumps({"format": FORMAT_VERSION} | data, ensure_ascii=False), flush=True)
