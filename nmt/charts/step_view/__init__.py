"""A live drawing of the paper's Figure 1: one translation, step by step, in plain JavaScript.

Python provides all steps at once (data.py), JavaScript draws them and moves between them (js/). The app shows it in
nmt/ui/learn/steps.
"""

from __future__ import annotations

from nmt.charts.step_view.data import Frame, Stage, StepDrawing, step_view_data
