"""The oracle, checked by properties that hold independently of it."""

import numpy as np
import pytest

from tests.oracles.numpy_rnn import (
    END,
    NumpyResult,
    Parameters,
    Sizes,
    count_published,
    numpy_forced,
    numpy_greedy,
    numpy_parameters,
)

SIZES = Sizes(m=4, n=5, n_align=3, l=3, K_x=9, K_y=8)
SOURCE, TARGET = [3, 7, 2, 5, END], [4, 6, 2, END]
BOTH = pytest.mark.parametrize("architecture", ["rnnsearch", "rnnencdec"])
ORDERS = pytest.mark.parametrize("order", ["printed", "program"])


def parameters(architecture: str = "rnnsearch", seed: int = 1) -> Parameters:
    return numpy_parameters(architecture, SIZES, seed)


@pytest.mark.parametrize(("architecture", "expected"), [("rnnsearch", 80_443_000), ("rnnencdec", 68_578_000)])
def test_published_sizes_have_the_number_of_weights_counted_by_hand(architecture: str, expected: int) -> None:
    assert count_published(architecture) == expected


@BOTH
@ORDERS
def test_every_row_is_a_distribution(architecture: str, order: str) -> None:
    result = numpy_forced(parameters(architecture), SOURCE, TARGET, architecture, order)
    np.testing.assert_allclose(np.exp(result.log_probabilities).sum(axis=1), 1.0, rtol=1e-12)
    assert result.token_log_probabilities.tolist() == [result.log_probabilities[i, y] for i, y in enumerate(TARGET)]
    assert result.states.shape == (len(TARGET) + 1, SIZES.n)
    assert np.abs(result.states).max() < 1
    if architecture == "rnnsearch":
        assert result.alpha is not None
        np.testing.assert_allclose(result.alpha.sum(axis=1), 1.0, rtol=1e-12)
        assert result.alpha.std(axis=1).min() > 1e-3, "a flat alpha would test nothing"
    else:
        assert result.alpha is None


@BOTH
@ORDERS
def test_probabilities_of_all_outputs_of_two_words_sum_to_one(architecture: str, order: str) -> None:
    p = parameters(architecture)
    total = 0.0
    for first in range(SIZES.K_y):
        if first == END:
            total += np.exp(numpy_forced(p, SOURCE, [END], architecture, order).token_log_probabilities.sum())
            continue
        for second in range(SIZES.K_y):
            result = numpy_forced(p, SOURCE, [first, second], architecture, order)
            total += np.exp(result.token_log_probabilities.sum())
    assert total == pytest.approx(1.0, rel=1e-12)


def test_v_a_zero_attends_evenly() -> None:
    p = parameters()
    p["attention.v_a"][:] = 0
    result = numpy_forced(p, SOURCE, TARGET, "rnnsearch", "printed")
    np.testing.assert_allclose(result.alpha, 1 / len(SOURCE), rtol=1e-12)


@ORDERS
def test_rnnsearch_on_one_source_token_is_rnnencdec_with_both_directions(order: str) -> None:
    """With T_x = 1, alpha is 1 and c is h_1: an RNNencdec whose one context has C's forward half does the same
    once C's backward half is zero and s_0 starts from the same state."""
    p = parameters()
    n = SIZES.n
    for name in ("decoder.C", "decoder.C_z", "decoder.C_r", "readout.C_o"):
        p[name][:, n:] = 0
    for suffix in ("W", "W_z", "W_r", "U", "U_z", "U_r", "b", "b_z", "b_r"):
        p[f"encoder.backward_unit.{suffix}"] = p[f"encoder.forward_unit.{suffix}"].copy()
    q = {name: value for name, value in p.items() if "backward" not in name and "attention" not in name}
    for name in ("decoder.C", "decoder.C_z", "decoder.C_r", "readout.C_o"):
        q[name] = p[name][:, :n]
    search = numpy_forced(p, [END], TARGET, "rnnsearch", order)
    encdec = numpy_forced(q, [END], TARGET, "rnnencdec", order)
    np.testing.assert_allclose(search.log_probabilities, encdec.log_probabilities, rtol=1e-12)


