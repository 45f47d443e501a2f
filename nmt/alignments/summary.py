"""Summary figures of the alignment of a sentence."""

from __future__ import annotations

from nmt.alignments.measures import measures
from nmt.alignments.tokens import end_mask, punctuation_mask
from nmt.results import Alignment, AlignmentSummary


def summary(alignment: Alignment) -> AlignmentSummary | None:
    """Summarise an alignment over its whole words. The end-of-sentence tokens are ignored on both sides, and
    punctuation on the source side. None if a side has no word.

    >>> import numpy as np
    >>> weights = np.array([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 0, 1]])
    >>> summary(Alignment(source=("we", "sleep", ".", "</s>"), target=("nous", "dormons", "</s>"), weights=weights))
    AlignmentSummary(entropy=0.5, least_coverage=0.5, mean_coverage=1.0)
    """
    words = alignment.merged()
    read = ~(end_mask(words.source) | punctuation_mask(words.source))
    written = ~end_mask(words.target)
    if not read.any() or not written.any():
        return None
    measured = measures(words)
    coverage = measured.coverage[read]
    return AlignmentSummary(float(measured.entropy[written].mean()), float(coverage.min()), float(coverage.mean()))
