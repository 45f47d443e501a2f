"""All commands: those of ``jointly``, and after the words "release" and "experiments" those of these programs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import cache

from experiments.__main__ import EXPERIMENTS
from nmt.cli import JOINTLY
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
