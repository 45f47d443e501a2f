"""All commands: those of ``jointly``, and after the word "experiments" those of that program."""

from __future__ import annotations

from collections.abc import Sequence

from experiments.__main__ import EXPERIMENTS
from nmt.cli import JOINTLY

PROGRAMS = {"experiments": EXPERIMENTS}


def main(words: Sequence[str]) -> int:
    """Run a command."""
    first, *rest = words or [""]
    return PROGRAMS[first].main(rest) if first in PROGRAMS else JOINTLY.main(words)
