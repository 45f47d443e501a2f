"""Beam search against brute force, a plain beam search, forced decoding and itself in smaller batches."""

import dataclasses

import numpy as np
import pytest
import torch

from nmt.errors import InputError
from nmt.search.beam import BeamSettings, ContinuousSearch, beam_search
from nmt.search.stepwise import Ensemble
from tests.oracles.brute_force import all_outputs, longest_output, plain_beam_search
from tests.oracles.forced import forced
from tests.oracles.toys import MEMORY, Toy, random_sources, random_toy
from tests.search.test_continuous import Company, check_equal

CONSTRAINTS = [
    BeamSettings(beam=4, max_length=3),
    BeamSettings(beam=4, max_length=4, min_length=2),
    BeamSettings(beam=4, max_length=3, forbidden=(1,)),
    BeamSettings(beam=4, max_length=4, length_penalty=1.0),
    BeamSettings(beam=4, max_length=4, length_penalty=0.6, min_length=1, forbidden=(1, 2)),
    BeamSettings(beam=4, max_length=3, length_penalty=2.5),
]


def check_same(found, expected):
    assert [c.ids for c in found] == [o.ids for o in expected]
    for candidate, output in zip(found, expected, strict=True):
        assert candidate.log_probability == pytest.approx(output.log_probability, rel=1e-9)
        assert candidate.score == pytest.approx(output.score, rel=1e-9)


