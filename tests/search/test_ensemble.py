"""A search with several models against brute force over each of them."""

import numpy as np
import pytest
import torch

from nmt.search.beam import BeamSettings, ContinuousSearch, beam_search
from nmt.search.stepwise import Ensemble
from tests.oracles.brute_force import all_outputs
from tests.oracles.forced import forced
from tests.oracles.toys import random_sources, random_toy
from tests.search.test_continuous import Company, check_equal


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("penalty", [0.0, 1.0])
@pytest.mark.parametrize("seed", range(5))
def test_outputs_are_ranked_by_the_mean_of_the_log_probabilities(seed: int, penalty: float, count: int) -> None:
    models, sources = [random_toy(seed + 10 * k, size=4) for k in range(count)], random_sources(seed)
    settings = BeamSettings(beam=2000, n_best=5, max_length=3, length_penalty=penalty)
    found = beam_search(Ensemble(models), sources.ids, sources.mask, settings)
    for i, candidates in enumerate(found):
        totals: dict[tuple[int, ...], float] = {}
        for model in models:
            for output in all_outputs(model, sources.only(i), settings):
                totals[output.ids] = totals.get(output.ids, 0.0) + output.log_probability / count
        best = sorted(totals, key=lambda ids: -totals[ids] / len(ids) ** penalty)[:5]
        assert [candidate.ids for candidate in candidates] == best
        for candidate in candidates:
            assert candidate.log_probability == pytest.approx(totals[candidate.ids], rel=1e-6)


def test_alpha_is_that_of_the_first_model() -> None:
    models, sources = [random_toy(seed, size=5) for seed in (1, 2)], random_sources(3)
    found = beam_search(Ensemble(models), sources.ids, sources.mask, BeamSettings(beam=3))
    for i, (candidate,) in enumerate(found):
        one = sources.only(i)
        (alone,) = forced(models[0], one.ids, one.mask, [candidate.ids])
        assert candidate.alpha is not None
        np.testing.assert_allclose(candidate.alpha, alone.alpha, rtol=1e-6)


def test_sentences_may_join_and_leave() -> None:
    ensemble, sources = Ensemble([random_toy(seed, size=5) for seed in (4, 5)]), random_sources(6, count=25, longest=9)
    settings = BeamSettings(beam=4, n_best=2)
    company = Company(ContinuousSearch(ensemble, settings, torch.device("cpu")), sources, 7)
    assert company.most > 1
    for number, found in company.results.items():
        one = sources.only(number)
        check_equal(found, beam_search(ensemble, one.ids, one.mask, settings)[0], 0)
