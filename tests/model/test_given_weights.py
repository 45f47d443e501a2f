"""Attention weights given by hand, against the equations with them in place of alpha."""

import itertools

import numpy as np
import pytest
import torch

from nmt.model.steps import DecodingSteps
from nmt.search.beam import BeamSettings, beam_search
from nmt.search.constrained import Constrained, OutputConstraints, Weights, prefix
from tests.oracles.forced import forced
from tests.oracles.numpy_rnn import END, Sizes
from tests.oracles.numpy_units import Vector
from tests.oracles.paired import Paired, padded, paired

SIZES = Sizes(m=5, n=6, n_align=4, l=3, K_x=11, K_y=4)
SOURCES = [[3, 7, 2, 5, END], [8, 2, END]]
KINDS = [
    (order, unit, score)
    for order, unit, score in itertools.product(
        ("printed", "program"), ("gated", "reset_after", "lstm"), ("additive", "concat", "general", "dot")
    )
] + [("program", "gated", "gaussian")]
KIND = pytest.mark.parametrize(("order", "unit", "score"), KINDS)


def weights(source: list[int], seed: int = 1) -> Vector:
    """Weights far from uniform, in double precision and of sum 1."""
    drawn = np.random.default_rng(seed).dirichlet(np.full(len(source), 0.5))
    return drawn / drawn.sum()


def steering(given: dict[int, Vector], begin: tuple[int, ...] = ()) -> OutputConstraints:
    rows = {step: Weights(tuple(row.tolist()), tuple(range(len(row)))) for step, row in given.items()}
    return OutputConstraints(prefix(begin), rows)


def outputs(most: int) -> list[tuple[int, ...]]:
    """All outputs of up to ``most`` words."""
    words = range(1, SIZES.K_y)
    return [(*ids, END) for length in range(most + 1) for ids in itertools.product(words, repeat=length)]


def log_probability(pair: Paired, source: list[int], ids: tuple[int, ...], given: dict[int, Vector]) -> float:
    return float(pair.oracle(source, ids, given).token_log_probabilities.sum())


@KIND
def test_a_wide_beam_finds_what_the_equations_find(order: str, unit: str, score: str) -> None:
    """Two sentences at once, weights moved in two steps of the one and in one of the other, which has a prefix too."""
    pair = paired("rnnsearch", order, 3, SIZES, unit=unit, score=score)
    x = padded(SOURCES)
    given = [{0: weights(SOURCES[0]), 1: weights(SOURCES[0], 2)}, {1: weights(SOURCES[1], 3)}]
    begins: list[tuple[int, ...]] = [(), (3,)]
    steered = Constrained(DecodingSteps(pair.model), [steering(g, b) for g, b in zip(given, begins, strict=True)])
    found = beam_search(steered, x.ids, x.mask, BeamSettings(beam=60, n_best=60, max_length=2))
    for line, source in enumerate(SOURCES):
        obeying = [ids for ids in outputs(2) if ids[: len(begins[line])] == begins[line]]
        values = {ids: log_probability(pair, source, ids, given[line]) for ids in obeying}
        plain = {ids: log_probability(pair, source, ids, {}) for ids in obeying}
        assert max(abs(values[ids] - plain[ids]) for ids in obeying) > 1e-3, "the weights matter"
        assert [c.ids for c in found[line]] == sorted(obeying, key=lambda ids: -values[ids])
        for candidate in found[line]:
            expected = pair.oracle(source, candidate.ids, given[line])
            np.testing.assert_allclose(
                candidate.token_log_probabilities, expected.token_log_probabilities, rtol=1e-5, atol=1e-6
            )
            np.testing.assert_allclose(candidate.alpha, expected.alpha, rtol=0, atol=1e-6)


@KIND
@torch.no_grad()
def test_forced_decoding_with_given_weights_follows_the_equations(order: str, unit: str, score: str) -> None:
    pair = paired("rnnsearch", order, 3, SIZES, unit=unit, score=score)
    source, target = SOURCES[0], (2, 3, 1, 3, END)
    given = {1: weights(source), 2: weights(source, 2)}
    x = padded([source])
    (found,) = forced(Constrained(DecodingSteps(pair.model), [steering(given)]), x.ids, x.mask, [target])
    expected = pair.oracle(source, target, given)
    np.testing.assert_allclose(found.token_log_probabilities, expected.token_log_probabilities, rtol=1e-6)
    np.testing.assert_allclose(found.alpha, expected.alpha, rtol=0, atol=1e-7)
    plain = pair.oracle(source, target)
    np.testing.assert_array_equal(expected.token_log_probabilities[:1], plain.token_log_probabilities[:1])
    assert (expected.token_log_probabilities[1:] != plain.token_log_probabilities[1:]).all()


