"""The optimizers."""

from __future__ import annotations

import torch
from torch import nn

from nmt.config import TrainingConfig


def build_optimizer(model: nn.Module, settings: TrainingConfig) -> torch.optim.Optimizer:
    """Adadelta as the paper has it, or Adam.

    Paper: 4.2, B.2
    """
    if settings.optimizer == "adadelta":
        return torch.optim.Adadelta(
            model.parameters(), lr=settings.learning_rate, rho=settings.rho, eps=settings.epsilon
        )
    return torch.optim.Adam(
        model.parameters(),
        lr=settings.learning_rate,
        betas=(settings.beta1, settings.beta2),
        eps=settings.epsilon,
    )
