"""Steered searches of toys: all outputs that obey, enumerated; and the plain search where nothing is steered."""

import dataclasses

import numpy as np
import pytest
import torch

from nmt.errors import InputError
from nmt.search.beam import BeamSettings, beam_search
from nmt.search.constrained import Constrained, Forbidden, MustBe, OutputConstraints, Weights, prefix
from tests.oracles.brute_force import all_outputs, plain_beam_search
from tests.oracles.forced import forced
from tests.oracles.toys import random_sources, random_toy

PLAIN = OutputConstraints()


class NeverTwice:
    """A rule that looks at what is written: no id occurs a second time."""

    def restrict_(self, allowed, written):
        allowed[list(written)] = False


CASES = {
    "prefix": (OutputConstraints(prefix((2, 1))), lambda ids: ids[:2] == (2, 1)),
    "forbidden": (OutputConstraints((Forbidden((1, 3)),)), lambda ids: not {1, 3} & set(ids)),
    "forbidden at a step": (OutputConstraints((Forbidden((1, 0), 1),)), lambda ids: ids[1:2] not in ((1,), (0,))),
    "forced": (OutputConstraints((MustBe(2, (3,)),)), lambda ids: ids[2:3] == (3,)),
    "forced to end": (OutputConstraints((MustBe(1, (0,)),)), lambda ids: ids[1:] == (0,)),
    "one of": (OutputConstraints((MustBe(1, (0, 3)),)), lambda ids: ids[1:2] in ((0,), (3,))),
    "never twice": (OutputConstraints((NeverTwice(),)), lambda ids: len(set(ids)) == len(ids)),
    "several": (
        OutputConstraints((*prefix((1,)), MustBe(2, (2,)), Forbidden((3,)))),
        lambda ids: ids[0] == 1 and ids[2:3] == (2,) and 3 not in ids,
    ),
}
STEERED = pytest.mark.parametrize("name", CASES)


def same(found, expected):
    assert [c.ids for c in found] == [o.ids for o in expected]
    for candidate, output in zip(found, expected, strict=True):
        assert candidate.log_probability == pytest.approx(output.log_probability, rel=1e-9)


@STEERED
@pytest.mark.parametrize("seed", [1, 2])
def test_a_wide_beam_finds_all_outputs_that_obey(name, seed):
    steering, obeys = CASES[name]
    model, sources = random_toy(seed, size=4), random_sources(seed)
    settings = BeamSettings(beam=400, n_best=400, max_length=3)
    found = beam_search(Constrained(model, [steering] * 3), sources.ids, sources.mask, settings)
    for i in range(3):
        every = [output for output in all_outputs(model, sources.only(i), settings) if obeys(output.ids)]
        assert every
        same(found[i], every)


@pytest.mark.parametrize("seed", range(6))
def test_each_sentence_is_steered_by_itself_while_others_finish(seed):
    """A narrow beam over different steerings against the plain search of each sentence alone, which runs the model
    from the start for every prefix; and every output against forced decoding by the model itself."""
    steerings = [PLAIN, *(steering for steering, _ in CASES.values())]
    model, sources = random_toy(seed, size=5), random_sources(seed, count=len(steerings))
    settings = BeamSettings(beam=3, n_best=3, max_length=6, length_penalty=0.5 * (seed % 2))
    found = beam_search(Constrained(model, steerings), sources.ids, sources.mask, settings)
    for i, steering in enumerate(steerings):
        one = sources.only(i)
        same(found[i], plain_beam_search(Constrained(model, [steering]), one, settings))
        for candidate in found[i]:
            (given,) = forced(model, one.ids, one.mask, [candidate.ids])
            assert given.token_log_probabilities == candidate.token_log_probabilities
            np.testing.assert_array_equal(given.alpha, candidate.alpha)


@pytest.mark.parametrize("seed", range(4))
def test_nothing_steered_is_the_plain_search_bit_for_bit(seed):
    model, sources = random_toy(seed, size=5), random_sources(seed, count=4)
    settings = BeamSettings(beam=4, n_best=3, length_penalty=0.7, max_length=7)
    steered = Constrained(model, [PLAIN] * 4)
    for plain, other in zip(
        beam_search(model, sources.ids, sources.mask, settings),
        beam_search(steered, sources.ids, sources.mask, settings),
        strict=True,
    ):
        for a, b in zip(plain, other, strict=True):
            np.testing.assert_array_equal(a.alpha, b.alpha)
            assert dataclasses.replace(a, alpha=None).__dict__ == dataclasses.replace(b, alpha=None).__dict__


