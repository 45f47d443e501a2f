"""The interactive view of alignments: matrix, word links and bars that share one focus, in plain JavaScript.

Python provides the data (panel.py), JavaScript draws them and handles pointer and keys. The same files serve the app
(nmt/ui/components.py) and a standalone page.

Paper: Figure 3
"""

from __future__ import annotations

from nmt.charts.alignment_view.panel import Bars, Layout, Move, Panel, Pin, Show, right_to_left, view_data
from nmt.charts.alignment_view.standalone import standalone_html
from nmt.charts.signs import Mark
