"""RNNsearch and RNNencdec once more, in plain NumPy float64: one sentence at a time, with loops.

Written from the equations of the paper alone, so that the batched, masked and precomputed model of
``nmt.model`` has something independent to agree with. Slow and simple on purpose. Letters as in A.2.

State orders. "printed": s_i = f(s_{i-1}, y_{i-1}, c_i), as A.2.2 writes it. "program": y_i is predicted in the
same way, from s_{i-1}, y_{i-1} and c_i, but the state is then updated with the word just chosen,
s_i = f(s_{i-1}, y_i, c_i).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
Parameters = dict[str, NDArray[np.float64]]

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
    """

    log_probabilities: Matrix
    token_log_probabilities: Vector
    alpha: Matrix | None
    annotations: Matrix
    states: Matrix


@dataclass(frozen=True)
class _Prediction:
    context: Vector
    alpha: Vector | None
    log_probabilities: Vector


def parameter_shapes(architecture: str, sizes: Sizes) -> dict[str, tuple[int, ...]]:
    """Name and shape of every weight: matrices [out, in], biases [out]."""
    m, n, n_align, l, K_x, K_y = sizes.m, sizes.n, sizes.n_align, sizes.l, sizes.K_x, sizes.K_y  # noqa: E741
    search = architecture == "rnnsearch"
    context = 2 * n if search else n
    shapes: dict[str, tuple[int, ...]] = {"encoder.E": (K_x, m)}
    for direction in ("forward", "backward") if search else ("forward",):
        for gate in ("", "_z", "_r"):
            shapes[f"encoder.{direction}_unit.W{gate}"] = (n, m)
            shapes[f"encoder.{direction}_unit.U{gate}"] = (n, n)
            shapes[f"encoder.{direction}_unit.b{gate}"] = (n,)
    shapes["decoder.E"] = (K_y, m)
    shapes["decoder.W_s"] = (n, n)
    shapes["decoder.b_s"] = (n,)
    for gate in ("", "_z", "_r"):
        shapes[f"decoder.W{gate}"] = (n, m)
        shapes[f"decoder.U{gate}"] = (n, n)
        shapes[f"decoder.C{gate}"] = (n, context)
        shapes[f"decoder.b{gate}"] = (n,)
    if search:
        shapes["attention.W_a"] = (n_align, n)
        shapes["attention.U_a"] = (n_align, 2 * n)
        shapes["attention.b_a"] = (n_align,)
        shapes["attention.v_a"] = (n_align,)
    shapes["readout.U_o"] = (2 * l, n)
    shapes["readout.V_o"] = (2 * l, m)
    shapes["readout.C_o"] = (2 * l, context)
    shapes["readout.b_t"] = (2 * l,)
    shapes["readout.W_o"] = (K_y, l)
    shapes["readout.b_o"] = (K_y,)
    return shapes


def numpy_parameters(architecture: str, sizes: Sizes, seed: int) -> Parameters:
    """Random weights, Gaussian(0, 0.5^2): large enough that no gate and no alpha is flat."""
    rng = np.random.default_rng(seed)
    shapes = parameter_shapes(architecture, sizes)
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
) -> NumpyResult:
    """log p(y | x) and alpha of one given pair; both sides with their end mark."""
    p = parameters
    annotations = _encode(p, source_ids, architecture)
    s = _initial_state(p, annotations, architecture)
    states, alphas, distributions, chosen = [s], [], [], []
    y_previous = np.zeros(p["decoder.E"].shape[1])
    for y in target_ids:
        prediction = _predict(p, s, y_previous, annotations, architecture)
        Ey = p["decoder.E"][y]
        s = _update(p, s, y_previous if state_order == "printed" else Ey, prediction.context)
        y_previous = Ey
        states.append(s)
        distributions.append(prediction.log_probabilities)
        chosen.append(prediction.log_probabilities[y])
        if prediction.alpha is not None:
            alphas.append(prediction.alpha)
    return NumpyResult(
        np.array(distributions),
        np.array(chosen),
        np.array(alphas) if alphas else None,
        annotations,
        np.array(states),
    )


def numpy_greedy(
    parameters: Parameters, source_ids: Sequence[int], architecture: str, state_order: str, max_length: int
) -> list[int]:
    """The most probable word at every step, until the end mark, which is set after ``max_length`` words."""
    p = parameters
    annotations = _encode(p, source_ids, architecture)
    s = _initial_state(p, annotations, architecture)
    y_previous = np.zeros(p["decoder.E"].shape[1])
    output: list[int] = []
    while len(output) < max_length:
        prediction = _predict(p, s, y_previous, annotations, architecture)
        y = int(np.argmax(prediction.log_probabilities))
        output.append(y)
        if y == END:
            return output
        Ey = p["decoder.E"][y]
        s = _update(p, s, y_previous if state_order == "printed" else Ey, prediction.context)
        y_previous = Ey
    return [*output, END]


