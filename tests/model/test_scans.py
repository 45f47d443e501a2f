"""The backward passes written by hand, for every input and every output, against finite differences."""

from types import SimpleNamespace
from typing import NamedTuple

import pytest
import torch
from torch import Tensor

from nmt import native
from nmt.model.attention import AdditiveAttention
from nmt.model.decoder import GatedDecoder, attention_scan
from nmt.model.gru import gated_scan

B, N, N_A, T_X = 3, 4, 5, 4


def random(*shape: int, seed: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64).requires_grad_()


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("masked", [False, True])
def test_gated_scan(masked: bool, reverse: bool) -> None:
    steps = 3
    mask = torch.ones(steps, B, 1, dtype=torch.float64)
    mask[1:, 1] = 0
    inputs = (random(steps, B, 3 * N, seed=1), random(B, N, seed=2), random(N, 2 * N, seed=3), random(N, N, seed=4))

    def scan(x: Tensor, start: Tensor, U_zr: Tensor, U: Tensor) -> Tensor:
        return gated_scan(x, start, U_zr, U, mask if masked else None, torch.float64, reverse=reverse)

    assert torch.autograd.gradcheck(scan, inputs, fast_mode=True)
    states = scan(*inputs)
    if masked and reverse:  # padding comes first: the start is carried to it
        torch.testing.assert_close(states[1, 1], inputs[1][1], rtol=0, atol=0)
    elif masked:
        torch.testing.assert_close(states[2, 1], states[0, 1], rtol=0, atol=0)
    if reverse:  # the same as reading the words in the other order
        x, *rest = inputs
        other = gated_scan(x.flip(0), *rest, mask.flip(0) if masked else None, torch.float64, reverse=False).flip(0)
        torch.testing.assert_close(states, other, rtol=0, atol=0)


class Attending(NamedTuple):
    """A decoder with attention, and what it is run over: ``attention_scan``'s arguments and all weights."""

    decoder: GatedDecoder
    attention: AdditiveAttention
    mask: Tensor
    inputs: tuple[Tensor, ...]

    def scan(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        return tuple(attention_scan(self.decoder, self.attention, *inputs[:4], self.mask, inputs[0].dtype))


def attending(steps: int, n_a: int = N_A, t_x: int = T_X, dtype: torch.dtype = torch.float64) -> Attending:
    decoder, attention = GatedDecoder(7, 3, N, 2 * N, N).to(dtype), AdditiveAttention(N, 2 * N, n_a).to(dtype)
    weights = [
        attention.W_a,
        attention.v_a,
        *(getattr(decoder, name) for name in ("U", "U_z", "U_r", "C", "C_z", "C_r")),
    ]
    generator = torch.Generator().manual_seed(7)
    for weight in [*decoder.parameters(), *attention.parameters()]:
        weight.data = torch.randn(weight.shape, generator=generator, dtype=torch.float64).to(dtype) / 2
    mask = torch.ones(B, t_x, dtype=torch.bool)
    mask[1, (t_x + 1) // 2 :] = False
    shapes = ((steps - 1, B, 3 * N), (B, N), (B, t_x, n_a), (B, t_x, 2 * N))
    inputs = [random(*shape, seed=seed).detach().to(dtype).requires_grad_() for seed, shape in enumerate(shapes, 1)]
    return Attending(decoder, attention, mask, (*inputs, *weights))


@pytest.mark.parametrize("steps", [1, 3])
def test_attention_scan(steps: int) -> None:
    """States, contexts and alpha each get a gradient, alpha too: no loss needs that yet."""
    case = attending(steps)
    assert torch.autograd.gradcheck(case.scan, case.inputs, fast_mode=True)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize(("steps", "n_a", "t_x"), [(1, 1, 1), (2, 5, 4), (3, 16, 3), (4, 37, 9), (2, 100, 2)])
def test_with_the_native_engine_it_is_the_scan_in_double_precision(
    steps: int, n_a: int, t_x: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Outputs and every gradient; with three threads torch computes."""
    called: list[str] = []
    library = native.library()
    if library is None:
        pytest.skip("there is no native engine")

    def watched(name: str) -> SimpleNamespace:
        return SimpleNamespace(**{name: lambda *arguments: (called.append(name), getattr(library, name)(*arguments))})

    both = SimpleNamespace(**vars(watched("attend")), **vars(watched("attend_gradient")))
    monkeypatch.setattr("nmt.model.decoder.native", SimpleNamespace(library=lambda: both))
    monkeypatch.setattr("torch.get_num_threads", lambda: threads)
    found = []
    for dtype in (torch.float32, torch.float64):
        case = attending(steps, n_a, t_x, dtype)
        outputs = case.scan(*case.inputs)
        loss = sum((random(*each.shape, seed=9).detach().to(dtype) * each).sum() for each in outputs)
        assert isinstance(loss, Tensor)
        gradients = torch.autograd.grad(loss, case.inputs, allow_unused=True)
        found.append([each.double() for each in (*outputs, *gradients) if each is not None])
    assert called == ([] if threads == 3 else ["attend"] * steps + ["attend_gradient"] * steps)
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)
