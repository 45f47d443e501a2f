"""A training run shown as a film: one small matrix of alpha for each saved step, over the curves of loss and entropy.

Python provides all steps at once (data.py), JavaScript draws and plays them (js/). The app shows it in
nmt/ui/learn/training.
"""

from __future__ import annotations

from nmt.charts.film_view.data import FILM_SCALE, FilmStep, film_data
from nmt.charts.film_view.files import film_view_files

__all__ = ["FILM_SCALE", "FilmStep", "film_data", "film_view_files"]
