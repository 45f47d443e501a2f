"""The search of one sentence in C, against nmt/search/beam.py and what it can be given there."""

import ctypes
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch

import nmt
from nmt import native
from nmt.errors import InputError
from nmt.evaluation.test_set import from_folder
from nmt.model import native_steps
from nmt.model.native_steps import NativeSteps
from nmt.model.steps import DecoderState
from nmt.search.beam import BeamSettings, beam_search
from nmt.search.constrained import Constrained, OutputConstraints, Weights, prefix
from nmt.search.history import Candidate
from tests.model.test_native_steps import WORDS, network
from tests.oracles.random_steps import random_search

ROOT = Path(__file__).parents[2]
IDS = [4, 9, 7, 3, 8, 0]
SOURCE = torch.tensor([IDS])
MASK = torch.ones_like(SOURCE, dtype=torch.bool)
SETTINGS = BeamSettings(beam=4, length_penalty=0.7)
ORDERS = pytest.mark.parametrize("order", ["printed", "program"])
RUNS = ["rnnsearch-50", "rnnencdec-50", "rnnsearch-en-fr", "rnnsearch-en-ja", "rnnsearch-ko-en"]


@pytest.fixture
def engine() -> ctypes.CDLL:
    found = native.library()
    if found is None:
        pytest.skip("there is no compiler")
    assert native_steps.engine() is found
    return found


def same(found: Candidate, expected: Candidate) -> None:
    """Assert that they are equal, bit for bit."""
    one, other = (vars(replace(each, alpha=None)) for each in (found, expected))
    assert one == other
    if expected.alpha is None:
        assert found.alpha is None
    else:
        np.testing.assert_array_equal(found.alpha, expected.alpha)


@ORDERS
@pytest.mark.parametrize("architecture", ["rnnsearch", "rnnencdec"])
def test_it_finds_what_the_search_in_python_finds(engine: ctypes.CDLL, architecture: str, order: str) -> None:
    """With random settings; all of the weights are small, so that outputs of several lengths compete."""
    steps = NativeSteps(network(architecture, order), engine=engine)
    steps.most_rows = 50  # the widest beam that is drawn
    random = Random(1)
    for _ in range(60):
        ids = [random.randrange(1, WORDS) for _ in range(random.randint(0, 20))]
        assert random_search(steps, [*ids, 0], random) == ""


@ORDERS
def test_an_output_may_have_to_begin_with_given_words(engine: ctypes.CDLL, order: str) -> None:
    steps = NativeSteps(network(order=order), engine=engine)
    for forced in ([], [7], [7, 3, 3, 60], [5, 0]):
        model = Constrained(steps, [OutputConstraints(prefix(forced))])
        ((expected,),) = beam_search(model, SOURCE, MASK, SETTINGS)
        same(steps.search(IDS, SETTINGS, forced=forced), expected)
        assert list(expected.ids[: len(forced)]) == forced


@ORDERS
def test_words_of_the_source_can_be_left_out(engine: ctypes.CDLL, order: str) -> None:
    class Without(NativeSteps):
        def start(self, source: torch.Tensor, mask: torch.Tensor) -> DecoderState:
            state = super().start(source, mask)
            return replace(state, blocked=torch.where(blocked, -torch.inf, state.blocked))

    model = network(order=order)
    steps, without = NativeSteps(model, engine=engine), Without(model, engine=engine)
    for blocked in (torch.tensor([False, True, False, False, True, False]), torch.arange(6) != 2):
        ((expected,),) = beam_search(without, SOURCE, MASK, SETTINGS)
        found = steps.search(IDS, SETTINGS, blocked=blocked)
        same(found, expected)
        assert found.alpha is not None
        assert not found.alpha[:, blocked].any()


@ORDERS
@pytest.mark.parametrize("step", [0, 1, 3])
def test_a_row_of_alpha_can_be_given(engine: ctypes.CDLL, order: str, step: int) -> None:
    """Torch computes a step with given weights, and the engine the others."""
    steps = NativeSteps(network(order=order), engine=engine)
    row = (0.0, 0.25, 0.0, 0.5, 0.25, 0.0)
    weights = {step: Weights(row, tuple(range(6)))}
    ((expected,),) = beam_search(Constrained(steps, [OutputConstraints((), weights)]), SOURCE, MASK, SETTINGS)
    found = steps.search(IDS, SETTINGS, given=(step, torch.tensor(row)))
    assert found.alpha is not None
    assert found.alpha[step].tolist() == list(row)
    assert found.ids == expected.ids
    assert found.log_probability == pytest.approx(expected.log_probability, abs=1e-4)
    np.testing.assert_allclose(found.alpha, expected.alpha, atol=1e-5)
    assert steps.search(IDS, SETTINGS).log_probability != pytest.approx(found.log_probability, abs=1e-3)


