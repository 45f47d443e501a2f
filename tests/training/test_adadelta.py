"""Our Adadelta against torch's."""

import pytest
import torch

from nmt.training.adadelta import CHUNK, Adadelta


@pytest.mark.parametrize("chunk", [CHUNK, 7])
def test_the_same_weights_and_averages_as_torch_has(chunk: int) -> None:
    generator = torch.Generator().manual_seed(1)
    start = [torch.randn(5, 6, generator=generator, dtype=torch.float64), torch.randn(11, dtype=torch.float64)]
    ours, theirs = ([torch.nn.Parameter(w.clone()) for w in start] for _ in range(2))
    never = torch.nn.Parameter(torch.ones(3, dtype=torch.float64))  # has no gradient
    mine = Adadelta([*ours, never], 0.7, 0.95, 1e-6, chunk=chunk)
    reference = torch.optim.Adadelta(theirs, lr=0.7, rho=0.95, eps=1e-6)
    for _ in range(20):
        for a, b in zip(ours, theirs, strict=True):
            b.grad = torch.randn(a.shape, generator=generator, dtype=torch.float64)
            a.grad = b.grad.t().contiguous().t() if a.dim() == 2 else b.grad.clone()  # in any layout
        mine.step()
        reference.step()
    for a, b in zip(ours, theirs, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-12, atol=1e-15)
        for key in ("square_avg", "acc_delta"):
            torch.testing.assert_close(mine.state[a][key], reference.state[b][key], rtol=1e-12, atol=1e-18)
    assert torch.equal(never, torch.ones(3, dtype=torch.float64))
