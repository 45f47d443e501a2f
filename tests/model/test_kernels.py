"""bf16 factors: right, and never a look at the neighbours in memory."""

import platform

import pytest
import torch
from torch import Tensor
from torch.profiler import ProfilerActivity, profile

from nmt.config import ModelConfig
from nmt.model import build_model
from nmt.model.kernels import PackedWeight, cast, linear, multiply, tanh_, weight_gradient

BF16 = torch.bfloat16
INNER = [32, 40, 100, 620, 1000]
"""Inner sizes; all but the first are no multiple of 32."""


def among_nan(rows: int, columns: int) -> Tensor:
    """A matrix that is a slice of a larger one filled with NaN: what lies before and after each row is NaN."""
    surroundings = torch.full((rows + 2, 3 * columns), float("nan"))
    inside = surroundings[1:-1, columns : 2 * columns]
    inside.copy_(torch.randn(rows, columns, generator=torch.Generator().manual_seed(rows + columns)))
    return inside


@pytest.mark.parametrize("inner", INNER)
def test_a_product_does_not_read_past_its_rows(inner: int) -> None:
    x, weight = among_nan(80, inner).to(BF16), among_nan(96, inner).to(BF16)
    strided = torch.full((80, 3 * inner), float("nan"), dtype=BF16)[:, inner : 2 * inner]
    strided.copy_(x)
    exact = x.double() @ weight.double().t()
    found = multiply(cast(strided, BF16), cast(weight.t(), BF16), torch.float32)
    assert torch.isfinite(found).all()
    torch.testing.assert_close(found.double(), exact, rtol=2e-2, atol=2e-2 * inner**0.5)
    summed = weight_gradient(strided, cast(strided, BF16), BF16, torch.float32)
    assert torch.isfinite(summed).all()


@pytest.mark.parametrize("inner", INNER)
def test_linear_and_its_gradients_agree_with_fp32(inner: int) -> None:
    results = {}
    for dtype in (torch.float32, BF16):
        x = among_nan(30, inner).detach().requires_grad_()
        weight = among_nan(50, inner).detach().requires_grad_()
        y = linear(x, weight, dtype)
        y.square().sum().backward()
        assert x.grad is not None
        assert weight.grad is not None
        assert torch.isfinite(y).all()
        results[dtype] = (y.detach(), x.grad, weight.grad)
    for low, full in zip(results[BF16], results[torch.float32], strict=True):
        assert torch.isfinite(low).all()
        assert (low - full).norm() < 1e-2 * full.norm()


@pytest.mark.parametrize("architecture", ["rnnsearch", "rnnencdec"])
def test_training_in_bf16_is_finite_and_near_fp32_at_awkward_sizes(architecture: str) -> None:
    config = ModelConfig(architecture=architecture, embedding=20, hidden=40, alignment=36, maxout=28)  # type: ignore[arg-type]
    model = build_model(config, 50, 60).train()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0, 0.2, generator=torch.Generator().manual_seed(parameter.numel()))
    generator = torch.Generator().manual_seed(3)
    source, target = (torch.randint(2, 50, (7, 9), generator=generator) for _ in range(2))
    mask = torch.arange(9) < torch.tensor([9, 3, 5, 9, 1, 2, 7])[:, None]
    gradients = {}
    for precision in (None, BF16):
        model.precision = precision
        model.zero_grad()
        torch.autograd.backward(model.loss(source, mask, target, mask).total)
        gradients[precision] = torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None])
    assert torch.isfinite(gradients[BF16]).all()
    full = gradients[None]
    assert (gradients[BF16] - full).norm() < 0.05 * full.norm()


@pytest.mark.filterwarnings("ignore:TF32 acceleration")
def test_loss_and_gradients_are_the_same_by_onednn_and_by_torchs_own_products() -> None:
    """In fp32, at a size at which every kind of product goes to oneDNN where it is there."""
    config = ModelConfig(architecture="rnnsearch", embedding=96, hidden=128, alignment=112, maxout=80)
    generator = torch.Generator().manual_seed(3)
    source, target = (torch.randint(2, 700, (24, 11), generator=generator) for _ in range(2))
    mask = torch.arange(11) < torch.randint(1, 12, (24, 1), generator=generator)
    found = []
    for onednn in (True, False):
        model = build_model(config, 700, 700).train()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.normal_(0, 0.1, generator=torch.Generator().manual_seed(parameter.numel()))
        with torch.backends.mkldnn.flags(enabled=onednn):
            loss = model.loss(source, mask, target, mask)
            torch.autograd.backward(loss.total)
        found.append((loss.nll / loss.words, {name: p.grad for name, p in model.named_parameters()}))
    torch.testing.assert_close(found[0][0], found[1][0], rtol=1e-5, atol=0)
    for name, gradient in found[0][1].items():
        assert (gradient - found[1][1][name]).norm() < 1e-5 * gradient.norm(), name


@pytest.mark.parametrize("dtype", [torch.float32, BF16, torch.float64])
@pytest.mark.parametrize("rows", [1, 5, 80])
def test_a_packed_weight_multiplies_as_a_plain_one(rows: int, dtype: torch.dtype) -> None:
    full = torch.float64 if dtype == torch.float64 else torch.float32
    x, weight = among_nan(rows, 100).to(full), among_nan(70, 100).to(full)
    found = PackedWeight(weight.t().contiguous().t(), dtype)(x)
    expected = x.to(dtype).double() @ weight.to(dtype).double().t()
    assert found.dtype == full
    tolerance = {torch.float64: 1e-12, torch.float32: 1e-4, BF16: 0.2}[dtype]
    torch.testing.assert_close(found.double(), expected, rtol=0, atol=tolerance)


@pytest.mark.skipif(platform.machine().lower() not in ("x86_64", "amd64"), reason="only there")
@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.filterwarnings("ignore:TF32 acceleration")
def test_large_matrices_are_multiplied_by_onednn_where_it_is_there(enabled: bool) -> None:
    weight, x = torch.rand(128, 128), torch.rand(128, 128)
    for product in (lambda: PackedWeight(weight, torch.float32)(x), lambda: multiply(x, weight.t(), torch.float32)):
        with torch.backends.mkldnn.flags(enabled=enabled), profile(activities=[ProfilerActivity.CPU]) as profiled:
            product()
        by_onednn = any(event.key.startswith("mkldnn::_linear") for event in profiled.key_averages())
        assert by_onednn == (enabled and torch.backends.mkldnn.is_available())


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 2e-7), (torch.float64, 1e-15)])
def test_tanh(dtype: torch.dtype, tolerance: float) -> None:
    x = torch.cat([torch.linspace(-30, 30, 10_001), torch.tensor([0.0, -0.0, 1e-9, 1e30, -1e30])]).to(dtype)
    torch.testing.assert_close(tanh_(x.clone()), torch.tanh(x), rtol=0, atol=tolerance)


def test_nan_is_not_hidden() -> None:
    assert tanh_(torch.tensor([torch.nan, 1.0])).isnan().tolist() == [True, False]
