"""The table of error rates says what the links are from, by which rule, and how good they are."""

from __future__ import annotations

from nmt.evaluation.alignment_error_rate import AlignmentErrorRate
from nmt.evaluation.measurement_files import MeasuredErrorRate
from nmt.tables.runs import alignment_table


def measured(found: int, map: str | None, rule: str) -> MeasuredErrorRate:
    """Of 50 links, ``found`` are among the 100 that gold has."""
    error = AlignmentErrorRate(sentences=1200, links=50, sure=100, possible=100, sure_found=found, possible_found=found)
    return MeasuredErrorRate(**vars(error), run=None, update=None, map=map, rule=rule)


def test_the_lowest_error_comes_first_and_says_what_it_is_of() -> None:
    rates = [measured(20, None, "as in the file"), measured(40, "posterior", "posterior argmax")]
    table = alignment_table({"mine": {"gold": rates}})
    assert table.left == 4  # the numbers follow
    assert [row[:4] for row in table.rows] == [
        ["gold", "mine", "posterior", "argmax"],
        ["gold", "mine", "", "as in the file"],
    ]
    assert [row[4:] for row in table.rows] == [
        [f"{100 * (1 - 80 / 150):.1f}", "80.0", "40.0", "1,200"],
        [f"{100 * (1 - 40 / 150):.1f}", "40.0", "20.0", "1,200"],
    ]
