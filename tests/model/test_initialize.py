"""The weights before training (B.1)."""

import pytest
import torch

from nmt.model import build_model
from tests.oracles.numpy_rnn import Sizes, parameter_shapes
from tests.oracles.paired import config

SIZES = Sizes(m=40, n=64, n_align=48, l=32, K_x=70, K_y=90)


@pytest.mark.parametrize(
    ("architecture", "unit", "score"),
    [
        ("rnnsearch", "gated", "additive"),
        ("rnnencdec", "gated", "additive"),
        ("rnnsearch", "lstm", "general"),
        ("rnnsearch", "reset_after", "concat"),
        ("rnnsearch", "gated", "gaussian"),
    ],
)
def test_initial_weights_are_those_of_the_paper(architecture: str, unit: str, score: str) -> None:
    """Those of other units and scores too, but for the bias of an LSTM's forget gate and those of a mixture."""
    settings = config(architecture, "printed", SIZES, unit=unit, score=score)
    weights = build_model(settings, SIZES.K_x, SIZES.K_y, seed=3).state_dict()
    assert set(weights) == set(parameter_shapes(architecture, SIZES, unit, score))
    for name, weight in weights.items():
        letter = name.split(".")[-1]
        if letter in ("U", "U_z", "U_r", "U_in", "U_forget", "U_out"):
            product = weight.double() @ weight.double().T
            torch.testing.assert_close(product, torch.eye(SIZES.n, dtype=torch.float64), rtol=0, atol=1e-5)
        elif letter == "b_mixture":
            assert len(weight.unique()) == len(weight)
        elif weight.ndim == 1:
            assert (weight == (1 if letter == "b_forget" else 0)).all(), name
        else:
            deviation = 0.001 if letter in ("W_a", "U_a") else 0.01
            entries = weight.numel()
            assert abs(weight.mean().item()) < 5 * deviation / entries**0.5, name
            assert weight.std().item() == pytest.approx(deviation, rel=5 / (2 * entries) ** 0.5), name
            # A Gaussian, not a uniform: its fourth moment is 3 sigma^4 (a uniform's is 1.8).
            assert (weight**4).mean().item() == pytest.approx(3 * deviation**4, rel=0.35), name


def test_recurrent_weights_differ_from_each_other_and_between_seeds() -> None:
    def recurrent(seed: int) -> list[torch.Tensor]:
        weights = build_model(config("rnnsearch", "printed", SIZES), SIZES.K_x, SIZES.K_y, seed).state_dict()
        return [weight for name, weight in weights.items() if name.split(".")[-1] in ("U", "U_z", "U_r")]

    first, again, other = recurrent(1), recurrent(1), recurrent(2)
    assert len(first) == 9
    assert all((a == b).all() for a, b in zip(first, again, strict=True))
    assert all((a != b).any() for a, b in zip(first, other, strict=True))
    assert all((first[i] != first[j]).any() for i in range(9) for j in range(i))
