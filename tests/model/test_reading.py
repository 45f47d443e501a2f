"""The packed encoder of a search against the encoder of the model."""

from typing import Any

import pytest
import torch

from nmt.config import ModelConfig
from nmt.model import build_model
from nmt.model.kernels import PackedWeight
from nmt.model.steps import Reading

WORDS = 40


@pytest.mark.parametrize("architecture", ["rnnsearch", "rnnencdec"])
@pytest.mark.parametrize("lengths", [[7], [3, 7], [7, 1, 4, 7, 2, 6]])
def test_it_reads_what_the_model_reads(architecture: Any, lengths: list[int]) -> None:
    model = build_model(ModelConfig(architecture=architecture, embedding=12, hidden=20), WORDS, WORDS).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0, 0.3, generator=torch.Generator().manual_seed(parameter.numel()))
    source = torch.randint(2, WORDS, (len(lengths), 7), generator=torch.Generator().manual_seed(1))
    mask = torch.arange(7) < torch.tensor(lengths).unsqueeze(1)
    with torch.no_grad():
        expected = model.read(source, mask, torch.float32)
        found = Reading(model, lambda weight: PackedWeight(weight, torch.float32))(source, mask)
    torch.testing.assert_close(found.start, expected.start, rtol=0, atol=1e-5)
    for b, length in enumerate(lengths):
        words = slice(length) if architecture == "rnnsearch" else slice(1)
        torch.testing.assert_close(found.memory[b, words], expected.memory[b, words], rtol=0, atol=1e-5)
