"""What a search keeps of its steps: alpha of the rows that an output can still need, and of no others."""

from itertools import chain

import numpy as np
import pytest
import torch

from nmt.search.beam import BeamSettings, beam_search
from nmt.search.history import Ending, History
from tests.oracles.toys import random_sources, random_toy


@pytest.mark.parametrize("seed", range(12))
def test_alpha_is_the_same_however_soon_dead_rows_are_dropped(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    model, sources = random_toy(seed, size=5, sharpness=0.7), random_sources(seed, count=5, longest=7)
    settings = BeamSettings(beam=5, n_best=1 + seed % 4, length_penalty=0.5 * (seed % 2), max_length=40, min_length=20)
    monkeypatch.setattr(History, "room", 10_000)
    late = beam_search(model, sources.ids, sources.mask, settings)
    monkeypatch.setattr(History, "room", 1)
    soon = beam_search(model, sources.ids, sources.mask, settings)
    assert [[c.ids for c in line] for line in late] == [[c.ids for c in line] for line in soon]
    for a, b in zip(chain(*late), chain(*soon), strict=True):
        np.testing.assert_array_equal(a.alpha, b.alpha)


@pytest.mark.parametrize("seed", range(10))
def test_a_row_comes_out_with_what_its_ancestors_wrote(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random family trees, against lists that every row carries along."""
    monkeypatch.setattr(History, "room", 1)
    random = np.random.default_rng(seed)
    kept, written, expected = History(), [[]], []
    columns = random.random(6) < 0.7
    for step in range(60):
        alpha = random.random((1, len(written), 6)).astype(np.float32)
        parents = random.integers(0, len(written), 5)
        ended = random.integers(0, len(written), 1) if random.random() < 0.2 else np.empty(0, dtype=np.int64)
        for row in ended:
            expected.append(
                (
                    Ending(step=step, row=int(row), token_log_probability=-1.0, log_probability=-2.0, score=-3.0),
                    [*written[row], (0, -1.0, alpha[0, row])],
                )
            )
        tokens, values = random.integers(1, 9, 5), random.random(5)
        written = [[*written[p], (t, v, alpha[0, p])] for p, t, v in zip(parents, tokens, values, strict=True)]
        kept.add(tokens, values, parents, ended, torch.from_numpy(alpha))
    assert len(expected) > 3
    for ending, line in expected:
        candidate = kept.trace(ending, columns, watched=False, began=0)
        assert (candidate.ids, candidate.token_log_probabilities) == tuple(
            zip(*((t, v) for t, v, _ in line), strict=True)
        )
        np.testing.assert_array_equal(candidate.alpha, np.stack([a for _, _, a in line])[:, columns])


def rows_kept(history: History) -> int:
    return sum(len(layer.alpha) for layer in history._layers if layer.alpha is not None)


def test_memory_grows_with_the_output_and_not_with_the_beam() -> None:
    random = np.random.default_rng(1)
    beam, steps, kept = 50, 600, History()
    nothing = np.empty(0, dtype=np.int64)
    for step in range(steps):
        rows = beam if step else 1
        parents = random.integers(0, rows, beam)
        kept.add(parents, random.random(beam), parents, nothing, torch.rand(1, rows, 3))
    assert rows_kept(kept) < beam * steps / 4
    kept.forget(len(kept))
    assert rows_kept(kept) == 0


@pytest.mark.parametrize("seed", range(8))
def test_what_no_living_row_descends_from_is_dropped_however_steps_are_forgotten(seed: int) -> None:
    """Against brute force over family trees: after a search for dead rows, those that are kept are ancestors."""
    random = np.random.default_rng(seed)
    kept, parents_of, forgotten = History(), list[list[int]](), 0
    nothing = np.empty(0, dtype=np.int64)
    for step in range(60):
        rows = 6 if step else 1
        parents = random.integers(0, rows, 6)
        kept.add(parents, random.random(6), parents, nothing, torch.rand(1, rows, 3))
        parents_of.append(parents.tolist())
        if random.random() < 0.3:
            forgotten = int(random.integers(forgotten, step + 1))
            kept.forget(forgotten)
        if random.random() < 0.3:
            kept._prune()
            alive, used = set(range(6)), 0
            for layer in range(step, forgotten - 1, -1):
                alive = {parents_of[layer][row] for row in alive}
                used += len(alive)
            assert rows_kept(kept) == used
