"""A program of several commands. The module of a command is imported only when the command is called.

Each module has ``register(commands)`` and ``run(options)``. ``register`` adds a parser and sets ``run``. ``run``
returns the exit status. None counts as 0.
"""

import argparse
import difflib
import importlib
import io
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from nmt.errors import InputError, needs_torch


class Parser(argparse.ArgumentParser):
    """A parser that raises InputError, one sentence, for each of its errors."""

    def error(self, message: str) -> NoReturn:
        raise InputError(re.sub(r"^argument ([^:]+): (must )?", lambda m: m[1] + (" must " if m[2] else ": "), message))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, and suggest a similar option for an unknown option."""
        parsed, rest = super().parse_known_args(args, namespace)
        for word in rest:
            option = word.partition("=")[0]
            if near := difflib.get_close_matches(option, self._option_string_actions, 1) * option.startswith("--"):
                self.error(f"there is no option {option}; did you mean {near[0]}?")
        return parsed, rest


@dataclass(frozen=True)
class Command:
    """A command: its module, and its line in the list of commands."""

    module: str
    line: str

    @property
    def sentence(self) -> str:
        return f"{self.line[0].upper()}{self.line[1:]}."


@dataclass(frozen=True, kw_only=True)
class Program:
    """A program of several commands. ``name``: the program as typed in a shell. ``groups``: for each heading of the
    help, in order, the commands by name."""

    name: str
    description: str
    document: str
    package: str
    groups: Mapping[str, Mapping[str, Command]]

    @property
    def commands(self) -> dict[str, Command]:
        """All commands by name."""
        return {name: command for group in self.groups.values() for name, command in group.items()}

    def parser(self, *names: str) -> Parser:
        """Build the parser of the named commands, or of all commands. Only their modules are imported."""
        parser, commands = self._without_commands()
        for module in dict.fromkeys(self.commands[name].module for name in names or self.commands):
            importlib.import_module(f"{self.package}.{module}").register(commands)
        for name, command in commands.choices.items():
            command.description = command.description or self.commands[name].sentence
        return parser

    def listing(self) -> Parser:
        """Build the parser whose help lists the commands. No module of a command is imported."""
        parser, commands = self._without_commands()
        widest = max(map(len, self.commands))
        listed = []
        for heading, group in self.groups.items():
            listed.append(f"{heading}:")
            for name, command in group.items():
                commands.add_parser(name)
                listed.append(f"  {name:{widest}}  {command.line}")
            listed.append("")
        parser.epilog = "\n".join([*listed, str(parser.epilog)])
        return parser

    def _without_commands(self) -> tuple[Parser, "argparse._SubParsersAction[Parser]"]:
        parser = Parser(
            prog=self.name,
            description=self.description,
            epilog=f"`{self.name} COMMAND --help` lists the options of a command; {self.document} has examples.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", help=argparse.SUPPRESS)
        parser.usage = "%(prog)s [-h] COMMAND ..."
        return parser, commands

    def main(self, arguments: Sequence[str] | None = None) -> int:
        """Run one command and return its exit status. Without arguments, list the commands."""
        words = list(sys.argv[1:] if arguments is None else arguments)
        program = self.name
        try:
            _use_utf8()
            is_command = bool(words) and words[0] in self.commands
            parser = self.parser(words[0]) if is_command else self.listing()
            if is_command:
                program += f" {words[0]}"
            elif words and (words[0] == "--" or not words[0].startswith("-")):
                near = difflib.get_close_matches(words[0], self.commands)
                hint = f"did you mean {near[0]}?" if near else f"`{self.name}` alone lists the commands"
                raise InputError(f"there is no command {words[0]!r}; {hint}")
            status: int | None = None
            if words:
                options = parser.parse_args(words)
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
    """Write UTF-8 to both streams in every locale. On stdout, bytes of file names that are not UTF-8 stay unchanged.
    Raises InputError if standard output is closed."""
    if sys.stdout is None:
        raise InputError("standard output is closed; redirect it to /dev/null if it is not wanted")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")
