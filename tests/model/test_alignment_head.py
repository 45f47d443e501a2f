"""The alignment head against plain NumPy, its loss against a loop, and that it leaves the model alone."""

import numpy as np
import pytest
import torch

from nmt.model import LinkBatch
from nmt.model.alignment_head import AlignmentHead, head_loss, head_of, read_by_head
from tests.oracles.numpy_head import head_weights
from tests.oracles.numpy_rnn import END
from tests.oracles.paired import Paired, padded, paired

SENTENCES = [([3, 7, 2, 5, 4, END], [4, 6, 2, END]), ([8, 2, END], [5, 3, 8, 2, 7, END])]


def drawn(pair: Paired, units: int = 5) -> AlignmentHead:
    head = head_of(pair.model, units).double()
    generator = torch.Generator().manual_seed(8)
    with torch.no_grad():
        for parameter in head.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64))
    return head


@pytest.mark.parametrize("order", ["printed", "program"])
@pytest.mark.parametrize("block", [1, 30, 2**22])
def test_the_equation(order: str, block: int) -> None:
    """In a padded minibatch, and with the rows in blocks."""
    pair = paired("rnnsearch", order)
    head = drawn(pair)
    p = {name: value.detach().numpy() for name, value in head.named_parameters()}
    x, y = padded([source for source, _ in SENTENCES]), padded([target for _, target in SENTENCES])
    with torch.no_grad():
        found = read_by_head(pair.model, head, x.ids, x.mask, y.ids, y.mask, at_a_time=block).exp().numpy()
    for row, (source, target) in enumerate(SENTENCES):
        expected = head_weights(p, pair.oracle(source, target), pair.parameters["decoder.E"], target)
        np.testing.assert_allclose(found[: len(target), row, : len(source)], expected, rtol=1e-8)
        assert (found[:, row, len(source) :] == 0).all()


def test_the_loss_is_that_of_each_link_and_its_gradient_stays_in_the_head() -> None:
    pair = paired("rnnsearch", "program")
    head = drawn(pair)
    x, y = padded([source for source, _ in SENTENCES]), padded([target for _, target in SENTENCES])
    log_weights = read_by_head(pair.model, head, x.ids, x.mask, y.ids, y.mask)
    links = [(0, 1, 2, 0.5), (0, 1, 3, 0.5), (1, 5, 2, 1.0)]  # pair, target, source, weight
    given = LinkBatch(*(torch.tensor(column) for column in zip(*links, strict=True)))
    expected = -sum(weight * log_weights[i, b, j].item() for b, i, j, weight in links)
    loss = head_loss(log_weights, given)
    assert loss.item() == pytest.approx(expected)
    torch.autograd.backward(loss)
    assert all(parameter.grad is not None and parameter.grad.abs().sum() > 0 for parameter in head.parameters())
    assert all(parameter.grad is None for parameter in pair.model.parameters())


def test_a_new_head_is_undecided_and_the_same_for_the_same_seed() -> None:
    pair = paired("rnnsearch", "program")
    heads = [head_of(pair.model, 4) for _ in range(3)]
    for head, seed in zip(heads, (1, 1, 2), strict=True):
        head.initialize(seed)
    assert torch.equal(heads[0].W_h, heads[1].W_h)
    assert not torch.equal(heads[0].W_h, heads[2].W_h)
    x, y = padded([SENTENCES[0][0]]), padded([SENTENCES[0][1]])
    with torch.no_grad():
        found = read_by_head(pair.model, heads[0].double(), x.ids, x.mask, y.ids, y.mask).exp()
    np.testing.assert_allclose(found, 1 / len(SENTENCES[0][0]))