@pytest.mark.parametrize("seed", range(6))
def test_a_prefix_of_its_own_output_changes_nothing_with_a_beam_of_one(seed):
    model, sources = random_toy(seed, size=4), random_sources(seed, count=4)
    settings = BeamSettings(beam=1, max_length=6)
    own = [best for (best,) in beam_search(model, sources.ids, sources.mask, settings)]
    for length in range(4):
        steerings = [OutputConstraints(prefix(candidate.ids[:length])) for candidate in own]
        again = beam_search(Constrained(model, steerings), sources.ids, sources.mask, settings)
        for a, (b,) in zip(own, again, strict=True):
            assert a.ids == b.ids
            assert a.token_log_probabilities == b.token_log_probabilities


def test_forced_decoding_rules_out_what_does_not_obey():
    model, sources = random_toy(3, size=4), random_sources(3, count=1)
    steered = Constrained(model, [CASES["prefix"][0]])
    (good,) = forced(steered, sources.ids, sources.mask, [(2, 1, 3, 0)])
    (bad,) = forced(steered, sources.ids, sources.mask, [(2, 3, 3, 0)])
    assert good.log_probability > -np.inf
    assert bad.log_probability == -np.inf


def test_rules_that_contradict_each_other_leave_nothing():
    model, sources = random_toy(1), random_sources(1)
    steering = OutputConstraints((*prefix((2,)), Forbidden((2,))))
    with pytest.raises(InputError, match=r"\bsentence \d .*constraints"):
        beam_search(Constrained(model, [steering] * 3), sources.ids, sources.mask, BeamSettings(beam=12, max_length=3))


def test_given_weights_are_those_of_the_step_and_of_no_other():
    model, sources = random_toy(2, size=5), random_sources(5, count=2, longest=5)
    lengths = sources.mask.sum(dim=1).tolist()
    assert lengths[0] != lengths[1], "one sentence is padded"
    rows = [tuple(float(j + 1) for j in range(length)) for length in lengths]
    steerings = [OutputConstraints(weights={2: Weights(rows[0], tuple(range(lengths[0])))}), PLAIN]
    settings = BeamSettings(beam=3, n_best=3, min_length=4, max_length=6)
    plain = beam_search(model, sources.ids, sources.mask, settings)
    moved = beam_search(Constrained(model, steerings), sources.ids, sources.mask, settings)
    for line, given in ((0, np.array(rows[0]) / sum(rows[0])), (1, None)):
        for a, b in zip(plain[line], moved[line], strict=True):
            expected = a.alpha.copy()
            if given is not None:
                assert not np.allclose(expected[2], given, atol=1e-3)
                expected[2] = given
            assert a.ids == b.ids  # the words of a toy do not hang on its alpha
            np.testing.assert_allclose(b.alpha, expected, rtol=1e-6)


def test_tokens_share_the_weight_of_their_word_as_the_models_own_weights_do():
    alpha = torch.tensor([[0.1, 0.3, 0.2, 0.4, 0.0], [0.0, 0.0, 0.5, 0.5, 0.0]], dtype=torch.float64)
    moved = Weights((2.0, 1.0, 1.0), (0, 0, 1, 2))(alpha)
    expected = [[0.125, 0.375, 0.25, 0.25, 0.0], [0.25, 0.25, 0.25, 0.25, 0.0]]
    np.testing.assert_allclose(moved.numpy(), expected, rtol=1e-12)


@pytest.mark.parametrize("row", [(0.0, 0.0), (1.0, -0.1), (float("nan"), 1.0), (float("inf"), 1.0), (1e308, 1e308)])
def test_weights_that_cannot_be_made_to_sum_to_1_are_refused(row):
    with pytest.raises(InputError, match=r"\bweights .*\b0\b"):
        Weights(row, (0, 1))


def test_a_model_without_attention_has_no_weights_to_move():
    model, sources = random_toy(1, attention=False), random_sources(1, count=1)
    steering = OutputConstraints(
        weights={0: Weights((1.0,) * int(sources.mask.sum()), tuple(range(int(sources.mask.sum()))))}
    )
    with pytest.raises(InputError, match=r"\bmodel .*\bweights\b"):
        beam_search(Constrained(model, [steering]), sources.ids, sources.mask, BeamSettings(beam=12, max_length=3))
