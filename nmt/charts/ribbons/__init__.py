"""Two lines of words with ribbons of alpha between them, and a small Figure 2: the first picture of the app."""

from nmt.charts.ribbons.data import RibbonSystem, SmallCurve, SmallFigure, figure_files, ribbon_files, ribbons_data

__all__ = ["RibbonSystem", "SmallCurve", "SmallFigure", "figure_files", "ribbon_files", "ribbons_data"]
