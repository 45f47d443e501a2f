"""The backward passes written by hand, for every input and every output, against finite differences."""

import pytest
import torch
from torch import Tensor

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
        other = gated_scan(x.flip(0), *rest, mask.flip(0) if masked else None, torch.float64).flip(0)
        torch.testing.assert_close(states, other, rtol=0, atol=0)


@pytest.mark.parametrize("steps", [1, 3])
def test_attention_scan(steps: int) -> None:
    """States, contexts and alpha each get a gradient, alpha too: no loss needs that yet."""
    decoder, attention = GatedDecoder(7, 3, N, 2 * N).double(), AdditiveAttention(N, 2 * N, N_A).double()
    weights = [
        attention.W_a,
        attention.v_a,
        *(getattr(decoder, name) for name in ("U", "U_z", "U_r", "C", "C_z", "C_r")),
    ]
    generator = torch.Generator().manual_seed(7)
    for weight in [*decoder.parameters(), *attention.parameters()]:
        weight.data.normal_(0, 0.5, generator=generator)
    mask = torch.ones(B, T_X, dtype=torch.bool)
    mask[1, 2:] = False
    x = random(steps - 1, B, 3 * N, seed=1)
    start, keys, annotations = random(B, N, seed=2), random(B, T_X, N_A, seed=3), random(B, T_X, 2 * N, seed=4)

    def scan(x: Tensor, start: Tensor, keys: Tensor, annotations: Tensor, *_: Tensor) -> tuple[Tensor, ...]:
        return tuple(attention_scan(decoder, attention, x, start, keys, annotations, mask, torch.float64))

    assert torch.autograd.gradcheck(scan, (x, start, keys, annotations, *weights), fast_mode=True)
