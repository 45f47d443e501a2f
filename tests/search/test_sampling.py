"""Drawn outputs: their frequencies against all outputs enumerated, their probabilities, their random numbers."""

import math
from collections import Counter

import numpy as np
import pytest
import torch

import nmt
from nmt.errors import InputError
from nmt.search.sampling import draw_outputs
from tests.oracles.brute_force import longest_output, next_log_probabilities
from tests.oracles.toys import Sources, Toy, random_toy

SENTENCE = Sources(torch.tensor([[3, 0]]), torch.ones(1, 2, dtype=torch.bool))


def chance(model: Toy, ids: tuple[int, ...], temperature: float, forbidden: tuple[int, ...] = ()) -> float:
    """The probability that an output is drawn: the product of its tokens' shares of the sum p^(1/T)."""
    total = 1.0
    for length, token in enumerate(ids):
        values = next_log_probabilities(model, SENTENCE, ids[:length])
        powers = [0.0 if k in forbidden else math.exp(value / temperature) for k, value in enumerate(values)]
        total *= powers[token] / sum(powers)
    return total


@pytest.mark.parametrize(("temperature", "forbidden"), [(1.0, ()), (0.5, ()), (3.0, ()), (1.0, (2,))])
def test_outputs_come_as_often_as_they_are_probable(temperature: float, forbidden: tuple[int, ...]) -> None:
    """Those expected at least ten times: the sum of squared deviations is that of chance, chi-square below its mean and
    five standard deviations."""
    model, number = random_toy(4, sharpness=0.7), 4000
    drawn = draw_outputs(
        model, SENTENCE.ids, SENTENCE.mask, number, temperature=temperature, seed=7, forbidden=forbidden
    )
    counts = Counter(each.ids for each in drawn)
    expected = {ids: number * chance(model, ids, temperature, forbidden) for ids in counts}
    often = [ids for ids, value in expected.items() if value >= 10]
    assert len(often) > 4
    square = sum((counts[ids] - expected[ids]) ** 2 / expected[ids] for ids in often)
    assert square < len(often) + 5 * math.sqrt(2 * len(often))
    assert not any(set(ids) & set(forbidden) for ids in counts)


def test_the_probability_is_the_models_whatever_the_temperature() -> None:
    model = random_toy(5)
    for each in draw_outputs(model, SENTENCE.ids, SENTENCE.mask, 20, temperature=2.0):
        values = [next_log_probabilities(model, SENTENCE, each.ids[:k])[token] for k, token in enumerate(each.ids)]
        np.testing.assert_allclose(each.token_log_probabilities, values, rtol=1e-6)
        assert each.log_probability == pytest.approx(sum(values), rel=1e-6)
        assert each.ids[-1] == 0
        assert 0 not in each.ids[:-1]
        assert each.alpha is not None
        assert each.alpha.shape == (len(each.ids), 2)
        np.testing.assert_allclose(each.alpha.sum(axis=1), 1, rtol=1e-5)


def test_an_output_depends_on_the_seed_and_its_number_alone() -> None:
    model = random_toy(6)
    few, many, others = (
        [each.ids for each in draw_outputs(model, SENTENCE.ids, SENTENCE.mask, number, seed=seed)]
        for number, seed in ((5, 3), (40, 3), (40, 4))
    )
    assert few == many[:5]
    assert many != others


def test_at_a_low_temperature_it_is_the_most_probable_word_of_each_step() -> None:
    model = random_toy(8)
    ids: tuple[int, ...] = ()
    while not ids or ids[-1] != 0:
        ids += (int(np.argmax(next_log_probabilities(model, SENTENCE, ids))),)
    assert {each.ids for each in draw_outputs(model, SENTENCE.ids, SENTENCE.mask, 9, temperature=0.001)} == {ids}


def test_no_output_is_longer_than_that_of_a_search() -> None:
    """A model that would never end by itself."""
    table = torch.full((97, 4), -10.0)
    table[:, 1] = 0
    (each,) = draw_outputs(Toy(table.log_softmax(dim=1), None), SENTENCE.ids, SENTENCE.mask, 1, temperature=0.1)
    assert each.ids == (1,) * longest_output(SENTENCE, nmt.search.beam.BeamSettings(beam=1)) + (0,)
    assert each.alpha is None


def test_a_model_that_gives_no_numbers_is_refused() -> None:
    broken = Toy(torch.full((97, 4), torch.nan), None)
    with pytest.raises(FloatingPointError):
        draw_outputs(broken, SENTENCE.ids, SENTENCE.mask, 2)


def test_drawn_translations_have_the_log_probability_of_forced_decoding(random_runs) -> None:  # type: ignore[no-untyped-def]
    for name in ("search-words", "encdec-words"):
        model = nmt.load(random_runs / name, precision="fp32")
        drawn = model.sample("the girl reads", 6, temperature=0.7, seed=2)
        assert len(drawn.hypotheses) == 6
        for each in drawn.hypotheses:
            assert each.encoded is not None
            source = model.source.encode("the girl reads")
            (scored,) = nmt.inference.text_search.score_pairs(
                nmt.inference.text_search.PreparedSteps(model.model), [(source, each.encoded)], alpha=True
            )
            assert each.log_probability == pytest.approx(scored.log_probability, abs=1e-4)
            assert (each.alignment is None) == (name == "encdec-words")
    assert model.sample(" ", 3).text == ""
    for number, temperature in ((0, 1.0), (1001, 1.0), (1, 0.0), (1, 101.0), (1, float("nan"))):
        with pytest.raises(InputError):
            model.sample("the girl", number, temperature=temperature)
