"""Options and output that several commands share."""

from __future__ import annotations

import argparse
import json
import re
from dataclasses import dataclass
from typing import Any

from nmt.config import FORMAT_VERSION
from nmt.data.dictionary import Replacement
from nmt.errors import InputError


@dataclass(frozen=True)
class Decoding:
    """The decoding options, the same wherever something is decoded."""

    beam: int
    no_unk: bool
    length_penalty: float
    precision: str
    replace_unk: bool | Replacement


def add_decoding(parser: argparse.ArgumentParser) -> None:
    """--beam, --no-unk, --replace-unk, --length-penalty, --precision."""
    parser.add_argument("--beam", type=int, default=12, metavar="K", help="beam width; 1 is greedy (default 12)")
    parser.add_argument("--no-unk", action="store_true", help="the model may not write [UNK]")
    parser.add_argument(
        "--replace-unk",
        nargs="?",
        choices=("copy", "dictionary"),
        const=True,
        default=False,
        help="write in place of [UNK] the most attended source word (copy), or its entry in the run's dictionary, and "
        "itself where there is none (dictionary); without a value dictionary if the run has one, else copy. After RUN",
    )
    parser.add_argument(
        "--length-penalty",
        type=float,
        default=0.0,
        metavar="A",
        help="rank by log-probability / length^A (default 0)",
    )
    parser.add_argument(
        "--precision",
        choices=("fp32", "bf16"),
        default="fp32",
        help="of the matrix products; bf16 is faster and nearly the same (default fp32)",
    )


def decoding(options: argparse.Namespace) -> Decoding:
    return Decoding(options.beam, options.no_unk, options.length_penalty, options.precision, options.replace_unk)


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
