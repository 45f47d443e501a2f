"""Greedy search, sampling and forced decoding."""

import numpy as np
import pytest
import torch

from nmt.errors import InputError
from nmt.search.beam import BeamSettings
from nmt.search.greedy import greedy
from nmt.search.sampling import inverse_distribution, sample
from tests.oracles.brute_force import all_outputs, next_log_probabilities
from tests.oracles.forced import forced
from tests.oracles.toys import MEMORY, Toy, random_sources, random_toy


def seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize("seed", range(6))
def test_greedy_takes_the_most_probable_token_each_time(seed):
    model, sources = random_toy(seed), random_sources(seed, count=4)
    for i, found in enumerate(greedy(model, sources.ids, sources.mask, max_length=6)):
        for length, token in enumerate(found.ids[:-1]):
            values = next_log_probabilities(model, sources.only(i), found.ids[:length])
            assert token == int(np.argmax(values))
            assert found.token_log_probabilities[length] == max(values)
        last = next_log_probabilities(model, sources.only(i), found.ids[:-1])
        assert found.token_log_probabilities[-1] == last[0]
        assert len(found.ids) == 7 or last[0] == max(last)


@pytest.mark.parametrize("settings", [{}, {"forbidden": (1,)}, {"min_length": 1}])
def test_samples_are_as_frequent_as_they_are_probable(settings):
    model, sources = random_toy(4, size=3), random_sources(4, count=2)
    drawn = sample(model, sources.ids, sources.mask, 4000, seeded(1), max_length=3, **settings)
    for i, line in enumerate(drawn):
        expected = conditional_probabilities(model, sources.only(i), BeamSettings(max_length=3, **settings))
        assert sum(expected.values()) == pytest.approx(1)
        counts = dict.fromkeys(expected, 0)
        for candidate in line:
            counts[candidate.ids] += 1
        chi_square = sum((counts[ids] - 4000 * p) ** 2 / (4000 * p) for ids, p in expected.items())
        freedom = len(expected) - 1
        assert chi_square < freedom + 5 * np.sqrt(2 * freedom)


def conditional_probabilities(model, sentence, settings):
    """The chance of each output when tokens are drawn among the allowed ones in proportion."""
    chances = {}
    for output in all_outputs(model, sentence, settings):
        chance = 1.0
        for length, token in enumerate(output.ids):
            values = np.exp(next_log_probabilities(model, sentence, output.ids[:length]))
            if length == settings.max_length:
                values[1:] = 0
            if length < settings.min_length:
                values[0] = 0
            values[list(settings.forbidden)] = 0
            chance *= values[token] / values.sum()
        chances[output.ids] = chance
    return chances


def test_the_same_seed_draws_the_same_and_another_does_not():
    model, sources = random_toy(6), random_sources(6)

    def draw(seed):
        return [[c.ids for c in line] for line in sample(model, sources.ids, sources.mask, 5, seeded(seed))]

    assert draw(1) == draw(1)
    assert draw(1) != draw(2)


@pytest.mark.parametrize("seed", range(4))
def test_samples_report_the_models_own_log_probabilities_and_alpha(seed):
    model, sources = random_toy(seed), random_sources(seed, count=3)
    drawn = sample(model, sources.ids, sources.mask, 4, seeded(seed), max_length=5, min_length=1, forbidden=(1,))
    for row in range(4):
        given = forced(model, sources.ids, sources.mask, [line[row].ids for line in drawn])
        for line, b in zip(drawn, given, strict=True):
            assert line[row].token_log_probabilities == b.token_log_probabilities
            assert line[row].log_probability == pytest.approx(b.log_probability)
            assert 1 not in line[row].ids
            np.testing.assert_allclose(line[row].alpha, b.alpha, atol=1e-6)


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
    assert greedy(model, ids, mask) == []
    assert sample(model, ids, mask, 2, seeded(1)) == []
    assert forced(model, ids, mask, []) == []


def test_nan_is_named():
    sources = random_sources(1)
    model = Toy(torch.full((MEMORY, 3), float("nan")), None)
    for search in (
        lambda: greedy(model, sources.ids, sources.mask),
        lambda: sample(model, sources.ids, sources.mask, 2, seeded(1)),
        lambda: forced(model, sources.ids, sources.mask, [[0]] * 3),
    ):
        with pytest.raises(FloatingPointError, match="target token 1"):
            search()


def test_unusable_settings_are_input_errors():
    model, sources = random_toy(1, size=2), random_sources(1)
    with pytest.raises(InputError, match=r"samples .*\b1, .*\b0$"):
        sample(model, sources.ids, sources.mask, 0, seeded(1))
    with pytest.raises(InputError, match=r"maximum length .*\b1, .*\b0$"):
        greedy(model, sources.ids, sources.mask, max_length=0)
    with pytest.raises(InputError, match=r"minimum length .*\bforbidden\b"):
        sample(model, sources.ids, sources.mask, 1, seeded(1), min_length=1, forbidden=(1,))


def test_an_impossible_token_is_never_drawn_even_at_the_ends_of_the_range():
    values = torch.tensor([[[0.0, 0.5, 0.0, 0.5, 0.0]]]).log()
    for uniform, token in ((0.0, 1), (0.49, 1), (0.5, 3), (0.51, 3), (1.0, 3)):
        assert inverse_distribution(values, torch.tensor([[uniform]], dtype=torch.float64)).item() == token
