from pathlib import Path

import numpy as np

from benchmarks.batches import (
    FIRST_ID,
    LONGEST,
    SHORTEST,
    load_minibatches,
    make_minibatches,
    save_minibatches,
    sentences_to_translate,
)


def test_lengths_ids_and_order() -> None:
    batches = make_minibatches(vocabulary=50, seed=3, sentences=400, per_batch=80)
    assert [len(batch.source) for batch in batches] == [80] * 5
    longest = 0
    for batch in batches:
        for ids in (batch.source, batch.target):
            lengths = (ids >= 0).sum(axis=1)
            assert lengths.min() >= SHORTEST
            assert lengths.max() == ids.shape[1] <= LONGEST
            assert (ids[np.arange(ids.shape[1]) >= lengths[:, None]] == -1).all()
            assert ids[ids >= 0].min() >= FIRST_ID
            assert ids.max() < 50
        lengths = (batch.target >= 0).sum(axis=1)
        assert lengths.min() >= longest
        longest = lengths.max()
        assert batch.target_tokens == sum(len([i for i in row if i >= 0]) + 1 for row in batch.target.tolist())
    assert longest == LONGEST


def test_the_file_gives_back_the_same(tmp_path: Path) -> None:
    batches = make_minibatches(vocabulary=50, seed=3, sentences=60, per_batch=20)
    save_minibatches(tmp_path / "batches.npz", batches)
    again = load_minibatches(tmp_path / "batches.npz")
    assert len(again) == 3
    for one, other in zip(batches, again, strict=True):
        assert np.array_equal(one.source, other.source)
        assert np.array_equal(one.target, other.target)


def test_the_seed_decides() -> None:
    one, same, other = (make_minibatches(50, seed, sentences=20, per_batch=20)[0] for seed in (1, 1, 2))
    assert np.array_equal(one.source, same.source)
    assert not np.array_equal(one.source, other.source)
    ids = sentences_to_translate(50, 7, 4, 20)
    assert ids.shape == (4, 20)
    assert ids.min() >= FIRST_ID
