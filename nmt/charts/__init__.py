"""Figures that show records: those for print are named here; Plotly figures for the screen have modules of their own,
as only the app has Plotly. Nothing here computes a score or imports torch."""

from nmt.charts.figure2 import figure2
from nmt.charts.figure3 import figure3
