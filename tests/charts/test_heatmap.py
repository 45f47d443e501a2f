"""The Plotly matrix: Figure 3's convention, words as typed."""

from __future__ import annotations

import numpy as np
import pytest

from nmt.charts import alignment_figure
from nmt.results import Alignment

SOURCE, TARGET = ("the", "sea", "the", "</s>"), ("<b>", "$x$ &amp;", "x" * 60, "fin", "</s>")


@pytest.fixture
def alignment() -> Alignment:
    weights = np.random.default_rng(2).random((5, 4))
    return Alignment(source=SOURCE, target=TARGET, weights=weights / weights.sum(axis=1, keepdims=True))


def test_black_is_0_and_white_is_1_whatever_the_weights(alignment: Alignment) -> None:
    (trace,) = alignment_figure(alignment).data
    assert (trace.zmin, trace.zmax) == (0, 1)
    assert trace.colorscale[0] == (0, "#000000")
    assert trace.colorscale[-1] == (1, "#ffffff")
    assert np.array(trace.z) == pytest.approx(alignment.weights)


def test_source_on_top_target_down_square_cells(alignment: Alignment) -> None:
    layout = alignment_figure(alignment, "source: English", "target: French").layout
    assert layout.xaxis.side == "top"
    assert tuple(layout.xaxis.range) == (-0.5, 3.5)
    assert tuple(layout.yaxis.range) == (4.5, -0.5)
    assert layout.yaxis.scaleanchor == "x"
    assert (layout.xaxis.title.text, layout.yaxis.title.text) == ("source: English", "target: French")


def test_repeated_words_keep_their_columns(alignment: Alignment) -> None:
    figure = alignment_figure(alignment)
    assert list(figure.data[0].x) == list(figure.layout.xaxis.tickvals) == [0, 1, 2, 3]
    assert figure.layout.xaxis.ticktext == ("the", "sea", "the", "&lt;/s>")


def test_words_are_shown_as_typed_and_cut_only_on_the_axis(alignment: Alignment) -> None:
    figure = alignment_figure(alignment)
    ticks = figure.layout.yaxis.ticktext
    assert ticks[:2] == ("&lt;b>", "&#36;x&#36; &amp;amp;")
    assert ticks[2] == "x" * 23 + "…"
    assert figure.data[0].customdata[2][0][1] == "x" * 60
