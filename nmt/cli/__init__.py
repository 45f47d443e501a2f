"""Commands, ``jointly COMMAND``. Every command is a thin call into the core.

Results go to stdout, progress to stderr; with ``--json`` results are JSON (docs/formats.md). Exit status: 0 success,
1 the program or the training failed, 2 invalid user input (one sentence on stderr), 130 interrupted.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence

from nmt.errors import InputError

_MODULES = (
    "corpus",
    "prepare",
    "train",
    "translate",
    "score",
    "align",
    "aer",
    "aligner",
    "dictionary",
    "evaluate",
    "compare",
    "stress",
    "scenes",
    "page",
    "serve",
    "runs",
    "release",
    "checksums",
    "word_counts",
    "card",
    "overview",
    "reproduce",
)


def build_parser() -> argparse.ArgumentParser:
    """Build the parser with all commands."""
    parser = argparse.ArgumentParser(
        prog="jointly", description="RNNsearch and RNNencdec, from raw text to alignment weights."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in _MODULES:
        importlib.import_module(f"nmt.cli.{name}").register(commands)
    return parser


def _use_utf8() -> None:
    """Write UTF-8 to both streams whatever the locale is, and bytes of file names that are not UTF-8 as they are.
    InputError if standard output is closed."""
    if sys.stdout is None:
        raise InputError("standard output is closed; redirect it to /dev/null if it is not wanted")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    command = ""
    try:
        _use_utf8()
        options = build_parser().parse_args(arguments)
        command = f" {options.command}"
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except InputError as error:
        print(f"jointly{command}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output went away, e.g. `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        what = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        print(f"jointly{command}: {what}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"jointly{command}: interrupted", file=sys.stderr)
        return 130
