"""RNNsearch and RNNencdec once more, in plain NumPy float64: one sentence at a time, with loops.

Written from the equations of the paper alone, so that the batched, masked and precomputed model of
``nmt.model`` has something independent to agree with. Slow and simple on purpose. Letters as in A.2.

State orders. "printed": s_i = f(s_{i-1}, y_{i-1}, c_i), as A.2.2 writes it. "program": y_i is predicted in the
same way, from s_{i-1}, y_{i-1} and c_i, but the state is then updated with the word just chosen,
s_i = f(s_{i-1}, y_i, c_i). "equation": the state is updated as in "printed", and y_i is then predicted from s_i,
y_{i-1} and c_i, as eq. 4 has it.

Lecture slides on the paper have a linear output, softmax(W_o s_i + b_o), and an s_0 from the last state of either
direction: weights without U_o, and a W_s twice as wide, stand for these.

Other units than the paper's are in numpy_units.py, other scores in ``score``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tests.oracles.numpy_units import Parameters, UnitState, Vector, begin, unit_shapes, unit_step

Matrix = NDArray[np.float64]

END = 0


@dataclass(frozen=True)
class Sizes:
    """m, n, n', l, K_x, K_y; by default those of A.2.3, the end mark and [UNK] among the 30,000."""

    m: int = 620
    n: int = 1000
    n_align: int = 1000
    l: int = 500  # noqa: E741  the paper's letter
    K_x: int = 30_000
    K_y: int = 30_000


@dataclass(frozen=True)
class NumpyResult:
    """What the equations give for one pair.

    Attributes:
        log_probabilities: [T_y, K_y], row i is log p(. | y_<i, x).
        token_log_probabilities: [T_y], the entries of the given target.
        alpha: [T_y, T_x]; None for rnnencdec.
        annotations: h_j, [T_x, 2n]; for rnnencdec the forward states, [T_x, n].
        states: s_0 .. s_{T_y}, [T_y + 1, n].
        energies: e_ij, [T_y, T_x]; None for rnnencdec.
        contexts: c_1 .. c_{T_y}, [T_y, 2n]; for rnnencdec [T_y, n].
    """

    log_probabilities: Matrix
    token_log_probabilities: Vector
    alpha: Matrix | None
    annotations: Matrix
    states: Matrix
    energies: Matrix | None
    contexts: Matrix


@dataclass(frozen=True)
class Attended:
    """c_i, alpha_i (as used), e_i, and the means kappa_i of a mixture, [K]."""

    context: Vector
    alpha: Vector | None
    energies: Vector | None
    kappa: Vector | None


@dataclass(frozen=True)
class Prediction:
    """What attention gave at step i, and log p(y_i | y_<i, x)."""

    attended: Attended
    log_probabilities: Vector


def parameter_shapes(
    architecture: str,
    sizes: Sizes,
    unit: str = "gated",
    score: str = "additive",
    encoder: str = "bidirectional",
    readout: str = "maxout",
    start: str = "backward",
) -> dict[str, tuple[int, ...]]:
    """Name and shape of every weight: matrices [out, in], biases [out]."""
    m, n, n_align, l, K_x, K_y = sizes.m, sizes.n, sizes.n_align, sizes.l, sizes.K_x, sizes.K_y  # noqa: E741
    search = architecture == "rnnsearch"
    both = search and encoder == "bidirectional"
    context = 2 * n if both else n
    shapes: dict[str, tuple[int, ...]] = {"encoder.E": (K_x, m)}
    for direction in ("forward", "backward") if both else ("forward",):
        for name, shape in unit_shapes(unit, m, n).items():
            shapes[f"encoder.{direction}_unit.{name}"] = shape
    shapes["decoder.E"] = (K_y, m)
    shapes["decoder.W_s"] = (n, 2 * n if start == "both" else n)
    shapes["decoder.b_s"] = (n,)
    for name, shape in unit_shapes(unit, m, n, context).items():
        shapes[f"decoder.{name}"] = shape
    if search:
        of_score: dict[str, dict[str, tuple[int, ...]]] = {
            "additive": {"W_a": (n_align, n), "U_a": (n_align, context), "b_a": (n_align,), "v_a": (n_align,)},
            "concat": {"W_a": (n_align, n + context), "b_a": (n_align,), "v_a": (n_align,)},
            "general": {"W_a": (n, context)},
            "dot": {},
            "gaussian": {"W_a": (30, n), "b_mixture": (30,)},
        }
        for name, shape in of_score[score].items():
            shapes[f"attention.{name}"] = shape
    if readout == "maxout":
        shapes["readout.U_o"] = (2 * l, n)
        shapes["readout.V_o"] = (2 * l, m)
        shapes["readout.C_o"] = (2 * l, context)
        shapes["readout.b_t"] = (2 * l,)
    shapes["readout.W_o"] = (K_y, l if readout == "maxout" else n)
    shapes["readout.b_o"] = (K_y,)
    return shapes