@KIND
def test_its_own_weights_over_tokens_or_over_words_change_nothing(order: str, unit: str, score: str) -> None:
    pair = paired("rnnsearch", order, 3, SIZES, unit=unit, score=score)
    x = padded([SOURCES[0]])
    settings = BeamSettings(beam=4, n_best=1, min_length=2, max_length=5)
    ((plain,),) = beam_search(DecodingSteps(pair.model), x.ids, x.mask, settings)
    own = pair.oracle(SOURCES[0], plain.ids).alpha
    assert own is not None
    words = (0, 0, 1, 1, 2)
    by_words = np.stack([own[:, [k for k, word in enumerate(words) if word == w]].sum(axis=1) for w in range(3)], 1)
    for rows, numbers in ((own, (0, 1, 2, 3, 4)), (by_words, words)):
        moved = OutputConstraints((), {step: Weights(tuple(row.tolist()), numbers) for step, row in enumerate(rows)})
        ((found,),) = beam_search(
            Constrained(DecodingSteps(pair.model), [OutputConstraints(prefix(plain.ids[:-1]), moved.weights)]),
            x.ids,
            x.mask,
            settings,
        )
        assert found.ids == plain.ids
        np.testing.assert_allclose(found.token_log_probabilities, plain.token_log_probabilities, rtol=1e-5)
        np.testing.assert_allclose(found.alpha, plain.alpha, rtol=0, atol=1e-6)


@pytest.mark.parametrize("architecture", ["rnnsearch", "rnnencdec"])
@pytest.mark.parametrize("order", ["printed", "program"])
@pytest.mark.parametrize("unit", ["gated", "reset_after", "lstm"])
def test_a_prefix_and_what_follows_have_the_values_of_forced_decoding(architecture: str, order: str, unit: str) -> None:
    pair = paired(architecture, order, 3, SIZES, unit=unit)
    x = padded(SOURCES)
    begins = [(2, 3, 3), (1,)]
    steered = Constrained(DecodingSteps(pair.model), [OutputConstraints(prefix(begin)) for begin in begins])
    found = beam_search(steered, x.ids, x.mask, BeamSettings(beam=3, n_best=3, max_length=6))
    for line, source in enumerate(SOURCES):
        for candidate in found[line]:
            assert candidate.ids[: len(begins[line])] == begins[line]
            expected = pair.oracle(source, candidate.ids)
            np.testing.assert_allclose(
                candidate.token_log_probabilities, expected.token_log_probabilities, rtol=1e-5, atol=1e-6
            )


@pytest.mark.parametrize("order", ["printed", "program"])
@pytest.mark.parametrize("score", ["additive", "general", "gaussian"])
@torch.no_grad()
def test_hard_attention_is_the_equations_with_the_argmax_of_each_row_given(order: str, score: str) -> None:
    pair = paired("rnnsearch", order, 3, SIZES, score=score)
    x, ids = padded(SOURCES), (2, 3, 1, END)
    steps = DecodingSteps(pair.model).with_hard_attention()
    state = steps.start(x.ids, x.mask)
    given: list[dict[int, Vector]] = [{}, {}]
    for i, previous in enumerate((-1, *ids[:-1])):
        step = steps.step(state, torch.full((2, 1), previous))
        state = step.state
        for line, source in enumerate(SOURCES):
            energies = pair.oracle(source, ids, given[line]).energies
            assert energies is not None
            given[line][i] = np.eye(len(source))[energies[i].argmax()]
            assert step.alpha[line, 0, : len(source)].tolist() == given[line][i].tolist()
            expected = pair.oracle(source, ids, given[line]).log_probabilities[i]
            np.testing.assert_allclose(step.log_probabilities[line, 0, : SIZES.K_y].numpy(), expected, rtol=1e-6)
