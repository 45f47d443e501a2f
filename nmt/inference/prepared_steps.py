"""The decoding steps of a model, prepared once for the weights as they are."""

from __future__ import annotations

import torch

from nmt.model import TranslationModel
from nmt.model.steps import DecodingSteps


class PreparedSteps:
    """A model as a search wants it. Safe to share between threads.

    While the model is in evaluation mode and no weight changes, the steps are prepared once. A fused optimizer leaves
    no trace on the weights that it changes: whoever trains a model makes a new object for every validation.

    Attributes:
        model: whose steps they are.
        precision: of the factors of the matrix products; None = that of the weights.
    """

    def __init__(self, model: TranslationModel, precision: torch.dtype | None = None) -> None:
        self.model, self.precision = model, precision
        self._prepared: tuple[object, DecodingSteps] | None = None

    @property
    def device(self) -> torch.device:
        return self.model.decoder.E.device

    def steps(self) -> DecodingSteps:
        """The steps with the weights as they are now."""
        prepared = self._prepared
        weights = [(p.data_ptr(), p._version) for p in self.model.parameters()]
        if self.model.training or prepared is None or prepared[0] != weights:
            prepared = self._prepared = (weights, DecodingSteps(self.model, self.precision))
        return prepared[1]
