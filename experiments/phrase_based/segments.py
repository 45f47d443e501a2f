"""The cuts of the phrase-based system between its phrases, which keep the order of the source, as `evaluate --segments`
takes them.

    python -m experiments phrase-based translate SYSTEM --json < test.en > translations
    python -m experiments phrase-based segments < translations > segments
"""

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from experiments.segmented import with_cuts
from nmt.cli.options import Commands


def phrases(weights: Sequence[Sequence[float]]) -> list[tuple[tuple[int, ...], list[int]]]:
    """Positions of the source words and of the target words of each phrase; ``weights``: [T_y, T_x], as in
    ``PhraseTranslation.segmentation``.

    >>> phrases([[0.5, 0.5, 0], [0, 0, 1], [0, 0, 1]])
    [((0, 1), [0]), ((2,), [1, 2])]
    """
    read = [tuple(j for j, weight in enumerate(row) if weight) for row in weights]
    return [(source, list(target)) for source, target in groupby(range(len(read)), read.__getitem__)]


def segments(record: dict[str, Any]) -> str:
    """A line of the file: both texts with their cuts; those of a blank sentence have none."""
    best = record["systems"][0]
    source, target = best["source"]["tokens"], best["target"]["tokens"]
    found = phrases(best["maps"][0]["weights"]) if target else []
    read = with_cuts(record["source"]["text"], [[source[j] for j in each] for each, _ in found])
    return f"{read} ||| {with_cuts(best['text'], [[target[i] for i in written] for _, written in found])}"


def register(steps: Commands) -> None:
    parser = steps.add_parser(
        "segments",
        help="cut both texts between the phrases of a translation",
        description="Read what `translate --json` prints from standard input, and print both texts with their cuts, as "
        "`evaluate --segments` takes them.",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    for line in sys.stdin:
        print(segments(json.loads(line)))
