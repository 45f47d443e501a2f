"""Links as lines: one for each weight from the threshold on, as thick as it is large, between the right words."""

from __future__ import annotations

import re

import numpy as np
import pytest
from defusedxml import ElementTree

from nmt import InputError
from nmt.charts import links_figure
from nmt.results import Alignment

SVG = "{http://www.w3.org/2000/svg}"
GIVEN = Alignment(
    source=("the", "old", "sea"), target=("la", "mer"), weights=np.array([[0.7, 0.25, 0.05], [0.0, 0.08, 0.92]])
)


def lines(threshold: float) -> dict[tuple[int, int], float]:
    """(source, target) to thickness, from where the lines of the file end under and over the words."""
    root = ElementTree.fromstring(links_figure(GIVEN, threshold=threshold).to_bytes("svg"))
    middles = {text.text: float(text.get("x", "")) for text in root.iter(f"{SVG}text")}
    sources = [middles[word] for word in GIVEN.source]
    targets = [middles[word] for word in GIVEN.target]
    found = {}
    for path in root.iter(f"{SVG}path"):
        style = path.get("style", "")
        ends = re.fullmatch(r"M ([\d.]+) ([\d.]+)\s+L ([\d.]+) ([\d.]+)\s*", path.get("d", ""))
        if ends is None or "stroke: #0072b2" not in style or ends[2] == ends[4]:
            continue  # level lines are those of the legend
        width = re.search(r"stroke-width: ([\d.]+)", style)
        j = int(np.abs(np.array(sources) - float(ends[1])).argmin())
        i = int(np.abs(np.array(targets) - float(ends[3])).argmin())
        assert (sources[j], targets[i]) == pytest.approx((float(ends[1]), float(ends[3])), abs=0.01)
        found[j, i] = float(width[1]) if width else 1.0
    return found


@pytest.mark.parametrize("threshold", [0.01, 0.1, 0.3, 1.0])
def test_a_line_for_each_weight_from_the_threshold_on(threshold: float) -> None:
    expected = {(j, i): 3 * float(a) for (i, j), a in np.ndenumerate(GIVEN.weights) if a >= threshold}
    assert lines(threshold) == pytest.approx(expected, abs=0.001)


def test_the_legend_says_what_is_left_out() -> None:
    root = ElementTree.fromstring(links_figure(GIVEN, threshold=0.2, caption="a run").to_bytes("svg"))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts[:5] == [*GIVEN.source, *GIVEN.target]
    assert {"αᵢⱼ", "1", "0.5", "0.2", "a run", "source", "target"} <= set(texts)
    assert [text for text in texts[5:] if text.count("0.2") and text != "0.2"]  # the threshold is explained


@pytest.mark.parametrize("threshold", [0, -1, 1.5, float("nan")])
def test_a_threshold_is_between_0_and_1(threshold: float) -> None:
    with pytest.raises(InputError, match="threshold"):
        links_figure(GIVEN, threshold=threshold)
