"""Initial values by parameter name."""

from __future__ import annotations

import torch
from torch import Tensor, nn

_RECURRENT = ("U", "U_z", "U_r", "U_in", "U_forget", "U_out")


def initialize(model: nn.Module, seed: int) -> None:
    """Set the initial values of all parameters.

    Recurrent matrices U, U_z, U_r: random orthogonal. W_a, U_a: Gaussian(0, 0.001^2). v_a and biases: 0. All others:
    Gaussian(0, 0.01^2). The bias of an LSTM's forget gate: 1, as Jozefowicz et al. 2015 advise, so that the memory cell
    keeps its content until it learns what to forget. The same seed gives the same values on every device.

    Paper: B.1
    """
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            kind = name.rsplit(".", 1)[-1]
            if kind in _RECURRENT:
                value = _orthogonal(parameter.shape[0], generator)
            elif kind in ("W_a", "U_a"):
                value = torch.empty(parameter.shape).normal_(0, 0.001, generator=generator)
            elif kind == "b_forget":
                value = torch.ones(parameter.shape)
            elif kind == "v_a" or kind.startswith("b_") or kind == "b":
                value = torch.zeros(parameter.shape)
            else:
                value = torch.empty(parameter.shape).normal_(0, 0.01, generator=generator)
            parameter.copy_(value)


def _orthogonal(size: int, generator: torch.Generator) -> Tensor:
    matrix = torch.empty(size, size)
    nn.init.orthogonal_(matrix, generator=generator)
    return matrix
