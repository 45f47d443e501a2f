"""The drawing's JavaScript: its own unit tests, and its reading of what Python packs."""

import numpy as np
import pytest

from nmt.charts.step_view import packed_vector
from nmt.texts import view_texts
from tests.charts.node import ROOT, evaluate

JS = ROOT / "nmt" / "charts" / "step_view" / "js"


def test_the_browser_reads_the_vectors_that_python_packs() -> None:
    values = np.random.default_rng(1).normal(0, 1.5, 320)
    packed = packed_vector(values)
    found = np.array(evaluate(JS / "vectors.js", "m.unpacked(given)", packed))
    assert np.abs(found - values).max() <= np.abs(values).max() / 254 + 1e-4
    assert packed["norm"] == pytest.approx(np.linalg.norm(values), abs=1e-4)
    assert packed["high"] == [pytest.approx(values.max(), abs=1e-4), int(values.argmax()) + 1]
    assert packed["low"] == [pytest.approx(values.min(), abs=1e-4), int(values.argmin()) + 1]


def test_every_stage_has_a_name() -> None:
    assert [*view_texts("step_view")["stage_names"]] == evaluate(JS / "frames.js", "m.STAGES")


def test_a_vector_of_zeros_is_packed() -> None:
    assert evaluate(JS / "vectors.js", "m.unpacked(given)", packed_vector(np.zeros(3))) == [0, 0, 0]
