"""Which pairs the "No UNK" column counts."""

import pytest

from nmt.evaluation.unknown_words import without_unknown


def test_an_unknown_word_on_either_side_takes_the_pair_out():
    source, reference = [0, 1, 0, 3, 0], [0, 0, 2, 1, 0]
    assert without_unknown(source, reference) == [0, 4]
    assert without_unknown([1], [0]) == []


def test_both_sides_must_have_as_many_lines():
    with pytest.raises(ValueError):
        without_unknown([0], [0, 0])
