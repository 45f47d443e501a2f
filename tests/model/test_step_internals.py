"""One step of the decoder, taken apart, against the equations."""

import numpy as np
import pytest
import torch

from nmt.model.reference import step_internals
from tests.model.test_oracle import SENTENCES, Case
from tests.oracles.numpy_units import GATES, begin, unit_gates

CASES = [
    *(
        Case("rnnsearch", order, unit, score)
        for order in ("printed", "program")
        for unit in ("gated", "reset_after", "lstm")
        for score in ("additive", "concat", "general", "dot", "gaussian")
    ),
    *(Case("rnnsearch", "program", unit, "additive", "forward") for unit in ("gated", "lstm")),
    *(Case("rnnencdec", order, unit) for order in ("printed", "program") for unit in ("gated", "reset_after", "lstm")),
    *(Case(model, "equation") for model in ("rnnsearch", "rnnencdec")),
    Case("rnnsearch", "equation", "reset_after", "additive", "bidirectional", "linear", "both"),
    Case("rnnsearch", "equation", "gated", "additive", "bidirectional", "linear"),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_part_is_that_of_the_equations(case: Case) -> None:
    pair = case.paired()
    p, E = pair.parameters, pair.parameters["decoder.E"]
    for source, target in SENTENCES:
        expected = pair.oracle(source, target)
        for i, word in enumerate(target):
            got = step_internals(pair.model, torch.tensor(source), torch.tensor(target[: i + 1]))
            close(got.state, expected.states[i])
            close(got.context, expected.contexts[i])
            close(got.log_probabilities, expected.log_probabilities[i])
            before = E[target[i - 1]] if i else np.zeros(E.shape[1])
            y = E[word] if case.order == "program" else before
            gates = unit_gates(p, "decoder.", case.unit, y, begin(expected.states[i]), expected.contexts[i])
            assert pair.model.decoder.GATES == GATES[case.unit] == tuple(gates)
            close(got.gates, np.array(list(gates.values())))
            if expected.alpha is None or expected.energies is None:
                assert got.alpha is None
                assert got.energies is None
                close(got.annotations, expected.annotations[-1:])
            else:
                close(got.alpha, expected.alpha[i])
                close(got.energies, expected.energies[i])
                close(got.annotations, expected.annotations)


def close(got: torch.Tensor | None, expected: np.ndarray) -> None:
    assert got is not None
    np.testing.assert_allclose(got.numpy(), expected, rtol=1e-6, atol=1e-9)
