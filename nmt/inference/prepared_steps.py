"""Decoding steps of a model, prepared once for its current weights."""

from __future__ import annotations

import torch

from nmt.model import TranslationModel
from nmt.model.steps import DecodingSteps


class PreparedSteps:
    """Model prepared for search. Safe to share between threads.

    As long as the model is in evaluation mode and no weight changes, the steps are prepared only once. Changes by a
    fused optimizer cannot be detected: training must create a new object for every validation.

    Attributes:
        model: the model.
        precision: precision of the factors of the matrix products, as in ``DecodingSteps``; None = that of the weights.
    """

    def __init__(self, model: TranslationModel, precision: torch.dtype | None = None) -> None:
        self.model, self.precision = model, precision
        self._prepared: tuple[object, DecodingSteps] | None = None

    @property
    def device(self) -> torch.device:
        return self.model.decoder.E.device

    def steps(self) -> DecodingSteps:
        """Return the steps for the current weights."""
        prepared = self._prepared
        weights = [(p.data_ptr(), p._version) for p in self.model.parameters()]
        if self.model.training or prepared is None or prepared[0] != weights:
            prepared = self._prepared = (weights, DecodingSteps(self.model, self.precision))
        return prepared[1]
