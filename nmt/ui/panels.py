"""Bars beside the matrix of an alignment."""

from __future__ import annotations

import math

import numpy as np

from nmt.alignments.measures import Measures
from nmt.charts.alignment_view import Bars


def coverage_bars(measured: Measures) -> Bars:
    values = measured.coverage.tolist()
    return Bars(
        title="coverage",
        explained="Sum of the weights of each source word over all target words; the dashed line is 1.",
        values=values,
        most=max(2.0, *values) if values else 2.0,
        line=1.0,
        texts=[f"coverage {value:.2f}" for value in values],
    )


def entropy_bars(measured: Measures, columns: int) -> Bars:
    """Of each row; the hatched part is the share of its weight on the end mark and on punctuation."""
    shares = np.minimum(measured.end_share + measured.punctuation_share, 1.0)
    most = math.log2(max(2, columns))
    return Bars(
        title="entropy, bits",
        explained=f"How spread the weights of each target word are: from 0, all on one source word, to {most:.1f}, "
        "all alike. The hatched part is the share of weight on the end mark and on punctuation.",
        values=measured.entropy.tolist(),
        most=most,
        second=(measured.entropy * shares).tolist(),
        texts=[
            f"entropy {bits:.2f} bits; {share:.0%} of the weight on the end mark and punctuation"
            for bits, share in zip(measured.entropy, shares, strict=True)
        ],
    )
