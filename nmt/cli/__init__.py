"""Commands, ``jointly COMMAND``. Every command is a thin call into the core, and returns its exit status; None is 0.

Results go to stdout, progress to stderr; with ``--json`` results are JSON (docs/formats.md). Exit status: 0 success,
1 the program or the training failed, 2 invalid user input (one sentence on stderr), 130 interrupted.
"""

import argparse
import difflib
import importlib
import io
import os
import sys
from collections.abc import Sequence

from nmt.cli.options import Parser
from nmt.errors import InputError, needs_torch

_COMMANDS = {
    "app": "app",
    "get": "get",
    "corpus": "corpus",
    "prepare": "prepare",
    "train": "train",
    "jobs": "jobs",
    "translate": "translate",
    "score": "translate",
    "align": "align",
    "shard": "shards",
    "merge": "shards",
    "aer": "aer",
    "aligner": "aligner",
    "dictionary": "dictionary",
    "evaluate": "evaluate",
    "compare": "compare",
    "stress": "stress",
    "figure3": "figure3",
    "rescore": "rescore",
    "phrase-based": "phrase_based",
    "scenes": "scenes",
    "page": "page",
    "serve": "serve",
    "inspect": "runs",
    "recipes": "runs",
    "release": "runs",
    "checksums": "runs",
    "card": "card",
    "overview": "overview",
    "reproduce": "reproduce",
}
"""The module of each command, in the order in which ``jointly`` lists them."""


def build_parser(command: str = "") -> Parser:
    """Build the parser of all commands, or of one alone without importing the modules of the others."""
    parser = Parser(
        prog="jointly",
        description="RNNsearch and RNNencdec, from raw text to alignment weights.",
        epilog="`jointly COMMAND --help` lists the options of a command; docs/commands.md has examples.",
        formatter_class=_formatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in dict.fromkeys([_COMMANDS[command]] if command in _COMMANDS else _COMMANDS.values()):
        importlib.import_module(f"nmt.cli.{module}").register(commands)
    return parser


def _formatter(prog: str) -> argparse.HelpFormatter:
    """A column wide enough for each command and its line; argparse forgets that commands are indented twice."""
    formatter = argparse.HelpFormatter(prog, max_help_position=18)
    formatter._action_max_length = 16
    return formatter


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
    """Run one command and return its exit status; without arguments, list the commands."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    program = "jointly"
    try:
        _use_utf8()
        parser = build_parser(*words[:1])
        if words and words[0] in _COMMANDS:
            program += f" {words[0]}"
        elif words and not words[0].startswith("-"):
            near = difflib.get_close_matches(words[0], _COMMANDS)
            hint = f"did you mean {near[0]}?" if near else "`jointly` alone lists the commands"
            raise InputError(f"there is no command {words[0]!r}; {hint}")
        status: int | None = None
        if words:
            options = parser.parse_args(words)
            options.arguments = words
            with needs_torch():
                status = options.run(options)
        else:
            parser.print_help()
        sys.stdout.flush()
        return status or 0
    except InputError as error:
        print(f"{program}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output went away, e.g. `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        what = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        print(f"{program}: {what}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        return 130
