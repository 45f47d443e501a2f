"""Products of 8-bit integers against integer arithmetic in NumPy, and against each other in other company."""

import numpy as np
import pytest
import torch
from torch import Tensor

import nmt.model.kernels
from nmt import native
from nmt.inference.checkpoint import quantised, restored
from nmt.model.kernels import PANEL, IntegerPanels, IntegerWeight, has_integer_products, round_rows

ON_THIS_PROCESSOR = pytest.mark.skipif(not has_integer_products(), reason="the processor has no integer products")
SIZES = pytest.mark.parametrize(("inner", "words"), [(1, 3), (37, 64), (320, 960), (500, 70)])


def matrix(rows: int, columns: int) -> Tensor:
    """Rows of very different sizes, one of them zero."""
    found = torch.randn(rows, columns, generator=torch.Generator().manual_seed(rows * columns))
    found *= torch.logspace(-3, 2, rows).unsqueeze(1)
    found[rows // 2] = 0
    return found


@ON_THIS_PROCESSOR
@SIZES
def test_products_are_those_of_integer_arithmetic(inner: int, words: int) -> None:
    x, weight, bias = matrix(9, inner), matrix(words, inner), torch.linspace(-1, 1, words)

    def integers(values: Tensor) -> tuple[np.ndarray, np.ndarray]:
        exact = values.double().numpy()
        most = np.abs(exact).max(axis=1, keepdims=True)
        steps = np.where(most > 0, most, 1) / 127
        return np.rint(exact / steps).astype(np.int64), steps * (most > 0)

    (q, x_scale), (w, w_scale) = integers(x), integers(weight)
    exact = (q @ w.T) * x_scale * w_scale.T
    found = IntegerWeight(weight)(x, bias).double().numpy() - bias.double().numpy()
    # an entry that lies almost halfway between two integers may be rounded to the other one
    off_by_one = np.abs(w).max() * x_scale * w_scale.T
    assert (np.abs(found - exact) <= 1e-5 * np.abs(exact) + 1e-6 + off_by_one * 1.01).all()
    assert np.isclose(found, exact, rtol=1e-5, atol=2e-6).mean() > 0.98


@SIZES
@pytest.mark.parametrize("readout", [False, True])
def test_the_engine_and_onednn_multiply_the_same_integers(
    inner: int, words: int, readout: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to the rounding of the sums that both make floats of: an integer more or less is a hundred times as much."""
    if native.library() is None or not nmt.model.kernels._has_onednn_integers():
        pytest.skip("the processor has no integer products of oneDNN, or there is no compiler")
    words += -words % PANEL * readout
    x, weight, bias = matrix(100, inner), matrix(words, inner), torch.linspace(-1, 1, words)
    weight *= torch.logspace(2, -3, words).unsqueeze(1)  # all of one size
    given = () if readout else (bias,)
    times = IntegerWeight(weight, bias if readout else None)
    assert isinstance(times._times, IntegerPanels)
    found = times(x, *given)
    with monkeypatch.context() as changed:
        changed.setattr(native, "library", lambda: None)
        by_onednn = IntegerWeight(weight, bias if readout else None)
    assert not isinstance(by_onednn._times, IntegerPanels)
    torch.testing.assert_close(found, by_onednn(x, *given), rtol=1e-6, atol=1e-6)
    assert torch.equal(times(x.t().contiguous().t(), *given), found)
    monkeypatch.setattr(native, "LEAST_ROWS", 1)
    with native.threads(3):
        assert torch.equal(times(x.view(4, 25, inner), *given), found.view(4, 25, words))


@ON_THIS_PROCESSOR
def test_the_largest_sums_of_a_readout_are_nearly_those_of_fp32() -> None:
    """Half a step of an input is an error of 1/254 of its largest value; 128 times less near the largest."""
    random = torch.Generator().manual_seed(1)
    x, weight = torch.randn(40, 320, generator=random), torch.randn(640, 320, generator=random) / 3
    bias = torch.zeros(640)
    exact, rough = x @ round_rows(weight).values.float().t() * round_rows(weight).scale, IntegerWeight(weight)(x, bias)
    found = IntegerWeight(weight, bias)(x)
    panels = rough.view(40, -1, PANEL).amax(dim=2)
    near = (panels >= panels.amax(dim=1, keepdim=True) - 6).repeat_interleave(PANEL, dim=1)
    assert torch.equal(found[~near], rough[~near])
    assert 0 < near.float().mean() < 0.9
    assert (found - exact)[near].abs().max() < (rough - exact)[near].abs().max() / 50


@ON_THIS_PROCESSOR
@SIZES
def test_a_row_does_not_depend_on_its_neighbours(inner: int, words: int) -> None:
    times, x = IntegerWeight(matrix(words, inner)), matrix(80, inner)
    together = times(x)
    for first, count in ((0, 1), (79, 1), (3, 5), (20, 33)):
        assert torch.equal(times(x[first : first + count]), together[first : first + count])
    assert torch.equal(times(x.view(16, 5, inner)), together.view(16, 5, words))
    x[7], x[8, 0] = torch.inf, torch.nan
    broken = times(x)
    others = [i for i in range(80) if i not in (7, 8)]
    assert torch.equal(broken[others], together[others])
    assert not broken[7:9].isfinite().any()


def test_weights_of_a_released_run_are_not_rounded_again() -> None:
    stored = quantised({"W": matrix(50, 40)})
    again = round_rows(restored(stored)["W"])
    assert torch.equal(again.values, stored["W"])
    torch.testing.assert_close(again.scale, stored["W.row_scale"], rtol=1e-6, atol=0)


def test_small_matrices_and_other_precisions_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nmt.model.kernels, "has_integer_products", lambda: True)
    large = torch.empty(2**12, 2**8)
    assert IntegerWeight.pays_off(large)
    assert not IntegerWeight.pays_off(large[:-1])
    assert not IntegerWeight.pays_off(large.double())
    longest = (2**31 - 1) // (255 * 127)  # a longer sum might exceed 32 bits
    assert IntegerWeight.pays_off(torch.empty(1, 1).expand(64, longest))
    assert not IntegerWeight.pays_off(torch.empty(1, 1).expand(64, longest + 1))
    monkeypatch.setattr(nmt.model.kernels, "has_integer_products", lambda: False)
    assert not IntegerWeight.pays_off(large)
