"""Colours and text treatment that all charts share; the colour scales of matrices are in colour_scales.py."""

from __future__ import annotations

BLUE, VERMILLION, GREEN, PURPLE = "#0072b2", "#d55e00", "#009e73", "#cc79a7"
"""From Okabe and Ito's palette, which the colour-blind can tell apart; legible on white and on near-black."""

TRAINING, DEVELOPMENT = BLUE, VERMILLION
"""Curves over the training and the development set, in every chart."""

LONGEST_LABEL = 24
"""Characters of a word that an axis shows; one very long token would squash the plot."""


def plain(text: str) -> str:
    """Text that Plotly shows as typed: no pseudo-HTML, no entities, no formulas."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("$", "&#36;")


def label(word: str) -> str:
    """``word`` for an axis: as typed, cut where it is longer than ``LONGEST_LABEL`` characters."""
    return plain(word if len(word) <= LONGEST_LABEL else word[: LONGEST_LABEL - 1] + "…")
