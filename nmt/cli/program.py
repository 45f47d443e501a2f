"""A program of several commands. Its modules are imported only when their command is called.

Each module has ``register(commands)``, which adds a parser and sets ``run``, and ``run(options)``, which returns the
exit status; None is 0.
"""

import argparse
import difflib
import importlib
import io
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nmt.cli.options import Parser
from nmt.errors import InputError, needs_torch


@dataclass(frozen=True, kw_only=True)
class Program:
    """A program, and where its commands are.

    Attributes:
        name: the program as typed in a shell.
        description: its purpose, one sentence.
        document: the document with examples.
        package: the package of the modules.
        commands: the module of each command, in the order in which the help lists them.
    """

    name: str
    description: str
    document: str
    package: str
    commands: Mapping[str, str]

    def parser(self, command: str = "") -> Parser:
        """Build the parser of all commands, or of one alone without importing the modules of the others."""
        parser = Parser(
            prog=self.name,
            description=self.description,
            epilog=f"`{self.name} COMMAND --help` lists the options of a command; {self.document} has examples.",
            formatter_class=self._formatter,
        )
        commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
        chosen = [self.commands[command]] if command in self.commands else self.commands.values()
        for module in dict.fromkeys(chosen):
            importlib.import_module(f"{self.package}.{module}").register(commands)
        return parser

    def _formatter(self, prog: str) -> argparse.HelpFormatter:
        """Make a formatter whose first column holds the longest command. argparse indents a command twice, but counts
        one indentation."""
        widest = max(map(len, self.commands))
        formatter = argparse.HelpFormatter(prog, max_help_position=widest + 6)
        formatter._action_max_length = widest + 4
        return formatter

    def main(self, arguments: Sequence[str] | None = None) -> int:
        """Run one command and return its exit status; without arguments, list the commands."""
        words = list(sys.argv[1:] if arguments is None else arguments)
        program = self.name
        try:
            _use_utf8()
            parser = self.parser(*words[:1])
            if words and words[0] in self.commands:
                program += f" {words[0]}"
            elif words and not words[0].startswith("-"):
                near = difflib.get_close_matches(words[0], self.commands)
                hint = f"did you mean {near[0]}?" if near else f"`{self.name}` alone lists the commands"
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


def _use_utf8() -> None:
    """Write UTF-8 to both streams whatever the locale is, and bytes of file names that are not UTF-8 as they are.
    InputError if standard output is closed."""
    if sys.stdout is None:
        raise InputError("standard output is closed; redirect it to /dev/null if it is not wanted")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")