def numpy_parameters(
    architecture: str,
    sizes: Sizes,
    seed: int,
    unit: str = "gated",
    score: str = "additive",
    encoder: str = "bidirectional",
    readout: str = "maxout",
    start: str = "backward",
) -> Parameters:
    """Random weights, Gaussian(0, 0.5^2): large enough that no gate and no alpha is flat."""
    rng = np.random.default_rng(seed)
    shapes = parameter_shapes(architecture, sizes, unit, score, encoder, readout, start)
    return {name: rng.normal(0.0, 0.5, shape) for name, shape in shapes.items()}


def count_published(architecture: str) -> int:
    """Number of weights at the published sizes."""
    total = 0
    for shape in parameter_shapes(architecture, Sizes()).values():
        entries = 1
        for side in shape:
            entries *= side
        total += entries
    return total


def numpy_forced(
    parameters: Parameters,
    source_ids: Sequence[int],
    target_ids: Sequence[int],
    architecture: str,
    state_order: str,
    unit: str = "gated",
    score: str = "additive",
    weights: Mapping[int, Vector] | None = None,
) -> NumpyResult:
    """log p(y | x) and alpha of one given pair; both sides with their end mark. ``weights``: alpha of some steps,
    counted from 0, given instead of computed."""
    p = parameters
    given = weights or {}
    annotations = encode(p, source_ids, architecture, unit)
    s = begin(initial_state(p, annotations, architecture))
    states, predictions = [s], []
    kappa: Vector | None = None
    y_previous = np.zeros(p["decoder.E"].shape[1])
    for i, y in enumerate(target_ids):
        attended = attend(p, s.h, annotations, architecture, score, given.get(i), kappa)
        kappa = attended.kappa
        Ey = p["decoder.E"][y]
        following = unit_step(p, "decoder.", unit, Ey if state_order == "program" else y_previous, s, attended.context)
        prediction = predict(p, following.h if state_order == "equation" else s.h, y_previous, attended)
        s, y_previous = following, Ey
        states.append(s)
        predictions.append(prediction)
    return collect(predictions, target_ids, annotations, states)


def numpy_greedy(
    parameters: Parameters,
    source_ids: Sequence[int],
    architecture: str,
    state_order: str,
    max_length: int,
    unit: str = "gated",
    score: str = "additive",
) -> list[int]:
    """The most probable word at every step, until the end mark, which is set after ``max_length`` words."""
    p = parameters
    annotations = encode(p, source_ids, architecture, unit)
    s = begin(initial_state(p, annotations, architecture))
    y_previous = np.zeros(p["decoder.E"].shape[1])
    kappa: Vector | None = None
    output: list[int] = []
    while len(output) < max_length:
        attended = attend(p, s.h, annotations, architecture, score, None, kappa)
        kappa = attended.kappa
        before_word = unit_step(p, "decoder.", unit, y_previous, s, attended.context)
        read = before_word if state_order == "equation" else s
        y = int(np.argmax(predict(p, read.h, y_previous, attended).log_probabilities))
        output.append(y)
        if y == END:
            return output
        Ey = p["decoder.E"][y]
        s = unit_step(p, "decoder.", unit, Ey, s, attended.context) if state_order == "program" else before_word
        y_previous = Ey
    return [*output, END]


def collect(
    predictions: Sequence[Prediction], target_ids: Sequence[int], annotations: Matrix, states: Sequence[UnitState]
) -> NumpyResult:
    attended = [prediction.attended for prediction in predictions]
    alphas = [each.alpha for each in attended if each.alpha is not None]
    energies = [each.energies for each in attended if each.energies is not None]
    return NumpyResult(
        np.array([prediction.log_probabilities for prediction in predictions]),
        np.array([prediction.log_probabilities[y] for prediction, y in zip(predictions, target_ids, strict=True)]),
        np.array(alphas) if alphas else None,
        annotations,
        np.array([s.h for s in states]),
        np.array(energies) if energies else None,
        np.array([each.context for each in attended]),
    )


def encode(p: Parameters, source_ids: Sequence[int], architecture: str, unit: str = "gated") -> Matrix:
    """Annotations h_j = [forward h_j ; backward h_j]; eq. 7. For rnnencdec, and without a backward direction, the
    forward states alone."""
    n = p["decoder.W_s"].shape[0]
    forward = []
    state = begin(np.zeros(n))
    for x in source_ids:
        state = unit_step(p, "encoder.forward_unit.", unit, p["encoder.E"][x], state)
        forward.append(state.h)
    if architecture == "rnnencdec" or "encoder.backward_unit.U" not in p:
        return np.array(forward)
    backward = []
    state = begin(np.zeros(n))
    for x in reversed(source_ids):
        state = unit_step(p, "encoder.backward_unit.", unit, p["encoder.E"][x], state)
        backward.append(state.h)
    backward.reverse()
    return np.array([np.concatenate([forward[j], backward[j]]) for j in range(len(source_ids))])


