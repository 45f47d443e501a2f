"""The crossing that nmt/instrument/js/crossing.js describes, found by trying every run of words."""

import re
from collections import Counter
from dataclasses import dataclass

from nmt.results import Alignment

_CONTENT = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True)
class Crossing:
    """Consecutive target words whose source words are consecutive in reverse order: ascending indices of words."""

    source: tuple[int, ...]
    target: tuple[int, ...]


def crossing(alignment: Alignment) -> Crossing | None:
    """The longest run of two or more linked words, and of equally long runs the one with the largest weights. A weight
    links two words if it is at least 0.6 and the largest of its row, and every other target word has less weight on the
    source word, and less than 0.5. Both words have four letters or more, and the source word is a single token."""
    words, pieces = alignment.merged(), Counter(alignment.source_words)
    alpha, rows, columns = words.weights, *map(range, words.weights.shape)

    def linked(i: int, j: int) -> bool:
        fits = _CONTENT.fullmatch(words.target[i]) and _CONTENT.fullmatch(words.source[j])
        others = [alpha[k, j] for k in rows if k != i]
        clear = alpha[i, j] >= 0.6 and alpha[i].argmax() == j and all(o < min(alpha[i, j], 0.5) for o in others)
        return bool(fits and clear and pieces[words.source_words[j]] == 1)

    links = {(i, j) for i in rows for j in columns if linked(i, j)}
    runs = [[(i + k, j - k) for k in range(size)] for i, j in sorted(links) for size in range(2, len(rows) + 1)]
    runs = [run for run in runs if links.issuperset(run)]
    if not runs:
        return None
    best = max(runs, key=lambda run: (len(run), sum(float(alpha[link]) for link in run)))
    return Crossing(tuple(sorted(j for _, j in best)), tuple(i for i, _ in best))
