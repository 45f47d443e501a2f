"""The native engine against the readable step, and against the steps of torch."""

import ctypes
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import pytest
import torch
from torch import Tensor

from nmt import native
from nmt.config import ModelConfig
from nmt.model import TranslationModel, build_model, native_steps, reference
from nmt.model.attention import AdditiveAttention
from nmt.model.decoder import GatedDecoder
from nmt.model.native_steps import NativeSteps, search_steps
from nmt.model.steps import DecodingSteps
from nmt.search.beam import BeamSettings, ContinuousSearch, beam_search
from tests.oracles.random_steps import random_searches

WORDS = 70
SOURCE = torch.tensor([[4, 9, 7, 3, 8, 0], [5, 2, 0, 0, 0, 0], [3, 3, 9, 0, 0, 0]])
MASK = torch.arange(6) < torch.tensor([[6], [3], [4]])


@pytest.fixture
def engine() -> ctypes.CDLL:
    found = native.library()
    if found is None:
        pytest.skip("there is no compiler")
    assert native_steps.engine() is found, "its step is not torch's"
    return found


def network(architecture: str = "rnnsearch", order: str = "program", unit: str = "gated") -> TranslationModel:
    config = ModelConfig(
        architecture=architecture,  # type: ignore[arg-type]
        state_order=order,  # type: ignore[arg-type]
        unit=unit,  # type: ignore[arg-type]
        embedding=20,
        hidden=24,
        alignment=20,
        maxout=12,
    )
    model = build_model(config, WORDS, WORDS).eval()
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.4)
    return model


