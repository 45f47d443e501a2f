"""The readable step against the fast forms, and against the equations in NumPy."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812

from nmt.config import ModelConfig
from nmt.model import build_model, reference
from nmt.model.attention import AdditiveAttention
from nmt.model.decoder import GatedDecoder
from nmt.model.steps import DecodingSteps
from nmt.model.translation import TranslationModel
from tests.oracles.numpy_rnn import score

SOURCE, TARGET = torch.tensor([4, 2, 7, 5, 0]), torch.tensor([3, 6, 6, 1, 0])


def network(architecture: str, order: str, kind: str) -> TranslationModel:
    """A model whose weights are wide enough apart for every term to matter, in double precision."""
    sizes = {"embedding": 5, "hidden": 6, "alignment": 7, "maxout": 4}
    config = ModelConfig(architecture=architecture, state_order=order, score=kind, **sizes)  # type: ignore[arg-type]
    model = build_model(config, 9, 8).double().eval()
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.double) * 0.6)
    return model


@pytest.mark.parametrize("order", ["printed", "program"])
@pytest.mark.parametrize(
    ("architecture", "kind"), [("rnnsearch", "additive"), ("rnnsearch", "concat"), ("rnnencdec", "additive")]
)
@torch.no_grad()
def test_step_by_step_it_is_the_whole_target(architecture: str, kind: str, order: str) -> None:
    """From s_0 on, word after word, the same alpha and probabilities as the scan over the target, and the same states
    as a search."""
    model = network(architecture, order, kind)
    assert isinstance(model.decoder, GatedDecoder)
    batch = SOURCE.unsqueeze(0), torch.ones(1, len(SOURCE), dtype=torch.bool)
    forced = model.forced(*batch, TARGET.unsqueeze(0), torch.ones(1, len(TARGET), dtype=torch.bool))
    encoded = model.read(*batch, torch.double)
    steps = DecodingSteps(model)
    state = steps.start(*batch)
    s, h = encoded.start[0], encoded.memory[0]
    before = torch.zeros(5, dtype=torch.double)
    previous = -1
    for i, word in enumerate(TARGET.tolist()):
        searched = steps.step(state, torch.tensor([[previous]]))
        context = h[-1]
        if isinstance(model.attention, AdditiveAttention):
            attended = reference.attend(model.attention, s, h)
            context = attended.context
            assert forced.alpha is not None
            assert searched.alpha is not None
            torch.testing.assert_close(attended.alpha, forced.alpha[0, i])
            torch.testing.assert_close(attended.alpha, searched.alpha[0, 0])
        log_p = reference.predict(model.readout, s, before, context)
        torch.testing.assert_close(log_p[word], forced.token_log_probabilities[0, i])
        torch.testing.assert_close(log_p, searched.log_probabilities[0, 0, : len(log_p)])
        embedded = F.embedding(torch.tensor(word), model.decoder.E)
        s = reference.update(model.decoder, s, embedded if order == "program" else before, context).state
        before, previous, state = embedded, word, searched.state


@torch.no_grad()
def test_energies_are_those_of_the_equation() -> None:
    model = network("rnnsearch", "printed", "additive")
    assert isinstance(model.attention, AdditiveAttention)
    encoded = model.read(SOURCE.unsqueeze(0), torch.ones(1, len(SOURCE), dtype=torch.bool), torch.double)
    s, h = encoded.start[0], encoded.memory[0]
    parameters = {name: value.numpy() for name, value in model.state_dict().items()}
    expected = [score(parameters, "additive", s.numpy(), h_j.numpy()) for h_j in h]
    np.testing.assert_allclose(reference.attend(model.attention, s, h).energies.numpy(), expected, rtol=1e-12)
