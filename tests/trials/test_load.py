"""What the trials of load and of the queue measure, and how the results say it."""

from __future__ import annotations

import pytest

from trials.load import memory_levels
from trials.registry import TRIALS, trials
from trials.report import table
from trials.results import PieceResult, summarised


@pytest.mark.parametrize(("per_minute", "grows"), [(0.0, False), (200.0, True)])
def test_memory_counts_from_the_level_it_has_after_the_beginning(per_minute: float, grows: bool) -> None:
    memory = [(float(at), 500.0 + 4 * min(at, 60) + per_minute * max(0, at - 60) / 60) for at in range(600)]
    first, last = memory_levels(memory, 60)
    assert (last > first) == grows
    assert first >= 740


def test_a_short_measurement_has_levels_too() -> None:
    assert memory_levels([(0.0, 5.0), (1.0, 6.0), (2.0, 7.0)], 60) == (6.0, 7.0)


def test_readers_and_seconds_change_the_load_alone() -> None:
    changed = trials(1, 2)
    assert [trial.name for trial in changed] == [trial.name for trial in TRIALS]
    assert [new.name for new, old in zip(changed, TRIALS, strict=True) if new is not old] == ["load"]


def test_figures_stand_below_the_table() -> None:
    result = PieceResult(trial="load", piece=0, commit="c", tried=3, figures="two readers, 12 MB")
    lines = table(TRIALS, summarised([result])).splitlines()
    assert lines[-2:] == ["", "- `load`: two readers, 12 MB."]