def initial_state(p: Parameters, annotations: Matrix, architecture: str) -> Vector:
    """s_0 from the backward state of the first word, or from the last forward state where there is no backward one.
    It is made from both, forward state first, if W_s is twice as wide."""
    n = p["decoder.W_s"].shape[0]
    start = annotations[0, n:] if annotations.shape[1] == 2 * n else annotations[-1]
    if p["decoder.W_s"].shape[1] == 2 * n:
        start = np.concatenate([annotations[-1, :n], start])
    s_0: Vector = np.tanh(p["decoder.W_s"] @ start + p["decoder.b_s"])
    return s_0


def score(p: Parameters, kind: str, s: Vector, h_j: Vector) -> float:
    """e_ij from a state and an annotation.

    additive  v_a^T tanh(W_a s + U_a h_j); A.1.2
    concat    v_a^T tanh(W_a [s ; h_j]); the slides, and Luong et al. 2015, eq. 8
    general   s^T W_a h_j; Luong et al.
    dot       s^T h_j; Luong et al., whose s is as long as h_j: here s stands once for either direction, [s ; s]
    """
    if kind == "dot":
        return float(np.concatenate([s, s])[: len(h_j)] @ h_j)
    if kind == "general":
        return float(s @ p["attention.W_a"] @ h_j)
    if kind == "concat":
        hidden = np.tanh(p["attention.W_a"] @ np.concatenate([s, h_j]) + p["attention.b_a"])
    else:
        hidden = np.tanh(p["attention.W_a"] @ s + p["attention.U_a"] @ h_j + p["attention.b_a"])
    return float(p["attention.v_a"] @ hidden)


def mixture(p: Parameters, s: Vector, kappa: Vector, j: int) -> float:
    """log phi(i, j) of Graves 2013, eq. 46: the sum over the components of importance times a bell around kappa."""
    raw = p["attention.W_a"] @ s + p["attention.b_mixture"]
    K = len(raw) // 3
    return float(np.log(sum(np.exp(raw[k]) * np.exp(-np.exp(raw[K + k]) * (kappa[k] - j) ** 2) for k in range(K))))


def moved(p: Parameters, s: Vector, kappa: Vector | None) -> Vector:
    """kappa_i = kappa_{i-1} + exp(d), kappa_0 = 0; Graves 2013, eq. 51."""
    d = (p["attention.W_a"] @ s + p["attention.b_mixture"])[-len(p["attention.b_mixture"]) // 3 :]
    steps: Vector = np.exp(d)
    return steps if kappa is None else kappa + steps


def attend(
    p: Parameters,
    s: Vector,
    annotations: Matrix,
    architecture: str,
    kind: str = "additive",
    weights: Vector | None = None,
    kappa: Vector | None = None,
) -> Attended:
    """alpha_i (eq. 6) unless ``weights`` are given, and c_i (eq. 5) from s_{i-1}; A.1.2. ``kappa``: the means of the
    step before."""
    if architecture != "rnnsearch":
        return Attended(annotations[-1], None, None, None)
    if kind == "gaussian":
        kappa = moved(p, s, kappa)
        energies = np.array([mixture(p, s, kappa, j + 1) for j in range(len(annotations))])
    else:
        energies = np.array([score(p, kind, s, h_j) for h_j in annotations])
    exponentials = np.exp(energies - energies.max())
    alpha = exponentials / exponentials.sum() if weights is None else weights
    c = np.zeros(annotations.shape[1])
    for j, h_j in enumerate(annotations):
        c = c + alpha[j] * h_j
    return Attended(c, alpha, energies, kappa)


def predict(p: Parameters, s: Vector, Ey: Vector, attended: Attended) -> Prediction:
    """log p(y_i | y_<i, x) from a state, E y_{i-1} and c_i; A.2.2."""
    t = s
    if "readout.U_o" in p:
        t_tilde = p["readout.U_o"] @ s + p["readout.V_o"] @ Ey + p["readout.C_o"] @ attended.context + p["readout.b_t"]
        t = np.array([max(t_tilde[2 * k], t_tilde[2 * k + 1]) for k in range(len(t_tilde) // 2)])
    logits = p["readout.W_o"] @ t + p["readout.b_o"]
    largest = logits.max()
    return Prediction(attended, logits - largest - np.log(np.exp(logits - largest).sum()))
