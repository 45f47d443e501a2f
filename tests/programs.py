"""All commands: those of ``jointly``, and after the words "release" and "experiments" those of these programs."""

import argparse
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from experiments.__main__ import EXPERIMENTS
from nmt.cli import JOINTLY
from nmt.records import FORMAT_VERSION
from release.__main__ import RELEASE

PROGRAMS = {"release": RELEASE, "experiments": EXPERIMENTS}


@cache
def parser_of(program: str) -> argparse.ArgumentParser:
    """The parser of a program, of `jointly` for another word."""
    return PROGRAMS.get(program, JOINTLY).parser()


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """The options of a command. InputError for what its program does not take."""
    first, *rest = words
    return parser_of(first).parse_args(rest if first in PROGRAMS else words)


def main(words: Sequence[str]) -> int:
    """Run a command."""
    first, *rest = words or [""]
    return PROGRAMS[first].main(rest) if first in PROGRAMS else JOINTLY.main(words)


@dataclass(frozen=True)
class Commands:
    """Commands that run in the process of a test."""

    capsys: pytest.CaptureFixture[str]

    def printed(self, *words: str) -> str:
        """Standard output of a command that ends well."""
        self.capsys.readouterr()
        assert main(words) == 0, words
        return self.capsys.readouterr().out

    def objects(self, *words: str) -> list[dict[str, Any]]:
        """The objects that a command prints as JSON, one a line, without their format."""
        items: list[dict[str, Any]] = [json.loads(line) for line in self.printed(*words, "--json").splitlines()]
        assert all(item.pop("format") == FORMAT_VERSION for item in items)
        return items

    def refused(self, *words: str) -> str:
        """The one line, bars aside, on standard error of a command that ends with status 2 and has printed nothing."""
        self.capsys.readouterr()
        assert main(words) == 2, words
        captured = self.capsys.readouterr()
        error = re.sub(r"(\r[^\r\n]*)+\n", "", captured.err)
        assert (captured.out, error.count("\n")) == ("", 1), captured
        return error
