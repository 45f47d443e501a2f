"""The posterior of the source word against the oracle's equations and Bayes' rule, one step at a time."""

import numpy as np
import pytest
import torch

from nmt.model.readout import _CELLS, SingleAnnotations
from tests.oracles.numpy_rnn import END, Attended, predict
from tests.oracles.numpy_units import begin, unit_step
from tests.oracles.paired import padded, paired

SENTENCES = [([3, 7, 2, 5, 4, END], [4, 6, 2, END]), ([8, 2, END], [5, 3, 8, 2, 7, END])]


@pytest.mark.parametrize(
    ("order", "readout", "unit"),
    [
        ("printed", "maxout", "gated"),
        ("program", "maxout", "gated"),
        ("equation", "maxout", "gated"),
        ("equation", "linear", "reset_after"),
    ],
)
def test_it_is_bayes_rule_over_single_annotations(order: str, readout: str, unit: str) -> None:
    """State_order "equation": each annotation alone makes an s_i, from which y_i is predicted."""
    pair = paired("rnnsearch", order, readout=readout, unit=unit)
    p = pair.parameters
    x, y = padded([source for source, _ in SENTENCES]), padded([target for _, target in SENTENCES])
    found = pair.model.posterior(x.ids, x.mask, y.ids, y.mask)
    for row, (source, target) in enumerate(SENTENCES):
        forced = pair.oracle(source, target)
        assert forced.alpha is not None
        before = np.zeros(p["decoder.E"].shape[1])
        for i, word in enumerate(target):
            alone = []
            for h_j in forced.annotations:
                s = begin(forced.states[i])
                if order == "equation":
                    s = unit_step(p, "decoder.", unit, before, s, h_j)
                alone.append(predict(p, s.h, before, Attended(h_j, None, None, None)).log_probabilities)
            joint = forced.alpha[i] * np.exp([values[word] for values in alone])
            np.testing.assert_allclose(found[row, i, : len(source)], joint / joint.sum(), rtol=1e-5, atol=1e-9)
            before = p["decoder.E"][word]
        assert (found[row, :, len(source) :] == 0).all()
        assert (found[row, len(target) :] == 0).all()


def test_cells_in_blocks_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a few cells, which divide neither rows nor columns."""
    pair = paired("rnnsearch", "program")
    x, y = padded([source for source, _ in SENTENCES[:1]]), padded([target for _, target in SENTENCES[:1]])
    with torch.no_grad():
        forced = pair.model.teacher_force(x.ids, x.mask, y.ids, torch.float64)
        alone = SingleAnnotations(pair.model.readout, torch.float64)
        memory = forced.encoded.memory[0]
        layer = alone.cells(forced.states[:, 0], forced.previous_embeddings[:, 0], memory)
        whole = alone.log_probabilities(layer, y.ids[0], len(memory))
        for cells in (1, 4, 13):
            monkeypatch.setitem(_CELLS, "cpu", cells)
            cut = alone.log_probabilities(layer, y.ids[0], len(memory))
            np.testing.assert_allclose(cut, whole, rtol=1e-9)
