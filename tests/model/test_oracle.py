"""The model against the NumPy oracle: probabilities, alpha, gradients, batching, stepping.

Float64 unless said otherwise; both architectures, both state orders, the paper's unit and score and the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch

import nmt.model.readout
from nmt.config import ModelConfig
from nmt.model import build_model
from nmt.model.steps import DecodingSteps
from tests.oracles.numpy_rnn import END, count_published, numpy_greedy, parameter_shapes
from tests.oracles.paired import SIZES, Paired, config, padded, paired

SENTENCES = [
    ([3, 7, 2, 5, 4, END], [4, 6, 2, 7, END]),
    ([8, END], [5, END]),
    ([END], [3, 3, 8, 1, 2, 6, 4, END]),
    ([1, 9, 6, 10, 2, 2, 3, 5, END], [END]),
]


@dataclass(frozen=True)
class Case:
    """A kind of model."""

    architecture: str
    order: str
    unit: str = "gated"
    score: str = "additive"
    encoder: str = "bidirectional"
    readout: str = "maxout"
    start: str = "backward"

    def __str__(self) -> str:
        usual = {"bidirectional", "maxout", "backward"}
        others = [value for value in (self.encoder, self.readout, self.start) if value not in usual]
        return "-".join((self.architecture, self.order, self.unit, self.score, *others))

    def paired(self, seed: int = 1) -> Paired:
        return paired(
            self.architecture,
            self.order,
            seed,
            unit=self.unit,
            score=self.score,
            encoder=self.encoder,
            readout=self.readout,
            start=self.start,
        )


PAPER = [Case(a, o) for a in ("rnnsearch", "rnnencdec") for o in ("printed", "program", "equation")]
VARIANTS = [
    Case("rnnencdec", "printed", "lstm"),
    Case("rnnencdec", "program", "reset_after"),
    Case("rnnsearch", "printed", "lstm"),
    Case("rnnsearch", "program", "lstm"),
    Case("rnnsearch", "printed", "reset_after"),
    Case("rnnsearch", "program", "reset_after", "dot"),
    Case("rnnsearch", "printed", "gated", "dot"),
    Case("rnnsearch", "program", "gated", "dot"),
    Case("rnnsearch", "program", "gated", "general"),
    Case("rnnsearch", "printed", "gated", "concat"),
    Case("rnnsearch", "program", "gated", "concat"),
    Case("rnnsearch", "program", "lstm", "general"),
    Case("rnnsearch", "printed", "gated", "gaussian"),
    Case("rnnsearch", "program", "lstm", "gaussian"),
    Case("rnnsearch", "program", "gated", "additive", "forward"),
    Case("rnnsearch", "printed", "lstm", "additive", "forward"),
    Case("rnnsearch", "printed", "gated", "dot", "forward"),
    Case("rnnsearch", "program", "gated", "gaussian", "forward"),
    Case("rnnsearch", "equation", "reset_after", "additive", "bidirectional", "linear", "both"),
    Case("rnnsearch", "equation", "gated", "dot", "forward", "linear"),
    Case("rnnsearch", "equation", "gated", "gaussian"),
    Case("rnnsearch", "printed", "gated", "additive", "bidirectional", "maxout", "both"),
    Case("rnnencdec", "equation", "reset_after", readout="linear"),
]
CASES = pytest.mark.parametrize("case", [*PAPER, *VARIANTS], ids=str)
PAPERS = pytest.mark.parametrize("case", PAPER, ids=str)


@CASES
def test_names_and_shapes_of_the_weights_are_the_papers(case: Case) -> None:
    shapes = {name: tuple(value.shape) for name, value in case.paired().model.state_dict().items()}
    assert shapes == parameter_shapes(
        case.architecture, SIZES, case.unit, case.score, case.encoder, case.readout, case.start
    )


@pytest.mark.parametrize("architecture", ["rnnsearch", "rnnencdec"])
def test_published_sizes_have_the_published_number_of_weights(architecture: str) -> None:
    with torch.device("meta"):
        model = build_model(ModelConfig(architecture=architecture), 30_000, 30_000)  # type: ignore[arg-type]
    assert sum(weight.numel() for weight in model.parameters()) == count_published(architecture)


@CASES
def test_forced_decoding_agrees_with_the_equations(case: Case) -> None:
    pair = case.paired()
    for source, target in SENTENCES:
        x, y, expected = padded([source]), padded([target]), pair.oracle(source, target)
        output = pair.model.forced(x.ids, x.mask, y.ids, y.mask)
        close(output.token_log_probabilities[0], expected.token_log_probabilities)
        if expected.alpha is None:
            assert output.alpha is None
        else:
            close(output.alpha[0], expected.alpha)


@CASES
@torch.no_grad()
def test_stepping_agrees_with_the_equations_over_the_whole_vocabulary(case: Case) -> None:
    pair = case.paired()
    for source, target in SENTENCES:
        x, expected = padded([source]), pair.oracle(source, target)
        state = DecodingSteps(pair.model).start(x.ids, x.mask)
        for i, previous in enumerate([-1, *target[:-1]]):
            step = DecodingSteps(pair.model).step(state, torch.tensor([[previous]]))
            state = step.state
            np.testing.assert_allclose(log_probabilities(step, pair)[0, 0], expected.log_probabilities[i], rtol=1e-6)
            if expected.alpha is not None:
                np.testing.assert_allclose(step.alpha[0, 0].numpy(), expected.alpha[i], rtol=1e-6, atol=1e-9)


@CASES
@torch.no_grad()
def test_stepping_over_a_batch_with_reordered_hypotheses(case: Case) -> None:
    """Two sentences of unequal length, two hypotheses each, which swap and multiply between the steps."""
    pair = case.paired()
    sources = [[3, 7, 2, 5, 4, END], [8, 2, END]]
    x = padded(sources)
    state = DecodingSteps(pair.model).start(x.ids, x.mask)
    state = DecodingSteps(pair.model).step(state, torch.full((2, 1), -1)).state
    # Each line of `rows` continues one old line; prefixes[s][j] is what hypothesis j of line s has read so far.
    state = DecodingSteps(pair.model).select(state, torch.tensor([[0, 0], [1, 1]]))
    state = DecodingSteps(pair.model).step(state, torch.tensor([[4, 6], [2, 7]])).state
    state = DecodingSteps(pair.model).select(
        state, torch.tensor([[3, 2, 3], [1, 1, 0]])
    )  # the sentences change places too
    step = DecodingSteps(pair.model).step(state, torch.tensor([[5, 3, 8], [1, 2, 3]]))
    prefixes = [[[7, 5], [2, 3], [7, 8]], [[6, 1], [6, 2], [4, 3]]]
    for s, source in enumerate([sources[1], sources[0]]):
        for j, prefix in enumerate(prefixes[s]):
            expected = pair.oracle(source, [*prefix, END])
            np.testing.assert_allclose(log_probabilities(step, pair)[s, j], expected.log_probabilities[2], rtol=1e-6)
            if expected.alpha is not None:
                got = step.alpha[s, j].numpy()
                np.testing.assert_allclose(got[: len(source)], expected.alpha[2], rtol=1e-6, atol=1e-9)
                assert (got[len(source) :] == 0).all()


@CASES
@torch.no_grad()
def test_taking_the_best_word_of_each_step_is_the_oracles_greedy_search(case: Case) -> None:
    lengths = set()
    for seed in range(4):
        pair = case.paired(seed)
        x = padded([SENTENCES[0][0]])
        state, previous, output = DecodingSteps(pair.model).start(x.ids, x.mask), -1, list[int]()
        while previous != END and len(output) < 8:
            step = DecodingSteps(pair.model).step(state, torch.tensor([[previous]]))
            state, previous = step.state, int(step.log_probabilities[0, 0].argmax())
            output.append(previous)
        if previous != END:
            output.append(END)
        assert output == numpy_greedy(
            pair.parameters, SENTENCES[0][0], case.architecture, case.order, 8, case.unit, case.score
        )
        lengths.add(len(output))
    assert max(lengths) > 2


@CASES
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-12), (torch.float32, 1e-5)])
def test_a_sentence_does_not_depend_on_its_batch(case: Case, dtype: torch.dtype, tolerance: float) -> None:
    pair = case.paired()
    model = pair.model.to(dtype)
    x, y = padded([source for source, _ in SENTENCES]), padded([target for _, target in SENTENCES])
    together = model.forced(x.ids, x.mask, y.ids, y.mask)
    for row, (source, target) in enumerate(SENTENCES):
        one_x, one_y = padded([source]), padded([target])
        alone = model.forced(one_x.ids, one_x.mask, one_y.ids, one_y.mask)
        got = together.token_log_probabilities[row]
        torch.testing.assert_close(got[: len(target)], alone.token_log_probabilities[0], rtol=tolerance, atol=tolerance)
        assert (got[len(target) :] == 0).all()
        if case.architecture == "rnnsearch":
            alpha = together.alpha[row, : len(target)]
            torch.testing.assert_close(alpha[:, : len(source)], alone.alpha[0], rtol=tolerance, atol=tolerance)
            assert (alpha[:, len(source) :] == 0).all()


@CASES
def test_what_stands_in_the_padding_does_not_matter(case: Case) -> None:
    model = case.paired().model
    x, y = padded([source for source, _ in SENTENCES]), padded([target for _, target in SENTENCES])
    plain = model.loss(x.ids, x.mask, y.ids, y.mask)
    other = model.loss(x.ids.masked_fill(~x.mask, 7), x.mask, y.ids.masked_fill(~y.mask, 5), y.mask)
    assert plain.nll.item() == other.nll.item()


@CASES
def test_loss_is_the_sum_over_the_batch(case: Case) -> None:
    pair = case.paired()
    x, y = padded([source for source, _ in SENTENCES]), padded([target for _, target in SENTENCES])
    output = pair.model.loss(x.ids, x.mask, y.ids, y.mask)
    expected = -sum(pair.oracle(*sentence).token_log_probabilities.sum() for sentence in SENTENCES)
    assert output.total.item() == pytest.approx(expected, rel=1e-6)
    assert output.nll.item() == pytest.approx(expected, rel=1e-6)
    assert output.words == sum(len(target) for _, target in SENTENCES)


@pytest.mark.parametrize(
    ("case", "batch"),
    [
        *(pytest.param(case, SENTENCES[:3], id=f"{case}-ragged") for case in (*PAPER, *VARIANTS)),
        *(pytest.param(case, SENTENCES[3:], id=f"{case}-end mark alone") for case in PAPER),
    ],
)
def test_gradients_agree_with_finite_differences_of_the_oracle(
    case: Case, batch: list[tuple[list[int], list[int]]]
) -> None:
    """Every weight tensor, its largest entry and a few random ones."""
    pair = case.paired()
    x, y = padded([source for source, _ in batch]), padded([target for _, target in batch])
    pair.model.train()
    pair.model.loss(x.ids, x.mask, y.ids, y.mask).total.backward()
    rng = np.random.default_rng(5)
    for name, weight in pair.model.named_parameters():
        gradient = weight.grad.numpy().ravel()
        entries = {int(np.abs(gradient).argmax()), *rng.integers(0, gradient.size, 3 if case in PAPER else 1).tolist()}
        assert np.abs(gradient).max() > 0 or len(batch) == 1, f"{name} gets no gradient"
        for entry in entries:
            expected = central_difference(pair, batch, name, entry)
            assert gradient[entry] == pytest.approx(expected, rel=1e-5, abs=1e-8), f"{name}[{entry}]"


@PAPERS
def test_loss_and_gradients_do_not_depend_on_how_the_softmax_is_cut_up(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, y = padded([source for source, _ in SENTENCES]), padded([target for _, target in SENTENCES])
    runs = []
    for rows in (2048, 4):
        model = case.paired().model
        monkeypatch.setitem(nmt.model.readout._PIECE, "cpu", rows * model.target_size)
        output = model.loss(x.ids, x.mask, y.ids, y.mask, label_smoothing=0.1)
        output.total.backward()
        runs.append({"total": output.total, "nll": output.nll, **{n: w.grad for n, w in model.named_parameters()}})
    for name, value in runs[0].items():
        torch.testing.assert_close(runs[1][name], value, rtol=1e-12, atol=1e-13, msg=name)


def log_probabilities(step: Any, pair: Paired) -> Any:
    """Those of the vocabulary; what fills them up to a multiple of 64 must be impossible."""
    size = pair.model.target_size
    assert step.log_probabilities.shape[2] % 64 == 0
    assert (step.log_probabilities[..., size:] == -np.inf).all()
    return step.log_probabilities[..., :size].numpy()


def central_difference(
    pair: Paired, sentences: Sequence[tuple[list[int], list[int]]], name: str, entry: int, step: float = 1e-5
) -> float:
    """d NLL / d weight by two evaluations of the oracle."""
    flat = pair.parameters[name].reshape(-1)
    middle, values = flat[entry], []
    for value in (middle + step, middle - step):
        flat[entry] = value
        values.append(-sum(pair.oracle(*sentence).token_log_probabilities.sum() for sentence in sentences))
    flat[entry] = middle
    return float((values[0] - values[1]) / (2 * step))


def close(got: torch.Tensor, expected: np.ndarray) -> None:
    np.testing.assert_allclose(got.detach().numpy(), expected, rtol=1e-6, atol=1e-12)


def test_the_configuration_reaches_the_model() -> None:
    """The state orders are three models: same weights, other probabilities, for two of them after the first word."""
    source, target = SENTENCES[0]
    x, y = padded([source]), padded([target])
    printed, program, equation = (
        paired("rnnsearch", order).model.forced(x.ids, x.mask, y.ids, y.mask).token_log_probabilities[0]
        for order in ("printed", "program", "equation")
    )
    assert printed[0] == program[0]
    assert (printed[1:] != program[1:]).all()
    assert (equation != printed).all()
    assert (equation[1:] != program[1:]).all()
    assert config("rnnsearch", "program").state_order == "program"
