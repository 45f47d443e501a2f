"""Places in a translation where the order of words is surely reversed, as [European Economic Area] in [zone économique
européenne].

What is found is said to readers as a fact about the two languages, so that only certain cases count. On the pairs of
jointly-150, with their French forced, none of what is found contradicts a gold link (docs/log.md).

Paper: 5.2.1, Figure 3
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np

from nmt.alignments import strings
from nmt.results import Alignment

_CONTENT = re.compile(r"[^\W\d_]{4,}")
"""A word of four letters or more: shorter ones are mostly articles, prepositions and the like."""

_SHARED = 0.5
"""A source word on which a second target word has this weight is translated by several: [plus jeune] for [younger]."""


@dataclass(frozen=True)
class Crossing:
    """Consecutive target words whose source words are consecutive, too, and stand in the reverse order.

    Attributes:
        source: numbers of the source words, ascending.
        target: numbers of the target words, ascending, at least two.
    """

    source: tuple[int, ...]
    target: tuple[int, ...]

    def sentence(self, alignment: Alignment) -> str:
        """Describe the crossing in one sentence; the alignment is over whole words."""
        source_words = " ".join(alignment.source[j] for j in self.source)
        target_words = " ".join(alignment.target[i] for i in self.target)
        return strings.CROSSING.format(target=target_words, source=source_words)


def crossing(alignment: Alignment, least: float = 0.6) -> Crossing | None:
    """Find the longest run of two or more consecutive target words that are linked to consecutive source words in the
    reverse order; of equally long runs, the one with the largest weights.

    A target and a source word are linked if the weight between them, over whole words, is at least ``least`` and the
    largest of both, if no other target word has half of its weight on the source word, and if both have four letters or
    more and nothing else, the source word as a single token: a content word of the vocabulary. Hence nothing is found
    in words that the model reads in pieces, such as those of another language, and nothing in languages whose words
    have few letters.

    Args:
        alignment: alpha over tokens, as the model has it. The numbers of the words in the result count whole words.
    """
    words = alignment.merged()
    pieces = Counter(alignment.source_words)
    source = [
        pieces[word] == 1 and bool(_CONTENT.fullmatch(text))
        for text, word in zip(words.source, words.source_words, strict=True)
    ]
    places: list[int | None] = []
    weights: list[float] = []
    for i, row in enumerate(words.weights):
        j = int(row.argmax())
        others = np.delete(words.weights[:, j], i)
        linked = source[j] and row[j] >= least and bool((others < min(row[j], _SHARED)).all())
        places.append(j if linked and _CONTENT.fullmatch(words.target[i]) else None)
        weights.append(float(row[j]))
    runs: list[list[int]] = [[]]
    for i, place in enumerate(places):
        before = places[i - 1] if i else None
        if place is not None and before is not None and place == before - 1:
            runs[-1].append(i)
        else:
            runs.append([i])
    longest = max(runs, key=lambda run: (len(run), sum(weights[i] for i in run)))
    if len(longest) < 2:
        return None
    return Crossing(source=tuple(sorted(places[i] or 0 for i in longest)), target=tuple(longest))