def vector(size: int, seed: int) -> Tensor:
    return torch.randn(size, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("size", range(1, 65))
def test_the_context_of_a_row_is_the_same_alone_and_beside_others(engine: ctypes.CDLL, size: int) -> None:
    T, rows = 7, 5
    alpha, memory = vector(rows * T, 1).abs().view(rows, T), vector(T * size, 2).view(T, size)
    together, alone = torch.zeros(rows, 64), torch.zeros(rows, 64)
    engine.context(rows, T, size, at(alpha), at(memory), at(together), 64)
    for weights, c in zip(alpha, alone, strict=True):
        engine.context(1, T, size, at(weights), at(memory), at(c), 64)
    assert torch.equal(together, alone)


KEPT: list[Tensor] = []


def at(values: Tensor) -> int:
    """The address of a tensor, which is kept."""
    assert values.is_contiguous()
    KEPT.append(values)
    return values.data_ptr()


def product(engine: ctypes.CDLL, weight: Tensor, x: Tensor, bias: Tensor | None = None) -> Tensor:
    """W x + b by the engine."""
    outputs, inputs = weight.shape
    w = torch.nn.functional.pad(weight, (0, 0, 0, -outputs % 64))
    panels = w.view(-1, 64, inputs).transpose(1, 2).contiguous()
    b = torch.nn.functional.pad(torch.zeros(outputs) if bias is None else bias, (0, -outputs % 64))
    y = torch.empty(len(w))
    engine.multiply(native.Matrix(at(panels), None, None, at(b), inputs, len(w)), 1, at(x), inputs, at(y), len(w))
    return y[:outputs]


def close(found: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-5)


@torch.no_grad()
def test_line_by_line_it_is_the_reference(engine: ctypes.CDLL) -> None:
    """Each line of ``attend``, ``predict`` and ``update`` has a function of the engine with the same result."""
    model = network()
    attention, decoder, readout = model.attention, model.decoder, model.readout
    assert isinstance(attention, AdditiveAttention)
    assert isinstance(decoder, GatedDecoder)
    n, T = 24, 5
    s, e_y, h = vector(n, 1) / 2, vector(20, 2), torch.randn(T, 2 * n, generator=torch.Generator().manual_seed(3))

    # attend
    expected = reference.attend(attention, s, h)
    query = 2 * product(engine, attention.query_matrix(), s)
    keys = torch.stack([2 * product(engine, attention.key_matrix(), h_j, attention.b_a) for h_j in h])
    v = torch.nn.functional.pad(2 * attention.v_a, (0, 64))
    energies, alpha, c = torch.empty(T), torch.empty(T), torch.zeros(2 * n)
    engine.energies(T, 20, at(query), at(keys), at(v), at(torch.zeros(T)), at(energies))
    close(energies + attention.offset(), expected.energies)
    engine.softmax(T, at(energies), at(alpha))
    close(alpha, expected.alpha)
    engine.context(1, T, 2 * n, at(alpha), at(h), at(c), 2 * n)
    close(c, expected.context)

    # predict
    x = product(engine, readout.V_o, e_y, readout.b_t) + product(engine, readout.C_o, c)
    t, padded = torch.empty(12), torch.full((128,), -torch.inf)
    engine.maxout(12, at(x), at(product(engine, readout.U_o, s).contiguous()), at(t))
    padded[:WORDS] = product(engine, readout.W_o, t, readout.b_o)
    engine.log_softmax(128, at(padded), float(padded.max()))
    close(padded[:WORDS], reference.predict(readout, s, e_y, c))
    assert padded[WORDS:].eq(-torch.inf).all()

    # update
    after = reference.update(decoder, s, e_y, c)
    d, z, r, candidate, state = decoder, *(torch.empty(n) for _ in range(4))
    for gate, W, U, C, b, wanted in (
        (z, d.W_z, d.U_z, d.C_z, d.b_z, after.z),
        (r, d.W_r, d.U_r, d.C_r, d.b_r, after.r),
    ):
        inputs = product(engine, W, e_y, b) + product(engine, C, c)
        engine.gate(n, at(inputs), at(product(engine, U, s).contiguous()), at(gate))
        close(gate, wanted)
    inputs = product(engine, d.W, e_y, d.b) + product(engine, d.C, c)
    engine.candidate(n, at(inputs), at(product(engine, d.U, r * s).contiguous()), at(candidate))
    close(candidate, after.candidate)
    engine.new_state(n, at(z), at(s), at(candidate), at(state))
    close(state, after.state)


def test_random_shapes_and_values(engine: ctypes.CDLL) -> None:
    cases = [case for seed in range(20) for case in random_searches(seed, engine)]
    assert [case for case in cases if case.fault] == []
    assert sum(case.differs is not None for case in cases) > len(cases) / 3


@torch.no_grad()
def results(steps: DecodingSteps, rows: int = 3) -> list[tuple[tuple[int, ...], float]]:
    found = beam_search(steps, SOURCE, MASK, BeamSettings(beam=rows, n_best=2, length_penalty=1))
    return [(candidate.ids, candidate.log_probability) for candidates in found for candidate in candidates]


@pytest.mark.parametrize("architecture", ["rnnsearch", "rnnencdec"])
@pytest.mark.parametrize("order", ["printed", "program"])
def test_a_search_finds_what_torch_finds(engine: ctypes.CDLL, architecture: str, order: str) -> None:
    model = network(architecture, order)
    expected = results(DecodingSteps(model))
    for most in (1000, 8, 5, 0):  # a search that changes from one to the other, too
        steps = NativeSteps(model, engine=engine)
        steps.most_rows = most
        found = results(steps)
        assert [ids for ids, _ in found] == [ids for ids, _ in expected]
        assert [value for _, value in found] == pytest.approx([value for _, value in expected], abs=1e-4)


@pytest.mark.parametrize("order", ["printed", "program"])
@torch.no_grad()
def test_neighbours_change_no_bit(engine: ctypes.CDLL, order: str) -> None:
    """A row is the same alone, beside others, and in a search that sentences join."""
    steps = NativeSteps(network(order=order), engine=engine)
    together = [
        (candidate.ids, candidate.log_probability)
        for (candidate,) in beam_search(steps, SOURCE, MASK, BeamSettings(beam=3))
    ]
    alone = [
        (candidate.ids, candidate.log_probability)
        for source, mask in zip(SOURCE, MASK, strict=True)
        for (candidate,) in beam_search(steps, source[None, mask], mask[None, mask], BeamSettings(beam=3))
    ]
    assert together == alone
    search, joined = ContinuousSearch(steps, BeamSettings(beam=3), torch.device("cpu")), {}
    for step in range(100):
        if step < 3:
            words = int(MASK[step].sum())
            search.join(SOURCE[None, step, :words], MASK[None, step, :words], [step])
        joined |= search.step()
    assert [(joined[i][0].ids, joined[i][0].log_probability) for i in range(3)] == alone


def test_two_searches_at_once_have_their_own_results(engine: ctypes.CDLL) -> None:
    model = network()
    steps = NativeSteps(model, engine=engine)
    expected = results(NativeSteps(model, engine=engine))
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: results(steps), range(24)))
    assert all(one == other for one, other in pairwise([expected, *found]))


