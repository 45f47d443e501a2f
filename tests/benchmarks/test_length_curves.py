"""What is measured side by side gives the same."""

import pytest

from benchmarks.length_curves import Timed, measure, one_by_one, systems, table
from nmt.evaluation.bootstrap import Resamples
from nmt.evaluation.buckets import by_width, rolling
from nmt.evaluation.length_curves import length_curves
from nmt.evaluation.metrics import metrics


@pytest.mark.parametrize("metric", metrics())
@pytest.mark.parametrize("spans", [by_width(), rolling(10, 60)], ids=["buckets", "windows"])
def test_both_ways_have_the_same_intervals(spans, metric) -> None:
    given = systems(3, 400)
    resamples = Resamples.draw(400, 60)
    expected = one_by_one(given, spans, resamples, metric)
    for curve in length_curves(given, spans, metric=metric, resamples=resamples).curves:
        for point, other in zip(curve.points, expected[curve.system], strict=True):
            assert (point.interval is None) == (other is None)
            if point.interval is not None:
                assert (point.interval.low, point.interval.high) == pytest.approx((other.low, other.high), rel=1e-9)


def test_better_systems_score_higher() -> None:
    values = [curve.overall.value for curve in length_curves(systems(4, 500), by_width()).curves]
    assert values == sorted(values)


def test_the_table_has_ratios_where_both_were_measured() -> None:
    lines = table([Timed("a", 0.5, 1.0), Timed("a, one by one", 2.0, 3.0), Timed("b", 0.1, 0.1)]).splitlines()
    assert lines[2] == "| a | 0.500 | 1.000 | 4.0x |"
    assert lines[3].endswith("|  |")
    assert len(measure(systems(2, 50), 1)) == 14
