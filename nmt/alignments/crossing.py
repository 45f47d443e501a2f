"""Places in a translation where the order of words is reversed, as [European Economic Area] in [zone économique
européenne].

Paper: 5.2.1, Figure 3
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from nmt.alignments import strings
from nmt.results import Alignment

_WORD = re.compile(r"\w")
_NOWHERE = -9


@dataclass(frozen=True)
class Crossing:
    """Consecutive target words whose source words stand in the reverse order.

    Attributes:
        source: numbers of the source words, ascending.
        target: numbers of the target words, ascending, at least two.
    """

    source: tuple[int, ...]
    target: tuple[int, ...]

    def sentence(self, alignment: Alignment) -> str:
        """Describe the crossing in one sentence."""
        source_words = " ".join(alignment.source[j] for j in range(self.source[0], self.source[-1] + 1))
        target_words = " ".join(alignment.target[i] for i in self.target)
        return strings.CROSSING.format(target=target_words, source=source_words)


def crossing(alignment: Alignment, least: float = 0.25) -> Crossing | None:
    """Find the longest run of two or more consecutive target words whose most attended source words stand in the
    reverse order; of equally long runs, the one with the largest weights.

    Only words with a letter or digit count, with a weight of at least ``least`` on such a word. The source words must
    lie close together: at most one further word between two neighbours.
    """
    places, weights = _most_attended(alignment, least)
    runs: list[list[int]] = [[]]
    for i, j in enumerate(places):
        continues = runs[-1] and 1 <= places[runs[-1][-1]] - j <= 2
        if j == _NOWHERE:
            runs.append([])
        elif continues:
            runs[-1].append(i)
        else:
            runs.append([i])
    longest = max(runs, key=lambda run: (len(run), sum(weights[i] for i in run)))
    if len(longest) < 2:
        return None
    return Crossing(source=tuple(sorted(places[i] for i in longest)), target=tuple(longest))


def _most_attended(alignment: Alignment, least: float) -> tuple[list[int], list[float]]:
    """For each target word the source word with the largest weight, ``_NOWHERE`` if it does not count, and this
    weight."""
    places, weights = [], []
    for word, row in zip(alignment.target, alignment.weights, strict=True):
        j = int(np.argmax(row)) if len(row) else 0
        counts = len(row) and row[j] >= least and _WORD.search(word) and _WORD.search(alignment.source[j])
        places.append(j if counts else _NOWHERE)
        weights.append(float(row[j]) if len(row) else 0.0)
    return places, weights