@pytest.mark.parametrize("settings", CONSTRAINTS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_wide_beam_finds_what_brute_force_finds(settings, seed):
    model, sources = random_toy(seed, size=3 + seed), random_sources(seed)
    outputs = [all_outputs(model, sources.only(i), settings) for i in range(len(sources.ids))]
    for n_best in (1, 1000):
        wide = dataclasses.replace(settings, beam=2000, n_best=n_best)
        for found, every in zip(beam_search(model, sources.ids, sources.mask, wide), outputs, strict=True):
            check_same(found, every[:n_best])
            assert len(found) == min(n_best, len(every))


@pytest.mark.parametrize("seed", range(40))
def test_equals_a_plain_beam_search_that_runs_to_the_end(seed):
    random = np.random.default_rng(seed)
    beam = int(random.integers(1, 6))
    settings = BeamSettings(
        beam=beam,
        n_best=int(random.integers(1, beam + 1)),
        length_penalty=float(random.choice([0, 0, 0.5, 1.0, 2.0])),
        min_length=int(random.integers(0, 3)),
        max_length=int(random.integers(2, 9)),
        forbidden=(1,) if random.random() < 0.3 else (),
    )
    model = random_toy(seed, size=int(random.integers(2, 6)), sharpness=float(random.choice([0.5, 2.0])))
    if settings.forbidden and model.log_probabilities.shape[1] == 2 and settings.min_length:
        settings = dataclasses.replace(settings, min_length=0)
    sources = random_sources(seed, count=4)
    found = beam_search(model, sources.ids, sources.mask, settings)
    for i, candidates in enumerate(found):
        check_same(candidates, plain_beam_search(model, sources.only(i), settings))


def test_stops_early_and_still_finds_the_best():
    model, sources = likes_to_end(), random_sources(3)
    settings = BeamSettings(beam=3, n_best=1, max_length=50)
    steps = []
    found = beam_search(model, sources.ids, sources.mask, settings, lambda *step: steps.append(step))
    assert steps == [(1, 51)]
    assert [c.ids for line in found for c in line] == [(0,)] * 3


def likes_to_end() -> Toy:
    table = torch.tensor([0.9, 0.05, 0.05]).log().expand(MEMORY, 3)
    return Toy(table, None)


def test_calls_on_step_once_for_each_target_token_and_may_be_cancelled():
    model, sources = random_toy(5), random_sources(5)
    settings = BeamSettings(beam=2, max_length=6, min_length=6)
    steps = []
    beam_search(model, sources.ids, sources.mask, settings, lambda *step: steps.append(step))
    assert steps == [(i, 7) for i in range(1, 8)]

    def cancel(step, limit):
        if step == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        beam_search(model, sources.ids, sources.mask, settings, cancel)


@pytest.mark.parametrize("seed", range(8))
def test_a_batch_gives_what_its_sentences_give_alone(seed):
    model, sources = random_toy(seed, size=5, sharpness=0.7), random_sources(seed, count=6, longest=7)
    settings = BeamSettings(beam=4, n_best=3, length_penalty=0.5 * (seed % 2))
    together = beam_search(model, sources.ids, sources.mask, settings)
    for i, line in enumerate(together):
        one = sources.only(i)
        alone = beam_search(model, one.ids, one.mask, settings)[0]
        assert [c.ids for c in line] == [c.ids for c in alone]
        assert [c.token_log_probabilities for c in line] == [c.token_log_probabilities for c in alone]
        for a, b in zip(line, alone, strict=True):
            assert a.alpha.shape == (len(a.ids), one.ids.shape[1])
            np.testing.assert_allclose(a.alpha, b.alpha, atol=1e-6)


@pytest.mark.parametrize("seed", range(8))
def test_scores_and_alpha_are_those_of_forced_decoding(seed):
    model, sources = random_toy(seed, size=5), random_sources(seed, count=5)
    found = beam_search(model, sources.ids, sources.mask, BeamSettings(beam=5, n_best=4, max_length=8))
    for rank in range(4):
        lines = [i for i, line in enumerate(found) if len(line) > rank]
        outputs = [found[i][rank] for i in lines]
        given = forced(model, sources.ids[lines], sources.mask[lines], [c.ids for c in outputs])
        for a, b in zip(outputs, given, strict=True):
            assert a.ids == b.ids
            assert a.token_log_probabilities == b.token_log_probabilities
            assert a.log_probability == pytest.approx(b.log_probability, rel=1e-12)
            np.testing.assert_array_equal(a.alpha, b.alpha)
            np.testing.assert_allclose(a.alpha.sum(axis=1), 1, atol=1e-6)


def test_the_default_maximum_grows_with_the_source_and_the_last_token_is_the_end():
    table = torch.tensor([1e-6, 0.5, 0.5 - 1e-6]).log().expand(MEMORY, 3)
    sources = random_sources(8, count=4, longest=6)
    found = beam_search(Toy(table, None), sources.ids, sources.mask, BeamSettings(beam=2))
    lengths = [longest_output(sources.only(i), BeamSettings(beam=12)) for i in range(4)]
    assert len(set(lengths)) > 1
    assert [len(line[0].ids) - 1 for line in found] == lengths
    assert all(line[0].ids[-1] == 0 for line in found)
    assert found[0][0].token_log_probabilities[-1] == pytest.approx(np.log(1e-6), rel=1e-5)


def test_equal_outputs_come_out_in_the_same_order_whatever_the_batch():
    model = Toy(torch.full((MEMORY, 200), 1 / 200).log(), None)
    sources = random_sources(9, count=3)
    settings = BeamSettings(beam=5, n_best=5, min_length=1, max_length=1)
    expected = [(1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]
    for line in beam_search(model, sources.ids, sources.mask, settings):
        assert [c.ids for c in line] == expected


def test_without_attention_there_is_no_alpha():
    model, sources = random_toy(1, attention=False), random_sources(1)
    for line in beam_search(model, sources.ids, sources.mask, BeamSettings(beam=3, n_best=2)):
        assert [c.alpha for c in line] == [None, None]


def test_alpha_that_is_not_wanted_is_not_kept_and_changes_nothing_else():
    model, sources = random_toy(4, size=5), random_sources(4, count=4)
    settings = BeamSettings(beam=4, n_best=3)
    kept = beam_search(model, sources.ids, sources.mask, settings)
    plain = beam_search(model, sources.ids, sources.mask, dataclasses.replace(settings, alpha=False))
    assert [[dataclasses.replace(c, alpha=None).__dict__ for c in line] for line in kept] == [
        [c.__dict__ for c in line] for line in plain
    ]
    assert all(c.alpha is not None for line in kept for c in line)


def test_no_sentences_give_no_results():
    sources = random_sources(1)
    assert beam_search(random_toy(1), sources.ids[:0], sources.mask[:0], BeamSettings(beam=12)) == []


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_nan_stops_the_search_and_names_the_step(value):
    model, sources = random_toy(2), random_sources(2)
    settings = BeamSettings(beam=2, min_length=4, max_length=5)
    before = forced(model, sources.ids, sources.mask, [[2, 0]] * 3)
    assert all(np.isfinite(c.log_probability) for c in before)
    table = model.log_probabilities.clone()
    table[:, 3] = value
    with pytest.raises(FloatingPointError, match="target token 1"):
        beam_search(Toy(table, None), sources.ids, sources.mask, settings)


def test_a_sentence_without_any_possible_output_is_an_input_error():
    sources = random_sources(2)
    with pytest.raises(InputError, match="sentence 1"):
        beam_search(
            random_toy(2, size=2), sources.ids, sources.mask, BeamSettings(beam=2, min_length=1, forbidden=(1,))
        )


@pytest.mark.parametrize(
    "wrong",
    [
        {"beam": 0},
        {"n_best": 0},
        {"beam": 2, "n_best": 3},
        {"length_penalty": -0.1},
        {"length_penalty": float("nan")},
        {"min_length": -1},
        {"max_length": 0},
        {"min_length": 5, "max_length": 4},
        {"forbidden": (0,)},
        {"forbidden": (-1,)},
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong):
    with pytest.raises(AssertionError):
        BeamSettings(**{"beam": 12} | wrong)


def test_a_beam_that_never_held_a_token_finds_what_the_search_without_that_token_finds():
    held = differing = 0
    for seed in range(60):
        beam, n_best, penalty = 2 + seed % 3, 1 + seed % 2, (0.0, 1.0)[seed % 2]
        settings = BeamSettings(beam=beam, n_best=n_best, length_penalty=penalty, max_length=5, watched=(2,))
        model, sources = random_toy(seed, size=6, sharpness=3.0), random_sources(seed, count=4)
        free = beam_search(model, sources.ids, sources.mask, settings)
        without = beam_search(model, sources.ids, sources.mask, dataclasses.replace(settings, forbidden=(2,)))
        for any_token, other in zip(free, without, strict=True):
            same = [c.ids for c in any_token] == [c.ids for c in other]
            held += any_token[0].watched
            differing += not same
            assert same or any_token[0].watched
            assert not other[0].watched
            if any(2 in c.ids for c in any_token):
                assert any_token[0].watched
    assert 0 < differing <= held < 240


def test_an_id_beyond_the_vocabulary_cannot_be_forbidden() -> None:
    from nmt.search.limits import apply_limits_

    values = torch.zeros(1, 1, 5)
    sizes = np.array([0]), np.array([9])
    apply_limits_(values, *sizes, 0, (4,))
    assert values.flatten().tolist() == [0, 0, 0, 0, -torch.inf]
    with pytest.raises(AssertionError, match="outside the vocabulary"):
        apply_limits_(values, *sizes, 0, (5,))


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
