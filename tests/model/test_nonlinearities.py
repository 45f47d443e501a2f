"""The fast forms against torch's own functions."""

import pytest
import torch

from nmt.model.kernels import tanh_


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 2e-7), (torch.float64, 1e-15)])
def test_tanh(dtype: torch.dtype, tolerance: float) -> None:
    x = torch.cat([torch.linspace(-30, 30, 10_001), torch.tensor([0.0, -0.0, 1e-9, 1e30, -1e30])]).to(dtype)
    torch.testing.assert_close(tanh_(x.clone()), torch.tanh(x), rtol=0, atol=tolerance)


def test_nan_is_not_hidden() -> None:
    assert tanh_(torch.tensor([torch.nan, 1.0])).isnan().tolist() == [True, False]