def test_it_tells_its_steps_and_can_be_stopped(engine: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    steps, told = NativeSteps(network(), engine=engine), []
    found = steps.search(IDS, SETTINGS, lambda *step: told.append(step))
    expected: list[tuple[int, int]] = []
    beam_search(steps, SOURCE, MASK, SETTINGS, lambda *step: expected.append(step))
    assert told == expected
    for number in (1, 2, 1000):
        monkeypatch.setattr(native_steps, "_STEPS", number)
        same(steps.search(IDS, SETTINGS), found)

    def stop(step: int, longest: int) -> None:
        if step == 3:
            raise KeyboardInterrupt

    freed: list[int] = []
    monkeypatch.setattr(steps, "_engine", Watched(engine, freed))
    with pytest.raises(KeyboardInterrupt):
        steps.search(IDS, SETTINGS, stop)
    assert freed == [1]


class Watched:
    """The engine, which tells when a search that has memory in use is ended."""

    def __init__(self, engine: ctypes.CDLL, freed: list[int]) -> None:
        self._engine, self._freed = engine, freed

    def __getattr__(self, name: str) -> object:
        if name == "end_search":
            return self._end
        return getattr(self._engine, name)

    def _end(self, at: int) -> None:
        in_use = native_steps._Search.from_address(at)
        self._freed += [1] * (in_use.room is not None and in_use.last is not None)
        self._engine.end_search(at)
        assert in_use.room is None
        assert in_use.last is None


@torch.no_grad()
def test_what_goes_wrong_is_what_goes_wrong_in_python(engine: ctypes.CDLL) -> None:
    model = network()
    steps = NativeSteps(model, engine=engine)
    for word in (-1, WORDS):
        with pytest.raises(IndexError):
            steps.search([word, 0], SETTINGS)
    forbidden = BeamSettings(beam=3, forbidden=tuple(range(1, WORDS)), min_length=1)
    for search in (lambda: steps.search(IDS, forbidden), lambda: beam_search(steps, SOURCE, MASK, forbidden)):
        with pytest.raises(InputError, match=r"^sentence 1 has no output that satisfies the minimum length"):
            search()
    model.readout.b_o[5] = torch.nan
    broken = NativeSteps(model, engine=engine)
    for search in (lambda: broken.search(IDS, SETTINGS), lambda: beam_search(broken, SOURCE, MASK, SETTINGS)):
        with pytest.raises(FloatingPointError, match=r"at target token 1\b"):
            search()


def test_other_searches_stay_with_python(engine: ctypes.CDLL) -> None:
    steps = NativeSteps(network(), engine=engine)
    steps.most_rows = 12
    assert steps.searches(BeamSettings(beam=12, watched=(1,), forbidden=(1,), alpha=False))
    assert not steps.searches(BeamSettings(beam=13))
    assert not steps.searches(BeamSettings(beam=3, n_best=2))
    assert not steps.searches(BeamSettings(beam=3, watched=(1, 2)))
    hard = steps.with_hard_attention()
    assert isinstance(hard, NativeSteps)
    assert not hard.searches(SETTINGS)


def test_several_sentences_are_searched_as_each_alone(engine: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """In threads, too; an error in one of them is raised, and names the sentence."""
    steps = NativeSteps(network(), engine=engine)
    ids = [[*IDS[:k], 0] for k in range(6)]
    alone = [steps.search(each, SETTINGS) for each in ids]
    monkeypatch.setattr(native, "LEAST_ROWS", 1)
    for threads in (1, 2, 4):
        with native.threads(threads):
            for found, expected in zip(steps.search_all(ids, SETTINGS), alone, strict=True):
                same(found, expected)
            nothing = replace(SETTINGS, forbidden=tuple(range(1, WORDS)), min_length=1)
            with pytest.raises(InputError, match=r"^sentence [1-6] has no output"):
                steps.search_all(ids, nothing)


@pytest.mark.parametrize("group", [2, 4])
def test_several_sentences_share_their_products_where_that_is_sooner(
    engine: ctypes.CDLL, group: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = network()
    fp32, int8 = (NativeSteps(model, each, engine=engine) for each in (None, torch.int8))
    fp32.most_rows = int8.most_rows = 24
    monkeypatch.setattr(native, "group", lambda _: group)
    for steps, sooner in ((fp32, True), (int8, group == 4)):
        found = [steps.searches(BeamSettings(beam=beam), 8) for beam in (1, 2, 3, 4)]
        assert found == [False, False, sooner, False]  # 8 times 4 are more than 24
        assert steps.searches(BeamSettings(beam=1))
        assert not steps.searches(BeamSettings(beam=3), 8, progress=True)
        assert steps.searches(BeamSettings(beam=3), progress=True)
    small = NativeSteps(model, engine=engine)
    small.most_rows = 1024  # one by one, no sentence has more rows than its beam
    assert small.searches(BeamSettings(beam=12), 300)
    assert not small.searches(BeamSettings(beam=1100), 300)


def settings_of(number: int) -> Iterator[BeamSettings]:
    """Ten settings for one sentence in a hundred beams, so that each from 1 to 50 occurs."""
    for place in range(10):
        yield BeamSettings(
            beam=1 + (7 * place + number) % 50 if place < 3 else (1, 5, 12)[place % 3],
            length_penalty=(0.0, 0.6, 1.0)[(place + number) % 3],
            forbidden=(1,) if place % 4 == 1 else (),
            watched=(1,) if place % 2 else (),
        )


@pytest.mark.slow
@pytest.mark.timeout(900)  # English read by rnnsearch-ko-en comes out long, and a busy slow machine takes five minutes
@pytest.mark.parametrize("precision", ["int8", "fp32"])
@pytest.mark.parametrize("name", [RUNS[0], *(pytest.param(run, marks=pytest.mark.thorough) for run in RUNS[1:])])
def test_two_hundred_searches_of_a_released_run(engine: ctypes.CDLL, name: str, precision: str) -> None:
    """With beams from 1 to 50, also where torch would take the widest; 2,000 in all."""
    run = nmt.load(ROOT / "checkpoints" / name)
    kind = {"int8": torch.int8, "fp32": None}[precision]
    assert NativeSteps.suits(run.model, kind)
    steps = NativeSteps(run.model, kind, engine=engine)
    steps.most_rows = 50
    texts = from_folder(ROOT / "testsets" / "jointly-300", "en", "fr").sources[::15]
    for number, text in enumerate(texts):
        ids = run.read(text).encoded.ids
        source = torch.tensor([ids])
        for settings in settings_of(number):
            ((expected,),) = beam_search(steps, source, torch.ones_like(source, dtype=torch.bool), settings)
            same(steps.search(ids, settings), expected)
