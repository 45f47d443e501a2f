"""One cell explained: against the equations with the weights of the run, and against searches and scores."""

from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import nmt
from nmt.data.vocabulary import Encoded
from nmt.errors import InputError
from nmt.inference.translator import Translator
from nmt.inspection.steps import explain_cell
from nmt.model.steps import DecodingSteps
from nmt.results import END
from tests.oracles.numpy_rnn import numpy_forced
from tests.oracles.numpy_units import begin, unit_gates
from tests.oracles.random_run import random_run

SOURCE, TARGET = "The girl has never seen the sea.", "la fille a jamais vu la mer"
NAMES = {"_z": "update", "_r": "reset", "_in": "input", "_forget": "forget", "_out": "output"}


def pairs(model: Translator) -> list[tuple[Encoded, Encoded]]:
    """A given pair, and what the model wrote itself."""
    source = model.source.encode(SOURCE)
    own = model.translate(SOURCE, beam=3).best
    return [(source, model.target.encode(TARGET)), (source, model.target.encode_tokens(own.tokens))]


def check_equations(model: Translator) -> None:
    """Energies, alpha, gates and norms of some steps, by the oracle in float64."""
    config = model.config.model
    p = {name: value.double().numpy() for name, value in model.model.state_dict().items()}
    for source, target in pairs(model):
        expected = numpy_forced(
            p, source.ids, target.ids, config.architecture, config.state_order, config.unit, config.score
        )
        for i in sorted({0, 1, 2, len(target.ids) - 1}):
            j = i % len(source.ids)
            found = explain_cell(model, source, target, i, j)
            before = p["decoder.E"][target.ids[i - 1]] if i else np.zeros(config.embedding)
            y = p["decoder.E"][target.ids[i]] if config.state_order == "program" else before
            gates = unit_gates(p, "decoder.", config.unit, y, begin(expected.states[i]), expected.contexts[i])
            assert [gate.name for gate in found.gates] == [NAMES[name] for name in gates]
            for gate, values in zip(found.gates, gates.values(), strict=True):
                close(gate.values, values)
                assert gate.mean == pytest.approx(values.mean(), rel=1e-4)
            assert found.state_norm == pytest.approx(np.linalg.norm(expected.states[i]), rel=1e-4)
            assert found.context_norm == pytest.approx(np.linalg.norm(expected.contexts[i]), rel=1e-4)
            if expected.alpha is None or expected.energies is None:
                assert (found.energies, found.alpha, found.annotation_norm) == (None, None, None)
            else:
                close(found.energies, expected.energies[i])
                close(found.alpha, expected.alpha[i])
                assert found.annotation_norm == pytest.approx(np.linalg.norm(expected.annotations[j]), rel=1e-4)


def close(found: NDArray[np.float32] | None, expected: NDArray[np.float64]) -> None:
    assert found is not None
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4)


def test_energies_gates_and_norms_are_those_of_the_equations(model: Translator) -> None:
    check_equations(model)


@pytest.mark.parametrize("unit", ["lstm", "reset_after"])
@pytest.mark.parametrize("score", ["additive", "general"])
def test_also_with_other_units_and_scores(unit: str, score: str, tmp_path: Path) -> None:
    check_equations(nmt.load(random_run(tmp_path / "run", unit=unit, score=score)))  # type: ignore[arg-type]


def next_log_probabilities(model: Translator, source: Encoded, prefix: tuple[int, ...]) -> NDArray[np.float64]:
    """log p(. | prefix) by the steps of a search, [K_y]."""
    steps = DecodingSteps(model.model)
    ids = torch.tensor([source.ids])
    with torch.no_grad():
        state = steps.start(ids, torch.ones_like(ids, dtype=torch.bool))
        for previous in (-1, *prefix):
            step = steps.step(state, torch.tensor([[previous]]))
            state = step.state
    return step.log_probabilities[0, 0, : len(model.target.vocabulary)].double().numpy()


def test_next_tokens_with_and_without_the_source_word(model: Translator, monkeypatch: pytest.MonkeyPatch) -> None:
    """The source without the word is one that never had it."""
    moses = model.source.tokenizer.tokenize(SOURCE)
    surfaces = model.target.vocabulary.tokens(range(len(model.target.vocabulary)))
    for source, target in pairs(model):
        (forced,) = model.score_stream([(source, target)])
        for i, j, top in ((0, 0, 3), (2, 3, 5), (len(target.ids) - 1, 1, 1)):
            monkeypatch.setattr("nmt.inspection.steps._OF_CELL", top)
            found = explain_cell(model, source, target, i, j)
            word = source.words[j]
            lacking = model.source.vocabulary.encode(moses[:word] + moses[word + 1 :])
            whole = next_log_probabilities(model, source, target.ids[:i])
            without = next_log_probabilities(model, lacking, target.ids[:i])
            best = {target.ids[i], *np.argsort(-whole)[:top].tolist(), *np.argsort(-without)[:top].tolist()}
            expected = sorted(best, key=lambda id: -whole[id])
            assert [token.token for token in found.next_tokens] == [surfaces[id] for id in expected]
            for token, id in zip(found.next_tokens, expected, strict=True):
                assert token.log_probability == pytest.approx(whole[id], abs=1e-3)
                assert token.without == pytest.approx(without[id], abs=1e-3)
                assert token.probability == pytest.approx(np.exp(whole[id]), abs=1e-3)
                assert token.probability_without == pytest.approx(np.exp(without[id]), abs=1e-3)
            (written,) = (t for t in found.next_tokens if t.token == surfaces[target.ids[i]])
            assert written.log_probability == pytest.approx(forced.token_log_probabilities[i], abs=1e-3)
            assert found.left_out == tuple(k for k, owner in enumerate(source.words) if owner == word)
            assert (found.source, found.target, found.i, found.j) == (source.tokens, target.tokens, i, j)


def test_the_end_mark_of_the_source_stays(model: Translator) -> None:
    source, target = pairs(model)[0]
    found = explain_cell(model, source, target, 1, len(source.ids) - 1)
    assert found.source[found.j] == END
    assert found.left_out == ()
    best = np.argsort(-next_log_probabilities(model, source, target.ids[:1]))[:10].tolist()
    assert len(found.next_tokens) == len({target.ids[1], *best})
    assert all(token.without is None and token.probability_without is None for token in found.next_tokens)


def test_cells_that_do_not_exist_are_input_errors(model: Translator) -> None:
    source, target = pairs(model)[0]
    t_x, t_y = len(source.ids), len(target.ids)
    for i, j, named in ((t_y, 0, f"target token {t_y}"), (-1, 0, "target token -1"), (0, t_x, f"source token {t_x}")):
        with pytest.raises(InputError, match=f"{named}:"):
            explain_cell(model, source, target, i, j)
