"""Dropout, label smoothing and R-Drop: what they change, and what they must leave alone."""

import numpy as np
import pytest
import torch

from nmt.model.encoder import EmbeddingDropout
from tests.oracles.numpy_rnn import END
from tests.oracles.paired import SIZES, Paired, load, padded, paired

SOURCE, TARGET = [3, 7, 2, 5, END], [4, 6, 2, END]
BOTH = pytest.mark.parametrize("architecture", ["rnnsearch", "rnnencdec"])
ORDERS = pytest.mark.parametrize("order", ["printed", "program"])


def token_log_probabilities(pair: Paired, rows: int, target: list[int], seed: int = 0) -> torch.Tensor:
    """[rows, T_y]: the same pair ``rows`` times over, each with its own masks."""
    x, y = padded([SOURCE] * rows), padded([target] * rows)
    torch.manual_seed(seed)
    with torch.no_grad():
        return pair.model.forced(x.ids, x.mask, y.ids, y.mask).token_log_probabilities


@BOTH
@ORDERS
def test_dropout_acts_in_training_only(architecture: str, order: str) -> None:
    pair = paired(architecture, order, dropout=0.5)
    plain = pair.oracle(SOURCE, TARGET).token_log_probabilities
    np.testing.assert_allclose(token_log_probabilities(pair, 1, TARGET)[0], plain, rtol=1e-6)
    pair.model.train()
    first, again, other = (token_log_probabilities(pair, 1, TARGET, seed) for seed in (1, 1, 2))
    assert (first == again).all(), "the same seed gives the same masks"
    assert (first != other).any()


@BOTH
def test_without_dropout_training_and_evaluation_are_the_same(architecture: str) -> None:
    pair = paired(architecture, "printed")
    evaluation = token_log_probabilities(pair, 2, TARGET)
    pair.model.train()
    assert (token_log_probabilities(pair, 2, TARGET, seed=3) == evaluation).all()


@BOTH
@ORDERS
def test_dropout_of_the_maxout_layer_keeps_the_mean(architecture: str, order: str) -> None:
    """log p(a) - log p(b) is linear in the maxout layer, so its mean over masks is its value without.

    With all embeddings zero, their dropout has no part in it."""
    rows, a, b = 4000, 4, 6
    pair = paired(architecture, order, dropout=0.3)
    for name in ("encoder.E", "decoder.E"):
        pair.parameters[name][:] = 0
    load(pair.model, pair.parameters)
    log_p = pair.oracle(SOURCE, [a]).log_probabilities[0]
    pair.model.train()
    samples = token_log_probabilities(pair, rows, [a]) - token_log_probabilities(pair, rows, [b])
    error = samples.std().item() / rows**0.5
    assert 0 < error < 0.1 * abs(log_p[a] - log_p[b]), "too noisy to say anything"
    assert abs(samples.mean().item() - (log_p[a] - log_p[b])) < 4 * error


@ORDERS
def test_dropout_of_the_source_embeddings_keeps_the_mean(order: str) -> None:
    """With tiny embeddings and no biases everything up to alpha is linear, so the mean over masks is alpha."""
    rows = 4000
    pair = paired("rnnsearch", order, dropout=0.3)
    for name, value in pair.parameters.items():
        if value.ndim == 1 and name != "attention.v_a":
            value[:] = 0
    pair.parameters["encoder.E"] *= 1e-3
    load(pair.model, pair.parameters)
    expected = pair.oracle(SOURCE, [END]).alpha[0] - 1 / len(SOURCE)
    pair.model.train()
    x, y = padded([SOURCE] * rows), padded([[END]] * rows)
    torch.manual_seed(1)
    with torch.no_grad():
        samples = pair.model.forced(x.ids, x.mask, y.ids, y.mask).alpha[:, 0].numpy() - 1 / len(SOURCE)
    error = samples.std(axis=0) / rows**0.5
    assert (error > 0).all()
    assert (error < 0.2 * np.abs(expected).max()).all(), "too noisy to say anything"
    np.testing.assert_array_less(np.abs(samples.mean(axis=0) - expected), 4 * error)


@BOTH
@ORDERS
def test_dropout_reaches_the_target_embeddings(architecture: str, order: str) -> None:
    """All l maxout units copy one embedding unit. Dropping that one leaves the readout nothing, in a
    share p of the sentences; dropping the maxout layer alone would do so in p^l, one in a hundred."""
    rows, p = 1000, 0.2
    pair = paired(architecture, order, dropout=p)
    for name, value in pair.parameters.items():
        if name.startswith("readout."):
            value[:] = 0
    pair.parameters["readout.V_o"][:, 0] = 1
    pair.parameters["readout.W_o"][TARGET[1]] = 1
    pair.parameters["decoder.E"][TARGET[0], 0] = 2
    load(pair.model, pair.parameters)
    pair.model.train()
    second = token_log_probabilities(pair, rows, TARGET)[:, 1].numpy()
    nothing = np.isclose(second, -np.log(SIZES.K_y), rtol=1e-12).mean()
    expected = p + (1 - p) * p**SIZES.l
    assert nothing == pytest.approx(expected, abs=4 * (expected * (1 - expected) / rows) ** 0.5)