def _sigma(x: Vector) -> Vector:
    return 1.0 / (1.0 + np.exp(-x))


def _encoder_unit(p: Parameters, direction: str, Ex: Vector, h: Vector) -> Vector:
    """h_i from h_{i-1}; A.1.1 and A.2.1."""
    prefix = f"encoder.{direction}_unit."
    z = _sigma(p[prefix + "W_z"] @ Ex + p[prefix + "U_z"] @ h + p[prefix + "b_z"])
    r = _sigma(p[prefix + "W_r"] @ Ex + p[prefix + "U_r"] @ h + p[prefix + "b_r"])
    candidate = np.tanh(p[prefix + "W"] @ Ex + p[prefix + "U"] @ (r * h) + p[prefix + "b"])
    return (1.0 - z) * h + z * candidate


def _encode(p: Parameters, source_ids: Sequence[int], architecture: str) -> Matrix:
    """Annotations h_j = [forward h_j ; backward h_j]; eq. 7. For rnnencdec the forward states alone."""
    n = p["decoder.W_s"].shape[0]
    forward = []
    h = np.zeros(n)
    for x in source_ids:
        h = _encoder_unit(p, "forward", p["encoder.E"][x], h)
        forward.append(h)
    if architecture == "rnnencdec":
        return np.array(forward)
    backward = []
    h = np.zeros(n)
    for x in reversed(source_ids):
        h = _encoder_unit(p, "backward", p["encoder.E"][x], h)
        backward.append(h)
    backward.reverse()
    return np.array([np.concatenate([forward[j], backward[j]]) for j in range(len(source_ids))])


def _initial_state(p: Parameters, annotations: Matrix, architecture: str) -> Vector:
    """s_0 from the backward state of the first word; for rnnencdec from the last forward state."""
    n = p["decoder.W_s"].shape[0]
    start = annotations[0, n:] if architecture == "rnnsearch" else annotations[-1]
    return np.tanh(p["decoder.W_s"] @ start + p["decoder.b_s"])


def _predict(p: Parameters, s: Vector, Ey: Vector, annotations: Matrix, architecture: str) -> _Prediction:
    """alpha_i (eq. 6), c_i (eq. 5) and log p(y_i | y_<i, x) from s_{i-1} and E y_{i-1}; A.1.2 and A.2.2."""
    alpha: Vector | None = None
    if architecture == "rnnsearch":
        scores = []
        for h_j in annotations:
            hidden = np.tanh(p["attention.W_a"] @ s + p["attention.U_a"] @ h_j + p["attention.b_a"])
            scores.append(float(p["attention.v_a"] @ hidden))
        exponentials = np.exp(np.array(scores) - max(scores))
        alpha = exponentials / exponentials.sum()
        c = np.zeros(annotations.shape[1])
        for j, h_j in enumerate(annotations):
            c = c + alpha[j] * h_j
    else:
        c = annotations[-1]
    t_tilde = p["readout.U_o"] @ s + p["readout.V_o"] @ Ey + p["readout.C_o"] @ c + p["readout.b_t"]
    t = np.array([max(t_tilde[2 * k], t_tilde[2 * k + 1]) for k in range(len(t_tilde) // 2)])
    logits = p["readout.W_o"] @ t + p["readout.b_o"]
    largest = logits.max()
    log_probabilities = logits - largest - np.log(np.exp(logits - largest).sum())
    return _Prediction(c, alpha, log_probabilities)


def _update(p: Parameters, s: Vector, Ey: Vector, c: Vector) -> Vector:
    """s_i = f(s_{i-1}, y, c_i); A.2.2."""
    z = _sigma(p["decoder.W_z"] @ Ey + p["decoder.U_z"] @ s + p["decoder.C_z"] @ c + p["decoder.b_z"])
    r = _sigma(p["decoder.W_r"] @ Ey + p["decoder.U_r"] @ s + p["decoder.C_r"] @ c + p["decoder.b_r"])
    candidate = np.tanh(p["decoder.W"] @ Ey + p["decoder.U"] @ (r * s) + p["decoder.C"] @ c + p["decoder.b"])
    return (1.0 - z) * s + z * candidate
