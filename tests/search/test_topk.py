"""The best continuations against a full, stable sort."""

import numpy as np
import pytest
import torch

from nmt.search import topk
from nmt.search.topk import best_continuations, pad_to_chunks


@pytest.fixture(params=["native", "numpy"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What computes; the first is the same as the second where there is no native engine."""
    if request.param == "numpy":
        monkeypatch.setattr(topk, "_engine", lambda padded: None)
    return str(request.param)


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("size", [1, 10, 64, 100])
@pytest.mark.parametrize("rows", [1, 3])
def test_more_than_there_are_is_as_many_as_asked_for(rows, size):
    """A beam may be wider than the target vocabulary: the places that are left over cannot be continued."""
    values = -torch.rand(2, rows, size, generator=torch.Generator().manual_seed(size))
    padded, number = pad_to_chunks(values), 1000
    found = best_continuations(padded, np.zeros((2, rows)), number)
    assert found.places.shape == found.values.shape == found.totals.shape == (2, number)
    assert (found.totals[:, rows * size :] == -np.inf).all()
    assert found.totals[:, : rows * size].tolist() == values.flatten(1).sort(descending=True).values.tolist()
    assert ((found.places >= 0) & (found.places < rows * padded.shape[2])).all()


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("seed", range(20))
def test_equals_a_stable_sort_of_everything_even_with_ties(seed):
    generator = torch.Generator().manual_seed(seed)
    lines, rows, size, number = (int(torch.randint(1, top, (), generator=generator)) for top in (4, 6, 400, 60))
    values = -torch.randint(0, 6, (lines, rows, size), generator=generator).float()  # few values: many ties
    values[torch.rand(values.shape, generator=generator) < 0.1] = -torch.inf
    live = -torch.randint(0, 3, (lines, rows), generator=generator).double()
    live[:, 1:][torch.rand(lines, rows - 1, generator=generator) < 0.2] = -torch.inf

    padded = pad_to_chunks(values)
    found = best_continuations(padded, live.numpy(), number)

    sums = (values + live.unsqueeze(2)).flatten(1)
    expected = torch.sort(sums, dim=1, descending=True, stable=True)
    width = padded.shape[2]
    for line in range(lines):
        real = int((expected.values[line][:number] > -torch.inf).sum())
        order = expected.indices[line][:real]
        assert found.places[line][:real].tolist() == (order // size * width + order % size).tolist()
        assert found.values[line][:real].tolist() == values[line].flatten()[order].tolist()
        assert found.totals[line][:real].tolist() == expected.values[line][:real].tolist()
        assert (found.totals[line][real:] == -np.inf).all()


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("number", [2, 7])
def test_a_row_that_is_no_distribution_is_not_continued(number):
    """Nor does it change what is found of the others, whether its sentence goes on without it or not."""
    values = -torch.rand(3, 4, 128, generator=torch.Generator().manual_seed(1))
    live = -np.ones((3, 4))
    live[1, 2] = -np.inf
    expected = best_continuations(values, np.where(np.eye(4)[[1, 2, 2]] == 1, -np.inf, live), number)
    values[0, 1, 5], values[1, 2, 77], values[2, 2, 127] = torch.nan, torch.inf, 0.01
    found = best_continuations(values, live, number)
    assert found.broken.tolist() == (np.eye(4)[[1, 2, 2]] == 1).tolist()
    for one, other in zip(found[:3], expected[:3], strict=True):
        assert one.tolist() == other.tolist()


def test_padding_keeps_the_values_and_adds_impossible_ones():
    for size in (1, 63, 64, 65, 128):
        values = -torch.rand(2, 3, size)
        padded = pad_to_chunks(values)
        assert padded.shape[2] % 64 == 0
        assert torch.equal(padded[:, :, :size], values)
        assert (padded[:, :, size:] == -torch.inf).all()


def test_a_beam_may_be_too_wide_for_a_stack():
    if topk.native.library() is None:
        pytest.skip("there is no compiler")
    values = -torch.arange(64.0).view(1, 1, 64)
    found = best_continuations(values, np.zeros((1, 1)), 2_000_000)
    assert found.places[0, :64].tolist() == list(range(64))
    assert (found.totals[0, 64:] == -np.inf).all()
