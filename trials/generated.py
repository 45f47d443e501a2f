"""Inputs drawn by Hypothesis strategies from a trial's seed; an input that fails does not end the trial."""

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy


def each_drawn(random: Random, number: int, strategy: SearchStrategy[Any], use: Callable[[Any], None]) -> None:
    """Call ``use`` with so many values of the strategy."""
    repeatable = settings(
        max_examples=number,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=tuple(HealthCheck),
    )
    seed(random.getrandbits(32))(repeatable(given(strategy)(use)))()
