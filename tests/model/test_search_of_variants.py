"""Beam search over models of every unit, score and order: what brute force finds, and what forced decoding says."""

import pytest
import torch

from nmt.model.steps import DecodingSteps
from nmt.search.beam import BeamSettings, beam_search
from tests.oracles.brute_force import all_outputs, plain_beam_search
from tests.oracles.numpy_rnn import Sizes
from tests.oracles.paired import padded, paired
from tests.oracles.toys import Sources

SIZES = Sizes(m=5, n=6, n_align=4, l=3, K_x=11, K_y=4)
KINDS = pytest.mark.parametrize(
    ("architecture", "order", "unit", "score"),
    [
        ("rnnsearch", "printed", "gated", "additive"),
        ("rnnsearch", "printed", "lstm", "additive"),
        ("rnnsearch", "program", "lstm", "general"),
        ("rnnsearch", "printed", "reset_after", "additive"),
        ("rnnsearch", "program", "reset_after", "dot"),
        ("rnnsearch", "program", "gated", "dot"),
        ("rnnsearch", "program", "gated", "general"),
        ("rnnsearch", "program", "gated", "concat"),
        ("rnnsearch", "program", "gated", "gaussian"),
        ("rnnsearch", "printed", "lstm", "gaussian"),
        ("rnnencdec", "program", "lstm", "additive"),
        ("rnnencdec", "printed", "reset_after", "additive"),
    ],
)


@KINDS
@torch.no_grad()
def test_a_wide_beam_finds_what_brute_force_finds(architecture: str, order: str, unit: str, score: str) -> None:
    model = paired(architecture, order, 3, SIZES, unit=unit, score=score).model
    x = padded([[3, 7, 2, 5, 0], [8, 2, 0]])
    sources = Sources(x.ids, x.mask)
    wide = BeamSettings(beam=50, n_best=50, max_length=2)
    narrow = BeamSettings(beam=2, n_best=2, max_length=4)
    for i in range(2):
        one = sources.only(i)
        for settings, oracle in ((wide, all_outputs), (narrow, plain_beam_search)):
            found = beam_search(DecodingSteps(model), x.ids, x.mask, settings)[i]
            expected = oracle(DecodingSteps(model), one, settings)
            assert [c.ids for c in found] == [o.ids for o in expected]
            for candidate, output in zip(found, expected, strict=True):
                assert candidate.log_probability == pytest.approx(output.log_probability, rel=1e-5)
                y = padded([list(candidate.ids)])
                forced = model.forced(one.ids, one.mask, y.ids, y.mask)
                assert candidate.log_probability == pytest.approx(forced.token_log_probabilities.sum().item(), rel=1e-5)
                if forced.alpha is not None:
                    torch.testing.assert_close(
                        torch.as_tensor(candidate.alpha).double(), forced.alpha[0], rtol=0, atol=1e-5
                    )
