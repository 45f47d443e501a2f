"""All steps of a translation taken apart: against the equations with the weights of the run."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import nmt
from nmt.inference.translator import Translator
from nmt.inspection.steps import translation_steps
from tests.oracles.numpy_rnn import NumpyResult, numpy_forced
from tests.oracles.numpy_units import begin, unit_gates
from tests.oracles.random_run import random_run

SOURCE, TARGET = "The girl has never seen the sea.", "la fille a jamais vu la mer"


def oracle(model: Translator, source: tuple[int, ...], target: tuple[int, ...]) -> NumpyResult:
    config = model.config.model
    p = {name: value.double().numpy() for name, value in model.model.state_dict().items()}
    return numpy_forced(p, source, target, config.architecture, config.state_order, config.unit, config.score)


def close(found: NDArray[np.float32] | None, expected: NDArray[np.float64]) -> None:
    assert found is not None
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4)


def check(model: Translator) -> None:
    source, target = model.source.encode(SOURCE), model.target.encode(TARGET)
    p = {name: value.double().numpy() for name, value in model.model.state_dict().items()}
    expected = oracle(model, source.ids, target.ids)
    found = translation_steps(model, source, target)
    assert (found.source, found.target) == (source.tokens, target.tokens)
    assert found.attends == (expected.alpha is not None)
    close(found.annotations, expected.annotations)
    assert len(found.steps) == len(target.ids)
    for i, (step, token) in enumerate(zip(found.steps, target.ids, strict=True)):
        close(step.state, expected.states[i])
        close(step.context, expected.contexts[i])
        if i + 1 < len(target.ids):
            assert step.next_state is not None
            close(step.next_state, expected.states[i + 1])
        else:
            assert step.next_state is None
        if expected.alpha is None or expected.energies is None:
            assert (step.alpha, step.energies) == (None, None)
        else:
            close(step.alpha, expected.alpha[i])
            close(step.energies, expected.energies[i])
        values = expected.log_probabilities[i]
        assert step.log_probability == pytest.approx(values[token], rel=1e-3, abs=1e-4)
        order = np.argsort(-values)
        assert step.rank == 1 + order.tolist().index(token)
        assert [each.token for each in step.next_tokens] == list(model.target.vocabulary.tokens(order[:5].tolist()))
        before = p["decoder.E"][target.ids[i - 1]] if i else np.zeros_like(p["decoder.E"][0])
        sums = p["readout.U_o"] @ expected.states[i] + p["readout.V_o"] @ before
        sums += p["readout.C_o"] @ expected.contexts[i] + p["readout.b_t"]
        close(step.maxout, sums.reshape(-1, 2).max(axis=1))
        y = p["decoder.E"][token] if found.state_order == "program" else before
        unit = model.config.model.unit
        gates = unit_gates(p, "decoder.", unit, y, begin(expected.states[i]), expected.contexts[i])
        if "_z" in gates:
            close(step.update_gate, gates["_z"])
        else:
            assert step.update_gate is None


def test_every_quantity_is_that_of_the_equations(model: Translator) -> None:
    check(model)


@pytest.mark.parametrize("unit", ["lstm", "reset_after"])
def test_also_with_other_units_and_scores(unit: str, tmp_path: Path) -> None:
    check(nmt.load(random_run(tmp_path / "run", unit=unit, score="general")))  # type: ignore[arg-type]


def test_also_with_a_forward_encoder_and_a_moving_mixture(tmp_path: Path) -> None:
    check(nmt.load(random_run(tmp_path / "run", encoder="forward", score="gaussian")))
