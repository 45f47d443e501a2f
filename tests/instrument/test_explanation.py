"""The maps of a word beside one another."""

import numpy as np

from nmt.instrument.explanation import rows_of
from nmt.results import Alignment


def alignment(weights: list[list[float]]) -> Alignment:
    source, target = (tuple(map(str, range(count))) for count in (len(weights[0]), len(weights)))
    return Alignment(source=source, target=target, weights=np.array(weights))


def test_the_rows_of_maps_are_over_the_words_alone_and_sum_to_one() -> None:
    maps = {
        "alpha": alignment([[1, 1, 2], [0, 0.25, 4]]),
        "of less words": alignment([[1, 1]]),
        "of less rows": alignment([[1, 1, 1]]),
        "of the words alone": alignment([[0, 0], [-1, 2]]),
        "of nothing": alignment([[1, 1, 1], [0, 0, 1]]),
    }
    rows = rows_of(maps, 1, 2)
    assert {name: row.tolist() for name, row in rows.items()} == {
        "alpha": [0, 1],
        "of the words alone": [0, 1],
        "of nothing": [0, 0],
    }
    assert "of less words" not in rows_of(maps, 0, 3)
