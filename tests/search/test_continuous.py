"""A search that sentences join and leave at random words, against the search of each sentence alone."""

from typing import Any

import numpy as np
import pytest
import torch

from nmt.config import ModelConfig
from nmt.errors import InputError
from nmt.model import build_model
from nmt.model.steps import DecodingSteps
from nmt.search.beam import BeamSettings, ContinuousSearch, beam_search
from nmt.search.history import Candidate, History
from tests.oracles.toys import MEMORY, Sources, Toy, random_sources, random_toy
from tests.search.test_history import rows_kept

CPU = torch.device("cpu")


class Company:
    """Lets the sentences of ``sources`` join a search in groups of 1 to 3 after random numbers of words, at most 5 at
    a time, and some of them leave; notes what comes out."""

    def __init__(self, search: ContinuousSearch[Any], sources: Sources, seed: int, leaving: float = 0.2) -> None:
        random = np.random.default_rng(seed)
        waiting = list(range(len(sources.ids)))
        self.results: dict[int, list[Candidate]] = {}
        self.errors: dict[int, Exception] = {}
        self.left: set[int] = set()
        self.most = 0
        while waiting or len(search):
            if waiting and len(search) < 3 and (not len(search) or random.random() < 0.5):
                now = [waiting.pop(0) for _ in range(min(len(waiting), int(random.integers(1, 4))))]
                longest = int(sources.mask[now].sum(dim=1).max())
                search.join(sources.ids[now, :longest], sources.mask[now, :longest], now)
            for number in search.progress():
                if random.random() < leaving / 10:
                    before = len(search)
                    search.leave([number])
                    assert len(search) == before - 1
                    self.left.add(number)
            self.most = max(self.most, len(search))
            for number, end in search.step().items():
                assert number not in self.results
                if isinstance(end, Exception):
                    self.errors[number] = end
                else:
                    self.results[number] = end


def check_equal(found: list[Candidate], expected: list[Candidate], tolerance: float) -> None:
    assert [c.ids for c in found] == [c.ids for c in expected]
    for one, other in zip(found, expected, strict=True):
        assert one.watched == other.watched
        np.testing.assert_allclose(one.token_log_probabilities, other.token_log_probabilities, rtol=0, atol=tolerance)
        assert one.log_probability == pytest.approx(other.log_probability, abs=tolerance)
        assert (one.alpha is None) == (other.alpha is None)
        if one.alpha is not None and other.alpha is not None:
            np.testing.assert_allclose(one.alpha, other.alpha, rtol=0, atol=max(tolerance, 1e-6))


