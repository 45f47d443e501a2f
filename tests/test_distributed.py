"""What processes tell each other, against the same done in one place."""

import numpy as np
import pytest
import torch
from torch import Tensor

from nmt.distributed import ALONE, Processes, joined
from tests.oracles.two_processes import TwoProcesses


def given(rank: int) -> list[Tensor]:
    """Tensors of two types: small ones, one that is large, a large one that is transposed, an empty one."""
    generator = torch.Generator().manual_seed(rank)
    shapes = [(3,), (2, 4), (2**20,), (1025, 1024), (), (0,)]
    tensors = [torch.randn(shape, generator=generator) for shape in shapes]
    tensors[3] = tensors[3].t()
    return [*tensors, torch.randn(5, generator=generator, dtype=torch.float64)]


def summed(processes: Processes) -> list[Tensor]:
    tensors = given(processes.rank)
    processes.sum_(tensors)
    return tensors


@pytest.mark.slow
def test_sums_are_sums_and_the_same_everywhere(two_processes: TwoProcesses) -> None:
    results = two_processes(summed)
    for a, b, found, other in zip(given(0), given(1), *results, strict=True):
        torch.testing.assert_close(found, a + b)
        assert torch.equal(found, other)


def is_first(processes: Processes) -> bool:
    return processes.first


@pytest.mark.slow
def test_one_is_the_first(two_processes: TwoProcesses) -> None:
    assert ALONE.first
    assert two_processes(is_first) == [True, False]


def agreements(processes: Processes) -> list[str | None]:
    words = [(None, None), ("a", None), (None, "b"), ("a", "b")]
    return [processes.agreed(word[processes.rank]) for word in words]


@pytest.mark.slow
def test_what_one_says_all_know_and_the_first_goes_before(two_processes: TwoProcesses) -> None:
    assert two_processes(agreements) == [[None, "a", "b", "a"]] * 2


def shares(processes: Processes, lengths: list[int]) -> tuple[list[int], list[int]]:
    mine: list[int] = []

    def squares(items: list[int]) -> list[int]:
        mine.extend(items)
        return [item**2 for item in items]

    return mine, processes.spread(lengths, float, squares)


@pytest.mark.slow
@pytest.mark.parametrize("count", [0, 1, 2, 7, 50])
def test_work_is_shared_out_evenly_and_comes_back_in_order(count: int, two_processes: TwoProcesses) -> None:
    lengths = np.random.default_rng(count).integers(1, 100, count).tolist()
    (first, found), (second, other) = two_processes(shares, lengths)
    assert found == other == [length**2 for length in lengths]
    assert sorted(first + second) == sorted(lengths)
    assert abs(sum(first) - sum(second)) <= max(lengths, default=0)
    assert abs(len(first) - len(second)) <= 1


def test_one_process_needs_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    with joined("cuda:7") as processes:
        assert processes == Processes(0, 1, "cuda:7")
    tensor = torch.ones(3)
    ALONE.sum_([tensor])
    assert tensor.tolist() == [1, 1, 1]
    assert (ALONE.gathered("a"), ALONE.agreed(None), ALONE.agreed("a")) == (["a"], None, "a")
    assert shares(ALONE, [3, 1, 2]) == ([3, 1, 2], [9, 1, 4])