@BOTH
def test_dropout_reaches_the_source_embeddings(architecture: str) -> None:
    """The same over a source of one token, whose embedding unit is all that the context is made of."""
    rows, p = 1000, 0.2
    pair = paired(architecture, "printed", dropout=p)
    for name, value in pair.parameters.items():
        if name.startswith("readout.") or value.ndim == 1:
            value[:] = 0
    pair.parameters["readout.C_o"][:, 0] = 1
    pair.parameters["readout.W_o"][TARGET[0]] = 1
    pair.parameters["encoder.E"][END] = np.eye(SIZES.m)[0]
    load(pair.model, pair.parameters)
    pair.model.train()
    x, y = padded([[END]] * rows), padded([TARGET[:1]] * rows)
    torch.manual_seed(0)
    first = pair.model.forced(x.ids, x.mask, y.ids, y.mask).token_log_probabilities[:, 0].numpy()
    nothing = np.isclose(first, -np.log(SIZES.K_y), rtol=1e-12).mean()
    expected = p + (1 - p) * p**SIZES.l
    assert nothing == pytest.approx(expected, abs=4 * (expected * (1 - expected) / rows) ** 0.5)


@BOTH
@ORDERS
@pytest.mark.parametrize("smoothing", [0.1, 0.4])
def test_label_smoothing_mixes_in_the_mean_over_the_vocabulary(architecture: str, order: str, smoothing: float) -> None:
    """(1 - eps) NLL + eps mean_k(-log p_k), summed over words; the plain NLL is reported as it is."""
    pair = paired(architecture, order)
    sentences = [(SOURCE, TARGET), ([8, END], [5, END])]
    x, y = padded([source for source, _ in sentences]), padded([target for _, target in sentences])
    output = pair.model.loss(x.ids, x.mask, y.ids, y.mask, label_smoothing=smoothing)
    nll, even = 0.0, 0.0
    for source, target in sentences:
        expected = pair.oracle(source, target)
        nll -= expected.token_log_probabilities.sum()
        even -= expected.log_probabilities.mean(axis=1).sum()
    assert output.total.item() == pytest.approx((1 - smoothing) * nll + smoothing * even, rel=1e-6)
    assert output.nll.item() == pytest.approx(nll, rel=1e-6)


@pytest.mark.parametrize("share", [0.0, 0.25])
def test_word_dropout_takes_whole_words_and_keeps_the_mean(share: float) -> None:
    dropout = EmbeddingDropout(0.0, share).train()
    torch.manual_seed(0)
    dropped = dropout(torch.ones(40, 50, 3))
    missing = (dropped == 0).float().mean(dim=2)
    assert ((missing == 0) | (missing == 1)).all()
    assert missing.mean().item() == pytest.approx(share, abs=0.04)
    assert dropped.max().item() == pytest.approx(1 / (1 - share))
    assert (dropout.eval()(torch.ones(4, 5, 3)) == 1).all()


@BOTH
def test_word_dropout_reaches_both_sides(architecture: str) -> None:
    """With the source, or the target, as the only words that differ from zero, probabilities differ between masks."""
    for other in ("encoder.E", "decoder.E"):
        pair = paired(architecture, "printed", word_dropout=0.5)
        pair.parameters[other][:] = 0
        load(pair.model, pair.parameters)
        pair.model.train()
        assert token_log_probabilities(pair, 64, TARGET).std(dim=0).max() > 0


@BOTH
@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_the_loss_has_the_gradient_of_its_own_value(architecture: str, dropout: float) -> None:
    """Central differences of the smoothed loss in float64, the largest entry of every weight."""
    model = paired(architecture, "printed", dropout=dropout).model.train()
    x, y = padded([SOURCE, [8, END]]), padded([TARGET, [5, END]])

    def total() -> torch.Tensor:
        torch.manual_seed(2)
        return model.loss(x.ids, x.mask, y.ids, y.mask, label_smoothing=0.3).total

    total().backward()
    for name, weight in model.named_parameters():
        flat, gradient = weight.data.view(-1), weight.grad.view(-1)
        entry, values = int(gradient.abs().argmax()), []
        middle = flat[entry].item()
        for step in (1e-5, -1e-5):
            flat[entry] = middle + step
            with torch.no_grad():
                values.append(total().item())
        flat[entry] = middle
        assert gradient[entry].item() == pytest.approx((values[0] - values[1]) / 2e-5, rel=1e-5, abs=1e-8), name
