"""Figures that show records. This module names the figures for print. Plotly figures for the screen are in other
modules, since only the app has Plotly. Nothing here computes a score or imports torch."""

from nmt.charts.figure2 import figure2
from nmt.charts.figure3 import figure3
