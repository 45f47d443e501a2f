"""Ribbons for print."""

import numpy as np
import pytest

from nmt.charts.ribbons import ribbons_figure
from nmt.errors import InputError
from nmt.results import Alignment

ALPHA = Alignment(source=("the", "cat"), target=("le", "chat"), weights=np.array([[0.9, 0.1], [0.02, 0.98]]))


def test_ribbons_are_drawn_for_print() -> None:
    """Words as text, a ribbon for each weight that is seen on the page, too; weights that nobody sees are left out."""
    svg = ribbons_figure(ALPHA, "#0072b2", "α of search").to_bytes("svg").decode()
    assert all(f">{word}<" in svg for word in (*ALPHA.source, *ALPHA.target, "α of search"))
    assert svg.count("fill: #0072b2") == 3
    with pytest.raises(InputError):
        ribbons_figure(Alignment(source=(), target=(), weights=np.zeros((0, 0))), "#000")
