"""A beam of one takes the best token of each step; forced decoding, with which searches are compared."""

import numpy as np
import pytest
import torch

from nmt.errors import InputError
from nmt.search.beam import BeamSettings, beam_search
from tests.oracles.brute_force import next_log_probabilities
from tests.oracles.forced import forced
from tests.oracles.toys import MEMORY, Toy, random_sources, random_toy


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("forbidden", [(), (1, 3)])
def test_a_beam_of_one_takes_the_most_probable_token_each_time(seed, forbidden):
    model, sources = random_toy(seed, size=4), random_sources(seed, count=4)
    settings = BeamSettings(beam=1, max_length=6, forbidden=forbidden)
    for i, (found,) in enumerate(beam_search(model, sources.ids, sources.mask, settings)):
        for length, token in enumerate(found.ids[:-1]):
            values = np.array(next_log_probabilities(model, sources.only(i), found.ids[:length]))
            values[list(forbidden)] = -np.inf
            assert token == int(np.argmax(values))
            assert found.token_log_probabilities[length] == max(values)
        last = np.array(next_log_probabilities(model, sources.only(i), found.ids[:-1]))
        assert found.token_log_probabilities[-1] == last[0]
        last[list(forbidden)] = -np.inf
        assert len(found.ids) == 7 or last[0] == max(last)
        (given,) = forced(model, sources.only(i).ids, sources.only(i).mask, [found.ids])
        np.testing.assert_allclose(found.alpha, given.alpha, atol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_forced_decoding_reads_off_the_models_steps(seed):
    model, sources = random_toy(seed, size=5), random_sources(seed, count=3)
    random = np.random.default_rng(seed)
    target = [[*random.integers(1, 5, size=length).tolist(), 0] for length in (0, 4, 2)]
    for i, found in enumerate(forced(model, sources.ids, sources.mask, target)):
        ids = tuple(target[i])
        expected = [
            next_log_probabilities(model, sources.only(i), ids[:length])[token] for length, token in enumerate(ids)
        ]
        assert found.ids == ids
        assert list(found.token_log_probabilities) == expected
        assert found.log_probability == found.score == pytest.approx(sum(expected))
        assert found.alpha.shape == (len(ids), sources.only(i).ids.shape[1])


def test_nothing_in_nothing_out():
    model, sources = random_toy(1), random_sources(1)
    ids, mask = sources.ids[:0], sources.mask[:0]
    assert beam_search(model, ids, mask, BeamSettings(beam=1)) == []
    assert forced(model, ids, mask, []) == []


def test_nan_is_named():
    sources = random_sources(1)
    model = Toy(torch.full((MEMORY, 3), float("nan")), None)
    for search in (
        lambda: beam_search(model, sources.ids, sources.mask, BeamSettings(beam=1)),
        lambda: forced(model, sources.ids, sources.mask, [[0]] * 3),
    ):
        with pytest.raises(FloatingPointError, match="target token 1"):
            search()


def test_unusable_settings_are_input_errors():
    model, sources = random_toy(1, size=2), random_sources(1)
    with pytest.raises(InputError, match=r"minimum length .*constraints"):
        beam_search(model, sources.ids, sources.mask, BeamSettings(beam=1, min_length=1, forbidden=(1,)))
