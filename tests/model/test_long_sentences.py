"""What a long sentence costs, counted in numbers computed, not in seconds."""

from typing import Any

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from nmt.config import ModelConfig
from nmt.model import TranslationModel, build_model
from nmt.model.steps import DecodingSteps


class Counted(TorchDispatchMode):
    """The numbers in all results of all operations, and those in the largest one."""

    def __init__(self) -> None:
        super().__init__()
        self.total = self.largest = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        for tensor in result if isinstance(result, tuple | list) else (result,):
            if isinstance(tensor, torch.Tensor):
                self.total += tensor.numel()
                self.largest = max(self.largest, tensor.numel())
        return result


def read(model: TranslationModel, length: int) -> Counted:
    source = torch.ones((1, length), dtype=torch.long)
    steps = DecodingSteps(model)
    with torch.inference_mode(), Counted() as counted:
        steps.start(source, source > 0)
    return counted


@pytest.mark.parametrize("architecture", ["rnnsearch", "rnnencdec"])
def test_reading_a_sentence_costs_as_many_times_more_as_it_is_longer(architecture: Any) -> None:
    model = build_model(
        ModelConfig(architecture=architecture, embedding=8, hidden=16, alignment=16, maxout=8), 50, 50
    ).eval()
    short, longer, longest = (read(model, length) for length in (100, 200, 400))
    assert longer.total - short.total > 100 * 16
    assert longest.total - longer.total == pytest.approx(2 * (longer.total - short.total), rel=0.02)
    assert longest.largest <= 2.02 * longer.largest <= 4.05 * short.largest