def test_backward_states_are_forward_states_of_the_reversed_sentence() -> None:
    p = parameters()
    for suffix in ("W", "W_z", "W_r", "U", "U_z", "U_r", "b", "b_z", "b_r"):
        p[f"encoder.backward_unit.{suffix}"] = p[f"encoder.forward_unit.{suffix}"].copy()
    plain = numpy_forced(p, SOURCE, TARGET, "rnnsearch", "printed").annotations
    turned = numpy_forced(p, SOURCE[::-1], TARGET, "rnnsearch", "printed").annotations
    n = SIZES.n
    np.testing.assert_allclose(plain[:, :n], turned[::-1, n:], rtol=1e-12)
    np.testing.assert_allclose(plain[:, n:], turned[::-1, :n], rtol=1e-12)


def test_gates_take_the_candidate_when_open_and_keep_the_state_when_shut() -> None:
    p = parameters()
    p["encoder.forward_unit.b_z"][:] = -50
    shut = numpy_forced(p, SOURCE, TARGET, "rnnsearch", "printed").annotations[:, : SIZES.n]
    assert np.abs(shut).max() < 1e-15, "z = 0 keeps h_0 = 0"
    p["encoder.forward_unit.b_z"][:] = 50
    p["encoder.forward_unit.b_r"][:] = -50
    memoryless = numpy_forced(p, SOURCE, TARGET, "rnnsearch", "printed").annotations[:, : SIZES.n]
    for j, x in enumerate(SOURCE):
        alone = np.tanh(p["encoder.forward_unit.W"] @ p["encoder.E"][x] + p["encoder.forward_unit.b"])
        np.testing.assert_allclose(memoryless[j], alone, rtol=1e-12)


@BOTH
def test_state_orders_differ_in_the_word_the_state_has_seen(architecture: str) -> None:
    p = parameters(architecture)

    def run(order: str, target: list[int]) -> NumpyResult:
        return numpy_forced(p, SOURCE, target, architecture, order)

    # "printed": s_1 has seen y_0 only, so the first word does not move it; "program": it has seen y_1.
    assert (run("printed", [4, END]).states[1] == run("printed", [6, END]).states[1]).all()
    assert (run("program", [4, END]).states[1] != run("program", [6, END]).states[1]).any()
    # The first prediction is the same in both: s_0, E y_0 = 0 and c_1.
    np.testing.assert_array_equal(
        run("printed", TARGET).log_probabilities[0], run("program", TARGET).log_probabilities[0]
    )
    assert (run("printed", TARGET).log_probabilities[1] != run("program", TARGET).log_probabilities[1]).any()


@BOTH
@ORDERS
def test_predictions_do_not_look_ahead(architecture: str, order: str) -> None:
    p = parameters(architecture)
    one = numpy_forced(p, SOURCE, [4, 6, 2, END], architecture, order).log_probabilities
    other = numpy_forced(p, SOURCE, [4, 6, 5, 3], architecture, order).log_probabilities
    np.testing.assert_array_equal(one[:3], other[:3])
    assert (one[3] != other[3]).any()


def test_renaming_source_words_changes_nothing() -> None:
    p = parameters()
    order = np.random.default_rng(2).permutation(SIZES.K_x)
    q = {**p, "encoder.E": p["encoder.E"][order]}
    renamed = [int(np.flatnonzero(order == x)[0]) for x in SOURCE]
    plain = numpy_forced(p, SOURCE, TARGET, "rnnsearch", "printed")
    same = numpy_forced(q, renamed, TARGET, "rnnsearch", "printed")
    np.testing.assert_array_equal(plain.log_probabilities, same.log_probabilities)


@BOTH
@ORDERS
def test_greedy_takes_the_most_probable_word_of_forced_decoding(architecture: str, order: str) -> None:
    lengths = set()
    for seed in range(6):
        p = parameters(architecture, seed)
        output = numpy_greedy(p, SOURCE, architecture, order, max_length=6)
        lengths.add(len(output))
        assert output[-1] == END
        best = numpy_forced(p, SOURCE, output, architecture, order).log_probabilities.argmax(axis=1)
        free = output if len(output) <= 6 else output[:-1]
        assert best[: len(free)].tolist() == free
    assert max(lengths) > 1