@torch.no_grad()
def test_threads_that_meet_at_a_new_word_all_read_it_whole(
    engine: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight sentences in a thread each, all at the same word, which the table does not have yet: with a table that is
    filled while others read it, one in three hundred steps was wrong."""
    monkeypatch.setattr(native, "LEAST_ROWS", 1)
    model = build_model(ModelConfig(embedding=256, hidden=256, alignment=20, maxout=256), WORDS, WORDS).eval()
    source = torch.full((8, 2), 4)
    with native.threads(8):
        for _ in range(30):
            steps = NativeSteps(model, engine=engine)
            state = steps.start(source, source > 0)
            for word in range(1, WORDS):
                found = steps.step(state, torch.full((8, 1), word)).log_probabilities
                assert torch.equal(found, found[:1].expand_as(found))


@torch.no_grad()
def test_an_id_that_is_no_words_is_refused(engine: ctypes.CDLL) -> None:
    steps = NativeSteps(network(), engine=engine)
    state = steps.start(SOURCE, MASK)
    for ids in ([[-2]] * 3, [[WORDS]] * 3, [[0], [0], [2**40]]):
        with pytest.raises(IndexError):
            steps.step(state, torch.tensor(ids))
    for word in (-1, WORDS):
        with pytest.raises(IndexError):
            steps.start(torch.full((1, 2), word), torch.ones(1, 2, dtype=torch.bool))


@torch.no_grad()
def test_given_weights_and_hard_attention_are_those_of_torch(engine: ctypes.CDLL) -> None:
    steps, plain = NativeSteps(network(), engine=engine), DecodingSteps(network())
    previous = torch.full((3, 1), -1)
    first = [each.step(each.start(SOURCE, MASK), previous).state for each in (steps, plain)]
    even = [
        each.step(state, previous + 4, lambda alpha: (alpha > 0) / 3.0).log_probabilities
        for each, state in zip((steps, plain), first, strict=True)
    ]
    close(even[0], even[1])
    hard = [each.with_hard_attention() for each in (steps, plain)]
    alphas = [each.step(each.start(SOURCE, MASK), previous).alpha for each in hard]
    assert alphas[0] is not None
    assert alphas[1] is not None
    close(alphas[0], alphas[1])


def test_other_models_and_precisions_stay_with_torch(engine: ctypes.CDLL) -> None:
    assert type(search_steps(network())) is NativeSteps
    assert type(search_steps(network(unit="lstm"))) is DecodingSteps
    assert type(search_steps(network().double())) is DecodingSteps
    assert type(search_steps(network(), torch.bfloat16)) is DecodingSteps


def test_a_wrong_step_is_found_before_it_is_used(engine: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    assert native_steps.engine.__wrapped__() is engine
    step = NativeSteps.step

    def wrong(self: NativeSteps, *arguments: Any) -> Any:
        found = step(self, *arguments)
        found.log_probabilities[..., :] -= 3
        return found

    monkeypatch.setattr(NativeSteps, "step", wrong)
    assert native_steps.engine.__wrapped__() is None

    def slightly_wrong(self: NativeSteps, *arguments: Any) -> Any:
        found = step(self, *arguments)
        if self._integers_from is None:  # as integers may be
            found.log_probabilities[..., :] -= 0.1
        return found

    monkeypatch.setattr(NativeSteps, "step", slightly_wrong)
    assert native_steps.engine.__wrapped__() is None


@pytest.mark.parametrize(
    ("lanes", "hidden", "rows", "precision"),
    [
        (16, 24, 1024, None),
        (16, 1000, 12, None),
        (8, 24, 24, None),
        (4, 24, 24, None),
        (8, 1000, 0, None),
        (8, 24, 1024, torch.int8),
        (8, 1000, 12, torch.int8),
    ],
)
@torch.no_grad()
def test_torch_takes_the_steps_that_it_computes_sooner(
    lanes: int,
    hidden: int,
    rows: int,
    precision: torch.dtype | None,
    engine: ctypes.CDLL,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the width of vectors, the size of the model and the precision; with none left, no engine is in the steps."""
    model = build_model(ModelConfig(embedding=20, hidden=hidden, alignment=20, maxout=500), WORDS, WORDS).eval()
    monkeypatch.setattr("ctypes.c_int.in_dll", lambda *_: ctypes.c_int(lanes))
    assert native_steps.usual_rows(model, engine, precision) == rows
    steps = search_steps(model, precision)
    assert isinstance(steps, NativeSteps) == (rows > 0)
    taken: list[str] = []

    def counted(name: str) -> Callable[..., Any]:
        real = getattr(DecodingSteps, name)

        def by_torch(*given: Any) -> Any:
            taken.append(name)
            return real(*given)

        return by_torch

    for name in ("start", "step"):
        monkeypatch.setattr(DecodingSteps, name, counted(name))
    if isinstance(steps, NativeSteps):
        for more in (0, 1):
            source = torch.full((rows + more, 1), 4)
            steps.step(steps.start(source, source > 0), torch.full((rows + more, 1), -1))
            assert taken == ["start", "step"] * more


@pytest.mark.parametrize("order", ["printed", "program"])
@pytest.mark.parametrize("architecture", ["rnnsearch", "rnnencdec"])
def test_threads_change_no_bit(
    engine: ctypes.CDLL, architecture: str, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sentences in two, three and more parts than there are, which have a thread of their own each."""
    steps = NativeSteps(network(architecture, order), engine=engine)
    expected = results(steps)
    monkeypatch.setattr(native, "LEAST_ROWS", 1)
    parts: set[tuple[int, int]] = set()
    compute = native.in_parts

    def in_parts(part: Callable[[int, int], int], *sizes: int) -> int:
        def noted(first: int, end: int) -> int:
            parts.add((first, end))
            return part(first, end)

        return compute(noted, *sizes)

    monkeypatch.setattr(native, "in_parts", in_parts)
    for number in (2, 3, 9):
        parts.clear()
        with native.threads(number):
            assert results(steps) == expected
        assert {(0, 1), (1, 3)} <= parts if number == 2 else {(0, 1), (1, 2), (2, 3)} <= parts


def test_the_engine_says_how_wide_its_vectors_are(engine: ctypes.CDLL) -> None:
    assert ctypes.c_int.in_dll(engine, "lanes").value in (4, 8, 16)
