"""The cuts of the phrase-based system between its phrases, which keep the order of the source, as `evaluate --segments`
takes them.

    jointly phrase-based translate SYSTEM --json < test.en | python -m experiments phrase-based segments > segments
"""

import json
import sys
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from experiments.segmented import with_cuts


def phrases(weights: Sequence[Sequence[float]]) -> list[tuple[tuple[int, ...], list[int]]]:
    """Positions of the source words and of the target words of each phrase; ``weights``: [T_y, T_x], as in
    ``PhraseTranslation.segmentation``.

    >>> phrases([[0.5, 0.5, 0], [0, 0, 1], [0, 0, 1]])
    [((0, 1), [0]), ((2,), [1, 2])]
    """
    read = [tuple(j for j, weight in enumerate(row) if weight) for row in weights]
    return [(source, list(target)) for source, target in groupby(range(len(read)), read.__getitem__)]


def segments(translation: dict[str, Any]) -> str:
    """A line of the file: both texts with their cuts; those of a blank sentence have none."""
    if not translation["hypotheses"]:
        return " ||| "
    best = translation["hypotheses"][0]
    alignment = best["alignment"]
    found = phrases(alignment["weights"])
    source = with_cuts(translation["source"], [[alignment["source"][j] for j in read] for read, _ in found])
    return (
        f"{source} ||| {with_cuts(best['text'], [[alignment['target'][i] for i in written] for _, written in found])}"
    )


def main() -> None:
    for line in sys.stdin:
        print(segments(json.loads(line)))


if __name__ == "__main__":
    main()
