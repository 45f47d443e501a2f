"""Schedules of the learning rate and of the weight of guided attention."""

from __future__ import annotations

import math

from nmt.config import TrainingConfig


def learning_rate(settings: TrainingConfig, update: int) -> float:
    """The learning rate of update number ``update`` (from 1), before any decay for lack of progress."""
    peak = settings.learning_rate
    if update <= settings.warmup:
        return peak * update / settings.warmup
    if settings.schedule == "inverse_sqrt":
        return peak * math.sqrt(settings.warmup / update)
    if settings.schedule in ("cosine", "linear"):
        assert settings.max_updates is not None
        begin = settings.warmup + settings.hold * (settings.max_updates - settings.warmup)
        if update <= begin:
            return peak
        share = min(1.0, (update - begin) / max(1.0, settings.max_updates - begin))
        return peak * (0.5 * (1 + math.cos(math.pi * share)) if settings.schedule == "cosine" else 1 - share)
    return peak


def guidance(settings: TrainingConfig, update: int) -> float:
    """The weight of guided attention in the loss of update number ``update`` (from 1)."""
    if settings.guided_until is None:
        return settings.guided
    assert settings.max_updates is not None
    return settings.guided * max(0.0, 1 - (update - 1) / (settings.guided_until * settings.max_updates))
