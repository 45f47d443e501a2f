"""The tree of a beam search: hypotheses from left to right, the most probable ones on top, in plain JavaScript.

Python provides all hypotheses at once (data.py), JavaScript draws them (js/). The app shows it in nmt/ui/learn/how.
"""

from __future__ import annotations

from nmt.charts.beam_view.data import beam_view_data
from nmt.charts.beam_view.files import beam_view_files

__all__ = ["beam_view_data", "beam_view_files"]
