"""All commands: those of ``jointly``, and after the words "release" and "experiments" those of these programs."""

from __future__ import annotations

from collections.abc import Sequence

from experiments.__main__ import EXPERIMENTS
from nmt.cli import JOINTLY
from release.__main__ import RELEASE

PROGRAMS = {"release": RELEASE, "experiments": EXPERIMENTS}


def main(words: Sequence[str]) -> int:
    """Run a command."""
    first, *rest = words or [""]
    return PROGRAMS[first].main(rest) if first in PROGRAMS else JOINTLY.main(words)
