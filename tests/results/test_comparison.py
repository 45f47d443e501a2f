"""What is said of a difference between two systems."""

import pytest

from nmt.results import Interval, Span
from nmt.results.comparison import PairedTest, ScoreDifference


def difference(first: int, p: float | None, corrected: float | None = None) -> ScoreDifference:
    return ScoreDifference(
        span=Span(first, first + 9),
        sentences=40,
        difference=1.5,
        difference_interval=Interval(0.5, 2.5),
        p=p,
        corrected_p=corrected,
    )


@pytest.mark.parametrize(
    ("metric", "sentences", "value", "ends", "p", "expected"),
    [
        ("BLEU", 1200, 1.26, (0.44, 2.06), 0.0005, "a is better by 1.3 BLEU (95 %: 0.4 to 2.1), p = 0.001"),
        ("BLEU", 1200, -1.26, (-2.06, -0.44), 0.0004, "b is better by 1.3 BLEU (95 %: 0.4 to 2.1), p < 0.001"),
        ("TER", 9, -1.26, (-2.06, 0.04), 0.0499, "a is better by 1.3 TER (95 %: 0.0 to 2.1), p = 0.050"),
        ("TER", 1, 0.1, None, None, "not distinguishable with 1 sentence: b is ahead by 0.1 TER, too few to test"),
        (
            *("BLEU", 0, 0.099, (-0.004, 1.0), 0.05),
            "not distinguishable with 0 sentences: a is ahead by 0.10 BLEU (95 %: 0.00 to 1.00), p = 0.050",
        ),
        ("chrF", 1200, 0.0, (0.0, 0.0), 1.0, "not distinguishable with 1,200 sentences: both have the same chrF"),
        ("chrF", 0, None, None, None, "no sentences to compare"),
    ],
)
def test_a_difference_is_said_in_a_sentence(
    metric: str, sentences: int, value: float | None, ends: tuple[float, float] | None, p: float | None, expected: str
) -> None:
    interval = None if ends is None else Interval(*ends)
    found = ScoreDifference(span=Span(0), sentences=sentences, difference=value, difference_interval=interval, p=p)
    lower = metric == "TER"
    pair = PairedTest(first="a", second="b", metric=metric, method="bootstrap", overall=found, lower_is_better=lower)
    assert pair.in_words(found) == expected


@pytest.mark.parametrize("tests", [0, 1, 2, 3])
def test_a_p_is_called_corrected_where_several_were_tested(tests: int) -> None:
    ranges = [difference(10 * k + 1, 0.01, 0.01 * tests) for k in range(tests)] + [difference(91, None)]
    pair = PairedTest(
        first="a", second="b", metric="BLEU", method="bootstrap", overall=difference(1, 0.02), by_length=tuple(ranges)
    )
    assert "p = 0.020" in pair.in_words(pair.overall)
    assert "corrected" not in pair.in_words(pair.overall)
    for each in ranges[:-1]:
        assert f"p = {0.01 * tests:.3f}" in pair.in_words(each)
        assert ("corrected for" in pair.in_words(each)) == (tests > 1)
    assert "p =" not in pair.in_words(ranges[-1])
