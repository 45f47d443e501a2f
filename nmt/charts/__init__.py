"""Figures that show records: Plotly figures for the screen, others for print. Nothing here computes a score or imports
torch."""

from nmt.charts.figure2 import figure2
from nmt.charts.figure3 import figure3, figure3_difference
from nmt.charts.learning_curve import learning_curve
from nmt.charts.length_chart import length_chart

__all__ = [
    "figure2",
    "figure3",
    "figure3_difference",
    "learning_curve",
    "length_chart",
]
