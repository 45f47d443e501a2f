"""Records in, Plotly figures out. Nothing here computes a score or imports torch."""

from nmt.charts.heatmap import alignment_figure
from nmt.charts.learning_curve import learning_curve

__all__ = ["alignment_figure", "learning_curve"]
