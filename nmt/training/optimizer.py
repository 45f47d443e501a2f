"""Construction of the optimizers."""

from __future__ import annotations

import torch
from torch import nn

from nmt.config import TrainingConfig
from nmt.training.adadelta import Adadelta


def build_optimizer(model: nn.Module, settings: TrainingConfig) -> torch.optim.Optimizer:
    """Build the optimizer: Adadelta as in the paper, or Adam.

    Paper: 4.2, B.2
    """
    if settings.optimizer == "adadelta":
        return Adadelta(model.parameters(), settings.learning_rate, settings.rho, settings.epsilon)
    return torch.optim.Adam(
        model.parameters(),
        lr=settings.learning_rate,
        betas=(settings.beta1, settings.beta2),
        eps=settings.epsilon,
        fused=True,
    )