@pytest.mark.parametrize("seed", range(20))
def test_a_toy_finds_in_company_what_it_finds_alone(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(History, "room", 1)
    random = np.random.default_rng(seed)
    beam = int(random.integers(1, 7))
    settings = BeamSettings(
        beam=beam,
        n_best=int(random.integers(1, beam + 1)),
        length_penalty=float(random.choice([0, 0, 1.0])),
        min_length=int(random.integers(0, 4)),
        forbidden=(2,) if random.random() < 0.3 else (),
        watched=(1,),
        alpha=random.random() < 0.7,
    )
    model = random_toy(seed, size=5, sharpness=float(random.choice([0.5, 1.5])), attention=random.random() < 0.8)
    sources = random_sources(seed, count=25, longest=9)
    company = Company(ContinuousSearch(model, settings, CPU), sources, seed)
    assert company.most > 1
    assert not company.errors
    assert company.results.keys() | company.left == set(range(25))
    assert not company.results.keys() & company.left
    for number, found in company.results.items():
        one = sources.only(number)
        check_equal(found, beam_search(model, one.ids, one.mask, settings)[0], 0)


@pytest.mark.parametrize("architecture", ["rnnsearch", "rnnencdec"])
@pytest.mark.parametrize("order", ["printed", "program"])
@pytest.mark.parametrize(("unit", "score"), [("gated", "additive"), ("lstm", "additive"), ("gated", "gaussian")])
def test_a_model_finds_in_company_what_it_finds_alone(architecture: Any, order: Any, unit: Any, score: Any) -> None:
    config = ModelConfig(
        architecture=architecture,
        embedding=12,
        hidden=16,
        alignment=10,
        maxout=8,
        state_order=order,
        unit=unit,
        score=score if architecture == "rnnsearch" else "additive",
    )
    model = build_model(config, 90, 90, seed=5).eval()
    generator = torch.Generator().manual_seed(6)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(0.3 * torch.randn(parameter.shape, generator=generator))
    lengths = torch.randint(2, 15, (20, 1), generator=generator)
    mask = torch.arange(14) < lengths
    sources = Sources(torch.randint(2, 90, (20, 14), generator=generator) * (torch.arange(14) < lengths - 1), mask)
    settings = BeamSettings(beam=4, n_best=2)
    steps = DecodingSteps(model)
    with torch.inference_mode():
        company = Company(ContinuousSearch(steps, settings, CPU), sources, 3)
    assert company.most > 1
    assert len(company.results) > 10
    for number, found in company.results.items():
        one = sources.only(number)
        check_equal(found, beam_search(steps, one.ids, one.mask, settings)[0], 1e-4)


def test_progress_counts_the_steps_of_each_sentence_up_to_its_end_mark() -> None:
    """Sentences of at most four words, the second of which comes a step later."""
    sources = random_sources(1, count=2, longest=9)
    search = ContinuousSearch(random_toy(1, size=5), BeamSettings(beam=2, min_length=4, max_length=4), CPU)
    found = []
    for number in (7, 9):
        one = sources.only(number % 7 // 2)
        search.join(one.ids, one.mask, [number])
        found.append(search.progress())
        search.step()
    found.append(search.progress())
    assert found == [{7: (0, 5)}, {7: (1, 5), 9: (0, 5)}, {7: (2, 5), 9: (1, 5)}]


def test_a_sentence_fails_alone() -> None:
    sound, sources = random_toy(4, size=5), random_sources(4, count=25, longest=9)
    table = sound.log_probabilities.clone()
    table[::6] = torch.nan
    broken = Toy(table, sound.attention)
    settings = BeamSettings(beam=3)
    company = Company(ContinuousSearch(broken, settings, CPU), sources, 4, leaving=0)
    assert len(company.results) > 1
    assert len(company.errors) > 1
    assert company.results.keys() | company.errors.keys() == set(range(25))
    for number in range(25):
        one = sources.only(number)
        if number in company.errors:
            with pytest.raises(FloatingPointError) as alone:
                beam_search(broken, one.ids, one.mask, settings)
            assert str(alone.value) == str(company.errors[number])
        else:
            check_equal(company.results[number], beam_search(broken, one.ids, one.mask, settings)[0], 0)


def test_a_sentence_without_an_output_is_an_input_error() -> None:
    never_ends = torch.full((MEMORY, 3), 0.5).log()
    never_ends[:, 0] = -torch.inf
    sources = random_sources(1, count=2)
    company = Company(ContinuousSearch(Toy(never_ends, None), BeamSettings(beam=2), CPU), sources, 1, leaving=0)
    assert {type(error) for error in company.errors.values()} == {InputError}
    assert company.errors.keys() == {0, 1}


def test_memory_does_not_grow_with_the_number_of_sentences() -> None:
    model, settings = random_toy(2, size=6, sharpness=0.3), BeamSettings(beam=4, min_length=8, max_length=12)
    search = ContinuousSearch(model, settings, CPU)
    sources = random_sources(2, count=10)
    sizes = []
    for number in range(300):
        one = sources.only(number % 10)
        search.join(one.ids, one.mask, [number])
        for _ in range(3):
            search.step()
        kept = search._lines._history
        sizes.append([len(kept._layers), rows_kept(kept)])
    assert (np.max(sizes[150:], axis=0) <= np.max(sizes[:150], axis=0) * [1, 1.1]).all()
